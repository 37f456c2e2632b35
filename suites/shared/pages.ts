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
import { type RequestPlan, requestTo, withPageSize, withQuery } from "../../generators/request.ts";
import { itemId } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { smallestSize } from "../../spec/page-sizes.ts";

export interface Reading {
  answers: Answer[];
  items: JsonObject[];
  ids: string[];
  complete: boolean;
  rejected?: Answer | undefined;
}

export interface ReadingOptions {
  version: string | null;
  limit?: number | undefined;
  query?: [string, string][];
  mostPages: number;
  shared?: boolean;
}

/** Many pages, because earlier runs may have left many items. */
export const PAGES_TO_MISS = 40;

/**
 * Reads pages from the first one on.
 * @throws NotTested (control-rejected) if the first page is rejected
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

/** Stops at the last page, a rejection, a repeated cursor, or `mostPages`. */
export async function followPages(
  target: Target,
  operation: Operation,
  options: ReadingOptions,
): Promise<Reading> {
  const { version, limit, query = [], mostPages, shared } = options;
  const reading: Reading = { answers: [], items: [], ids: [], complete: false };
  const first = withPageSize({ ...requestTo(operation, version), query }, limit);
  const ask = (plan: RequestPlan) => {
    const role = `page ${reading.answers.length + 1}`;
    return shared ? target.ask(plan, role) : target.send(plan, { role, valid: true });
  };
  for await (const answer of pagesFrom(ask, first, mostPages)) {
    reading.answers.push(answer);
    if (!isAccepted(answer)) return { ...reading, rejected: answer };
    const items = itemsShown(answer);
    reading.items.push(...items);
    reading.ids.push(...items.map((item) => itemId(operation, item)));
    if (nextOf(answer) === null || !operation.list?.after)
      return { ...reading, complete: isLastPage(answer, items.length, limit) };
  }
  return reading;
}

function isLastPage(answer: Answer, length: number, asked: number | undefined): boolean {
  const { next } = paginationOf(answer);
  if (next !== undefined && next !== null && next !== "") return false;
  const { after, limit } = answer.plan.operation.list ?? {};
  const size = limit && (asked ?? limit.schema.default);
  // Without cursors, more items may follow a full page.
  return after !== undefined || typeof size !== "number" || length < size;
}

export type Ask = (plan: RequestPlan) => Promise<Answer>;

/**
 * Yields the pages from this request on. Stops after a rejection, `most` answers, or a missing or repeated
 * cursor.
 */
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
