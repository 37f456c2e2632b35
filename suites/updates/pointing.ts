/** The part of an answer that shows a fault, for readers of the evidence. */

import { type Evidence, exchangesOf } from "../../client/check.ts";
import { isObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";

/** The exchanges, with the place at fault in the one at `index` if its answer shows a single result. */
export function pointedAt(evidence: Evidence, index: number, pointer: string): Exchange[] {
  return exchangesOf(evidence).map((exchange, place) =>
    place === index && showsOne(exchange) ? { ...exchange, offending: `/result${pointer}` } : exchange,
  );
}

function showsOne({ response }: Exchange): boolean {
  try {
    const body: unknown = JSON.parse(response?.body ?? "");
    return isObject(body) && isObject(body.result);
  } catch {
    return false;
  }
}
