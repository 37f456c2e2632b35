import { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { idOf } from "../../client/creations.ts";
import { eventually } from "../../client/eventually.ts";
import { createOf, updateOf } from "../../client/relations.ts";
import { createdId, outerPath, resourceIdFor, sendBody, sendFullCreate } from "../../client/resources.ts";
import { defaultQuery } from "../../client/samples.ts";
import { isAccepted, itemsOf, type Target } from "../../client/target.ts";
import { validBody } from "../../client/value-source.ts";
import { allowedOf, defaultVersion, versionFor } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withBody, withPageSize, withQuery } from "../../generators/request.ts";
import { itemId } from "../../spec/identity.ts";
import { type JsonObject, pick, valueAt } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { smallestSize } from "../../spec/page-sizes.ts";
import { itemAfter, mustReadList } from "./read-list.ts";
import { plainFields, requiredAnd } from "./update-fields.ts";
import { sendUpdate } from "./update-requests.ts";

/** The middle item has others on both sides. Nothing can be deleted, so few are created. */
const ENOUGH_ITEMS = 3;
const MOST_MADE = 12;
const MOST_OPTIONS = 4;

/** Creates until the list shows three items and two of its smallest pages. Read-only runs create none. */
export async function ensureItems(target: Target, list: Operation): Promise<void> {
  const create = createOf(target.spec, list);
  if (!create || target.settings.readOnly) return;
  await target.memoize(`ensure ${list.id}`, async () => {
    const reading = await mustReadList(new Call(target, list), { mostPages: 1 });
    let last: string | undefined;
    const enough = Math.max(ENOUGH_ITEMS, Math.min(Number(smallestSize(list)) + 1, MOST_MADE));
    for (let count = reading.items.length; count < enough; count++) {
      last = createdId(target, create, await sendFullCreate(target, create));
    }
    await unlessNotTested(() => makeEachOption(target, create, list, reading.items));
    await updateAtOnce(target, create);
    if (last !== undefined) await findInList(target, list, last).catch(() => undefined);
  });
}

/** Filters may lose the items with one value, so an item is made for each option that no item shows. */
async function makeEachOption(
  target: Target,
  create: Operation,
  list: Operation,
  items: readonly JsonObject[],
): Promise<void> {
  const missing = (list.list?.filters ?? []).map(({ filter = "" }) => {
    const options = target.spec.schemas.field(create.body, filter.slice(1)).enum ?? [];
    const isShown = (option: unknown) => items.some((item) => valueAt(item, filter) === option);
    return options.filter((option) => option !== null).map((option) => !isShown(option));
  });
  for (let variation = 0; variation < MOST_OPTIONS; variation++) {
    if (!missing.some((options) => options[variation])) continue;
    const body = await validBody(target, create, "full", variation);
    await sendBody(target, withBody(requestTo(create, defaultVersion(target, create)), body));
  }
}

/** Creates a resource and updates it at once: a create that finishes later would bring its values back. */
async function updateAtOnce(target: Target, create: Operation): Promise<void> {
  const update = updateOf(target.spec, create);
  const version = allowedOf(target, create).at(-1) ?? null;
  if (!update) return;
  const made = await unlessNotTested(() => new Call(target, create, version).plain("minimal"));
  const id = made && idOf(target, made);
  if (!made || id === undefined) return;
  const call = new Call(target, update);
  const required = new Set(target.spec.schemas.required(update.body));
  // A later probe repeats the create, which some services reject if required values changed.
  const other = { ...(await call.body("full", 2)), ...pick(made.sent, required) };
  const body = requiredAnd(target.spec, update, other, plainFields(target.spec, update));
  await sendUpdate(call, id, body);
}

const PAGES_SEARCHED = 12;

interface Search {
  item: JsonObject | undefined;
  complete: boolean;
}

/**
 * Returns undefined if the item is missing after the consistency timeout.
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

/** Reads the pages of the list until one shows the item. */
async function searchOnce(
  target: Target,
  list: Operation,
  id: string,
  wanted: string | null | undefined,
): Promise<Search> {
  const query = await defaultQuery(target, list);
  const version = wanted === undefined ? defaultVersion(target, list) : versionFor(target, list, wanted);
  const plan: RequestPlan = { ...requestTo(list, version), query };
  // If cursors are item ids, the previous id leads to this item.
  const previousIds = await target.memoize(`places ${list.id}`, async () => new Map<string, string>());
  const previousId = previousIds.get(id);
  if (previousId !== undefined) {
    const item = await itemAfter((page) => target.send(page), plan, previousId, id);
    if (item) return { item, complete: false };
    previousIds.delete(id);
  }
  const searchPages = async (mostPages: number): Promise<Search> => {
    const call = new Call(target, list, version);
    const { ids, items, complete } = await mustReadList(call, { mostPages, again: true });
    const at = ids.indexOf(id);
    const previous = ids[at - 1];
    if (previous !== undefined && list.list?.after?.cursor === "item") previousIds.set(id, previous);
    return { item: items[at], complete };
  };
  const first = await searchPages(1);
  if (first.item || first.complete) return first;
  const beside = await searchBeside(target, plan, id);
  if (!beside) return searchPages(PAGES_SEARCHED);
  previousIds.set(id, beside.previousId);
  return { item: beside.item, complete: false };
}

/** Searches the item on the pages beside it. Works in a list of any length, if cursors are item ids. */
async function searchBeside(
  target: Target,
  plan: RequestPlan,
  id: string,
): Promise<{ item: JsonObject; previousId: string } | undefined> {
  const { before, after, limit } = plan.operation.list ?? {};
  if (before?.cursor !== "item" || after?.cursor !== "item") return undefined;
  const tried = new Set<string>();
  const ask = (page: RequestPlan) => target.send(page);
  // The specification does not say which preceding items the page holds.
  for (const size of limit ? [undefined, smallestSize(plan.operation)] : [undefined]) {
    const answer = await ask(withPageSize(withQuery(plan, { [before.name]: id }), size));
    const items = isAccepted(answer) ? itemsOf(answer) : [];
    for (const preceding of [...items.slice(-1), ...items.slice(0, 1)]) {
      const previousId = itemId(plan.operation, preceding);
      if (tried.has(previousId)) continue;
      tried.add(previousId);
      const item = await itemAfter(ask, plan, previousId, id);
      if (item) return { item, previousId };
    }
  }
  return undefined;
}

/** Creates the resources that reads need of this create, before the reads, because creates change lists. */
export async function makeReadable(target: Target, create: Operation): Promise<void> {
  for (const reader of operationsOf(target.spec, "list", "read")) {
    const own = reader.pathParameter?.madeBy === create.id;
    const within = reader.outer.some(({ madeBy }) => madeBy === create.id);
    if (!own && !within) continue;
    await unlessNotTested<unknown>(() =>
      own ? resourceIdFor(target, reader, "read") : outerPath(target, reader),
    );
  }
}
