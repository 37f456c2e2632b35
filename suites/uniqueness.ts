/**
 * Fields that are unique in a space (section 4.2): a second use is rejected, also with concurrent calls, and only
 * there.
 */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { idOf } from "../client/creations.ts";
import { type Answer, isAccepted, isRejected, SIMULTANEOUS } from "../client/target.ts";
import type { JsonObject } from "../spec/json.ts";
import { acceptedCreations, minimalCreation, mustHaveMade, triedParts } from "../trials/creation.ts";
import { minimalAgain, plainTexts } from "../trials/creation-again.ts";
import { burstVersion } from "../trials/key-replay.ts";
import { operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";
import {
  bodyUnlike,
  firstUse,
  nullAgain,
  plainUse,
  planWith,
  type UniquePlace,
  type Use,
  uniquePlaces,
} from "../trials/unique-uses.ts";

const AT_ONCE = 5;

interface UsePlace extends UniquePlace {
  of?: Use;
  body(call: Call, first: JsonObject): Promise<JsonObject>;
}

const SAME_BODY = "same body";

/** A second use of the value: with the same or other fields; and of a value of the greatest length. */
const USES: Pick<UsePlace, "detail" | "body" | "of">[] = [
  { detail: SAME_BODY, body: async (_, first) => first },
  {
    detail: "other fields differ",
    body: bodyUnlike,
  },
  {
    detail: "required fields alone",
    body: (call) => call.body("minimal"),
  },
  {
    detail: "longest value",
    of: "longest",
    body: (call) => call.body("full", 1),
  },
];

/** One of them runs before other creates, since it needs accepted calls after it. */
function isEarly({ detail = "" }: Place): boolean {
  return detail.endsWith(SAME_BODY);
}

const secondUse = rule<UsePlace>({
  stage: (at) => (isEarly(at) ? "race" : "write"),
  requirement: "UNIQUE-REJECTED",
  over: (spec) =>
    uniquePlaces(spec).flatMap((place) =>
      USES.map(({ detail, ...use }) => ({ ...place, ...use, detail: `${place.name}, ${detail}` })),
    ),
  title: ({ operation, detail }) => `a second ${operation.key} with the same value is rejected (${detail})`,
  versions: "rotated",
  cause: "duplicate-value",
  async run(call, at) {
    await call.control();
    const first = await (isEarly(at) ? plainUse(call, at) : firstUse(call, at, at.of));
    const body = { ...(await at.body(call, first.sent)), [at.name]: first.sent[at.name] };
    const answer = await call.send(planWith(call, body));
    call.mustReject(answer, `a second use of ${at.name}`, `duplicate ${at.name}`, [first.answer]);
  },
});

const parallel = rule({
  stage: "race",
  requirement: "UNIQUE-PARALLEL",
  over: uniquePlaces,
  title: ({ operation, name }) =>
    `of concurrent calls of ${operation.key} with the same ${name}, at most one is accepted`,
  async run(call, at) {
    const { target } = call;
    const first = await plainUse(call, at);
    const twice = { ...(await call.body()), [at.name]: first.sent[at.name] };
    const second = await call.send(planWith(call, twice));
    if (!isRejected(second))
      throw new Untestable("control-rejected", `a second use in turn was answered ${second.status}`, [
        second,
      ]);
    const versions = call.allowed;
    const rounds = target.settings.depth === "full" ? versions : [call.version];
    for (const version of rounds) {
      const bodies = await Promise.all(Array.from({ length: AT_ONCE }, () => call.body()));
      const value = bodies[0]?.[at.name];
      const answers = await Promise.all(
        bodies.map((body) =>
          call.send(planWith(call.under(version), { ...body, [at.name]: value }), SIMULTANEOUS),
        ),
      );
      const accepted = answers.filter(isAccepted);
      if (accepted.length > 1) {
        throw new Violation(
          `one of ${AT_ONCE} calls to be accepted`,
          `${accepted.length} accepted`,
          accepted.slice(0, 2),
        );
      }
      if (accepted.length === 0 && version === rounds[0])
        throw new Untestable("control-rejected", "none of the simultaneous calls was accepted");
    }
  },
});

const leftOut = rule({
  requirement: "UNIQUE-OPTIONAL",
  over: (spec) => uniquePlaces(spec).filter(({ required }) => !required),
  title: ({ operation, name }) => `${operation.key} without ${name} may be repeated freely`,
  async run(call, { name }) {
    const { target } = call;
    const without = (await acceptedCreations(call)).filter(({ sent }) => !(name in sent));
    const ids = new Set(without.map((creation) => idOf(target, creation)));
    const { depth } = target.settings;
    if (depth === "quick" && ids.size > 1) return;
    // One or both were rejected. If a call with a value is accepted, the missing value is the reason.
    await call.control();
    const versions = depth === "full" ? call.allowed : [call.version];
    let declined: Untestable | undefined;
    for (const version of versions) {
      const under = call.under(version);
      const { creation: again } = await minimalAgain(under);
      try {
        const first = await minimalCreation(under);
        call.mustAccept(first.answer, `a call without ${name}`);
        mustHaveMade(target, first);
        call.mustServe(again.answer, `a second call without ${name}`);
        if (idOf(target, first) === idOf(target, again)) throw sameResource(again.answer);
      } catch (error) {
        if (!(error instanceof Untestable) || error.reason !== "declined") throw error;
        declined = error;
        ids.add(idOf(target, again));
      }
    }
    // If there was no room for two under one version, two under different ones will do.
    if (declined && [...ids].filter((id) => id !== undefined).length < 2) throw declined;
  },
});

/** Values need not be unique if the specification does not say so: another resource may have the same texts. */
const textsAgain = rule({
  requirement: "UNIQUE-NO-OTHERS",
  over: (spec) =>
    operationsOf(spec, "create")
      .filter((operation) => operation.body && plainTexts({ spec }, operation).size > 0)
      .map((operation) => ({ operation, detail: "texts of another one" })),
  title: ({ operation }) =>
    `${operation.key} accepts texts of another resource in fields that need not be unique`,
  async run(call) {
    const { target, operation } = call;
    const first = await call.plain("minimal");
    call.controlAccepted(first.answer, "the first call with these texts");
    mustHaveMade(target, first);
    const { refused, creation } = await minimalAgain(call);
    call.controlAccepted(creation.answer, "a second call");
    mustHaveMade(target, creation);
    if (refused)
      call.mustAccept(refused, `${[...plainTexts(target, operation)].join(", ")} of another resource`, [
        first.answer,
      ]);
  },
});

/** One resource is no repetition; another rule demands two. */
function sameResource(answer: Answer): Untestable {
  return new Untestable("no-data", "each call shows the same resource", [answer]);
}

/**
 * With null in the call of the scenario, and in one of the bursts of calls with one key: at depth full under each
 * version.
 */
const setToNull = rule({
  stage: "burst",
  requirement: "UNIQUE-OPTIONAL",
  over: (spec) =>
    uniquePlaces(spec)
      .filter(({ nullable }) => nullable)
      .map((place) => ({ ...place, detail: `${place.name} null` })),
  title: ({ operation, name }) => `${operation.key} with ${name} null may be repeated freely`,
  async run(call, { name }) {
    const { target } = call;
    await call.control();
    const tried = await triedParts(call, ({ kind, field }) => kind === "null" && field === name);
    if (tried.length === 0) throw new Untestable("no-data", `no call with ${name} null was sent`);
    const rounds = target.settings.depth === "full" ? call.allowed.length : 1;
    for (let round = 0; round < rounds; round++) {
      const version = burstVersion(call, round);
      const [one] = [...tried.filter(({ creation }) => creation.version === version), ...tried];
      if (!one) continue;
      call.mustAccept(one.creation.answer, `a call with ${name} null`);
      mustHaveMade(target, one.creation);
      const again = await nullAgain(call.under(version), round);
      call.mustServe(again, `another call with ${name} null`);
      if (idOf(target, one.creation) === idOf(target, { ...one.creation, answer: again }))
        throw sameResource(again);
    }
  },
});

const perSpace = rule({
  requirement: "UNIQUE-PER-SPACE",
  over: (spec) => uniquePlaces(spec).filter(({ operation }) => operation.space !== undefined),
  title: ({ operation, name }) => `${operation.key} accepts the same ${name} in another space`,
  versions: "rotated",
  async run(call, at) {
    const { target } = call;
    if (target.settings.secondSpace === undefined)
      throw new Untestable("no-second-space", "give --second-space to test this");
    // The latest use under the version, since others send the first call of the scenario to the second space.
    const first = await firstUse(call, at, "latest");
    const body = await call.body();
    const same = planWith(call, { ...body, [at.name]: first.sent[at.name] }, "second");
    const answer = await call.send(same);
    if (isAccepted(answer)) return call.mustShow(answer);
    const fresh = await call.body();
    const there = await call.send(planWith(call, fresh, "second"), "control");
    call.controlAccepted(there, "a call in the second space");
    // With few uses, others may have sent the very same there; the reverse direction proves it as well.
    const back = planWith(call, { ...(await call.body()), [at.name]: fresh[at.name] });
    if (isAccepted(await call.send(back, "create"))) return;
    call.mustAccept(answer, `${at.name} of the first space in the second`, [first.answer]);
  },
});

export const uniquenessChecks = suiteOf(
  "uniqueness",
  secondUse,
  parallel,
  textsAgain,
  leftOut,
  setToNull,
  perSpace,
);
