import { type Answer, isAccepted, itemsOf, nextOf } from "../../client/target.ts";
import { type RequestPlan, withPageSize, withQuery } from "../../generators/request.ts";
import { itemId } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { smallestSize } from "../../spec/page-sizes.ts";

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
