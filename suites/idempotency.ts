/** Idempotency keys (sections 4 and 8): required, limited, and one resource for one key, in turn and at once. */

import fc from "fast-check";
import { type Check, Untestable, Violation } from "../client/check.ts";
import { control } from "../client/controls.ts";
import { listOf, markedField } from "../client/relations.ts";
import { identityOf, sendBody } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf, SIMULTANEOUS, type Target } from "../client/target.ts";
import { controlAccepted, mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { parameterViolations } from "../generators/parameters.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { idempotencyKey } from "../generators/text.ts";
import { headerText } from "../generators/values.ts";
import { type JsonObject, sameJson } from "../spec/json.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { PAGES_TO_MISS, readPages } from "../trials/pages.ts";
import { holds } from "../trials/property.ts";
import { noteRejection } from "./access.ts";
import { uniqueFields } from "./creates.ts";

const SUITE = "idempotency";
const AT_ONCE = 8;
/** Characters of the run's mark and a hyphen, and of the shortest key that leaves room behind them. */
const MARK_LENGTH = 20;
const SHORTEST_KEY = 24;

export function idempotencyChecks(spec: Spec): Check[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const key = operation.idempotencyKey;
    if (!key || !operation.body) return [];
    return [
      ...headerChecks(spec, operation, key),
      ...replayChecks(spec, operation, key),
      ...burstChecks(operation, key),
      ...distinctChecks(operation, key),
      ...reuseNotes(spec, operation, key),
    ];
  });
}

/** A key of exactly `length` letters, digits and hyphens that no other run sends. */
function keyOfLength(target: Target, length: number): string {
  const mark = target.unique();
  // Of a mark that is too long, the end differs from key to key.
  return mark.slice(-length).padEnd(length, "0123456789abcdefghijklmnopqrstuvwxyz");
}

/** A key that no other run sends, of about so many characters as far as the header's rules leave a choice. */
export function freshKey(target: Target, key: Parameter, length: number): string {
  if (key.schema.format !== undefined || key.schema.pattern !== undefined)
    return headerText(key.schema, target.unique());
  const { minLength = 0, maxLength = length } = key.schema;
  return keyOfLength(target, Math.max(minLength, Math.min(length, maxLength)));
}

function withKey(plan: RequestPlan, key: Parameter, value: string | null): RequestPlan {
  return withHeaders(plan, { [key.name]: value });
}

/** A body that could be sent twice: without the fields whose values must be unique, which would stand in the way. */
async function repeatableBody(target: Target, operation: Operation): Promise<JsonObject> {
  const required = target.spec.schemas.flatten(operation.body ?? {}).required ?? [];
  const unique = new Set(
    (operation.body ? uniqueFields(target.spec, operation.body) : []).filter(
      (name) => !required.includes(name),
    ),
  );
  const body = await validBody(target, operation, "full");
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unique.has(name)));
}

