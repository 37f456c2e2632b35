import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { Entry } from "../entry.ts";

/** The client's part of an exchange. `begun` and `ended` are positions in the history. */
export type SentRequest = Pick<Entry, "path" | "version" | "space" | "credential" | "request"> & {
  operation: Operation;
  begun?: number;
  ended?: number;
};

export type Answered = Entry & { operation: Operation };

export type SentWithBody = SentRequest & { body: Schema };

/** Returns the beginning of requirement ids: `CREATE-NULL` and `UPDATE-NULL` say the same. */
export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

/** True if the first request began after the other ended. One without positions is planned, so it is later. */
export function isAfter(one: { begun?: number }, other: { ended?: number }): boolean {
  return (one.begun ?? Number.POSITIVE_INFINITY) > (other.ended ?? Number.POSITIVE_INFINITY);
}
