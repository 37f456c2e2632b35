import { type Evidence, exchangesOf } from "../../client/check.ts";
import { isObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";

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
