/** Faulty values of Authorization (section 5), made from a valid token. */

import { type RequestPlan, withHeaders } from "./request.ts";
import { inOtherCase } from "./text.ts";

export interface CredentialFault {
  requirement: string;
  detail?: string;
  title: string;
  /** Depth quick sends the fault to one in `total` operations. Similar faults have different numbers. */
  share?: { number: number; total: number };
  /** Null sends no header. Undefined if the token can't have this fault. */
  value(token: string, unique: string): string | null | undefined;
}

export const MISSING: CredentialFault = {
  requirement: "AUTH-MISSING",
  title: "without Authorization",
  value: () => null,
};

export const UNKNOWN: CredentialFault = {
  requirement: "AUTH-UNKNOWN-TOKEN",
  title: "with an unknown token",
  value: (_, unique) => `Bearer conformance-unknown-${unique}`,
};

export const CREDENTIAL_FAULTS: readonly CredentialFault[] = [
  MISSING,
  {
    requirement: "AUTH-MISSING",
    detail: "empty header",
    title: "with an empty Authorization",
    share: { number: 0, total: 4 },
    value: () => "",
  },
  UNKNOWN,
  {
    requirement: "AUTH-EMPTY-TOKEN",
    title: "with a scheme and no token",
    value: () => "Bearer",
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "cut short",
    title: "with the token cut short by a character",
    value: (token) => (token.length < 2 ? undefined : `Bearer ${token.slice(0, -1)}`),
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "other casing",
    title: "with the token in other casing",
    share: { number: 1, total: 2 },
    value: (token) => (inOtherCase(token) === token ? undefined : `Bearer ${inOtherCase(token)}`),
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "appended",
    title: "with a character appended to the token",
    share: { number: 0, total: 4 },
    value: (token) => `Bearer ${token}x`,
  },
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic credentials",
    title: "with the token as Basic credentials",
    share: { number: 0, total: 2 },
    value: (token) => `Basic ${Buffer.from(`${token}:`).toString("base64")}`,
  },
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic token",
    title: "with the token under the Basic scheme",
    share: { number: 1, total: 2 },
    value: (token) => `Basic ${token}`,
  },
  {
    requirement: "AUTH-BARE-TOKEN",
    title: "with the token and no scheme",
    value: (token) => token,
  },
];

export function credentialFaults(requirement: string): CredentialFault[] {
  return CREDENTIAL_FAULTS.filter((fault) => fault.requirement === requirement);
}

/** Returns the request with the fault in its credential, or `undefined` if the token can't have it. */
export function withCredentialFault(
  plan: RequestPlan,
  token: string,
  unique: string,
  { title, value }: CredentialFault,
): RequestPlan | undefined {
  const authorization = value(token, unique);
  if (authorization === undefined) return undefined;
  const authorizationLabel = title.replace(/^with(out)? /, "");
  return { ...withHeaders(plan, { authorization }), authorizationLabel };
}
