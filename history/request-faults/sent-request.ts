import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { Entry } from "../entry.ts";

/** The part of an exchange that the client decides. `begun` and `ended` are places in the history, not times. */
export type SentRequest = Pick<Entry, "path" | "version" | "space" | "credential" | "request"> & {
  operation: Operation;
  begun?: number;
  ended?: number;
};

/** An exchange of a documented operation. */
export type Answered = Entry & { operation: Operation };

export type SentWithBody = SentRequest & { body: Schema };

export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

export function headerOf({ request }: Pick<SentRequest, "request">, name: string): string | undefined {
  return request.headers.find(([each]) => each === name.toLowerCase())?.[1];
}

/** Returns the idempotency key, or undefined if the operation takes none or the request has none. */
export function keyOf({
  operation,
  request,
}: Pick<SentRequest, "operation" | "request">): string | undefined {
  const name = operation.idempotencyKey?.name;
  return name === undefined ? undefined : headerOf({ request }, name);
}

/** True if `one` began after the end of `other`. A request without times is planned: it comes after all others. */
export function isAfter(one: { begun?: number }, other: { ended?: number }): boolean {
  return (one.begun ?? Number.POSITIVE_INFINITY) > (other.ended ?? Number.POSITIVE_INFINITY);
}
