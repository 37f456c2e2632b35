import type { Call } from "../../../client/call.ts";
import { defaultQuery } from "../../../client/samples.ts";
import { nextOf, type Probe } from "../../../client/target.ts";
import { withQuery } from "../../../generators/request.ts";
import { isInSpace } from "../../../history/entry.ts";
import { FEWEST_IN_ORDER } from "../../../history/lists/left-out.ts";
import { MIN_DIFFERENCES } from "../../../history/lists/pairs.ts";
import { resourceKinds } from "../../../history/resource-kinds.ts";
import { sameJson } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../../../spec/page-sizes.ts";
import { isUnfiltered } from "../../shared/followed-lists.ts";
import { type Query, readList } from "../../shared/read-list.ts";
import { plainProbe } from "../../shared/sampled.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { nextVariation } from "../bodies.ts";
import { updateAllFields, withLockedResource } from "../read-back.ts";
import { isUpdated } from "../shown-values.ts";

const MOST_PAGES = 4;

/** Returns probes that read the pages behind an updated item, whose old values a cursor may hold. */
export function pagesAfterUpdates(spec: Spec, list: Operation): Probe[] {
  if (list.list?.after?.cursor !== "token") return [];
  const kinds = resourceKinds(spec).filter(({ views }) =>
    [...views.values()].some(({ operation }) => operation === list),
  );
  const updates = kinds.flatMap((kind) => kind.updates);
  return updates.map((update) =>
    plainProbe(`pages of ${list.id} after`, update, "aftermath", (call) =>
      withLockedResource(call, async (id) => {
        if (!isUpdated(call, id)) await updateAllFields(call, id);
        const there = call.to(list);
        if (!(await readUnfiltered(there, id))) return readFiltered(there, id);
        const body = await call.body("full", nextVariation(call.target));
        const query = await defaultQuery(there.target, list);
        await changeBetweenPages(there, query, id, () => sendUpdate(call, id, body));
      }),
    ),
  );
}

/** Returns false if no page can end with the resource. */
async function readUnfiltered(call: Call, id: string): Promise<boolean> {
  const whole = { again: true, mostPages: pagesUpTo(call, id) };
  const { ids } = await readList(call, whole);
  const pages = pagesEndingWith(call.operation, ids, id);
  if (!pages) return false;
  for (let count = 0; count < MIN_DIFFERENCES; count++) {
    const read = await readList(call, { ...pages, again: true });
    if (isBeginningOf(ids, read)) break;
    await readList(call, whole);
  }
  return true;
}

/**
 * Sends a change between a page that ends with the item and the next page. A service may reject a cursor once the item
 * that it names was changed.
 */
export async function changeBetweenPages<T>(
  list: Call,
  query: Query,
  id: string,
  change: () => Promise<T>,
): Promise<T> {
  const { target, operation } = list;
  const { ids } = await readList(list, { query, mostPages: MOST_PAGES });
  const pages = pagesEndingWith(operation, ids, id);
  const after = operation.list?.after;
  if (!pages || !after) return change();
  const { size, pagesToItem } = pages;
  const { answers } = await readList(list, { query, size, mostPages: pagesToItem, again: true });
  const result = await change();
  const last = answers.at(-1);
  const next = last ? nextOf(last) : null;
  if (last && next !== null) {
    const behind = withQuery(last.plan, { [after.name]: next });
    await target.send(behind, { role: "page after a change", valid: true });
  }
  return result;
}

/** Reads the list under filters that show the resource, and whole lists before and after to compare. */
async function readFiltered(call: Call, id: string): Promise<void> {
  const query = queryShowing(call, id);
  if (!query) return;
  const whole = { again: true, mostPages: MOST_PAGES };
  const { ids } = await readList(call, { ...whole, query });
  const pages = pagesEndingWith(call.operation, ids, id);
  if (!pages) return;
  for (let count = 0; count < MIN_DIFFERENCES; count++) {
    await readList(call, whole);
    const read = await readList(call, { ...pages, query, again: true });
    if (isBeginningOf(ids, read)) return;
    await readList(call, whole);
  }
}

function isBeginningOf(
  whole: readonly string[],
  { ids, complete }: { ids: string[]; complete: boolean },
): boolean {
  return sameJson(ids, complete ? whole : whole.slice(0, ids.length));
}

function pagesUpTo({ target, operation }: Call, id: string): number {
  const size = largestSize(operation);
  const read = target
    .history()
    .lists.reads(operation)
    .findLast((each) => isUnfiltered(operation, each) && each.size === size && each.ids.includes(id));
  return read ? Math.ceil((read.ids.indexOf(id) + 2) / size) : MOST_PAGES;
}

/** Returns the filters of the latest read that shows the resource and others. */
function queryShowing({ target, operation }: Call, id: string): Query | undefined {
  const reads = target.history().lists.reads(operation);
  return reads.findLast(
    (read) =>
      !isUnfiltered(operation, read) &&
      read.ids.length > 1 &&
      read.ids.includes(id) &&
      read.pages.slice(0, 1).some(({ entry }) => isInSpace(entry, target.settings.space)),
  )?.filters;
}

/** Returns the largest size that lets a page end with the item, if there is one. */
function pagesEndingWith(list: Operation, ids: readonly string[], id: string) {
  const place = ids.indexOf(id) + 1;
  if (!list.list?.limit || place === 0 || place === ids.length) return undefined;
  const size = Array.from({ length: MOST_PAGES - 1 }, (_, index) => place / (index + 1)).find((each) =>
    allowedSizes(list, [each]).includes(each),
  );
  if (size === undefined) return undefined;
  const pagesToItem = place / size;
  return { size, pagesToItem, mostPages: Math.max(pagesToItem + 1, Math.ceil(FEWEST_IN_ORDER / size)) };
}
