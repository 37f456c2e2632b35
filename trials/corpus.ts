/** A list as a run gets to know it: one walk in the largest pages, and others in pages of other sizes, each once. */

import { createHash } from "node:crypto";
import type { Call } from "../client/call.ts";
import { baseQueries } from "../client/samples.ts";
import { largestSize } from "../spec/page-sizes.ts";
import { followPages, type Reading } from "./pages.ts";

/** Names and values of query parameters, in order. */
export type Query = [name: string, value: string][];

/**
 * No walk reads more pages than this, however long the list: of a list of the largest pages of 50, 400 items are
 * known, and what lies behind them is not.
 */
export const MOST_PAGES = 8;
/** Under the other versions a list is looked at less closely at depth quick. */
const FEWER_PAGES = 3;

/** How a list is walked; what is left out is as usual. */
export interface Walk {
  /** Items asked for on a page; the largest number when left out, and null asks for none. */
  size?: number | null;
  /** What is asked beside the page size; the list's required parameters when left out. */
  query?: Query;
  mostPages?: number;
  /** Whether every page is asked for anew, whoever has seen it. */
  anew?: boolean;
}

/** Whether the largest pages of a list are read as far as they ever are. */
function isClose(call: Call): boolean {
  return call.isUsual || call.target.settings.depth === "full";
}

/** The values of a list's required parameters under which there is something to see: the first. */
export async function usualQuery(call: Call): Promise<Query> {
  const [query = []] = await baseQueries(call.target, call.operation, 1);
  return query;
}

/** Follows a list from its first page on. Pages are shared by all who walk it in the same way. */
export async function walk(call: Call, options: Walk = {}): Promise<Reading> {
  const { target, operation, version } = call;
  return followPages(target, operation, {
    version,
    query: options.query ?? (await usualQuery(call)),
    limit: options.size === null ? undefined : (options.size ?? largestSize(operation)),
    mostPages: options.mostPages ?? (isClose(call) ? MOST_PAGES : FEWER_PAGES),
    shared: options.anew !== true,
  });
}

/** A number from 0 to below `count` that the run's seed picks for a purpose, the same one each time it is asked. */
export function draw({ target, operation, version }: Call, purpose: string, count: number): number {
  const text = `${target.settings.seed} ${operation.id} ${version ?? "none"} ${purpose}`;
  return count < 1 ? 0 : createHash("sha256").update(text).digest().readUInt32BE(0) % count;
}
