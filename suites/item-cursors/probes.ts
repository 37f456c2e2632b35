import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { defaultQuery } from "../../client/samples.ts";
import type { Probe } from "../../client/target.ts";
import { withQuery } from "../../generators/request.ts";
import type { History } from "../../history/history.ts";
import type { ListPage, ListRead } from "../../history/lists/lists.ts";
import { isUndecided, type ListComparison, type ListPair } from "../../history/lists/pairs.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../../spec/page-sizes.ts";
import { listProbe } from "../cursors/probes.ts";
import { readUntilDecided } from "../shared/list-reads.ts";
import { mustReadList } from "../shared/read-list.ts";
import {
  type BesideRead,
  comparedBeside,
  isAt,
  type Position,
  type Side,
  unlikeAfterAlone,
  WRONG_BESIDE,
} from "./beside.ts";

const PAGE_SIZE = 3;
/** Depth quick tests other positions under the default version only. */
const MAIN_POSITION = "middle";

/** Reuses an equal read of this run, or sends the request again. */
const AGAIN = { again: true };

/** Reads the page after or before the item at a position, and again until that decides. */
export function besideItem(list: Operation, side: Side, position: Position): Probe {
  return listProbe(`${side} ${position.name}`, list, async (call) => {
    const isMain = position.name === MAIN_POSITION;
    if (!isMain && !call.isDefaultVersion && !call.sendsAll) return;
    const sizes = isMain && call.isDefaultVersion ? [PAGE_SIZE, largestSize(list)] : [PAGE_SIZE];
    let [item] = await itemAt(call, position.index);
    const isWanted = (page: ListPage) =>
      page.before === (side === "after" ? null : item) && page.cursor === (side === "after" ? item : null);
    const compared = (history: History, isMeant?: (pair: ListPair) => boolean) =>
      comparedBeside(history, list, isWanted, WRONG_BESIDE[side], isMeant);
    for (const size of sizes) await pageBeside(call, { [nameOf(list, side)]: item }, size);
    // The list may be longer now, so another item may have the position.
    if (compared(call.target.history(), isAt(position)).length === 0) {
      [item] = await itemAt(call, position.index, AGAIN);
      for (const size of sizes) await pageBeside(call, { [nameOf(list, side)]: item }, size, AGAIN);
    }
    await readUntilSettled(call, (history) => compared(history));
  });
}

function nameOf({ list }: Operation, side: Side): string {
  return list?.[side]?.name ?? "";
}

/**
 * Returns the item at this place of the list, and the ids of the list.
 * @throws NotTested if the list is too short.
 */
async function itemAt(
  call: Call,
  index: Position["index"],
  { again = false } = {},
): Promise<[item: string, ids: string[]]> {
  const list = await mustReadList(call, { again });
  const { ids, complete } = list;
  const place = index(ids.length, complete);
  if (place === undefined && !complete)
    throw new NotTested("budget", "the list is too long to be read to its end");
  if (place === undefined) throw new NotTested("no-data", `the list has ${ids.length} items: too few`);
  return [ids[place] ?? "", ids];
}

/** Reads one page after, before or between items of the list. */
async function pageBeside(
  call: Call,
  cursors: Record<string, string>,
  size: number,
  { again = false } = {},
): Promise<void> {
  const { operation, target } = call;
  const { limit } = operation.list ?? {};
  const plan = withQuery(
    { ...call.request(), query: await defaultQuery(target, operation) },
    { ...(limit ? { [limit.name]: String(allowedSizes(operation, [size])[0] ?? size) } : {}), ...cursors },
  );
  await (again ? target.send(plan, { role: "probe", valid: true }) : target.ask(plan, "probe"));
}

/** Reads the pages again whose differences are undecided, because the list itself may have changed. */
async function readUntilSettled(
  call: Call,
  compared: (history: History) => ListComparison<unknown>[],
): Promise<void> {
  const list = call.operation;
  const undecided = (history: History) => compared(history).filter(isUndecided);
  await readUntilDecided(call, {}, undecided, async (read: ListRead) => {
    const { cursor, before, size } = (read as BesideRead).page;
    const after = cursor === null ? {} : { [nameOf(list, "after")]: cursor };
    if (before !== null && cursor !== null) await pageBeside(call, after, size ?? PAGE_SIZE, AGAIN);
    const both = { ...after, ...(before === null ? {} : { [nameOf(list, "before")]: before }) };
    await pageBeside(call, both, size ?? PAGE_SIZE, AGAIN);
  });
}

/** Reads a page with `after` alone, and one with both cursors. `before` is `offset` items further. */
export function bothCursors(list: Operation, after: Parameter, before: Parameter, offset: number): Probe {
  return listProbe(`after and before ${offset}`, list, async (call) => {
    const [item, ids] = await itemAt(call, (length) => {
      const middle = Math.max(Math.floor(length / 2), -offset);
      const place = Math.min(middle, length - 1 - Math.max(offset, 1));
      return place < 0 || place + offset < 0 ? undefined : place;
    });
    const other = ids[ids.indexOf(item) + offset] ?? "";
    await pageBeside(call, { [after.name]: item }, PAGE_SIZE);
    await pageBeside(call, { [after.name]: item, [before.name]: other }, PAGE_SIZE);
    await readUntilSettled(call, (history) =>
      comparedBeside(history, list, isBoth, unlikeAfterAlone(history, list)),
    );
  });
}

/** True if the page was asked for with both cursors. */
export function isBoth({ cursor, before }: BesideRead["page"]): boolean {
  return cursor !== null && before !== null;
}

/** Reads the page before the last item. */
export function beforeLast(list: Operation): Probe {
  return listProbe("before the last item", list, async (call) => {
    if (!call.isDefaultVersion) return;
    const [item] = await itemAt(call, (length) => (length > PAGE_SIZE + 1 ? length - 1 : undefined));
    await pageBeside(call, { [nameOf(list, "before")]: item }, PAGE_SIZE);
  });
}
