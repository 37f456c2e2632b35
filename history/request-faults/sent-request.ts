import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { Entry } from "../entry.ts";

/** The part of an exchange that the client decides. `begun` and `ended` are places in the history, not times. */
export type SentRequest = Pick<Entry, "path" | "version" | "space" | "credential" | "request"> & {
  operation: Operation;
  begun?: number;
  ended?: number;
};

export type SentWithBody = SentRequest & { body: Schema };

export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

export function headerOf({ request }: Pick<SentRequest, "request">, name: string): string | undefined {
  return request.headers.find(([each]) => each === name.toLowerCase())?.[1];
}

/** True if `one` began after the end of `other`. A request without times is planned: it comes after all others. */
export function isAfter(one: { begun?: number }, other: { ended?: number }): boolean {
  return (one.begun ?? Number.POSITIVE_INFINITY) > (other.ended ?? Number.POSITIVE_INFINITY);
}
