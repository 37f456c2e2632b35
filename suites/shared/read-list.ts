import { createHash } from "node:crypto";
import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { defaultQuery } from "../../client/samples.ts";
import { type Answer, isAccepted, itemsOf, nextOf, paginationOf, resultOf } from "../../client/target.ts";
import { type RequestPlan, withPageSize, withQuery } from "../../generators/request.ts";
import { itemId } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { largestSize, smallestSize } from "../../spec/page-sizes.ts";

/** Many pages, because earlier runs may have left many items. */
export const PAGES_TO_MISS = 40;

export type Ask = (plan: RequestPlan) => Promise<Answer>;

/** Yields the pages from this request until a rejection, `most` answers, or a missing or repeated cursor. */
export async function* pagesFrom(
  ask: Ask,
  first: RequestPlan,
  most: number,
  after = first.operation.list?.after,
): AsyncGenerator<Answer> {
  let plan = first;
  const cursors = new Set<string>();
  for (let page = 1; page <= most; page++) {
    const answer = await ask(plan);
    yield answer;
    const next = nextOf(answer);
    if (!isAccepted(answer) || next === null || cursors.has(next) || !after) return;
    cursors.add(next);
    plan = withQuery(plan, { [after.name]: next });
  }
}

/** Returns the item if the page shows it. */
export function itemIn(answer: Answer, id: string): JsonObject | undefined {
  const items = isAccepted(answer) ? itemsOf(answer) : [];
  return items.find((item) => itemId(answer.plan.operation, item) === id);
}

/** Reads the page behind another item. Returns undefined if the item is not on it, or no cursor leads there. */
export async function itemAfter(
  ask: Ask,
  list: RequestPlan,
  previousId: string,
  id: string,
): Promise<JsonObject | undefined> {
  const { after } = list.operation.list ?? {};
  if (!after) return undefined;
  const page = withPageSize(list, smallestSize(list.operation));
  return itemIn(await ask(withQuery(page, { [after.name]: previousId })), id);
}

export type Query = [name: string, value: string][];

/** Enough for 400 items in pages of 50. */
export const MOST_PAGES = 8;
const FEWER_PAGES = 3;

export interface Reading {
  answers: Answer[];
  items: JsonObject[];
  ids: string[];
  complete: boolean;
  rejected?: Answer | undefined;
}

export interface ReadListOptions {
  /** Null sends no page size. Default: the largest. */
  size?: number | null;
  query?: Query;
  mostPages?: number;
  again?: boolean;
}

/**
 * Reads the list from its first page on. Unless `again`, it reuses equal reads of this run. Stops at the last page, a
 * rejection, a repeated cursor, or `mostPages`.
 */
export async function readList(call: Call, options: ReadListOptions = {}): Promise<Reading> {
  const { target, operation } = call;
  const query = options.query ?? (await defaultQuery(target, operation));
  const size = options.size === null ? undefined : (options.size ?? largestSize(operation));
  const isThorough = call.isDefaultVersion || call.sendsAll;
  const mostPages = options.mostPages ?? (isThorough ? MOST_PAGES : FEWER_PAGES);
  const reading: Reading = { answers: [], items: [], ids: [], complete: false };
  const ask = (plan: RequestPlan) => {
    const role = `page ${reading.answers.length + 1}`;
    return options.again ? target.send(plan, { role, valid: true }) : target.ask(plan, role);
  };
  for await (const answer of pagesFrom(ask, withPageSize({ ...call.request(), query }, size), mostPages)) {
    reading.answers.push(answer);
    if (!isAccepted(answer)) return { ...reading, rejected: answer };
    const items = itemsShown(answer);
    reading.items.push(...items);
    reading.ids.push(...items.map((item) => itemId(operation, item)));
    if (nextOf(answer) === null || !operation.list?.after)
      return { ...reading, complete: isLastPage(answer, items.length, size) };
  }
  return reading;
}

/**
 * Reads the list as `readList` does.
 * @throws NotTested (control-rejected) if the first page is rejected
 */
export async function mustReadList(call: Call, options?: ReadListOptions): Promise<Reading> {
  const reading = await readList(call, options);
  mustHaveBegun(reading);
  return reading;
}

/**
 * Checks that the list could be read.
 * @throws NotTested (control-rejected) if the first page was rejected
 */
export function mustHaveBegun({ rejected, answers }: Pick<Reading, "rejected" | "answers">): void {
  if (!rejected || answers.length > 1) return;
  throw new NotTested("control-rejected", `${rejected.plan.operation.key} was answered ${rejected.status}`, [
    rejected.exchange,
  ]);
}

function isLastPage(answer: Answer, length: number, asked: number | undefined): boolean {
  const { next } = paginationOf(answer);
  if (next !== undefined && next !== null && next !== "") return false;
  const { after, limit } = answer.plan.operation.list ?? {};
  const size = limit && (asked ?? limit.schema.default);
  // Without cursors, more items may follow a full page.
  return after !== undefined || typeof size !== "number" || length < size;
}

/**
 * Returns the items of the page.
 * @throws NotTested if the answer is no list, which another rule reports
 */
function itemsShown(answer: Answer): JsonObject[] {
  if (!Array.isArray(resultOf(answer)) && resultOf(answer) !== null) {
    throw new NotTested("control-rejected", `${answer.plan.operation.key} did not answer a list`, [
      answer.exchange,
    ]);
  }
  return itemsOf(answer);
}

/** Returns a number below `count` that seed, operation, version and purpose pick. */
export function sampledIndex({ target, operation, version }: Call, purpose: string, count: number): number {
  const text = `${target.settings.seed} ${operation.id} ${version ?? "none"} ${purpose}`;
  return count < 1 ? 0 : createHash("sha256").update(text).digest().readUInt32BE(0) % count;
}
