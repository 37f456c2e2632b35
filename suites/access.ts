/** Access (section 5): the bearer token, on every operation under every version, the ones that are only named included. */

import type { Call } from "../client/call.ts";
import { otherPaths } from "../client/other-path.ts";
import { type Answer, isAccepted, isRejected } from "../client/target.ts";
import { mustServe, noteRejection } from "../client/verdicts.ts";
import * as header from "../generators/credentials.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { inLowerCase, minimalAgain } from "../trials/creation-again.ts";
import {
  answerTo,
  type Credential,
  isNamedOnly,
  mustBeTurnedAway,
  mustBeTurnedAwayAt,
} from "../trials/credentials.ts";
import { type Place, type Rule, rule, shareOf, suiteOf } from "../trials/rule.ts";

interface WrongCredential extends Credential {
  requirement: string;
  detail?: string;
  /** Of credentials that are much alike: which one it is, of how many that share the versions out. */
  share?: readonly [number: number, of: number];
}

const MISSING: WrongCredential = {
  requirement: "AUTH-MISSING",
  title: "without Authorization",
  make: header.noHeader,
  again: true,
};
const UNKNOWN: WrongCredential = {
  requirement: "AUTH-UNKNOWN-TOKEN",
  title: "with an unknown token",
  make: header.unknownToken,
};

const EMPTY: WrongCredential[] = [
  { requirement: "AUTH-EMPTY-TOKEN", title: "with a scheme and no token", make: header.emptyToken },
  {
    requirement: "AUTH-MISSING",
    detail: "empty header",
    share: [1, 3],
    title: "with an empty Authorization",
    make: header.emptyHeader,
  },
];

const ALTERED: WrongCredential[] = [
  { detail: "cut short", title: "with the token cut short by a character", make: header.cutShort },
  { detail: "appended", title: "with a character appended to the token", make: header.appended },
  { detail: "other casing", title: "with the token in other casing", make: header.otherCasing },
].map((wrong) => ({ ...wrong, requirement: "AUTH-ALTERED-TOKEN" }));

const OTHER_SCHEME: WrongCredential[] = [
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic credentials",
    share: [0, 2],
    title: "with the token as Basic credentials",
    make: header.basicCredentials,
  },
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic token",
    share: [1, 2],
    title: "with the token under the Basic scheme",
    make: header.basicToken,
  },
  { requirement: "AUTH-BARE-TOKEN", title: "with the token and no scheme", make: header.bareToken },
];

/** Operations that need a token. */
function closed(spec: Spec): Operation[] {
  return spec.operations.filter(({ open }) => !open);
}

/** Those of them that have a request known to be valid. */
function shown(spec: Spec): Operation[] {
  return closed(spec).filter((operation) => !isNamedOnly(operation));
}

/** The others. */
function namedOnly(spec: Spec): Operation[] {
  return closed(spec).filter(isNamedOnly);
}

interface WrongPlace extends Place {
  wrong: WrongCredential;
}

function wrongPlaces(operations: Operation[], wrongs: WrongCredential[]): WrongPlace[] {
  return operations.flatMap((operation) =>
    wrongs.map((wrong) => ({
      operation,
      wrong,
      ...(wrong.detail === undefined ? {} : { detail: wrong.detail }),
    })),
  );
}

/** Operations that a service answers in one way: those of a kind, in a space or not. */
function alike({ operation }: Place): string {
  if (isNamedOnly(operation)) return `${operation.method} of what is only ${operation.kind}`;
  return `${operation.kind}${operation.space ? " in a space" : ""}`;
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
  rule<WrongPlace>({
    ...turnedAway,
    over: (spec) => wrongPlaces(shown(spec), [MISSING]),
    versions: "each",
  }),
  rule<WrongPlace>({
    ...turnedAway,
    over: (spec) => [...wrongPlaces(shown(spec), [UNKNOWN]), ...wrongPlaces(namedOnly(spec), [MISSING])],
    versions: "rotated",
  }),
  rule<WrongPlace>({
    ...turnedAway,
    over: (spec) => wrongPlaces(shown(spec), ALTERED),
    versions: "rotated",
    group: ({ operation }) => operation.key,
  }),
  rule<WrongPlace>({
    ...turnedAway,
    over: (spec) => wrongPlaces(shown(spec), [...EMPTY, ...OTHER_SCHEME]),
    versions: "rotated",
    under,
    group: alike,
  }),
  // What is only named shows nothing under any version: one is enough beside a missing token.
  rule<WrongPlace>({ ...turnedAway, over: (spec) => wrongPlaces(namedOnly(spec), [UNKNOWN]) }),
  rule<WrongPlace>({
    ...turnedAway,
    over: (spec) => wrongPlaces(namedOnly(spec), [...ALTERED, ...EMPTY, ...OTHER_SCHEME]),
    group: alike,
  }),
  rule<WrongPlace & { other: string }>({
    ...turnedAway,
    over: (spec) =>
      shown(spec).flatMap((operation) =>
        otherPaths(spec, operation).flatMap((other) =>
          [MISSING, UNKNOWN].map((wrong) => ({ operation, other, wrong, detail: `on ${other}` })),
        ),
      ),
    title: ({ operation, other, wrong }) =>
      `${operation.key} on ${other} ${wrong.title} is rejected, where it answers`,
    group: (at) => `${alike(at)} on the other path`,
    draw: "path",
    run: (call, { other, wrong }) => mustBeTurnedAwayAt(call, other, wrong),
  }),
  rule({
    requirement: "AUTH-SCHEME-CASE",
    over: (spec) => shown(spec).map((operation) => ({ operation })),
    title: ({ operation }) => `${operation.key} takes the scheme name in lower case`,
    versions: "rotated",
    group: (at) => (at.operation.method === "GET" ? alike(at) : "write"),
    async run(call) {
      const { target, operation, version } = call;
      // Another resource is made for nothing else where one is made so anyway.
      const made =
        operation.kind === "create" && operation.body
          ? (await minimalAgain(target, operation, version)).lenient
          : undefined;
      const answer =
        made && isAccepted(made)
          ? made
          : await call.send(inLowerCase(target, await call.fresh()), "accepted");
      if (isRejected(answer)) await call.control();
      mustServe(call.target, answer, `"bearer" in lower case`);
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

/** What is recorded of the answer to a call without Authorization. */
const NOTES = {
  "REJECTION-STATUS": ({ target, operation }: Call, answer: Answer) =>
    noteRejection(target, operation, MISSING.title, answer),
  "REJECTION-CHALLENGE": ({ target, operation }: Call, answer: Answer) => {
    const scheme = answer.headers["www-authenticate"]?.split(" ")[0] ?? "none";
    target.note({
      requirement: "REJECTION-CHALLENGE",
      operation: operation.key,
      practice: "challenge",
      answer: { status: answer.status, scheme },
    });
  },
  "SILENCE-ERROR-BODY": ({ target, operation }: Call, answer: Answer) =>
    target.note({
      requirement: "SILENCE-ERROR-BODY",
      operation: operation.key,
      practice: "errorBody",
      answer: { word: bodyForm(answer) },
    }),
};

/** Content type and, for JSON objects, the names of the fields. */
function bodyForm(answer: Answer): string {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const { json } = answer;
  const fields = typeof json === "object" && json !== null ? ` {${Object.keys(json).sort().join(", ")}}` : "";
  return answer.text === "" ? "empty" : `${type}${fields}`;
}
