/** Updates that are rejected (sections 3, 4.5, 4.7 and 4.15) change nothing; those of an unknown id are. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { control, refusedHeaders, subjectLock } from "../client/controls.ts";
import { subjectOf } from "../client/subjects.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../client/target.ts";
import { mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type Violation as BodyViolation, bodyViolations, isConfirmed } from "../generators/probes.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import { awkwardId } from "../generators/text.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { changes, type Difference, describeDifferences, restlessFields } from "../trials/compare.ts";
import { check, perVersion } from "../trials/derive.ts";
import { holds } from "../trials/property.ts";
import { beginAnew, onSubject, readSettled } from "../trials/settled-reads.ts";
import { nextSalt, pick, readOnce, UPDATES, updateRequest } from "../trials/updating.ts";
import { noteRejection } from "./access.ts";

const LONG_ID = 16;

/** After a batch of rejected updates the resource is as it was; when it is not, the one that changed it is sought. */
export function noEffectChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
  const sketch = { suite: UPDATES, operation, stage: "write", writes: true } as const;
  return [
    ...perVersion(spec, {
      ...sketch,
      requirement: "UPDATE-NO-EFFECT",
      title: `a rejected ${operation.key} changes nothing`,
      async run(target, version) {
        await control(target, operation, version);
        const supply = await supplyFor(target, body);
        await onSubject(target, operation, async (id) => {
          const plans: RequestPlan[] = [];
          const places = new Set<string>();
          for (const violation of bodyViolations(body, supply)) {
            const place = `${violation.pointer} ${violation.constraint}`;
            const valid = await validBody(target, operation, "full", nextSalt(target));
            if (
              places.has(place) ||
              isNote(spec, body, violation) ||
              !isConfirmed(violation, valid, body, supply)
            )
              continue;
            places.add(place);
            plans.push(updateRequest(operation, id, version, violation.breaking(valid)));
          }
          for (const headers of refusedHeaders(operation)) {
            const valid = await validBody(target, operation, "full", nextSalt(target));
            plans.push(withHeaders(updateRequest(operation, id, version, valid), headers));
          }
          await mustChangeNothing(target, operation, id, version, plans);
        });
      },
    }),
    check({
      ...sketch,
      requirement: "AUTH-NO-EFFECT",
      title: `${operation.key} without authentication changes nothing`,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          const plan = updateRequest(
            operation,
            id,
            version,
            await validBody(target, operation, "full", nextSalt(target)),
          );
          const plans = [null, `Bearer conformance-unknown-${target.runId}`].map((authorization) => ({
            ...withHeaders(plan, { authorization }),
            authorizationLabel: "an unknown token",
          }));
          await mustChangeNothing(target, operation, id, version, plans);
        });
      },
    }),
  ];
}

function isNote(spec: Spec, body: Schema, violation: BodyViolation): boolean {
  const schema = spec.schemas.at(body, violation.pointer);
  const own = schema && spec.schemas.ownRequirement(schema, violation.constraint);
  return own !== undefined && spec.requirements.get(own)?.level === "NOTE";
}

/** Sends updates that are rejected; throws a Violation when the resource differs afterwards, naming the first that changed it. */
async function mustChangeNothing(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  plans: RequestPlan[],
): Promise<void> {
  const names = new Set(Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}));
  let before = (await beginAnew(target, operation, id, version)).resource;
  let rejected = 0;
  const trySome = async (
    some: RequestPlan[],
  ): Promise<{ differences: Difference[]; last: Answer | undefined; accepted: boolean }> => {
    let last: Answer | undefined;
    for (const plan of some) {
      const answer = await target.send(plan, { role: "rejected" });
      if (isAccepted(answer)) return { differences: [], last: undefined, accepted: true };
      if (isRejected(answer)) {
        rejected++;
        last = answer;
      }
    }
    const after = (await readSettled(target, operation, id, version, { before })).resource;
    const differences = changes(pick(before, names), pick(after, names), new Set());
    before = after;
    return { differences, last, accepted: false };
  };
  const { differences, accepted } = await trySome(plans);
  // That one was accepted is the finding of another check; the others are then tried without it.
  if (differences.length > 0 || accepted) {
    const restless = await restlessFields(target, () => readOnce(target, operation, id, version));
    for (const plan of plans) {
      // Back to other values first: what was applied already would change nothing a second time.
      before = (await beginAnew(target, operation, id, version)).resource;
      const single = await trySome([plan]);
      const changed = single.differences.filter(({ pointer }) => !restless.has(pointer));
      if (changed.length > 0 && single.last) {
        const { expected, actual } = describeDifferences(changed);
        throw new Violation(`still ${expected} after a rejected update`, actual, [single.last.exchange]);
      }
    }
  }
  if (differences.length > 0)
    throw new Untestable("drift", "the resource changed, but none of the rejected updates changes it");
  if (rejected === 0) throw new Untestable("no-data", "nothing was rejected");
}

export function unknownChecks(operation: Operation): Check[] {
  const ids: { detail: string; make: (known: string, target: Target) => string }[] = [
    { detail: "made up", make: (_, target) => `conformance-${target.runId}` },
    { detail: "appended", make: (known) => `${known}x` },
    // Cut short, a short id may be somebody else's; a long one is nobody's.
    { detail: "cut short", make: (known) => (known.length < LONG_ID ? "" : known.slice(0, -1)) },
    { detail: "long", make: () => "a".repeat(300) },
    { detail: "encoded slash", make: (known) => `${known}/x` },
    { detail: "quotes", make: () => `'"' OR '1'='1` },
  ];
  const sketch = {
    suite: UPDATES,
    requirement: "UPDATE-UNKNOWN",
    operation,
    stage: "write",
    writes: true,
  } as const;
  return [
    ...ids.map(({ detail, make }) =>
      check({
        ...sketch,
        detail,
        title: `${operation.key} rejects an unknown id (${detail})`,
        cause: "unknown-id",
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const known = await subjectOf(target, operation, "write");
          const id = make(known, target);
          if (id === "") throw new Untestable("no-data", "the id can't be altered safely");
          // A service that mistakes the id for the known one changes that: nobody else may be looking.
          const answer = await target.exclusive(subjectLock(operation), async () =>
            target.send(updateRequest(operation, id, version, await validBody(target, operation, "full")), {
              role: "probe",
            }),
          );
          noteRejection(target, operation, `unknown id: ${detail}`, answer);
          mustReject(answer, `an update of an unknown id (${detail})`);
        },
      }),
    ),
    check({
      ...sketch,
      detail: "any text",
      title: `${operation.key} rejects unknown ids of any characters`,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await holds(
          target,
          awkwardId(),
          async (text) => {
            const id = `${text}-${target.runId}`;
            mustReject(
              await target.send(
                updateRequest(operation, id, version, await validBody(target, operation, "full")),
                {
                  role: "probe",
                },
              ),
              `an update of the unknown id ${describeValue(id, 60)}`,
            );
          },
          Math.min(target.settings.runs, 5),
        );
      },
    }),
  ];
}
