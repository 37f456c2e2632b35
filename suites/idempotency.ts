/** Idempotency keys (sections 4 and 8): required, limited, and one resource for one key, also with concurrent calls. */

import { Untestable, Violation } from "../client/check.ts";
import { freshKey, hasForm, keyOfLength } from "../client/keys.ts";
import { isAccepted } from "../client/target.ts";
import { parameterViolations } from "../generators/parameters.ts";
import { requestTo, withBody } from "../generators/request.ts";
import { sameJson } from "../spec/json.ts";
import { acceptedCreations, fullCreation } from "../trials/creation.ts";
import {
  AT_ONCE,
  burst,
  burstVersion,
  mustBeOne,
  mustBeOneInTurn,
  replayed,
  succeeded,
} from "../trials/key-replay.ts";
import { keyPlaces, mustRefuse, withKey, wrongKeys } from "../trials/refused-keys.ts";
import { judges, rule, suiteOf } from "../trials/rule.ts";

/** Fields that depth quick changes under a used key. */
const QUICK_FIELDS = 2;

/** A missing key is tested under each version, since one version may not check it; other wrong keys under one. */
const wrongKeysRejected = (["each", "rotated"] as const).map((versions) =>
  rule({
    over: (spec) =>
      keyPlaces(spec)
        .flatMap(wrongKeys)
        .filter(({ requirement }) => (requirement === "KEY-MISSING") === (versions === "each")),
    title: ({ operation, title }) => `${operation.key} ${title} is rejected`,
    versions,
    cause: ({ requirement }) =>
      requirement === "KEY-TOO-LONG" ? "invalid-idempotency-key" : "missing-idempotency-key",
    run: mustRefuse,
  }),
);

/** A key that breaks its documented form. */
const formsRejected = rule({
  over: (spec) =>
    keyPlaces(spec).flatMap((place) =>
      parameterViolations(place.key, spec.schemas)
        .filter(({ constraint }) => constraint === "format" || constraint === "pattern")
        .map(({ constraint, text }) => ({
          ...place,
          requirement: place.key.requirements[constraint] ?? "PARAMETER-INVALID",
          detail: `${place.key.name} ${constraint} ${text}`,
          title: `with ${text} for ${place.key.name}`,
          value: () => text,
        })),
    ),
  title: ({ operation, title }) => `${operation.key} ${title} is rejected`,
  cause: "invalid-idempotency-key",
  run: mustRefuse,
});

/** A key that is short by any rule. If it is accepted and a longer one is not, the length is the reason. */
const SHORT_KEY = 20;

/** The first key of every scenario has the full length, and so have most keys that differ from it. */
const longestAccepted = rule({
  requirement: "CREATE-EDGES",
  over: (spec) =>
    keyPlaces(spec)
      .filter(({ key }) => key.schema.maxLength !== undefined && !hasForm(key))
      .map((place) => ({
        ...place,
        detail: `header/${place.key.name} maxLength ${place.key.schema.maxLength} characters`,
      })),
  title: ({ operation, key }) =>
    `${operation.key} accepts an idempotency key of ${key.schema.maxLength} characters`,
  versions: "rotated",
  async run(call, { key }) {
    const { target, operation, version } = call;
    const { maxLength = 0 } = key.schema;
    target.exercised(`${operation.key} header/${key.name} maxLength`, true);
    const made = await acceptedCreations(call);
    const isLongest = ({ plan, version: sentUnder }: (typeof made)[number]) =>
      sentUnder === version && plan.headers[key.name.toLowerCase()]?.length === maxLength;
    if (made.some(isLongest)) return;
    // A rejection may have many reasons; an equal call with a short key excludes the others.
    const plan = withBody(requestTo(operation, version), await call.body("minimal"));
    const answer = await call.send(withKey(plan, key, keyOfLength(target, maxLength)));
    if (isAccepted(answer)) return call.mustShow(answer);
    const short = withKey(plan, key, freshKey(target, key, SHORT_KEY));
    call.controlAccepted(await call.send(short), "the same call with a short key");
    call.mustAccept(answer, `a key of ${maxLength} characters`);
  },
});

