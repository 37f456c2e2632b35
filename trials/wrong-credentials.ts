/** Invalid credentials (section 5): values for Authorization in place of a valid bearer token. */

import { Untestable } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import * as header from "../generators/credentials.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";

/** An invalid value for Authorization, or none. */
export interface Credential {
  /** Describes the request, after an operation's name: "without Authorization". */
  title: string;
  make: header.MakeHeader;
  /** Repeats an accepted create with these credentials: its key must not replace the token. */
  again?: true;
}

/** An invalid credential with the requirement that forbids it. */
export interface WrongCredential extends Credential {
  requirement: string;
  detail?: string;
  /** Number of a credential among similar ones, and their count: they share the versions. */
  share?: readonly [number: number, of: number];
}

export const MISSING: WrongCredential = {
  requirement: "AUTH-MISSING",
  title: "without Authorization",
  make: header.noHeader,
  again: true,
};

export const UNKNOWN: WrongCredential = {
  requirement: "AUTH-UNKNOWN-TOKEN",
  share: [0, 2],
  title: "with an unknown token",
  make: header.unknownToken,
};

export const EMPTY_TOKEN: WrongCredential = {
  requirement: "AUTH-EMPTY-TOKEN",
  share: [1, 2],
  title: "with a scheme and no token",
  make: header.emptyToken,
};

export const EMPTY_HEADER: WrongCredential = {
  requirement: "AUTH-MISSING",
  detail: "empty header",
  share: [1, 3],
  title: "with an empty Authorization",
  make: header.emptyHeader,
};

const OTHER_CASING: WrongCredential = {
  requirement: "AUTH-ALTERED-TOKEN",
  detail: "other casing",
  share: [1, 3],
  title: "with the token in other casing",
  make: header.otherCasing,
};

export const APPENDED: WrongCredential = {
  requirement: "AUTH-ALTERED-TOKEN",
  detail: "appended",
  share: [2, 3],
  title: "with a character appended to the token",
  make: header.appended,
};

/** In the order of their value as tests: a service that accepts a shortened token compares only its beginning. */
export const ALTERED: WrongCredential[] = [
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "cut short",
    share: [0, 3],
    title: "with the token cut short by a character",
    make: header.cutShort,
  },
  OTHER_CASING,
  APPENDED,
];

export const OTHER_SCHEME: WrongCredential[] = [
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
];

export const BARE: WrongCredential = {
  requirement: "AUTH-BARE-TOKEN",
  share: [2, 3],
  title: "with the token and no scheme",
  make: header.bareToken,
};

/** A request with these credentials in place of the valid ones; undefined if the token can't be altered in this way. */
export function credentialed(
  target: Target,
  plan: RequestPlan,
  { title, make }: Credential,
): RequestPlan | undefined {
  const value = make(target.settings.token, target.runId);
  if (value === undefined) return undefined;
  const authorizationLabel = title.replace(/^with(out)? /, "");
  return { ...withHeaders(plan, { authorization: value }), authorizationLabel };
}

/** The same; throws Untestable if the token can't be altered in this way. */
export function withCredential(target: Target, plan: RequestPlan, credential: Credential): RequestPlan {
  const made = credentialed(target, plan, credential);
  if (!made) throw new Untestable("no-data", "the token can't be altered so");
  return made;
}
