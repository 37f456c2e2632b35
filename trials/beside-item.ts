/** Pages next to an item, where the cursors of a list are its items: after it, before it, and both at once. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { type Answer, isAccepted, itemsOf } from "../client/target.ts";
import { requestTo, withQuery } from "../generators/request.ts";
import type { Parameter } from "../spec/model/spec.ts";
import { allowedSizes } from "../spec/page-sizes.ts";
import { usualQuery, walk } from "./corpus.ts";
import { ensureItems } from "./own-items.ts";
import { compareStill, itemsShown, mustHaveBegun, type Reading, stoodStill } from "./pages.ts";

/** Items on a page beside an item, so that what is left out or too much shows. */
export const PAGE = 3;

/** A place in a list by what people call it. */
export interface Position {
  name: string;
  /** Index of the item in a list of a length; undefined when the list is too short, or its end was not seen. */
  index(length: number, complete: boolean): number | undefined;
}

/** The places whose neighbours are looked at. */
export const POSITIONS: readonly Position[] = [
  { name: "head", index: (length) => (length > 1 ? 0 : undefined) },
  { name: "second", index: (length) => (length > 3 ? 1 : undefined) },
  { name: "middle", index: (length) => (length > 2 ? Math.floor(length / 2) : undefined) },
  { name: "last but one", index: (length, complete) => (complete && length > 2 ? length - 2 : undefined) },
  { name: "tail", index: (length, complete) => (complete && length > 1 ? length - 1 : undefined) },
];

/** What is wrong with a page beside the item at an index of a list, or null. */
export type BesideRule = (
  list: Reading,
  index: number,
  ids: string[],
) => { expected: string; actual: string } | null;

/** What was expected beside an item, what was shown, and the answer that shows it. */
export interface BesideFinding {
  expected: string;
  actual: string;
  answer: Answer;
  /** The page of the list that shows the item. */
  page?: Answer | undefined;
}

/** The list whose items are cursors, as far as it is known; in a list that is empty some are made first. */
export async function listOfItems(call: Call, anew = false): Promise<Reading> {
  await ensureItems(call.target, call.operation);
  const reading = await walk(call, { anew });
  mustHaveBegun(reading);
  return reading;
}

/** One page of a list under cursors, shared by all who ask the same unless it is asked for `anew`. */
export async function pageBeside(
  call: Call,
  cursors: Record<string, string>,
  { size = PAGE, anew = false } = {},
): Promise<Answer> {
  const { operation, target, version } = call;
  const { limit } = operation.list ?? {};
  const plan = withQuery(
    { ...requestTo(operation, version), query: await usualQuery(call) },
    { ...(limit ? { [limit.name]: String(allowedSizes(operation, [size])[0] ?? size) } : {}), ...cursors },
  );
  return anew ? target.send(plan, { role: "probe", valid: true }) : target.ask(plan, "probe");
}

/** The ids of what an answer shows, in order. */
export function idsOf({ operation }: Call, answer: Answer): string[] {
  return itemsOf(answer).map((item) => String(item[operation.list?.identity ?? "id"]));
}

/** Ids as a message tells them. */
export function toldIds(ids: string[]): string {
  return ids.length === 0 ? "no items" : ids.join(", ");
}

/** Only items that follow, the next one first; a short page is no fault. */
export const following: BesideRule = (list, index, ids) => {
  const expected = list.ids.slice(index + 1, index + 1 + Math.max(ids.length, 1));
  const beyond = !list.complete && index + 1 + ids.length > list.ids.length;
  const right = expected.every((id, place) => ids[place] === id) && (beyond || ids.length <= expected.length);
  return right ? null : { expected: `after ${list.ids[index]}: ${toldIds(expected)}`, actual: toldIds(ids) };
};

/** Only items that precede, and some where there are any. */
export const preceding: BesideRule = (list, index, ids) => {
  const before = new Set(list.ids.slice(0, index));
  const wrong = ids.filter((id) => !before.has(id));
  if (wrong.length > 0) return { expected: `only items before ${list.ids[index]}`, actual: toldIds(wrong) };
  if (ids.length === 0 && index > 0)
    return { expected: `items before ${list.ids[index]}`, actual: "no items" };
  return null;
};

/** What is wrong with the page that a cursor parameter gives beside the item at a position, or null. */
export async function wrongBeside(
  call: Call,
  cursor: Parameter,
  position: Position,
  judge: BesideRule,
  size = PAGE,
): Promise<BesideFinding | null> {
  const known = await listOfItems(call);
  const place = position.index(known.ids.length, known.complete);
  if (place === undefined && !known.complete)
    throw new Untestable("budget", "the list is longer than is read: its end was not seen");
  if (place === undefined) throw new Untestable("no-data", `the list has ${known.ids.length} items: too few`);
  const id = known.ids[place] ?? "";
  const wrong = (list: Reading, answer: Answer): BesideFinding | null => {
    const index = list.ids.indexOf(id);
    // Others may have taken it away before the list was read anew: nothing is beside it any more.
    if (index === -1) throw new Untestable("drift", `${id} is not in the list any more`);
    if (!isAccepted(answer)) {
      const expected = `the item ${id} to be accepted as a cursor`;
      return { expected, actual: `status ${answer.status}`, answer };
    }
    itemsShown(answer);
    const fault = judge(list, index, idsOf(call, answer));
    return fault === null ? null : { ...fault, answer, page: pageWith(call, list, id) };
  };
  const page = (anew: boolean) => pageBeside(call, { [cursor.name]: id }, { size, anew });
  if (wrong(known, await page(false)) === null) return null;
  return compareStill(
    call.target,
    () => listOfItems(call, true),
    () => page(true),
    stoodStill,
    wrong,
    call.operation.id,
  );
}

function pageWith(call: Call, list: Reading, id: string): Answer | undefined {
  return list.answers.find((answer) => idsOf(call, answer).includes(id));
}

/** Two answers that should show the same, and what each of them does. */
export interface PrecedenceFinding {
  one: Answer;
  two: Answer;
  wanted: string[];
  got: string[];
}

/** Where `after` beside a `before` that is `offset` items further on does not give what it gives alone, or null. */
export async function wrongTogether(
  call: Call,
  after: Parameter,
  before: Parameter,
  offset: number,
): Promise<PrecedenceFinding | null> {
  const list = await listOfItems(call);
  const { length } = list.ids;
  const place = Math.min(Math.max(Math.floor(length / 2), -offset), length - 1 - Math.max(offset, 1));
  if (place < 0 || place + offset < 0)
    throw new Untestable("no-data", `the list has ${length} items: too few`);
  const alone = { [after.name]: list.ids[place] ?? "" };
  const both = { ...alone, [before.name]: list.ids[place + offset] ?? "" };
  const pages = async (anew: boolean) => ({
    one: await pageBeside(call, alone, { anew }),
    two: await pageBeside(call, both, { anew }),
  });
  const wrong = ({ one, two }: { one: Answer; two: Answer }): PrecedenceFinding | null => {
    if (!isAccepted(one))
      throw new Untestable("control-rejected", `${after.name} alone was answered ${one.status}`, [one]);
    const wanted = idsOf(call, one);
    if (!isAccepted(two)) return { one, two, wanted, got: [`status ${two.status}`] };
    itemsShown(two);
    const got = idsOf(call, two);
    return wanted.join() === got.join() ? null : { one, two, wanted, got };
  };
  if (wrong(await pages(false)) === null) return null;
  return compareStill(
    call.target,
    () => listOfItems(call, true),
    () => pages(true),
    stoodStill,
    (_, seen) => wrong(seen),
    call.operation.id,
  );
}
