/** A list as a run gets to know it: one walk in the largest pages, and others in pages of other sizes, each once. */

import { createHash } from "node:crypto";
import type { Call } from "../client/call.ts";
import { baseQueries } from "../client/samples.ts";
import { usualVersion } from "../client/version-choice.ts";
import { allowedSizes, followPages, largestSize, type Reading } from "./pages.ts";

/** Names and values of query parameters, in order. */
export type Query = [name: string, value: string][];

/**
 * No walk reads more pages than this, however long the list: of a list of the largest pages of 50, 400 items are
 * known, and what lies behind them is not.
 */
export const MOST_PAGES = 8;
/** Under the other versions a list is looked at less closely. */
const FEWER_PAGES = 3;
/** Page sizes that the seed picks at depth full, beside those at the edges; at depth quick it picks one. */
const DRAWN_SIZES = 3;
/** Where a list allows no more sizes than this, depth full tries all. */
const MOST_SIZES = 64;

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

/** Whether a call is under the version that lists are looked at closely under. */
export function isUsual({ target, operation, version }: Call): boolean {
  return version === usualVersion(target, operation);
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
    mostPages: options.mostPages ?? (isUsual(call) ? MOST_PAGES : FEWER_PAGES),
    shared: options.anew !== true,
  });
}

/**
 * The page sizes that a list is walked in beside the largest: its usual one first, those at the edges of what is
 * allowed and around the middle, and some that the seed picks. Depth full takes every size, where they can be counted;
 * depth quick one beside the usual one and one in the middle, which the seed picks.
 */
export function sizesTried(call: Call): number[] {
  const { operation, target } = call;
  const { minimum = 1, maximum, default: given } = operation.list?.limit?.schema ?? {};
  const largest = largestSize(operation);
  const usual = typeof given === "number" ? given : Math.min(largest, 10);
  const full = target.settings.depth === "full";
  const drawn = Array.from(
    { length: full ? DRAWN_SIZES : 1 },
    (_, index) => minimum + draw(call, `size ${index}`, largest - minimum),
  );
  if (!isUsual(call)) return below(largest, full ? [usual, ...drawn] : [usual]);
  const every = full && maximum !== undefined && maximum - minimum < MOST_SIZES;
  const middle = Math.floor(largest / 2);
  const oneOf = (...sizes: number[]) => (full ? sizes : [sizes[draw(call, "edge", sizes.length)] ?? usual]);
  const edges = [
    usual,
    ...oneOf(usual - 1, usual + 1),
    ...oneOf(middle, middle + 1),
    largest - 1,
    minimum + 1,
    minimum,
  ];
  const others = every ? Array.from({ length: maximum - minimum }, (_, index) => minimum + index) : drawn;
  return below(largest, [...allowedEdges(call, edges), ...others]);
}

function allowedEdges({ operation }: Call, sizes: number[]): number[] {
  const allowed = new Set(allowedSizes(operation, sizes));
  return sizes.filter((size) => allowed.has(size));
}

function below(largest: number, sizes: number[]): number[] {
  return [...new Set(sizes)].filter((size) => size < largest);
}

/**
 * How many pages of a size are worth reading of a list of which `known` items are known: as many as reach its end,
 * where they do, or as the list's usual size has; of others, enough to see how one page follows another.
 */
export function pagesWorth({ operation }: Call, size: number, known: number): number {
  const { default: usual } = operation.list?.limit?.schema ?? {};
  return size === usual || size * FEWER_PAGES >= known ? MOST_PAGES : FEWER_PAGES;
}

/** A number from 0 to below `count` that the run's seed picks for a purpose, the same one each time it is asked. */
export function draw({ target, operation, version }: Call, purpose: string, count: number): number {
  const text = `${target.settings.seed} ${operation.id} ${version ?? "none"} ${purpose}`;
  return count < 1 ? 0 : createHash("sha256").update(text).digest().readUInt32BE(0) % count;
}