const REPLAYS = [
  { versions: "rotated", detail: undefined, what: "the same key and body" },
  { versions: "usual", detail: "after other keys", what: "the same key and body, after other keys," },
  { versions: "usual", detail: "longest key", what: "a key of full length" },
] as const;

const replays = REPLAYS.map(({ versions, detail, what }) =>
  judges({
    requirement: "KEY-REPLAY",
    notes: "idempotencyReplay",
    over: (spec) => keyPlaces(spec, detail),
    title: ({ operation }) => `${operation.key} with ${what} again creates no second resource`,
    versions,
    story: replayed,
    async look(replay, _, call) {
      const { target } = call;
      await mustBeOne(target, replay);
      const [, again] = replay.answers;
      if (!again) return;
      call.note("KEY-REUSE", "idempotencyReplay", { status: again.status });
    },
  }),
);

const otherBody = rule({
  requirement: "KEY-OTHER-BODY",
  over: (spec) => keyPlaces(spec),
  title: ({ operation }) => `${operation.key} with the same key and another body is rejected`,
  versions: "rotated",
  cause: "idempotency-conflict",
  async run(call) {
    const { target } = call;
    const first = await fullCreation(call);
    call.controlAccepted(first.answer, "the first call with the key");
    const { sent, plan } = first;
    const other = await call.body("full", 2);
    // Another body in everything, and in one field alone, since bodies are compared whole. All fields at
    // depth full under the default version; else two fields by seed.
    const names = Object.keys(sent).filter((name) => !sameJson(other[name], sent[name]));
    const { depth, seed } = target.settings;
    const fields =
      depth === "full" && call.isUsual
        ? names
        : names.filter((_, index) => (index + seed) % Math.ceil(names.length / QUICK_FIELDS) === 0);
    const bodies = [other, ...fields.map((name) => ({ ...sent, [name]: other[name] }))];
    for (const body of bodies.filter((candidate) => !sameJson(candidate, sent))) {
      const answer = await call.send(withBody(plan, body));
      call.mustReject(answer, "the same key with another body", "key with another body", [first.answer]);
    }
  },
});

const parallel = rule({
  stage: "burst",
  requirement: "KEY-PARALLEL",
  over: (spec) => keyPlaces(spec),
  title: ({ operation }) =>
    `${AT_ONCE} concurrent calls of ${operation.key} with one key create one resource`,
  async run(call) {
    const { target } = call;
    let accepted = 0;
    // At depth quick under one version, at depth full under each.
    const rounds = target.settings.depth === "full" ? call.versions.length : 1;
    for (let round = 0; round < rounds; round++) {
      const replay = await burst(call, round);
      accepted += replay.answers.filter(succeeded).length;
      try {
        await mustBeOne(target, replay);
      } catch (error) {
        if (error instanceof Violation) await mustBeOneInTurn(call);
        throw error;
      }
    }
    if (accepted === 0)
      throw new Untestable("control-rejected", "none of the simultaneous calls was accepted");
  },
});

/** Before other creates: if a service accepts few resources, races show the most. */
const oneSucceeds = rule({
  stage: "race",
  requirement: "KEY-ONE-SUCCEEDS",
  over: (spec) => keyPlaces(spec),
  title: ({ operation }) => `of ${AT_ONCE} concurrent calls of ${operation.key} with one key, one succeeds`,
  async run(call) {
    const { target } = call;
    await call.control();
    const rounds = target.settings.depth === "full" ? call.allowed.length : 1;
    for (let round = 0; round < rounds; round++) {
      const { answers, sent } = await burst(call, round);
      const [accepted] = answers.filter(isAccepted);
      if (accepted) {
        call.mustShow(accepted);
        continue;
      }
      const version = burstVersion(call, round);
      const single = await call.under(version).create(sent, { role: "probe" });
      call.controlAccepted(single.answer, "a single call of the same form");
      throw new Violation("one call to succeed", `all ${AT_ONCE} rejected`, answers.slice(0, 2));
    }
  },
});

export const idempotencyChecks = suiteOf(
  "idempotency",
  ...wrongKeysRejected,
  formsRejected,
  longestAccepted,
  ...replays,
  otherBody,
  parallel,
  oneSucceeds,
);
