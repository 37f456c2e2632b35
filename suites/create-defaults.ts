/** Fields that a create does not send: defaults, no null, and the service's own values. */

import { offending, Violation } from "../client/check.ts";
import { resourceOf } from "../client/target.ts";
import { sameJson } from "../spec/json.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { fullCreation, minimalCreation, mustHaveMade, triedParts } from "../trials/creation.ts";
import { operationsWithBody, rule, suiteOf } from "../trials/rule.ts";

function fieldsThat(spec: Spec, fits: (schema: Schema) => boolean) {
  return operationsWithBody(spec, "create").flatMap((operation) =>
    spec.schemas
      .fields(operation.body)
      .filter(([, field]) => fits(field))
      .map(([name]) => ({ operation, detail: name, name })),
  );
}

const defaults = rule({
  requirement: "CREATE-DEFAULT",
  over: (spec) => fieldsThat(spec, ({ default: usual }) => usual !== undefined),
  title: ({ operation, name }) => `${operation.key} without ${name} uses the documented default`,
  versions: "rotated",
  async run(call, { name }) {
    const { target, operation } = call;
    const expected = target.spec.schemas.at(operation.body ?? {}, `/${name}`)?.default;
    const left = await triedParts(call, ({ kind, field }) => kind === "left out" && field === name);
    const minimal = await minimalCreation(call);
    for (const creation of [minimal, ...left.map(({ creation }) => creation)]) {
      mustHaveMade(target, creation);
      const shown = resourceOf(creation.answer)?.[name];
      if (name in creation.sent || sameJson(shown, expected)) continue;
      throw new Violation(`${name} ${describeValue(expected)}`, describeValue(shown), [
        offending(creation.answer, `/result/${name}`),
      ]);
    }
  },
});

/** A field that may show null only after null was sent. */
const noOtherNull = rule({
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) => {
      const requirement = spec.schemas.flatten(operation.resource ?? {})["x-requirements"]?.fields;
      // Fields that may show null after null was sent.
      const fields = spec.schemas.fields(operation.resource).filter(([, field]) => field["x-null-echo"]);
      const names = fields.map(([name]) => name);
      return requirement === undefined || names.length === 0
        ? []
        : [{ operation, detail: "null that was not sent", requirement, names }];
    }),
  title: ({ operation, names }) =>
    `${operation.key} shows no null for ${names.join(" and ")} unless null was sent`,
  async run(call, { names }) {
    const { target } = call;
    const creations = await Promise.all([minimalCreation(call), fullCreation(call)]);
    for (const creation of creations) {
      mustHaveMade(target, creation);
      const shown = resourceOf(creation.answer);
      const wrong = names.find((name) => creation.sent[name] !== null && shown?.[name] === null);
      if (wrong !== undefined)
        throw new Violation(`no null for ${wrong}: none was sent`, "null", [
          offending(creation.answer, `/result/${wrong}`),
        ]);
    }
  },
});

/** Values that the caller does not choose: recorded. */
const initial = rule({
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      spec.schemas
        .fields(operation.resource)
        .flatMap(([name, { "x-initial": requirement }]) =>
          requirement ? [{ operation, name, requirement }] : [],
        ),
    ),
  title: ({ operation, name }) => `${name} of a new resource of ${operation.key}`,
  async run(call, { name, requirement }) {
    const shows = resourceOf(await call.control())?.[name];
    call.note(requirement, "initialValue", { shows }, { field: name });
  },
});

export const createDefaults = suiteOf("creates", defaults, noOtherNull, initial);
