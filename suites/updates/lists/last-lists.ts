import type { Call } from "../../../client/call.ts";
import type { RequestPlan } from "../../../generators/request.ts";
import { type Entry, isInSpace, pathId } from "../../../history/entry.ts";
import type { ListPage } from "../../../history/lists/lists.ts";
import { kindOfUpdate, shownBy, type View } from "../../../history/resource-kinds.ts";
import { readList } from "../../shared/read-list.ts";
import { switchesOf, updatableFields } from "../../shared/update-fields.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherValues } from "../bodies.ts";
import { readBack } from "../read-back.ts";
import { lastShownIn, shownIn } from "../shown-values.ts";
import { underAllFilters, underFiltersOf } from "../walk/other-requests.ts";

/**
 * Sets the booleans of the resource to false: a faulty service may hide it in lists then, or change it. Or sets those to
 * true that were so at first, because the owner of the resource may need them.
 */
export async function setSwitches(call: Call, id: string, isOn: boolean): Promise<void> {
  const first = shownIn(call, id)[0] ?? {};
  const all = switchesOf(call.target.spec, call.operation);
  const names = isOn ? all.filter((name) => first[name] === true) : all;
  if (names.length === 0) return;
  const values = Object.fromEntries(names.map((name) => [name, isOn]));
  await sendUpdate(call, id, { ...(await otherValues(call, lastShownIn(call, id), [])), ...values });
}

/**
 * Changes the fields that the list is filtered by, and returns reads of the list under their former values. A faulty
 * service may filter by the values before the last update.
 */
export async function changeFilteredFields(call: Call, id: string): Promise<RequestPlan[]> {
  const before = lastShownIn(call, id);
  const fields = updatableFields(call.target.spec, call.operation);
  const plans = underFiltersOf(call, before, fields);
  if (plans.length > 0) await sendUpdate(call, id, await otherValues(call, before, fields));
  return plans;
}

/** Reads a filtered list, then the resource under the same version. */
export async function readBesideFilters(call: Call, id: string): Promise<void> {
  const list = underAllFilters(call, id, lastShownIn(call, id));
  if (list) await call.target.send(list, { role: "read back", valid: true });
  await readBack(list ? call.under(list.version) : call, id);
}

const MOST_PAGES = 4;

/** Reads pages again that showed the resource before its last update. */
export async function pagesAgain(call: Call): Promise<void> {
  const { target, operation } = call;
  const kind = kindOfUpdate(target.spec, operation);
  for (const { operation: list, shows } of kind?.views.values() ?? []) {
    if (shows !== "list") continue;
    // An item id stays a valid cursor; other cursors may lead to the old list.
    if (list.list?.after?.cursor === "item") await itemPagesAgain(call, call.to(list));
    else await readPagesAgain(call, call.to(list));
  }
}

/** Reads again under another version what that showed before the last update. */
export async function otherVersionsAgain(call: Call): Promise<void> {
  const { target, operation } = call;
  const kind = kindOfUpdate(target.spec, operation);
  for (const view of kind?.views.values() ?? []) {
    if (view.shows === "answer") continue;
    const outdated = outdatedUnderOther(call, view);
    if (!outdated) continue;
    const plan = await call.to(view.operation).under(outdated.version).valid();
    const id = pathId(outdated);
    await target.send(
      { ...plan, ...(id === undefined ? {} : { path: id }), query: outdated.request.query },
      { role: "version again", valid: true },
    );
  }
}

/** Returns the latest answer under another version if an update has changed a resource of it since. */
function outdatedUnderOther({ target, operation, version }: Call, view: View): Entry | undefined {
  const history = target.history();
  const kind = kindOfUpdate(target.spec, operation);
  if (!kind) return undefined;
  const updates = history
    .updates(operation)
    .filter(({ accepted, entry }) => accepted && history.isOrdinary(entry));
  const latest = history.entries.findLast(
    (entry) =>
      entry.operation === view.operation &&
      isInSpace(entry, target.settings.space) &&
      entry.version !== version &&
      history.isOrdinary(entry) &&
      shownBy(target.spec, kind, entry).length > 0,
  );
  if (!latest) return undefined;
  const shown = new Set(shownBy(target.spec, kind, latest).map(({ id }) => id));
  const isOutdated = updates.some(
    ({ entry }) => entry.begun > latest.ended && shown.has(pathId(entry) ?? ""),
  );
  return isOutdated ? latest : undefined;
}

/** Reads pages after and before an item again, if an update has changed a resource on them. */
async function itemPagesAgain(update: Call, list: Call): Promise<void> {
  const { target, operation } = list;
  const { lists } = target.history();
  const behind = lists.pages(operation).find(outdatedBy(update, "cursor"));
  const before = lists
    .pagesWithCursor(operation)
    .filter(({ cursor }) => cursor === null)
    .find(outdatedBy(update, "before"));
  for (const { entry } of [behind, before].filter((page) => page !== undefined)) {
    const plan = await list.under(entry.version).valid();
    await target.send({ ...plan, query: entry.request.query }, { role: "page again", valid: true });
  }
}

/** Reads lists again up to a later page that an update has changed. */
async function readPagesAgain(update: Call, list: Call): Promise<void> {
  const reads = list.target.history().lists.reads(list.operation);
  const found = reads
    .map((read) => ({ read, place: read.pages.findIndex(outdatedBy(update, "cursor")) }))
    .filter(({ place }) => place > 0 && place < MOST_PAGES)
    .sort((a, b) => a.place - b.place)[0];
  const version = found?.read.pages[0]?.entry.version;
  if (!found || version === undefined) return;
  const { size, filters } = found.read;
  await readList(list.under(version), { size, query: filters, mostPages: found.place + 1, again: true });
}

/** Returns the test for pages with this cursor that show a resource as it was before an update. */
function outdatedBy({ target, operation }: Call, place: "cursor" | "before"): (page: ListPage) => boolean {
  const updates = target
    .history()
    .updates(operation)
    .filter(({ accepted, entry }) => accepted && isInSpace(entry, target.settings.space));
  return ({ entry, ids, ...page }) =>
    page[place] !== null &&
    isInSpace(entry, target.settings.space) &&
    updates.some(({ entry: later }) => ids.includes(pathId(later) ?? "") && entry.ended < later.begun);
}
