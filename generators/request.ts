/** Requests before they are sent: what an operation is asked, without what every request carries anyway. */

import type { Operation } from "../spec/model/spec.ts";

type RequestBody =
  | { kind: "json"; value: unknown }
  /** Sent as it stands; a content type of null sends none. */
  | { kind: "text"; text: string; contentType: string | null };

/**
 * A request to an operation. Authorization, the space, the version and a fresh idempotency key are added when it is
 * sent, unless `headers` says otherwise.
 */
export interface RequestPlan {
  operation: Operation;
  /** Value of the version header; null sends none. */
  version: string | null;
  /** Raw value of the path parameter; percent-encoded when sent. */
  path?: string;
  /** Raw values of the other parameters of the path, by name; added when it is sent. */
  outer?: Record<string, string>;
  /** Raw names and values, in order; percent-encoded when sent. */
  query: [name: string, value: string][];
  /** Query parameters that are left out on purpose. */
  leftOut?: string[];
  /** Headers beside the usual ones, or instead of them; null leaves a usual one out. Names in lower case. */
  headers: Record<string, string | null>;
  body?: RequestBody;
  /** Which space (and its token) the request is for; the first when left out. */
  space?: "first" | "second";
  /** What stands in reports for the value of Authorization, when it is not the usual one. */
  authorizationLabel?: string;
  /** Sent to another path than the operation's own. */
  pathOverride?: string;
}

/** The bare request to an operation under a version. */
export function requestTo(operation: Operation, version: string | null): RequestPlan {
  return { operation, version, query: [], headers: {} };
}

/** `plan` with query parameters set, or removed where the value is null. */
export function withQuery(plan: RequestPlan, values: Record<string, string | null>): RequestPlan {
  const kept = plan.query.filter(([name]) => !(name in values));
  const added = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  const leftOut = Object.keys(values).filter((name) => values[name] === null);
  return {
    ...plan,
    query: [...kept, ...added],
    ...(leftOut.length === 0 ? {} : { leftOut: [...(plan.leftOut ?? []), ...leftOut] }),
  };
}

/** `plan` with headers set, or left out where the value is null. */
export function withHeaders(plan: RequestPlan, headers: Record<string, string | null>): RequestPlan {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { ...plan, headers: { ...plan.headers, ...lower } };
}

/** `plan` with a JSON body. */
export function withBody(plan: RequestPlan, value: unknown): RequestPlan {
  return { ...plan, body: { kind: "json", value } };
}
