/** Finds the requests that a violation needs: the evidence, and writes of the resources in its paths. */

import { idActedOn } from "../../history/answers/actions-done.ts";
import {
  type Entry,
  inOrder,
  isAccepted,
  isWrite,
  mayShareIds,
  pathId,
  resourceIn,
  sentIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { mayShareParents, resourceKinds } from "../../history/resource-kinds.ts";
import type { Violation, WrongField } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import { pathParametersOf } from "../../spec/operations.ts";
import { isCreation } from "./sent-again.ts";

/** `isOwn` is true if the run made the resource, so nobody else writes it. */
export function coreOf(
  { shownBy, wrongField }: Violation,
  history: History,
): { core: Entry[]; isOwn: boolean } {
  const shown = shownBy.map(({ entry }) => entry);
  const made = wrongField?.made ? [wrongField.made] : [];
  const creates = [...made, ...shown.flatMap((entry) => createsNamedIn(entry, history))];
  const offender = shownBy.find(({ offending }) => offending !== undefined);
  const setting = wrongField
    ? unlessMadeAlike(wrongField)
    : offender && settingWrite(offender, creates, history);
  const lastIndex = shown.at(-1)?.index ?? 0;
  const actions = shown.flatMap((entry) => actionsOnNamed(entry, lastIndex, history));
  const firstPages = shown.flatMap((entry) => firstPageOf(entry, history) ?? []);
  const core = inOrder([...creates, ...(setting ? [setting] : []), ...actions, ...firstPages, ...shown]);
  return { core, isOwn: creates.length > 0 || shown.some(isCreation) };
}

/**
 * Returns the first create of each resource in the path. Later ones repeat its idempotency key. Resources of other
 * kinds, or below other parents, may have the same id.
 */
function createsNamedIn(shown: Entry, { spec, entries }: History): Entry[] {
  const { operation, path } = shown;
  const named = operation ? pathParametersOf(operation) : [];
  return Object.entries(path).flatMap(([name, id]) => {
    const madeBy = named.find((parameter) => parameter.name === name)?.madeBy;
    const isMaker = (entry: Entry) =>
      isCreation(entry) &&
      entry.operation.id === madeBy &&
      String(resourceIn(entry)?.[identityOf(spec, entry.operation)]) === id;
    const makers = entries.filter((entry) => isMaker(entry) && mayShareIds(entry, shown));
    // A request may also name another space than that of the resource.
    return makers.find((entry) => mayShareSpace(entry, shown)) ?? makers[0] ?? [];
  });
}

/** True if both requests may be in one space. Resources of two spaces may have the same id. */
function mayShareSpace(one: Entry, other: Entry): boolean {
  return one.space === null || other.space === null || one.space === other.space;
}

/** Returns the last action on each resource in the path. Resources of other kinds may have the same id. */
function actionsOnNamed({ operation, path }: Entry, before: number, { spec, entries }: History): Entry[] {
  const named = operation ? pathParametersOf(operation) : [];
  return named.flatMap((parameter) => {
    const isOn = (entry: Entry) => {
      const other = entry.operation?.outer.at(-1);
      return (
        idActedOn(spec, entry) === path[parameter.name] &&
        (other?.madeBy === parameter.madeBy || entry.operation === operation)
      );
    };
    return entries.findLast((entry) => entry.index < before && isOn(entry)) ?? [];
  });
}

function unlessMadeAlike({ name, made, setBy }: WrongField): Entry | undefined {
  const isAlike = made && setBy && sameJson(resourceIn(made)?.[name], sentIn(setBy, name));
  return isAlike ? undefined : (setBy ?? undefined);
}

/** Returns the write that set the offending field, or `undefined` if none is known. */
function settingWrite(
  { entry, offending = "" }: Violation["shownBy"][number],
  creates: readonly Entry[],
  { spec, entries }: History,
): Entry | undefined {
  const [, , field = ""] = offending.split("/");
  const kind = resourceKinds(spec).find(
    ({ updates, views }) =>
      entry.operation && (updates.includes(entry.operation) || views.has(entry.operation.id)),
  );
  // Resources of other kinds, or below other parents, may have the same id.
  const isOfOne = (write: Entry) =>
    kind === undefined ||
    (write.operation !== null &&
      kind.updates.includes(write.operation) &&
      mayShareParents(kind, write, entry));
  const setting = entries.findLast(
    (write) =>
      isWrite(write) &&
      write.ended < entry.begun &&
      pathId(write) === pathId(entry) &&
      isOfOne(write) &&
      mayShareSpace(write, entry) &&
      isAccepted(write) &&
      sentIn(write, field) !== undefined,
  );
  if (!setting) return undefined;
  const isCreated = creates.some((create) => sameJson(resourceIn(create)?.[field], sentIn(setting, field)));
  return isCreated ? undefined : setting;
}

/** Returns the first page before this one: a service may know how far a client has read. */
function firstPageOf(entry: Entry, { lists }: History): Entry | undefined {
  const { index, operation } = entry;
  const cursor = cursorIn(entry);
  if (!operation || cursor === undefined) return undefined;
  const leads = (page: ListPage) => page.next === cursor && page.entry.index < index;
  return lists.reads(operation).findLast(({ pages }) => pages.some(leads))?.pages[0]?.entry;
}

/** Returns the cursor that the request has, or `undefined` at the first page. */
export function cursorIn({ request, operation }: Entry): string | undefined {
  return request.query.find(([name]) => name === operation?.list?.after?.name)?.[1];
}
