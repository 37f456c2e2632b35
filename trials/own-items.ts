/** What the suite makes to have something to read, and how it finds it again. */

import { Untestable } from "../client/check.ts";
import { createOf } from "../client/relations.ts";
import { baseQueries } from "../client/samples.ts";
import { createdResource, identityOf, sendCreate } from "../client/subjects.ts";
import { isAccepted, itemsOf, type Target } from "../client/target.ts";
import { usualVersion, versionFor } from "../client/version-choice.ts";
import { requestTo, withQuery } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { readPages } from "./pages.ts";

/** So many items more than the default page has are enough to page through. */
const BEYOND_DEFAULT = 2;
const MOST_MADE = 60;

function enough(list: Operation): number {
  const { default: usual, maximum } = list.list?.limit?.schema ?? {};
  const page = typeof usual === "number" ? usual : Math.min(maximum ?? 10, 10);
  return Math.min(page + BEYOND_DEFAULT, MOST_MADE);
}

/** Makes sure, where the run may write, that a list has enough items to page through. Done once. */
export async function ensureItems(target: Target, list: Operation): Promise<void> {
  const create = createOf(target.spec, list);
  if (!create || target.settings.readOnly) return;
  await target.once(`ensure ${list.id}`, async () => {
    const [query = []] = await baseQueries(target, list, 1);
    const limit = list.list?.limit?.schema.maximum;
    const reading = await readPages(target, list, {
      version: usualVersion(target, list),
      query,
      limit,
      mostPages: 1,
    });
    const made: string[] = [];
    for (let count = reading.items.length; count < enough(list); count++) {
      const resource = createdResource(
        target,
        create,
        await sendCreate(target, create, usualVersion(target, create), "full"),
      );
      made.push(String(resource[identityOf(target.spec, create)]));
    }
    const last = made.at(-1);
    if (last !== undefined) await findInList(target, list, last).catch(() => undefined);
  });
}

const PAGES_SEARCHED = 12;

/**
 * The item with an id as a list shows it; undefined when the list was read to its end without it, after the delay
 * that is allowed. Throws Untestable where the list is too long to search.
 */
export async function findInList(
  target: Target,
  list: Operation,
  id: string,
  options: { version?: string | null; until?: (item: JsonObject) => boolean } = {},
): Promise<JsonObject | undefined> {
  // What was waited for in vain once is not waited for again.
  const missing = await target.once("missing from lists", async () => new Set<string>());
  const patience = missing.has(`${list.id} ${id}`) ? 0 : target.settings.visibilityDelay;
  const deadline = Date.now() + patience;
  for (let pause = 25; ; pause = Math.min(pause * 2, 400)) {
    const found = await searchOnce(target, list, id, options.version);
    const fits = found.item !== undefined && (options.until?.(found.item) ?? true);
    if (fits || Date.now() + pause > deadline) {
      if (found.item === undefined && !found.complete) {
        throw new Untestable("budget", `${list.key} is too long to search for ${id}`);
      }
      if (found.item === undefined) missing.add(`${list.id} ${id}`);
      return found.item;
    }
    await target.pause(pause);
  }
}

async function searchOnce(
  target: Target,
  list: Operation,
  id: string,
  version: string | null | undefined,
): Promise<{ item: JsonObject | undefined; complete: boolean }> {
  const identity = list.list?.identity ?? "id";
  const [query = []] = await baseQueries(target, list, 1);
  const asked = version === undefined ? usualVersion(target, list) : versionFor(target, list, version);
  const is = (item: JsonObject) => String(item[identity]) === id;
  const limit = list.list?.limit?.schema.maximum;
  const reading = await readPages(target, list, { version: asked, query, limit, mostPages: PAGES_SEARCHED });
  const item = reading.items.find(is);
  if (item || reading.complete) return { item, complete: reading.complete };
  // A long list whose cursors are items can be entered next to the one that is sought.
  const { before, after } = list.list ?? {};
  if (before?.cursor !== "item" || after?.cursor !== "item") return { item: undefined, complete: false };
  const preceding = await target.send(withQuery({ ...requestTo(list, asked), query }, { [before.name]: id }));
  const neighbours = isAccepted(preceding) ? itemsOf(preceding) : [];
  for (const neighbour of [neighbours.at(-1), neighbours[0]]) {
    if (!neighbour) continue;
    const plan = withQuery(
      { ...requestTo(list, asked), query },
      { [after.name]: String(neighbour[identity]) },
    );
    const found = itemsOf(await target.send(plan)).find(is);
    if (found) return { item: found, complete: false };
  }
  return { item: undefined, complete: false };
}
