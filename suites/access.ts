/**
 * Access (section 5): the bearer token, on every operation under every version, including operations that are only
 * named.
 */

import type { Call } from "../client/call.ts";
import { otherPaths } from "../client/other-path.ts";
import { type Answer, isAccepted, isRejected } from "../client/target.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { inLowerCase, minimalAgain } from "../trials/creation-again.ts";
import { answerTo, isNamedOnly, mustBeTurnedAway, mustBeTurnedAwayAt } from "../trials/credentials.ts";
import { REFUSED_UPDATES } from "../trials/refused-updates.ts";
import { type Place, type Rule, rule, shareOf, suiteOf } from "../trials/rule.ts";
import {
  ALTERED,
  APPENDED,
  BARE,
  EMPTY_HEADER,
  EMPTY_TOKEN,
  MISSING,
  OTHER_SCHEME,
  UNKNOWN,
  type WrongCredential,
} from "../trials/wrong-credentials.ts";

/** Operations that need a token. */
function closed(spec: Spec): Operation[] {
  return spec.operations.filter(({ open }) => !open);
}

/** Operations with a request that is known to be valid. */
function shown(spec: Spec): Operation[] {
  return closed(spec).filter((operation) => !isNamedOnly(operation));
}

/** Updates with such a request. */
function updates(spec: Spec): Operation[] {
  return shown(spec).filter(({ kind }) => kind === "update");
}

/** Other operations with such a request. */
function others(spec: Spec): Operation[] {
  return shown(spec).filter(({ kind }) => kind !== "update");
}

/** Operations that are only named. */
function namedOnly(spec: Spec): Operation[] {
  return closed(spec).filter(isNamedOnly);
}

interface WrongPlace extends Place {
  wrong: WrongCredential;
}

function wrongPlaces(operations: Operation[], wrongs: WrongCredential[]) {
  return operations.flatMap((operation) =>
    wrongs.map((wrong) => ({
      operation,
      wrong,
      ...(wrong.detail === undefined ? {} : { detail: wrong.detail }),
    })),
  );
}

/** Groups operations that a service likely answers alike: by kind, and by whether they take a space. */
function alike({ operation }: Place): string {
  if (isNamedOnly(operation)) return `${operation.method} of what is only ${operation.kind}`;
  return `${operation.kind}${operation.space ? " in a space" : ""}`;
}

/**
 * True if every operation is tested with this token: a service that accepts another altered token mostly accepts
 * one of these.
 */
function isTelling(wrong: WrongCredential): boolean {
  return ALTERED.includes(wrong) && wrong !== APPENDED;
}

const turnedAway = {
  requirement: ({ wrong }) => wrong.requirement,
  title: ({ operation, wrong }) => `${operation.key} ${wrong.title} is rejected`,
  cause: "unauthenticated",
  run: (call, { wrong }) => mustBeTurnedAway(call, wrong),
} as const satisfies Partial<Rule<WrongPlace>>;

const under: Rule<WrongPlace>["under"] = ({ wrong: { share } }, index, versions) =>
  share === undefined || shareOf(...share, index, versions);