function headerChecks(spec: Spec, operation: Operation, key: Parameter): Check[] {
  const { maxLength = 0 } = key.schema;
  // A length without other rules can be probed by itself.
  const limited = key.schema.maxLength !== undefined && !key.schema.format && !key.schema.pattern;
  const missing = [
    { requirement: "KEY-MISSING", detail: undefined, title: "without an idempotency key", value: () => null },
    { requirement: "KEY-EMPTY", detail: undefined, title: "with an empty idempotency key", value: () => "" },
  ];
  const tooLong = [
    {
      requirement: "KEY-TOO-LONG",
      detail: `${maxLength + 1}`,
      title: `with an idempotency key of ${maxLength + 1} characters`,
      value: (target: Target) => keyOfLength(target, maxLength + 1),
    },
    {
      requirement: "KEY-TOO-LONG",
      detail: `${maxLength * 4}`,
      title: `with an idempotency key of ${maxLength * 4} characters`,
      value: (target: Target) => keyOfLength(target, maxLength).padEnd(maxLength * 4, "x"),
    },
  ];
  const probes = [...(key.required ? missing : []), ...(limited ? tooLong : [])];
  return [
    ...probes.flatMap(({ requirement, detail, title, value }) =>
      perVersion(spec, {
        suite: SUITE,
        requirement,
        operation,
        ...(detail === undefined ? {} : { detail }),
        title: `${operation.key} ${title} is rejected`,
        stage: "write",
        writes: true,
        cause: requirement === "KEY-TOO-LONG" ? "invalid-idempotency-key" : "missing-idempotency-key",
        async run(target, version) {
          await control(target, operation, version);
          const body = await validBody(target, operation, "full");
          const plan = withKey(withBody(requestTo(operation, version), body), key, value(target));
          const answer = await sendBody(target, plan, "probe");
          noteRejection(target, operation, title, answer);
          mustReject(answer, `${operation.key} ${title}`);
        },
      }),
    ),
    ...formChecks(spec, operation, key),
    ...(limited ? [maxLength] : []).flatMap((length) =>
      perVersion(spec, {
        suite: SUITE,
        requirement: "CREATE-EDGES",
        operation,
        detail: `header/${key.name} maxLength ${maxLength} characters`,
        title: `${operation.key} accepts an idempotency key of ${maxLength} characters`,
        stage: "write",
        writes: true,
        async run(target, version) {
          await control(target, operation, version);
          target.exercised(`${operation.key} header/${key.name} maxLength`, true);
          const plan = withBody(requestTo(operation, version), await validBody(target, operation, "full"));
          mustAccept(
            await sendBody(target, withKey(plan, key, keyOfLength(target, length))),
            `a key of ${length} characters`,
          );
        },
      }),
    ),
  ];
}

/** A key that breaks the form that is documented for it. */
function formChecks(spec: Spec, operation: Operation, key: Parameter): Check[] {
  return parameterViolations(key, spec.schemas)
    .filter(({ constraint }) => constraint === "format" || constraint === "pattern")
    .map(({ constraint, text }) =>
      check({
        suite: SUITE,
        requirement: key.requirements[constraint] ?? "PARAMETER-INVALID",
        operation,
        detail: `${key.name} ${constraint} ${text}`,
        title: `${operation.key} rejects ${key.name}: ${text} (${constraint})`,
        stage: "write",
        writes: true,
        cause: "invalid-idempotency-key",
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const plan = withBody(requestTo(operation, version), await validBody(target, operation, "full"));
          const answer = await sendBody(target, withKey(plan, key, text), "probe");
          noteRejection(target, operation, `${key.name} ${constraint}`, answer);
          mustReject(answer, `${key.name}: ${text}`);
        },
      }),
    );
}

/** Throws a Violation when accepted answers show more than one resource, or the list holds more than one. */
async function mustBeOne(
  target: Target,
  operation: Operation,
  body: JsonObject,
  answers: Answer[],
): Promise<void> {
  const identity = identityOf(target.spec, operation);
  const made = answers.filter((answer) => isAccepted(answer) && resourceOf(answer) !== undefined);
  const [first] = made;
  const other = made.find(
    (answer) => resourceOf(answer)?.[identity] !== (first && resourceOf(first)?.[identity]),
  );
  if (first && other) {
    throw new Violation(
      `the resource ${String(resourceOf(first)?.[identity])} again, or a rejection`,
      `another one, ${String(resourceOf(other)?.[identity])}`,
      [first.exchange, other.exchange],
    );
  }
  const listed = await countListed(target, operation, body);
  if (listed && listed.ids.length > 1) {
    throw new Violation("one resource in the list", `${listed.ids.length}: ${listed.ids.join(", ")}`, [
      ...answers.slice(0, 2).map((answer) => answer.exchange),
      listed.exchange,
    ]);
  }
}

/** The items of the list that have the text which only this body holds; undefined where no list can tell. */
async function countListed(
  target: Target,
  operation: Operation,
  body: JsonObject,
): Promise<{ ids: string[]; exchange: Answer["exchange"] } | undefined> {
  const list = listOf(target.spec, operation);
  const name = markedField(target.spec, operation);
  if (!list || name === undefined) return undefined;
  await target.pause(Math.min(target.settings.visibilityDelay, 100));
  const limit = list.list?.limit?.schema.maximum;
  const reading = await readPages(target, list, {
    version: usualVersion(target, list),
    limit,
    mostPages: PAGES_TO_MISS,
  });
  const ids = reading.items
    .filter((item) => item[name] === body[name])
    .map((item) => String(item[list.list?.identity ?? "id"]));
  const last = reading.answers.at(-1);
  return last ? { ids: [...new Set(ids)], exchange: last.exchange } : undefined;
}

