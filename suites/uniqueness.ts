/** Fields that are unique in a space (section 4.2): a second use is rejected, in turn and at once, and only there. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { sendBody } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { isAccepted, isRejected, SIMULTANEOUS, type Target } from "../client/target.ts";
import { controlAccepted, mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { allowsNull } from "../spec/schema.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { noteRejection } from "./access.ts";
import { uniqueFields } from "./creates.ts";

const SUITE = "uniqueness";
const AT_ONCE = 6;

export function uniquenessChecks(spec: Spec): Check[] {
  return operationsOf(spec, "create").flatMap((operation) =>
    operation.body
      ? uniqueFields(spec, operation.body).flatMap((name) => fieldChecks(spec, operation, name))
      : [],
  );
}

function plan(
  target: Target,
  operation: Operation,
  body: JsonObject,
  version = usualVersion(target, operation),
): RequestPlan {
  return withBody(requestTo(operation, version), body);
}

function fieldChecks(spec: Spec, operation: Operation, name: string): Check[] {
  const sketch = { suite: SUITE, operation, detail: name, stage: "write", writes: true } as const;
  const nullable = allowsNull(
    spec.schemas.flatten(spec.schemas.flatten(operation.body ?? {}).properties?.[name] ?? {}),
  );
  const required = spec.schemas.flatten(operation.body ?? {}).required?.includes(name) ?? false;
  return [
    ...secondUses(spec, operation, name),
    check({
      ...sketch,
      requirement: "UNIQUE-PARALLEL",
      title: `of simultaneous ${operation.key} with the same ${name} at most one is accepted`,
      stage: "burst",
      async run(target) {
        const one = await validBody(target, operation, "full");
        controlAccepted(await sendBody(target, plan(target, operation, one), "control"), "a single call");
        const two = await sendBody(
          target,
          plan(target, operation, { ...(await validBody(target, operation, "full")), [name]: one[name] }),
          "probe",
        );
        if (!isRejected(two))
          throw new Untestable("control-rejected", `a second use in turn was answered ${two.status}`, [
            two.exchange,
          ]);
        for (let round = 0; round < 3; round++) {
          const bodies = await Promise.all(
            Array.from({ length: AT_ONCE }, () => validBody(target, operation, "full")),
          );
          const value = bodies[0]?.[name];
          const answers = await Promise.all(
            bodies.map((body) =>
              sendBody(target, plan(target, operation, { ...body, [name]: value }), SIMULTANEOUS),
            ),
          );
          const accepted = answers.filter(isAccepted);
          if (accepted.length > 1) {
            throw new Violation(
              `one of ${AT_ONCE} calls to be accepted`,
              `${accepted.length} accepted`,
              accepted.slice(0, 2).map((answer) => answer.exchange),
            );
          }
          if (accepted.length === 0)
            throw new Untestable("control-rejected", "none of the simultaneous calls was accepted");
        }
      },
    }),
    ...(required
      ? []
      : [
          check({
            ...sketch,
            requirement: "UNIQUE-OPTIONAL",
            title: `${operation.key} without ${name} may be repeated freely`,
            async run(target) {
              for (let count = 0; count < 2; count++) {
                const { [name]: _, ...without } = await validBody(target, operation, "full");
                const answer = await sendBody(target, plan(target, operation, without));
                mustAccept(answer, `a call without ${name} (the ${count === 0 ? "first" : "second"})`);
              }
            },
          }),
        ]),
    ...(nullable
      ? [
          check({
            ...sketch,
            requirement: "UNIQUE-OPTIONAL",
            detail: `${name} null`,
            title: `${operation.key} with ${name} null may be repeated freely`,
            async run(target) {
              for (let count = 0; count < 2; count++) {
                const body = { ...(await validBody(target, operation, "full")), [name]: null };
                const answer = await sendBody(target, plan(target, operation, body));
                if (count === 0) controlAccepted(answer, `a first call with ${name} null`);
                else mustAccept(answer, `a second call with ${name} null`);
              }
            },
          }),
        ]
      : []),
    ...(operation.space
      ? [
          check({
            ...sketch,
            requirement: "UNIQUE-PER-SPACE",
            title: `${operation.key} takes in another space the ${name} of the first`,
            async run(target) {
              if (target.settings.secondSpace === undefined)
                throw new Untestable("no-second-space", "give --second-space to test this");
              const first = await validBody(target, operation, "full");
              controlAccepted(
                await sendBody(target, plan(target, operation, first), "control"),
                "the first use",
              );
              const fresh = {
                ...plan(target, operation, await validBody(target, operation, "full")),
                space: "second" as const,
              };
              controlAccepted(await sendBody(target, fresh, "control"), "a call in the second space");
              const same = {
                ...plan(target, operation, {
                  ...(await validBody(target, operation, "full")),
                  [name]: first[name],
                }),
                space: "second" as const,
              };
              mustAccept(await sendBody(target, same, "probe"), `${name} of the first space in the second`);
            },
          }),
        ]
      : []),
    ...spellingNotes(operation, name),
  ];
}

/** A second use of the value: with all else the same, and with all else different. */
function secondUses(spec: Spec, operation: Operation, name: string): Check[] {
  const uses: { detail: string; body: (target: Target, first: JsonObject) => Promise<JsonObject> }[] = [
    { detail: "same body", body: async (_, first) => first },
    {
      detail: "other fields differ",
      body: async (target, first) => ({
        ...(await validBody(target, operation, "full", 1)),
        [name]: first[name],
      }),
    },
    {
      detail: "required fields alone",
      body: async (target, first) => ({
        ...(await validBody(target, operation, "minimal")),
        [name]: first[name],
      }),
    },
  ];
  return uses.flatMap(({ detail, body }) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: "UNIQUE-REJECTED",
      operation,
      detail: `${name}, ${detail}`,
      title: `a second ${operation.key} with the same ${name} is rejected (${detail})`,
      stage: "write",
      writes: true,
      cause: "duplicate-value",
      async run(target, version) {
        const first = await validBody(target, operation, "full");
        const one = await sendBody(target, plan(target, operation, first, version), "control");
        controlAccepted(one, "the first use");
        // The control of the second call stands between the two: what is remembered is not the latest value alone.
        const other = await body(target, first);
        const fresh = (await validBody(target, operation, "full"))[name];
        controlAccepted(
          await sendBody(target, plan(target, operation, { ...other, [name]: fresh }, version), "control"),
          `the call with its own ${name}`,
        );
        const answer = await sendBody(target, plan(target, operation, other, version), "probe");
        noteRejection(target, operation, `duplicate ${name}`, answer);
        mustReject(answer, `a second use of ${name}`, [one]);
      },
    }),
  );
}

function spellingNotes(operation: Operation, name: string): Check[] {
  const note = (
    detail: string,
    second: (first: string) => string,
    first: (value: string) => string = (value) => value,
  ): Check =>
    check({
      suite: SUITE,
      requirement: "UNIQUE-SPELLING",
      operation,
      detail: `${name} ${detail}`,
      title: `what ${operation.key} makes of a second ${name}: ${detail}`,
      stage: "write",
      writes: true,
      async run(target) {
        const body = await validBody(target, operation, "full");
        const value = first(String(body[name]));
        const one = await sendBody(target, plan(target, operation, { ...body, [name]: value }), "probe");
        const two = await sendBody(
          target,
          plan(target, operation, { ...(await validBody(target, operation, "full")), [name]: second(value) }),
          "probe",
        );
        target.observe("UNIQUE-SPELLING", operation.key, detail, `${one.status}, then ${two.status}`);
      },
    });
  return [
    note(
      "empty twice",
      () => "",
      () => "",
    ),
    note("in other casing", (value) => value.toUpperCase()),
  ];
}
