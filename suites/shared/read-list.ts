import { createHash } from "node:crypto";
import type { Call } from "../../client/call.ts";
import { defaultQuery } from "../../client/samples.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { followPages, type Reading } from "./pages.ts";

export type Query = [name: string, value: string][];

/** Enough for 400 items in pages of 50. */
export const MOST_PAGES = 8;
const FEWER_PAGES = 3;

export interface ReadListOptions {
  /** Null sends no page size. Default: the largest. */
  size?: number | null;
  query?: Query;
  mostPages?: number;
  again?: boolean;
}

function isThorough(call: Call): boolean {
  return call.isDefaultVersion || call.sendsAll;
}

/** Reads the list from its first page on. Unless `again`, it reuses equal reads of this run. */
export async function readList(call: Call, options: ReadListOptions = {}): Promise<Reading> {
  const { target, operation, version } = call;
  return followPages(target, operation, {
    version,
    query: options.query ?? (await defaultQuery(target, operation)),
    limit: options.size === null ? undefined : (options.size ?? largestSize(operation)),
    mostPages: options.mostPages ?? (isThorough(call) ? MOST_PAGES : FEWER_PAGES),
    shared: options.again !== true,
  });
}

/** Returns a number below `count` that seed, operation, version and purpose pick. */
export function sampledIndex({ target, operation, version }: Call, purpose: string, count: number): number {
  const text = `${target.settings.seed} ${operation.id} ${version ?? "none"} ${purpose}`;
  return count < 1 ? 0 : createHash("sha256").update(text).digest().readUInt32BE(0) % count;
}