function replayChecks(spec: Spec, operation: Operation, key: Parameter): Check[] {
  const replay = async (target: Target, version: string | null, between?: () => Promise<unknown>) => {
    const body = await repeatableBody(target, operation);
    const plan = withKey(withBody(requestTo(operation, version), body), key, freshKey(target, key, 40));
    const first = await sendBody(target, plan, "first");
    controlAccepted(first, "the first call with the key");
    await between?.();
    const answers = [first, await sendBody(target, plan, "again"), await sendBody(target, plan, "and again")];
    await mustBeOne(target, operation, body, answers);
    target.observe(
      "KEY-REUSE",
      operation.key,
      "same key and body again",
      isAccepted(answers[1] ?? first) ? "the same resource" : `rejected (${answers[1]?.status})`,
    );
  };
  return [
    ...perVersion(spec, {
      suite: SUITE,
      requirement: "KEY-REPLAY",
      operation,
      title: `the same key and body to ${operation.key} again makes no second resource`,
      stage: "write",
      writes: true,
      run: (target, version) => replay(target, version),
    }),
    check({
      suite: SUITE,
      requirement: "KEY-REPLAY",
      operation,
      detail: "after other keys",
      title: `the same key and body to ${operation.key} again, after other keys, makes no second resource`,
      stage: "write",
      writes: true,
      run: (target) =>
        replay(target, usualVersion(target, operation), async () => {
          for (let count = 0; count < 3; count++) {
            const body = await repeatableBody(target, operation);
            await sendBody(
              target,
              withBody(requestTo(operation, usualVersion(target, operation)), body),
              "between",
            );
          }
        }),
    }),
    check({
      suite: SUITE,
      requirement: "KEY-REPLAY",
      operation,
      detail: "longest key",
      title: `a key of full length to ${operation.key} again makes no second resource`,
      stage: "write",
      writes: true,
      async run(target) {
        const body = await repeatableBody(target, operation);
        const plan = withKey(
          withBody(requestTo(operation, usualVersion(target, operation)), body),
          key,
          freshKey(target, key, key.schema.maxLength ?? 64),
        );
        const first = await sendBody(target, plan, "first");
        controlAccepted(first, "the first call with the key");
        await mustBeOne(target, operation, body, [first, await sendBody(target, plan, "again")]);
      },
    }),
    check({
      suite: SUITE,
      requirement: "KEY-OTHER-BODY",
      operation,
      title: `the same key to ${operation.key} with another body is rejected`,
      stage: "write",
      writes: true,
      cause: "idempotency-conflict",
      async run(target) {
        const version = usualVersion(target, operation);
        const value = freshKey(target, key, 40);
        const send = (body: JsonObject, role: string) =>
          sendBody(target, withKey(withBody(requestTo(operation, version), body), key, value), role);
        const full = await validBody(target, operation, "full");
        const first = await send(full, "first");
        controlAccepted(first, "the first call with the key");
        const other = await validBody(target, operation, "full", 1);
        // Another body in everything, and in one field alone: bodies are compared whole.
        const bodies = [other, ...Object.keys(full).map((name) => ({ ...full, [name]: other[name] }))];
        for (const body of bodies.filter((candidate) => !sameJson(candidate, full))) {
          const answer = await send(body, "probe");
          noteRejection(target, operation, "key with another body", answer);
          mustReject(answer, "the same key with another body", [first]);
        }
      },
    }),
  ];
}

