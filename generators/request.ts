/** Planned requests: an operation and its input, without the parts that every request has. */

import type { Operation } from "../spec/model/spec.ts";

type RequestBody =
  | { kind: "json"; value: unknown }
  /** A text is sent unchanged. A content type of null sends none. */
  | { kind: "text"; text: string; contentType: string | null };

/**
 * Authorization, the space, the version and a new idempotency key are added when it is sent, unless `headers`
 * overrides them.
 */
export interface RequestPlan {
  operation: Operation;
  version: string | null;
  path?: string;
  outer?: Record<string, string>;
  /** Pairs in order, percent-encoded when they are sent. */
  query: [name: string, value: string][];
  leftOut?: string[];
  /** Extra or replaced headers in lower case. Null omits a header that is usually sent. */
  headers: Record<string, string | null>;
  body?: RequestBody;
  /** The space (and token) to use; the first if absent. */
  space?: "first" | "second";
  /** The name of a sequence of reads that share a connection with no other requests. */
  sequence?: string;
  /** Replaces the value of Authorization in reports. */
  authorizationLabel?: string;
  pathOverride?: string;
}

export function requestTo(operation: Operation, version: string | null): RequestPlan {
  return { operation, version, query: [], headers: {} };
}

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

export function withHeaders(plan: RequestPlan, headers: Record<string, string | null>): RequestPlan {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { ...plan, headers: { ...plan.headers, ...lower } };
}

export function withBody(plan: RequestPlan, value: unknown): RequestPlan {
  return { ...plan, body: { kind: "json", value } };
}
