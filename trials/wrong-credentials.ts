/** Ways of not being authenticated (section 5): what is sent for Authorization instead of a valid bearer token. */

import { Untestable } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import * as header from "../generators/credentials.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";

/** A way of not being authenticated. */
export interface Credential {
  /** What is sent, to follow an operation's name: "without Authorization". */
  title: string;
  make: header.MakeHeader;
  /** Whether a creating call is one that was accepted, sent again: its key must not open what the token opens. */
  again?: true;
}

/** One of those that a requirement is about. */
export interface WrongCredential extends Credential {
  requirement: string;
  detail?: string;
  /** Of credentials that are much alike: which one it is, of how many that share the versions out. */
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

/** In the order of how much they tell: who takes a token cut short looks at its beginning alone, or for it in others. */
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

/** A request with these credentials instead of the good ones; undefined where the token allows none such. */
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

/** The same; throws Untestable where the token allows none such. */
export function withCredential(target: Target, plan: RequestPlan, credential: Credential): RequestPlan {
  const made = credentialed(target, plan, credential);
  if (!made) throw new Untestable("no-data", "the token can't be altered so");
  return made;
}