function burstChecks(operation: Operation, key: Parameter): Check[] {
  const sketch = { suite: SUITE, operation, stage: "burst", writes: true } as const;
  const burst = (target: Target, round: number) =>
    target.once(`burst ${operation.id} ${round}`, async () => {
      if (target.settings.concurrency < 2)
        throw new Untestable("budget", "with --concurrency 1 nothing is simultaneous");
      const body = await repeatableBody(target, operation);
      const plan = withKey(
        withBody(requestTo(operation, usualVersion(target, operation)), body),
        key,
        freshKey(target, key, 48),
      );
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => sendBody(target, plan, SIMULTANEOUS)),
      );
      return { body, answers };
    });
  return [
    check({
      ...sketch,
      requirement: "KEY-PARALLEL",
      title: `${AT_ONCE} simultaneous ${operation.key} with one key make one resource`,
      async run(target) {
        await replayMakesNone(target, operation, key);
        let accepted = 0;
        for (let round = 0; round < 3; round++) {
          const { body, answers } = await burst(target, round);
          accepted += answers.filter(isAccepted).length;
          await mustBeOne(target, operation, body, answers);
        }
        if (accepted === 0)
          throw new Untestable("control-rejected", "none of the simultaneous calls was accepted");
      },
    }),
    check({
      ...sketch,
      requirement: "KEY-ONE-SUCCEEDS",
      title: `of ${AT_ONCE} simultaneous ${operation.key} with one key one succeeds`,
      async run(target) {
        const single = withBody(
          requestTo(operation, usualVersion(target, operation)),
          await repeatableBody(target, operation),
        );
        controlAccepted(await sendBody(target, single, "control"), "a single call of the same form");
        const { answers } = await burst(target, 0);
        if (answers.some(isAccepted)) return;
        throw new Violation(
          "one call to succeed",
          `all ${AT_ONCE} rejected`,
          answers.slice(0, 2).map((answer) => answer.exchange),
        );
      },
    }),
  ];
}

/** Throws Untestable where a key that is used again in turn makes a second resource: at once it does so all the more. */
async function replayMakesNone(target: Target, operation: Operation, key: Parameter): Promise<void> {
  const body = await repeatableBody(target, operation);
  const plan = withKey(
    withBody(requestTo(operation, usualVersion(target, operation)), body),
    key,
    freshKey(target, key, 40),
  );
  const first = await sendBody(target, plan, "control");
  controlAccepted(first, "a single call");
  try {
    await mustBeOne(target, operation, body, [first, await sendBody(target, plan, "again")]);
  } catch (error) {
    if (error instanceof Violation)
      throw new Untestable("control-rejected", "the same key in turn makes a second resource");
    throw error;
  }
}

/** Two keys that differ in a way that careless services lose. */
interface KeyPair {
  detail: string;
  make(target: Target, longest: number, header: Parameter): [string, string];
}

const KEY_PAIRS: KeyPair[] = [
  {
    detail: "unlike",
    make: (target, _, header) => [freshKey(target, header, 36), freshKey(target, header, 36)],
  },
  {
    detail: "last character",
    make: (target, longest) => {
      const key = keyOfLength(target, longest);
      return [`${key.slice(0, -1)}A`, `${key.slice(0, -1)}B`];
    },
  },
  {
    detail: "casing",
    make: (target) => {
      const key = `${keyOfLength(target, 20)}-abcdef`;
      return [key, `${key.slice(0, -6)}ABCDEF`];
    },
  },
  {
    detail: "length",
    make: (target, longest) => {
      const key = keyOfLength(target, longest);
      return [key, key.slice(0, -1)];
    },
  },
  {
    detail: "first half the same",
    make: (target, longest) => {
      const key = keyOfLength(target, longest);
      const half = Math.floor(longest / 2);
      return [key, `${key.slice(0, half)}${"Z".repeat(longest - half)}`];
    },
  },
  {
    detail: "hyphens",
    make: (target) => {
      const mark = keyOfLength(target, 20);
      return [`${mark}-a-b`, `${mark}-ab`];
    },
  },
];