export const accessChecks = suiteOf(
  "access",
  rule({
    ...turnedAway,
    over: (spec) => wrongPlaces(shown(spec), [MISSING]),
    versions: "each",
  }),
  rule({
    ...turnedAway,
    over: (spec) => [
      ...wrongPlaces(others(spec), [UNKNOWN, EMPTY_TOKEN]),
      ...wrongPlaces(namedOnly(spec), [MISSING]),
    ],
    versions: "rotated",
    under,
  }),
  // Updates get each of these tokens in any case, to see that they change nothing.
  rule({
    ...turnedAway,
    over: (spec) =>
      wrongPlaces(updates(spec), [UNKNOWN, EMPTY_TOKEN, EMPTY_HEADER, ...ALTERED, ...OTHER_SCHEME]),
    versions: "rotated",
    draw: REFUSED_UPDATES,
  }),
  rule({
    ...turnedAway,
    over: (spec) => wrongPlaces(others(spec), [...ALTERED, ...OTHER_SCHEME]),
    versions: "rotated",
    under,
    group: (at) =>
      at.operation.kind === "create" || isTelling(at.wrong)
        ? undefined
        : at.wrong === APPENDED
          ? alike(at)
          : at.operation.key,
  }),
  rule({
    ...turnedAway,
    over: (spec) => [...wrongPlaces(others(spec), [EMPTY_HEADER]), ...wrongPlaces(shown(spec), [BARE])],
    versions: "rotated",
    under,
    group: alike,
  }),
  // Without a documented shape all versions look the same: one unknown token is enough, beside a missing one.
  rule({ ...turnedAway, over: (spec) => wrongPlaces(namedOnly(spec), [UNKNOWN]) }),
  rule({
    ...turnedAway,
    over: (spec) =>
      wrongPlaces(namedOnly(spec), [...ALTERED, EMPTY_TOKEN, EMPTY_HEADER, ...OTHER_SCHEME, BARE]),
    group: (at) => (isTelling(at.wrong) ? at.operation.key : alike(at)),
  }),
  rule({
    ...turnedAway,
    over: (spec) =>
      shown(spec).flatMap((operation) =>
        otherPaths(spec, operation).flatMap((other) =>
          [MISSING, UNKNOWN].map((wrong) => ({ operation, other, wrong, detail: `on ${other}` })),
        ),
      ),
    title: ({ operation, other, wrong }) =>
      `${operation.key} on ${other} ${wrong.title} is rejected, if that path answers`,
    group: (at) => `${alike(at)} on the other path`,
    draw: "path",
    run: (call, { other, wrong }) => mustBeTurnedAwayAt(call, other, wrong),
  }),
  rule({
    requirement: "AUTH-SCHEME-CASE",
    over: (spec) => shown(spec).map((operation) => ({ operation })),
    title: ({ operation }) => `${operation.key} accepts the scheme name in lower case`,
    versions: "one",
    group: (at) => (at.operation.method === "GET" ? alike(at) : "write"),
    async run(call) {
      const { target, operation } = call;
      // A creation is repeated if possible, so that none is made for this alone.
      const made =
        operation.kind === "create" && operation.body ? (await minimalAgain(call)).lenient : undefined;
      const answer =
        made && isAccepted(made)
          ? made
          : await call.send(inLowerCase(target, await call.fresh()), "accepted");
      if (isRejected(answer)) await call.control();
      call.mustServe(answer, `"bearer" in lower case`);
    },
  }),
  rule<Place & { noted: keyof typeof NOTES }>({
    requirement: ({ noted }) => noted,
    over: (spec) =>
      closed(spec).flatMap((operation) =>
        (Object.keys(NOTES) as (keyof typeof NOTES)[]).map((noted) => ({ operation, noted })),
      ),
    title: ({ operation }) => `how ${operation.key} rejects a call without Authorization`,
    run: async (call, { noted }) => NOTES[noted](call, await answerTo(call, MISSING)),
  }),
);

/** Observations from the answer to a call without Authorization. */
const NOTES = {
  "REJECTION-STATUS": (call: Call, answer: Answer) => call.noteRejection(MISSING.title, answer),
  "REJECTION-CHALLENGE": (call: Call, answer: Answer) => {
    const scheme = answer.headers["www-authenticate"]?.split(" ")[0] ?? "none";
    call.note("REJECTION-CHALLENGE", "challenge", { status: answer.status, scheme });
  },
  "SILENCE-ERROR-BODY": (call: Call, answer: Answer) =>
    call.note("SILENCE-ERROR-BODY", "errorBody", { word: bodyForm(answer) }),
};

/** Content type and, for JSON objects, the names of the fields. */
function bodyForm(answer: Answer): string {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const { json } = answer;
  const fields = typeof json === "object" && json !== null ? ` {${Object.keys(json).sort().join(", ")}}` : "";
  return answer.text === "" ? "empty" : `${type}${fields}`;
}
