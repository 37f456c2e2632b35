import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { largestSize } from "../spec/page-sizes.ts";

type RequestBody =
  | { kind: "json"; value: unknown }
  /** Sent unchanged. If `contentType` is null, no Content-Type is sent. */
  | { kind: "text"; text: string; contentType: string | null };

/** Sending adds Authorization, space, version and idempotency key, unless `headers` overrides them. */
export interface RequestPlan {
  operation: Operation;
  version: string | null;
  path?: string;
  outer?: Record<string, string>;
  query: [name: string, value: string][];
  leftOut?: string[];
  /** Names are in lower case. Null omits a header. */
  headers: Record<string, string | null>;
  body?: RequestBody;
  /** Also selects the token for this space. */
  space?: "first" | "second";
  /** The requests of one sequence share a connection of their own (writes only if the service keeps connections). */
  sequence?: string;
  /** Reports show this text instead of Authorization. */
  authorizationLabel?: string;
  pathOverride?: string;
  /** True if the client closes the connection before the answer, as one does that loses it. */
  hangsUp?: true;
}

/** Returns a request without parameters and body. */
export function requestTo(operation: Operation, version: string | null): RequestPlan {
  return { operation, version, query: [], headers: {} };
}

/** Replaces parameters of these names. Null removes one. */
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

/** Returns the plan as it is if its list takes no page size. */
export function withPageSize(plan: RequestPlan, size: number | string | undefined): RequestPlan {
  const { limit } = plan.operation.list ?? {};
  return limit && size !== undefined ? withQuery(plan, { [limit.name]: String(size) }) : plan;
}

export function withLargestPage(plan: RequestPlan): RequestPlan {
  return withPageSize(plan, largestSize(plan.operation));
}

/** Replaces headers of these names, in any letter case. Null removes one. */
export function withHeaders(plan: RequestPlan, headers: Record<string, string | null>): RequestPlan {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { ...plan, headers: { ...plan.headers, ...lower } };
}

export function withBody(plan: RequestPlan, value: unknown): RequestPlan {
  return { ...plan, body: { kind: "json", value } };
}

/** Returns the JSON object that the request sends, if it sends one. */
export function objectSent({ body }: Pick<RequestPlan, "body">): JsonObject | undefined {
  return body?.kind === "json" && isObject(body.value) ? body.value : undefined;
}
