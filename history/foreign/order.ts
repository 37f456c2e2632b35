/**
 * The order of recorded exchanges. Clocks are not exact, so calls that may have overlapped count as
 * overlapping.
 */

import type { Entry } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";

/** Assumed milliseconds of an exchange whose duration is unknown. */
const LONGEST = 60_000;
/** An equal request within this many milliseconds counts as a retry. */
const RETRY_WITHIN = 60_000;

export interface Ordered {
  exchange: ForeignExchange;
  begun: number;
  ended: number;
}

/** The exchanges in the order of their ends, with positions in one order of all beginnings and ends. */
export function inOrder(exchanges: readonly ForeignExchange[]): Ordered[] {
  const moments = exchanges.flatMap((exchange, index) => {
    const { startedAt, durationMs, resolutionMs } = exchange;
    const end = startedAt + (durationMs ?? LONGEST) + resolutionMs;
    return [
      { index, at: startedAt, isEnd: false },
      { index, at: end, isEnd: true },
    ];
  });
  moments.sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd) || a.index - b.index);
  const begun = new Map<number, number>();
  const ordered: Ordered[] = [];
  for (const [place, { index, isEnd }] of moments.entries()) {
    const exchange = exchanges[index];
    if (!isEnd) begun.set(index, place);
    else if (exchange) ordered.push({ exchange, begun: begun.get(index) ?? place, ended: place });
  }
  return ordered;
}

/** Marks entries that repeat an earlier one, which got no answer or a server error. */
export function withRetries(entries: readonly Entry[]): Entry[] {
  const last = new Map<string, Entry>();
  return entries.map((entry) => {
    const { method, url, headers, body } = entry.request;
    const same = headers.filter(([name]) => !/^(traceparent|tracestate|x-request-id|date|age)$/.test(name));
    const key = JSON.stringify([method, url, same, body?.text]);
    const before = last.get(key);
    const isRetry =
      before !== undefined &&
      before.ended < entry.begun &&
      entry.startedAt - before.startedAt < RETRY_WITHIN &&
      !(body?.cut ?? false) &&
      hasFailed(before);
    const marked = isRetry ? { ...entry, repeats: before.repeats ?? before.index } : entry;
    last.set(key, marked);
    return marked;
  });
}

/**
 * True without an answer, or for an error of the service itself: 502 to 504 come from servers in front of it.
 */
function hasFailed({ response }: Entry): boolean {
  return "fault" in response || response.status === 500 || response.status > 504;
}

/** The exchanges without those that were recorded twice, and the number of omitted ones. */
export function withoutDuplicates(exchanges: readonly ForeignExchange[]): {
  exchanges: ForeignExchange[];
  left: number;
} {
  const seen = new Set<string>();
  const once = exchanges.filter((exchange) => {
    const key = JSON.stringify(exchange);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return { exchanges: once, left: exchanges.length - once.length };
}
