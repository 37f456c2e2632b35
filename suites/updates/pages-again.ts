/**
 * Reads pages behind a cursor again after updates of a resource on them. A service may keep such pages longer
 * than first pages.
 */

import type { Call } from "../../client/call.ts";
import type { ListPage } from "../../history/lists.ts";
import { kindOfUpdate, pathId } from "../../history/resource-kinds.ts";
import { walk } from "../shared/corpus.ts";

const MOST_PAGES = 4;

export async function pagesAgain(call: Call): Promise<void> {
  const { target, operation } = call;
  const kind = kindOfUpdate(target.spec, operation);
  for (const { operation: list, shows } of kind?.views.values() ?? []) {
    if (shows !== "list") continue;
    // The id of an item stays a cursor. Another cursor may stand for the list as its first page showed it.
    if (list.list?.after?.cursor === "item") await itemPageAgain(call, call.to(list));
    else await walkAgain(call, call.to(list));
  }
}

async function itemPageAgain(update: Call, list: Call): Promise<void> {
  const { target, operation } = list;
  const page = target.history().lists.pages(operation).find(isOutdated(update));
  if (!page) return;
  const plan = await list.under(page.entry.version).valid();
  await target.send({ ...plan, query: page.entry.request.query }, { role: "page again", valid: true });
}

async function walkAgain(update: Call, list: Call): Promise<void> {
  const reads = list.target.history().lists.reads(list.operation);
  const found = reads
    .map((read) => ({ read, place: read.pages.findIndex(isOutdated(update)) }))
    .filter(({ place }) => place > 0 && place < MOST_PAGES)
    .sort((a, b) => a.place - b.place)[0];
  const version = found?.read.pages[0]?.entry.version;
  if (!found || version === undefined) return;
  const { size, filters } = found.read;
  await walk(list.under(version), { size, query: filters, mostPages: found.place + 1, anew: true });
}

function isOutdated({ target, operation }: Call): (page: ListPage) => boolean {
  const updates = target
    .history()
    .updates(operation)
    .filter(({ accepted, entry }) => accepted && entry.space === target.settings.space);
  return ({ entry, ids, cursor }) =>
    cursor !== null &&
    entry.space === target.settings.space &&
    updates.some(({ entry: later }) => ids.includes(pathId(later) ?? "") && entry.ended < later.begun);
}
