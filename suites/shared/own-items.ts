import { NotTested } from "../../client/check.ts";
import { eventually } from "../../client/eventually.ts";
import { createOf } from "../../client/relations.ts";
import { createdResource, outerPath, resourceIdFor, sendCreate } from "../../client/resources.ts";
import { baseQueries } from "../../client/samples.ts";
import { isAccepted, itemsOf, type Target } from "../../client/target.ts";
import { defaultVersion, versionFor } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { largestSize, smallestSize } from "../../spec/page-sizes.ts";
import { readPages } from "./pages.ts";
import { operationsOf } from "./suite.ts";

/** With three items, one has an item before and after it. Items can't be deleted, so few are created. */
const ENOUGH = 3;
const MOST_MADE = 12;

export async function ensureItems(target: Target, list: Operation): Promise<void> {
  const create = createOf(target.spec, list);
  if (!create || target.settings.readOnly) return;
  await target.memoize(`ensure ${list.id}`, async () => {
    const [query = []] = await baseQueries(target, list, 1);
    const reading = await readPages(target, list, {
      version: defaultVersion(target, list),
      query,
      limit: largestSize(list),
      mostPages: 1,
      shared: true,
    });
    let last: string | undefined;
    const enough = Math.max(ENOUGH, Math.min(Number(smallestSize(list)) + 1, MOST_MADE));
    for (let count = reading.items.length; count < enough; count++) {
      const answer = await sendCreate(target, create, defaultVersion(target, create), "full");
      last = String(createdResource(create, answer)[identityOf(target.spec, create)]);
    }
    if (last !== undefined) await findInList(target, list, last).catch(() => undefined);
  });
}

const PAGES_SEARCHED = 12;

interface Search {
  item: JsonObject | undefined;
  complete: boolean;
}

/**
 * Returns undefined if the whole list lacks the item after the consistency timeout.
 * @throws NotTested if the list is too long
 */
export async function findInList(
  target: Target,
  list: Operation,
  id: string,
  { version }: { version?: string | null } = {},
): Promise<JsonObject | undefined> {
  const missing = await target.memoize("missing from lists", async () => new Set<string>());
  const look = () => searchOnce(target, list, id, version);
  const fits = ({ item }: Search) => item !== undefined;
  const found = missing.has(`${list.id} ${id}`) ? await look() : await eventually(target, list, look, fits);
  if (found.item === undefined && !found.complete)
    throw new NotTested("budget", `${list.key} is too long to search for ${id}`);
  if (found.item === undefined) missing.add(`${list.id} ${id}`);
  return found.item;
}

async function searchOnce(
  target: Target,
  list: Operation,
  id: string,
  version: string | null | undefined,
): Promise<Search> {
  const [query = []] = await baseQueries(target, list, 1);
  const asked = version === undefined ? defaultVersion(target, list) : versionFor(target, list, version);
  const identity = list.list?.identity ?? "id";
  const is = (item: JsonObject) => String(item[identity]) === id;
  const plan: RequestPlan = { ...requestTo(list, asked), query };
  const places = await target.memoize(`places ${list.id}`, async () => new Map<string, string>());
  const known = places.get(id);
  if (known !== undefined) {
    const item = (await itemsAfter(target, plan, known)).find(is);
    if (item) return { item, complete: false };
    places.delete(id);
  }
  const read = (mostPages: number) =>
    readPages(target, list, { version: asked, query, limit: largestSize(list), mostPages });
  const first = await read(1);
  const remember = (ids: string[]) => {
    const previous = ids[ids.indexOf(id) - 1];
    if (previous !== undefined && list.list?.after?.cursor === "item") places.set(id, previous);
  };
  remember(first.ids);
  const item = first.items.find(is);
  if (item || first.complete) return { item, complete: first.complete };
  const beside = await searchBeside(target, plan, id);
  if (beside) {
    places.set(id, beside.previous);
    return { item: beside.item, complete: false };
  }
  const whole = await read(PAGES_SEARCHED);
  remember(whole.ids);
  return { item: whole.items.find(is), complete: whole.complete };
}

/** Searching whole lists is limited to some pages. Item cursors find the item in a list of any length. */
async function searchBeside(
  target: Target,
  plan: RequestPlan,
  id: string,
): Promise<{ item: JsonObject; previous: string } | undefined> {
  const { before, after, limit, identity = "id" } = plan.operation.list ?? {};
  if (before?.cursor !== "item" || after?.cursor !== "item") return undefined;
  const tried = new Set<string>();
  // The specification does not say which preceding items a `before` page holds, so two page sizes are tried.
  for (const size of limit ? [undefined, smallestSize(plan.operation)] : [undefined]) {
    const query = { [before.name]: id, ...(limit && size ? { [limit.name]: size } : {}) };
    const preceding = await target.send(withQuery(plan, query));
    const items = isAccepted(preceding) ? itemsOf(preceding) : [];
    for (const previous of [items.at(-1), items[0]].flatMap((item) =>
      item ? [String(item[identity])] : [],
    )) {
      if (tried.has(previous)) continue;
      tried.add(previous);
      const item = (await itemsAfter(target, plan, previous)).find((each) => String(each[identity]) === id);
      if (item) return { item, previous };
    }
  }
  return undefined;
}

async function itemsAfter(target: Target, plan: RequestPlan, previous: string): Promise<JsonObject[]> {
  const { after, limit } = plan.operation.list ?? {};
  if (!after) return [];
  const answer = await target.send(
    withQuery(plan, {
      ...(limit ? { [limit.name]: smallestSize(plan.operation) } : {}),
      [after.name]: previous,
    }),
  );
  return isAccepted(answer) ? itemsOf(answer) : [];
}

/** Creates the resources that reads need, because later creates would change lists while they are read. */
export async function makeReadable(target: Target, create: Operation): Promise<void> {
  for (const reader of operationsOf(target.spec, "list", "read")) {
    const own = reader.pathParameter?.madeBy === create.id;
    const within = reader.outer.some(({ madeBy }) => madeBy === create.id);
    if (!own && !within) continue;
    await (own ? resourceIdFor(target, reader, "read") : outerPath(target, reader)).catch(
      (error: unknown) => {
        if (!(error instanceof NotTested)) throw error;
      },
    );
  }
}
