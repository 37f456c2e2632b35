/** Recorded clocks are inexact: exchanges that may overlap count as overlapping. */

import { isDeepStrictEqual } from "node:util";
import type { Entry } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";

const ASSUMED_DURATION_MS = 60_000;
const RETRY_WITHIN_MS = 60_000;

export interface Ordered {
  exchange: ForeignExchange;
  begun: number;
  ended: number;
}

interface Moment {
  index: number;
  at: number;
  isEnd: boolean;
  rank: number;
}

/** Numbers begins and ends by time. At one time, the answer that shows an id comes before the request that uses it. */
export function inOrder(exchanges: readonly ForeignExchange[]): Ordered[] {
  const usedBy = firstUses(exchanges);
  const users = new Set(usedBy.values());
  const moments = exchanges.flatMap((exchange, index): Moment[] => {
    const user = usedBy.get(exchange);
    const end = user ? Math.min(lastEnd(exchange), user.startedAt) : lastEnd(exchange);
    const isUsed = user?.startedAt === end;
    return [
      { index, at: exchange.startedAt, isEnd: false, rank: users.has(exchange) ? 2 : 0 },
      { index, at: end, isEnd: true, rank: isUsed ? 1 : 3 },
    ];
  });
  moments.sort((a, b) => a.at - b.at || a.rank - b.rank || a.index - b.index);
  const begun = new Map<number, number>();
  const ordered: Ordered[] = [];
  for (const [place, { index, isEnd }] of moments.entries()) {
    const exchange = exchanges[index];
    if (!isEnd) begun.set(index, place);
    else if (exchange) ordered.push({ exchange, begun: begun.get(index) ?? place, ended: place });
  }
  return ordered;
}

function lastEnd({ startedAt, durationMs, resolutionMs }: ForeignExchange): number {
  return startedAt + (durationMs ?? ASSUMED_DURATION_MS) + resolutionMs;
}

const USABLE = /^(?=.*\d).{8,}$/;

/** Maps an answer that showed a cursor or id to the first request that uses it. */
function firstUses(exchanges: readonly ForeignExchange[]): Map<ForeignExchange, ForeignExchange> {
  const uses = new Map<ForeignExchange, ForeignExchange>();
  const sorted = [...exchanges].sort((a, b) => a.startedAt - b.startedAt);
  let recent: ForeignExchange[] = [];
  for (const exchange of sorted) {
    const { startedAt } = exchange;
    recent = recent.filter((earlier) => lastEnd(earlier) >= startedAt);
    const used = recent.length === 0 ? [] : textsIn(exchange.request.url);
    const source = recent.findLast(
      ({ durationMs, response, startedAt: began }) =>
        durationMs !== null &&
        began + durationMs <= startedAt &&
        used.some((text) => response?.body.text.includes(text)),
    );
    if (source && !uses.has(source)) uses.set(source, exchange);
    recent.push(exchange);
  }
  return uses;
}

function textsIn(url: string): string[] {
  if (!URL.canParse(url, "http://unknown.invalid")) return [];
  const { pathname, searchParams } = new URL(url, "http://unknown.invalid");
  const last = pathname.split("/").at(-1) ?? "";
  return [last, ...searchParams.values()].filter((text) => USABLE.test(text));
}

/** Marks requests that a client sent again after a failure. */
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
      entry.startedAt - before.startedAt < RETRY_WITHIN_MS &&
      !(body?.cut ?? false) &&
      hasFailed(before);
    const marked = isRetry ? { ...entry, repeats: before.repeats ?? before.index } : entry;
    last.set(key, marked);
    return marked;
  });
}

/** True for errors of the service. A proxy may send 502 to 504. */
function hasFailed({ response }: Entry): boolean {
  return "fault" in response || response.status === 500 || response.status > 504;
}

/** Removes exchanges that a log has twice. `left` is the number of removed ones. */
export function withoutDuplicates(exchanges: readonly ForeignExchange[]): {
  exchanges: ForeignExchange[];
  left: number;
} {
  const seen = new Map<string, ForeignExchange[]>();
  const once = exchanges.filter((exchange) => {
    const { startedAt, durationMs, request, response } = exchange;
    const key = `${startedAt} ${durationMs} ${request.method} ${request.url} ${response?.status}`;
    const alike = seen.get(key) ?? [];
    const isNew = alike.every((other) => !isDeepStrictEqual(other, exchange));
    if (isNew) seen.set(key, [...alike, exchange]);
    return isNew;
  });
  return { exchanges: once, left: exchanges.length - once.length };
}
