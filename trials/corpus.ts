/** A list as a run gets to know it: one walk in the largest pages, and others in pages of other sizes, each once. */

import { createHash } from "node:crypto";
import type { Call } from "../client/call.ts";
import { baseQueries } from "../client/samples.ts";
import type { Operation } from "../spec/model/spec.ts";
import { allowedSizes, followPages, largestSize, type Reading, smallestSize } from "./pages.ts";

/** Names and values of query parameters, in order. */
export type Query = [name: string, value: string][];

/**
 * No walk reads more pages than this, however long the list: of a list of the largest pages of 50, 400 items are
 * known, and what lies behind them is not.
 */
export const MOST_PAGES = 8;
/** Under the other versions a list is looked at less closely at depth quick. */
const FEWER_PAGES = 3;
/** A page size where the list names none that is usual. */
const USUAL_SIZE = 10;
/** Under the other versions the pages that a list is followed in are so much larger than the smallest, and each other. */
const SMALLEST_ELSEWHERE = 2;
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

/**
 * The page sizes that a list is followed in beside the largest: its usual one, those at the edges of what is allowed
 * and around the middle, and one that the seed picks; of those at edges and around the middle depth quick takes one.
 * Under the other versions it is followed in small pages, of another size under each, for a cursor is the same under all.
 */
export function sizesTried(call: Call): number[] {
  const { operation, target } = call;
  const minimum = Number(smallestSize(operation));
  const largest = largestSize(operation);
  const usual = usualSize(operation);
  const full = target.settings.depth === "full";
  if (!call.isUsual) {
    const [small = usual] = allowedSizes(operation, [
      minimum + SMALLEST_ELSEWHERE + call.versions.indexOf(call.version),
    ]);
    return below(largest, [small]);
  }
  const middle = Math.floor(largest / 2);
  const oneOf = (...sizes: number[]) => (full ? sizes : [sizes[draw(call, "edge", sizes.length)] ?? usual]);
  const edges = [
    usual,
    ...oneOf(usual - 1, usual + 1, middle, middle + 1, largest - 1, minimum + 1),
    minimum,
  ];
  return below(largest, allowedEdges(call, [...edges, minimum + draw(call, "size", largest - minimum)]));
}

/**
 * The page sizes that a list is asked for one page in: those that it is followed in; at depth full also all that stand
 * at an edge or around the middle, and every other one under one of the versions, where they can be counted.
 */
export function sizesAsked(call: Call): number[] {
  const { operation, target, version } = call;
  const largest = largestSize(operation);
  const followed = [largest, ...sizesTried(call)];
  if (target.settings.depth !== "full") return followed;
  const { maximum } = operation.list?.limit?.schema ?? {};
  const minimum = Number(smallestSize(operation));
  const usual = usualSize(operation);
  const middle = Math.floor(largest / 2);
  const around = [usual - 1, usual, usual + 1, middle, middle + 1];
  const edges = allowedEdges(call, [minimum, minimum + 1, ...around, largest - 1]);
  const countable = maximum !== undefined && maximum - minimum < MOST_SIZES;
  const every = countable ? Array.from({ length: maximum - minimum }, (_, index) => minimum + index) : [];
  const versions = call.versions;
  const own = allowedEdges(call, every).filter((size) => versions[size % versions.length] === version);
  return [...new Set([...followed, ...edges, ...own])];
}

/** The page size that stands for none, or one that is common. */
function usualSize(operation: Operation): number {
  const given = operation.list?.limit?.schema.default;
  return typeof given === "number" ? given : Math.min(largestSize(operation), USUAL_SIZE);
}

function allowedEdges(call: Call, sizes: number[]): number[] {
  const { operation } = call;
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
export function pagesWorth(call: Call, size: number, known: number): number {
  if (!call.isUsual) return FEWER_PAGES;
  const { operation } = call;
  const { default: usual } = operation.list?.limit?.schema ?? {};
  return size === usual || size * FEWER_PAGES >= known ? MOST_PAGES : FEWER_PAGES;
}

/** A number from 0 to below `count` that the run's seed picks for a purpose, the same one each time it is asked. */
export function draw({ target, operation, version }: Call, purpose: string, count: number): number {
  const text = `${target.settings.seed} ${operation.id} ${version ?? "none"} ${purpose}`;
  return count < 1 ? 0 : createHash("sha256").update(text).digest().readUInt32BE(0) % count;
}
