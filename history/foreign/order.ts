/** The order of recorded exchanges. Clocks are not exact: calls that may have overlapped do. */

import type { Entry } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";

/** Milliseconds that an exchange is taken to last if nobody knows how long it did. */
const LONGEST = 60_000;
/** Milliseconds within which an equal request is taken for a retry. */
const RETRY_WITHIN = 60_000;

export interface Ordered {
  exchange: ForeignExchange;
  begun: number;
  ended: number;
}

/** Exchanges with places in one order of all begins and ends, in the order in which they ended. */
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

/** Names the entry that a client sent again, unchanged, after it got no answer or a server error. */
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

/** No answer, or an error of the service itself: 502 to 504 come from the servers in front of it. */
function hasFailed({ response }: Entry): boolean {
  return "fault" in response || response.status === 500 || response.status > 504;
}

/** Leaves out exchanges that were recorded twice. Gives the others, and how many were left out. */
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
