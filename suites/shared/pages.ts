import { NotTested } from "../../client/check.ts";
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

export interface Reading {
  answers: Answer[];
  items: JsonObject[];
  ids: string[];
  complete: boolean;
  /** A cursor that the list returned twice: following it would never end. */
  loop?: string;
  refused?: Answer;
  unreadable?: unknown;
}

export interface ReadingOptions {
  version: string | null;
  limit?: number | undefined;
  query?: [string, string][];
  mostPages: number;
  /** If true, reuses pages that were read since the last write of the run. */
  shared?: boolean;
}

/** Earlier runs may have left many items, so this many pages are read before an item counts as missing. */
export const PAGES_TO_MISS = 40;

/** @throws NotTested (control-rejected) if the first page is rejected */
export async function readPages(
  target: Target,
  operation: Operation,
  options: ReadingOptions,
): Promise<Reading> {
  const reading = await followPages(target, operation, options);
  mustHaveBegun(reading);
  return reading;
}

export function mustHaveBegun({ refused, answers }: Reading): void {
  if (!refused || answers.length > 1) return;
  throw new NotTested("control-rejected", `${refused.plan.operation.key} was answered ${refused.status}`, [
    refused,
  ]);
}

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
      // A full page of a list without cursors may hide further items.
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

/** Returns the answer to an earlier, equal request if there is one. */
export type Ask = (plan: RequestPlan) => Promise<Answer>;

export async function* pagesFrom(
  ask: Ask,
  first: RequestPlan,
  most: number,
  after = first.operation.list?.after,
): AsyncGenerator<Answer> {
  let plan = first;
  let cursor: string | null = null;
  for (let page = 1; page <= most; page++) {
    const answer = await ask(plan);
    yield answer;
    const next = nextOf(answer);
    // An undocumented list may ignore the cursor and return it again.
    if (!isAccepted(answer) || next === null || next === cursor || !after) return;
    cursor = next;
    plan = withQuery(plan, { [after.name]: next });
  }
}

/** @throws NotTested if the answer is no list, which another rule reports */
function itemsShown(answer: Answer): JsonObject[] {
  if (!Array.isArray(resultOf(answer)) && resultOf(answer) !== null) {
    throw new NotTested("control-rejected", `${answer.plan.operation.key} did not answer a list`, [answer]);
  }
  return itemsOf(answer);
}

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
/** Milliseconds by which a replica of the service may be late. */
const BEHIND = 1_000;

/**
 * A difference counts if it shows twice, each time between two equal `reference` reads.
 * @throws NotTested (drift) if the list keeps changing
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
  const drifting = await target.memoize("lists that drift", async () => new Set<string>());
  const differing = await target.memoize("lists that differ for good", async () => new Set<string>());
  // A list may change and change back, so one difference may be chance.
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
    // A replica may be late. One wait per list is enough.
    if (!differing.has(about)) await target.pause(Math.min(target.settings.visibilityDelay, BEHIND));
  }
  if (seen !== null && !drifted) return seen;
  if (about !== "") drifting.add(about);
  throw new NotTested("drift", "the list changed each time it was read");
}
