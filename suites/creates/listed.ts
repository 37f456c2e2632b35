import { NotTested } from "../../client/check.ts";
import { type Creation, idOf } from "../../client/creations.ts";
import { defaultQuery, withSpace } from "../../client/samples.ts";
import { type Answer, isAccepted, itemsOf, nextOf, type Target } from "../../client/target.ts";
import { defaultVersion } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withLargestPage, withQuery } from "../../generators/request.ts";
import { pagingOfOthers } from "../../history/lists/lists-of-creates.ts";
import { itemId } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { findInList } from "../shared/own-items.ts";
import { PAGES_TO_MISS, pagesFrom } from "../shared/read-list.ts";

const PAGES_TOGETHER = 4;

/** Reads the list until it shows the created resources, or until the consistency timeout. */
export async function readUntilListed(target: Target, list: Operation, creations: Creation[]): Promise<void> {
  const items = (await firstPages(target, list)).flatMap(itemsOf);
  const listed = new Set(items.map((item) => itemId(list, item)));
  const ids = creations.flatMap((creation) => idOf(target, creation) ?? []);
  const missing = ids.filter((id) => !listed.has(id));
  await Promise.all(missing.map((id) => findInList(target, list, id)));
}

async function firstPages(target: Target, list: Operation): Promise<Answer[]> {
  const plan = withLargestPage(await firstPlan(target, list));
  const pages: Answer[] = [];
  for await (const page of pagesFrom((each) => target.ask(each), plan, PAGES_TOGETHER))
    if (isAccepted(page)) pages.push(page);
  return pages;
}

const PAGES_EACH_WAY = 12;

/**
 * Reads both sides of `first`, because the newest item may come first or last.
 * @throws NotTested if the list is too long, or shows no items
 */
export async function readSinceFirst(
  target: Target,
  list: Operation,
  first: string,
  later: string | undefined,
): Promise<void> {
  const { limit, after, identity = "id" } = list.list ?? pagingOfOthers(target.spec);
  const bare = await firstPlan(target, list);
  const size = list.list ? largestSize(list) : limit?.schema.maximum;
  const large = limit && size !== undefined ? withQuery(bare, { [limit.name]: String(size) }) : bare;
  // An item cursor starts in the middle, so fewer pages are enough.
  const mostPages = after?.cursor === "item" ? PAGES_EACH_WAY : PAGES_TO_MISS;
  const readFrom = async (start: RequestPlan, until?: string) => {
    const ids = new Set<string>();
    for await (const page of pagesFrom((plan) => target.ask(plan), start, mostPages, after)) {
      if (!isAccepted(page)) break;
      for (const item of itemsOf(page)) ids.add(String(item[identity]));
      const next = nextOf(page);
      const isCut = !after && limit && size !== undefined && itemsOf(page).length >= size;
      if (next === null || !after) return { ids, end: next === null && !isCut };
      if (until !== undefined && ids.has(until) && later !== undefined && ids.has(later)) break;
    }
    return { ids, end: false };
  };
  const start = await readFrom(large, first);
  const newestFirst = start.ids.has(first) && later !== undefined && start.ids.has(later);
  if (start.end || newestFirst) return;
  let isShown = start.ids.size > 0;
  if (after?.cursor === "item") {
    const behind = await readFrom(withQuery(large, { [after.name]: first }));
    const newestLast = later !== undefined && behind.ids.has(later);
    if (behind.end && (newestLast || start.ids.has(first))) return;
    isShown ||= behind.ids.size > 0;
  }
  if (list.list === undefined && !isShown)
    throw new NotTested("not-shown", `${list.key}, whose shape is not shown, answers no list`);
  throw new NotTested("budget", `${list.key} is too long to search`);
}

async function firstPlan(target: Target, list: Operation): Promise<RequestPlan> {
  const bare = requestTo(list, defaultVersion(target, list));
  if (list.list === undefined) return withSpace(target, bare);
  return { ...bare, query: await defaultQuery(target, list) };
}
