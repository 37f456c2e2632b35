/** Reads lists page by page, within limits, and distinguishes changes by others from faults. */

import { Untestable } from "../../client/check.ts";
import {
  type Answer,
  isAccepted,
  itemsOf,
  nextOf,
  paginationOf,
  resultOf,
  type Target,
} from "../../client/target.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** A list as far as it was read. */
export interface Reading {
  answers: Answer[];
  items: JsonObject[];
  ids: string[];
  /** True if the end was reached: a page without a next. */
  complete: boolean;
  /** A cursor that was given twice, so that following it would never end. */
  loop?: string;
  /** A rejected page, although the service gave its cursor. */
  refused?: Answer;
  /** A `next` that is neither a text nor null. */
  unreadable?: unknown;
}

export interface ReadingOptions {
  version: string | null;
  /** Page size; the service's default if left out. */
  limit?: number | undefined;
  query?: [string, string][];
  mostPages: number;
  /** True if pages that were read since the run's last write may be used again. */
  shared?: boolean;
}

/** Pages read before an item counts as missing: earlier runs may have left many items. */
export const PAGES_TO_MISS = 40;

/**
 * Follows next from the first page on, for at most `mostPages` pages. Throws Untestable (control-rejected) if the
 * first page is rejected.
 */
export async function readPages(
  target: Target,
  operation: Operation,
  options: ReadingOptions,
): Promise<Reading> {
  const reading = await followPages(target, operation, options);
  mustHaveBegun(reading);
  return reading;
}

/** Throws Untestable (control-rejected) if even the first page of a reading was rejected. */
export function mustHaveBegun({ refused, answers }: Reading): void {
  if (!refused || answers.length > 1) return;
  throw new Untestable("control-rejected", `${refused.plan.operation.key} was answered ${refused.status}`, [
    refused,
  ]);
}

/** As `readPages`, but reports a rejected first page as `refused`, like a later one. */
export async function followPages(
  target: Target,
  operation: Operation,
  options: ReadingOptions,
): Promise<Reading> {
  const { list } = operation;
  let plan: RequestPlan = { ...requestTo(operation, options.version), query: options.query ?? [] };
  if (options.limit !== undefined && list?.limit)
    plan = withQuery(plan, { [list.limit.name]: String(options.limit) });
  const reading: Reading = { answers: [], items: [], ids: [], complete: false };
  const cursors = new Set<string>();
  for (let page = 1; page <= options.mostPages; page++) {
    const role = `page ${page}`;
    const answer = options.shared
      ? await target.ask(plan, role)
      : await target.send(plan, { role, valid: true });
    reading.answers.push(answer);
    if (!isAccepted(answer)) {
      reading.refused = answer;
      return reading;
    }
    const items = itemsShown(answer);
    reading.items.push(...items);
    reading.ids.push(...items.map((item) => String(item[list?.identity ?? "id"])));
    const next = nextOf(answer);
    const given = paginationOf(answer).next;
    if (next === null && given !== undefined && given !== null && given !== "") {
      reading.unreadable = given;
      return reading;
    }
    if (next === null || !list?.after) {
      // If a list has a page size but no cursor, a full page may hide further items.
      const size = list?.limit && (options.limit ?? list.limit.schema.default);
      const isCut = !list?.after && typeof size === "number" && items.length >= size;
      reading.complete = next === null && !isCut;
      return reading;
    }
    if (cursors.has(next)) {
      reading.loop = next;
      return reading;
    }
    cursors.add(next);
    plan = withQuery(plan, { [list.after.name]: next });
  }
  return reading;
}

/** Sends a valid request: once for all callers with the same one or, in doubt, again. */
export type Ask = (plan: RequestPlan) => Promise<Answer>;

/** The pages of a list from a request on, at most `most`, up to a rejected one or the end. */
export async function* pagesFrom(ask: Ask, first: RequestPlan, most: number): AsyncGenerator<Answer> {
  const { after } = first.operation.list ?? {};
  let plan = first;
  for (let page = 1; page <= most; page++) {
    const answer = await ask(plan);
    yield answer;
    const next = nextOf(answer);
    if (!isAccepted(answer) || next === null || !after) return;
    plan = withQuery(plan, { [after.name]: next });
  }
}

/** The items of an accepted list answer. Throws Untestable if it is no list, which the response checks report. */
function itemsShown(answer: Answer): JsonObject[] {
  if (!Array.isArray(resultOf(answer)) && resultOf(answer) !== null) {
    throw new Untestable("control-rejected", `${answer.plan.operation.key} did not answer a list`, [answer]);
  }
  return itemsOf(answer);
}

/** True if two readings show that the list did not change between them: the same ids in order, as far as both go. */
export function stoodStill(
  a: Reading,
  b: Reading,
  fields: (item: JsonObject) => unknown = () => undefined,
): boolean {
  const length = Math.min(a.ids.length, b.ids.length);
  return (
    a.complete === b.complete &&
    a.ids.length === b.ids.length &&
    sameJson(a.ids.slice(0, length), b.ids.slice(0, length)) &&
    sameJson(a.items.map(fields), b.items.map(fields))
  );
}

const ATTEMPTS = 4;
/** Milliseconds to wait before differing readings of an unchanged list are compared again. */
const BEHIND = 1_000;

/**
 * Compares two ways of reading one list while others may be changing it. `reference` is read before and after
 * `compared`; only where it stood still does a difference count, and only when it is seen twice. `differs` tells
 * the difference, or null; `agrees`, where the list moved, whether they are the same in all that stayed. Throws
 * Untestable (drift) where neither can be told; of a list that is known (by the name `about`) to have drifted before,
 * that is said sooner.
 */
export async function compareStill<A, B, D>(
  target: Target,
  reference: () => Promise<A>,
  compared: () => Promise<B>,
  still: (before: A, after: A) => boolean,
  differs: (reference: A, compared: B) => D | null,
  about = "",
  agrees: (before: A, compared: B, after: A) => boolean = () => false,
): Promise<D | null> {
  const drifting = await target.once("lists that drift", async () => new Set<string>());
  const differing = await target.once("lists that differ for good", async () => new Set<string>());
  // A single difference may be chance: a list may change and change back between two readings.
  const attempts = drifting.has(about) ? 2 : ATTEMPTS;
  let seen: D | null = null;
  let drifted = false;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = await reference();
    const other = await compared();
    const difference = differs(before, other);
    if (difference === null) return null;
    const after = await reference();
    if (!still(before, after)) {
      if (agrees(before, other, after)) return null;
      drifted = true;
      await target.pause(20 * attempt);
      continue;
    }
    if (seen !== null) {
      if (about !== "") differing.add(about);
      return difference;
    }
    seen = difference;
    // A copy that the service reads from may be behind for a while. One wait for a list is enough.
    if (!differing.has(about)) await target.pause(Math.min(target.settings.visibilityDelay, BEHIND));
  }
  if (seen !== null && !drifted) return seen;
  if (about !== "") drifting.add(about);
  throw new Untestable("drift", "the list changed each time it was read");
}

/** The evidence of a reading: its pages, the last ones if there are many. */
export function evidenceOf(...readings: Reading[]): Answer[] {
  return readings.flatMap(({ answers }) => answers.slice(-3));
}