function distinctChecks(operation: Operation, key: Parameter): Check[] {
  const longest = key.schema.maxLength ?? 64;
  const mustDiffer = async (target: Target, version: string | null, keys: [string, string]) => {
    const rules = { ...key.schema };
    if (keys.some((text) => target.spec.schemas.validate(rules, text).length > 0))
      throw new Untestable("no-data", `no two keys within the rules of ${key.name} differ so`);
    const body = await repeatableBody(target, operation);
    const plan = withBody(requestTo(operation, version), body);
    const first = await sendBody(target, withKey(plan, key, keys[0]), "first key");
    controlAccepted(first, "the call with the first key");
    // What must be unique, and has to be sent, would stand in the way of the second.
    const unique = uniqueFields(target.spec, operation.body ?? {}).filter((name) => name in body);
    const fresh = unique.length > 0 ? await repeatableBody(target, operation) : {};
    const other = { ...body, ...Object.fromEntries(unique.map((name) => [name, fresh[name]])) };
    const second = await sendBody(target, withKey(withBody(plan, other), key, keys[1]), "second key");
    if (!isAccepted(second)) {
      mustAccept(second, `the key ${keys[1]}, after ${keys[0]},`);
    }
    const identity = identityOf(target.spec, operation);
    const ids = [first, second].map((answer) => resourceOf(answer)?.[identity]);
    if (ids[0] !== undefined && ids[0] === ids[1]) {
      throw new Violation("another resource under another key", `the same, ${String(ids[0])}`, [
        first.exchange,
        second.exchange,
      ]);
    }
  };
  return [
    // A key with a form of its own differs in what the form leaves open.
    ...KEY_PAIRS.slice(0, key.schema.format || key.schema.pattern ? 1 : undefined).map(({ detail, make }) =>
      check({
        suite: SUITE,
        requirement: "KEY-DISTINCT",
        operation,
        detail,
        title: `keys to ${operation.key} that differ (${detail}) make different resources`,
        stage: "write",
        writes: true,
        run: (target) => mustDiffer(target, usualVersion(target, operation), make(target, longest, key)),
      }),
    ),
    ...(key.schema.format || key.schema.pattern || longest < SHORTEST_KEY ? [] : [anyKeysCheck()]),
  ];
  function anyKeysCheck(): Check {
    return check({
      suite: SUITE,
      requirement: "KEY-DISTINCT",
      operation,
      detail: "any keys",
      title: `keys to ${operation.key} that differ in any character make different resources`,
      stage: "write",
      writes: true,
      async run(target) {
        await control(target, operation, usualVersion(target, operation));
        const pair = fc
          .tuple(
            idempotencyKey({ min: 1, max: Math.min(40, longest - MARK_LENGTH) }),
            fc.nat(),
            fc.constantFrom("a", "Z", "0", "-"),
          )
          .filter(([text, at, other]) => text[at % text.length] !== other);
        await holds(
          target,
          pair,
          async ([text, at, other]) => {
            const place = at % text.length;
            const mark = `${target.unique()}-`;
            const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
            await mustDiffer(target, usualVersion(target, operation), [
              `${mark}${text}`,
              `${mark}${changed}`,
            ]);
          },
          Math.min(target.settings.runs, 4),
        );
      },
    });
  }
}

/** Reuse that the specification says nothing about: recorded. */
function reuseNotes(spec: Spec, operation: Operation, key: Parameter): Check[] {
  const note = (detail: string, run: (target: Target, value: string) => Promise<string>): Check =>
    check({
      suite: SUITE,
      requirement: "KEY-REUSE",
      operation,
      detail,
      title: `what ${operation.key} makes of a key ${detail}`,
      stage: "write",
      writes: true,
      async run(target) {
        target.observe("KEY-REUSE", operation.key, detail, await run(target, freshKey(target, key, 40)));
      },
    });
  const told = (answer: Answer) => `${isAccepted(answer) ? "accepted" : "rejected"} (${answer.status})`;
  const send = async (target: Target, other: Operation, value: string) => {
    const body = await validBody(target, other, "full");
    return sendBody(
      target,
      withKey(withBody(requestTo(other, usualVersion(target, other)), body), key, value),
    );
  };
  const other = spec.operations.find(
    (candidate) => candidate.kind === "create" && candidate.idempotencyKey && candidate.id !== operation.id,
  );
  return [
    note("after a rejection", async (target, value) => {
      const plan = withKey(withBody(requestTo(operation, usualVersion(target, operation)), {}), key, value);
      await target.send(plan);
      return told(await send(target, operation, value));
    }),
    ...(other
      ? [
          note("used on another operation", async (target, value) => {
            await send(target, other, value);
            return told(await send(target, operation, value));
          }),
        ]
      : []),
  ];
}
