/** Updates (sections 4.5, 4.7 and 4.15): what was sent is shown in the answer and in the next read. */

import { Untestable } from "../client/check.ts";
import { isAccepted } from "../client/target.ts";
import { readerOf } from "../trials/read-back.ts";
import { judges, rule, suiteOf } from "../trials/rule.ts";
import { mustAgree } from "../trials/same-record.ts";
import { onSubject } from "../trials/settled-reads.ts";
import { mustBothLast } from "../trials/simultaneous-updates.ts";
import { acceptedStep, type Step, stepEvidence, switchesOf } from "../trials/update.ts";
import { FULL, fullUpdates, optionalFields, REQUIRED, singleUpdates } from "../trials/update-series.ts";
import { SIGHTS } from "../trials/update-sights.ts";
import { sendOtherValues, throwDifferences, updatableFields, updatesOf } from "../trials/updating.ts";

/** All fields in one call, under every version. */
const allFields = SIGHTS.map(({ requirement, shower, faults, where }) =>
  judges({
    requirement,
    over: (spec) => updatesOf(spec).map((at) => ({ ...at, detail: FULL })),
    title: ({ operation, detail }) => `${shower(operation)} shows what was sent (${detail})`,
    versions: "each",
    story: fullUpdates,
    look(steps, { operation }, call) {
      const { version } = call;
      acceptedStep(steps, FULL, version);
      for (const step of steps.filter((each) => each.what === FULL && each.version === version))
        throwDifferences(isAccepted(step.answer) ? faults(step, operation) : [], stepEvidence(step), where);
    },
  }),
);

/** Each field alone, beside what is required. */
const eachField = SIGHTS.map(({ requirement, shower, faults, where }) =>
  judges({
    requirement,
    over: (spec) =>
      updatesOf(spec).flatMap(({ operation }) =>
        updatableFields(spec, operation.body ?? {}).map((detail) => ({ operation, detail })),
      ),
    title: ({ operation, detail }) => `${shower(operation)} shows what was sent (${detail})`,
    versions: "one",
    draw: "single updates",
    story: singleUpdates,
    look(steps, { operation, detail }) {
      const step = steps.some(({ what }) => what === detail)
        ? acceptedStep(steps, detail)
        : requiredStep(steps, detail);
      throwDifferences(
        faults(step, operation).filter(({ pointer }) => pointer.split("/")[1] === detail),
        stepEvidence(step),
        where,
      );
    },
  }),
);

/** The update of the required fields alone, for one of them. Throws Untestable where it did not send it. */
function requiredStep(steps: Step[], name: string): Step {
  const step = acceptedStep(steps, REQUIRED);
  if (!(name in step.sent)) throw new Untestable("no-data", `no value is known for ${name}`);
  return step;
}

/** After an update the list and the single read still tell the same of a resource. */
const shapesAgree = rule({
  stage: "write",
  writes: true,
  over: (spec) =>
    updatesOf(spec).flatMap(({ operation: update }) => {
      const operation = readerOf(spec, update);
      return operation?.sameRecord
        ? [
            {
              operation,
              update,
              detail: `after ${update.key}`,
              requirement: operation.sameRecord.requirement,
            },
          ]
        : [];
    }),
  title: ({ operation, detail }) => `${operation.key} and the list agree on a resource ${detail}`,
  async run(call, { operation, update }) {
    const { target } = call;
    await onSubject(call.to(update), async (id) => {
      await sendOtherValues(call.to(update), id);
      await mustAgree(target, operation, id, update);
    });
  },
});

/** Two updates of different fields at the same moment: none of those that were accepted is lost. A PUT replaces the other. */
const atTheSameMoment = rule({
  // Each has a resource of its own.
  stage: "clash",
  requirement: "UPDATE-STORED",
  over: (spec) =>
    updatesOf(spec).flatMap(({ operation }) => {
      const switches = new Set(switchesOf(spec, operation.body ?? {}));
      const fields = optionalFields(spec, operation).filter((name) => !switches.has(name));
      return operation.method === "PUT" || fields.length < 2 || !readerOf(spec, operation)
        ? []
        : [{ operation, detail: "two at the same moment", fields }];
    }),
  title: ({ operation }) =>
    `two calls of ${operation.key} at the same moment, of different fields, both last`,
  run: (call, { fields }) => mustBothLast(call, fields),
});

export const updateEchoes = suiteOf("updates", ...allFields, ...eachField);

/** What was stored is the same everywhere, and lasts. */
export const updatesStored = suiteOf("updates", shapesAgree, atTheSameMoment);
