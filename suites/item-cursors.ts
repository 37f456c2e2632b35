/** Cursors that are items (section 4.16): after and before an item, and which of the two wins. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { baseQueries } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import { type Answer, isAccepted, itemsOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { withQuery } from "../generators/request.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { ensureItems } from "../trials/own-items.ts";
import {
  allowedSizes,
  compareStill,
  itemsShown,
  type Reading,
  readPages,
  stoodStill,
} from "../trials/pages.ts";

const SUITE = "item-cursors";
const PAGE = 3;
const REFERENCE_PAGES = 6;

interface Position {
  name: string;
  /** Index of the item in a list of a length; undefined when the list is too short. */
  index(length: number, complete: boolean): number | undefined;
}

const POSITIONS: Position[] = [
  { name: "head", index: (length) => (length > 1 ? 0 : undefined) },
  { name: "second", index: (length) => (length > 3 ? 1 : undefined) },
  { name: "middle", index: (length) => (length > 4 ? Math.floor(length / 2) : undefined) },
  { name: "last but one", index: (length, complete) => (complete && length > 2 ? length - 2 : undefined) },
  { name: "tail", index: (length, complete) => (complete && length > 1 ? length - 1 : undefined) },
];

export function itemCursorChecks(spec: Spec): Check[] {
  return operationsOf(spec, "list").flatMap((operation) => {
    const { list } = operation;
    if (!list) return [];
    const { after, before, limit } = list;
    return [
      ...(after?.cursor === "item"
        ? POSITIONS.flatMap((position) => besideChecks(spec, operation, after, position, AFTER))
        : []),
      ...(before?.cursor === "item"
        ? POSITIONS.flatMap((position) => besideChecks(spec, operation, before, position, BEFORE))
        : []),
      ...(before?.cursor === "item" ? [beforeNote(operation, before)] : []),
      ...(after?.cursor === "item" && before && limit
        ? precedenceChecks(spec, operation, after, before)
        : []),
    ];
  });
}

/** The list as it stands, in pages of the largest size. */
async function reference(target: Target, operation: Operation, version: string | null): Promise<Reading> {
  await ensureItems(target, operation);
  const [query = []] = await baseQueries(target, operation, 1);
  const limit = operation.list?.limit?.schema.maximum;
  return readPages(target, operation, { version, query, limit, mostPages: REFERENCE_PAGES });
}

/** One page of a list under cursors. */
async function page(
  target: Target,
  operation: Operation,
  version: string | null,
  cursors: Record<string, string>,
): Promise<Answer> {
  const { limit } = operation.list ?? {};
  const plan = withQuery(await validRequest(target, operation, version), {
    ...cursors,
    ...(limit ? { [limit.name]: String(allowedSizes(operation, [PAGE])[0] ?? PAGE) } : {}),
  });
  return target.send(plan, { role: "probe", valid: true });
}

function idsOf(operation: Operation, answer: Answer): string[] {
  return itemsOf(answer).map((item) => String(item[operation.list?.identity ?? "id"]));
}

/** What is wrong with a page next to an item of a list that stood still, or null. */
type Judge = (list: Reading, index: number, ids: string[]) => { expected: string; actual: string } | null;

async function judgeAt(
  target: Target,
  operation: Operation,
  version: string | null,
  position: Position,
  cursor: (list: Reading, index: number) => Record<string, string>,
  judge: Judge,
): Promise<void> {
  const known = await reference(target, operation, version);
  const place = position.index(known.ids.length, known.complete);
  if (place === undefined && !known.complete)
    throw new Untestable("budget", "the list is longer than is read: its end was not seen");
  if (place === undefined) throw new Untestable("no-data", `the list has ${known.ids.length} items: too few`);
  const id = known.ids[place] ?? "";
  const difference = await compareStill(
    target,
    () => reference(target, operation, version),
    async () => page(target, operation, version, cursor(known, place)),
    stoodStill,
    (list, answer) => {
      const index = list.ids.indexOf(id);
      if (index === -1) return { fault: { expected: `${id} in the list`, actual: "gone" }, answer };
      // The item may have been removed before the call: then the list did not stand still, and this does not count.
      if (!isAccepted(answer)) {
        return {
          fault: { expected: `the item ${id} to be accepted as a cursor`, actual: `status ${answer.status}` },
          answer,
        };
      }
      itemsShown(answer);
      const fault = judge(list, index, idsOf(operation, answer));
      return fault === null ? null : { fault, answer };
    },
  );
  if (difference)
    throw new Violation(difference.fault.expected, difference.fault.actual, [difference.answer.exchange]);
}

function told(ids: string[]): string {
  return ids.length === 0 ? "no items" : ids.join(", ");
}

/** Only items that follow, the next one first; a short page is no fault. */
const following: Judge = (list, index, ids) => {
  const expected = list.ids.slice(index + 1, index + 1 + Math.max(ids.length, 1));
  const beyond = !list.complete && index + 1 + ids.length > list.ids.length;
  const right = expected.every((id, place) => ids[place] === id) && (beyond || ids.length <= expected.length);
  return right ? null : { expected: `after ${list.ids[index]}: ${told(expected)}`, actual: told(ids) };
};

const preceding: Judge = (list, index, ids) => {
  const before = new Set(list.ids.slice(0, index));
  const wrong = ids.filter((id) => !before.has(id));
  if (wrong.length > 0) return { expected: `only items before ${list.ids[index]}`, actual: told(wrong) };
  if (ids.length === 0 && index > 0)
    return { expected: `items before ${list.ids[index]}`, actual: "no items" };
  return null;
};

/** The page that a cursor parameter gives next to an item at a position. */
function besideChecks(
  spec: Spec,
  operation: Operation,
  cursor: Parameter,
  position: Position,
  side: { requirement: string; shows: string; judge: Judge },
): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: side.requirement,
    operation,
    detail: position.name,
    title: `${operation.key} ${cursor.name} the item at the ${position.name} gives ${side.shows}`,
    stage: "read",
    run: (target, version) =>
      judgeAt(
        target,
        operation,
        version,
        position,
        (list, index) => ({ [cursor.name]: list.ids[index] ?? "" }),
        side.judge,
      ),
  });
}

const AFTER = { requirement: "ITEM-CURSOR-AFTER", shows: "what follows it", judge: following };
const BEFORE = { requirement: "ITEM-CURSOR-BEFORE", shows: "only what precedes it", judge: preceding };

function precedenceChecks(spec: Spec, operation: Operation, after: Parameter, before: Parameter): Check[] {
  // A later item for before tells "after wins" from "between the two", an earlier one from "before wins".
  const others = [
    { detail: "later before", offset: 2 },
    { detail: "earlier before", offset: -1 },
  ];
  return others.flatMap(({ detail, offset }) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: "ITEM-CURSOR-PRECEDENCE",
      operation,
      detail,
      title: `${operation.key} with ${after.name} and ${before.name} (${detail}) gives what ${after.name} alone gives`,
      stage: "read",
      async run(target, version) {
        const list = await reference(target, operation, version);
        if (list.ids.length < 5)
          throw new Untestable("no-data", `the list has ${list.ids.length} items: too few`);
        const place = Math.floor(list.ids.length / 2) - 1;
        const alone = { [after.name]: list.ids[place] ?? "" };
        const both = { ...alone, [before.name]: list.ids[place + offset] ?? "" };
        const difference = await compareStill(
          target,
          () => reference(target, operation, version),
          async () => ({
            one: await page(target, operation, version, alone),
            two: await page(target, operation, version, both),
          }),
          stoodStill,
          (_, { one, two }) => {
            if (!isAccepted(one))
              throw new Untestable("control-rejected", `${after.name} alone was answered ${one.status}`, [
                one.exchange,
              ]);
            if (!isAccepted(two))
              return { one, two, wanted: idsOf(operation, one), got: [`status ${two.status}`] };
            itemsShown(two);
            const [wanted, got] = [idsOf(operation, one), idsOf(operation, two)];
            return wanted.join() === got.join() ? null : { one, two, wanted, got };
          },
        );
        if (difference) {
          const { one, two, wanted, got } = difference;
          throw new Violation(`as with ${after.name} alone: ${told(wanted)}`, told(got), [
            one.exchange,
            two.exchange,
          ]);
        }
      },
    }),
  );
}

function beforeNote(operation: Operation, before: Parameter): Check {
  return check({
    suite: SUITE,
    requirement: "BEFORE-PAGE",
    operation,
    title: `which of the preceding items ${operation.key} shows under ${before.name}`,
    stage: "read",
    async run(target) {
      const list = await reference(target, operation, usualVersion(target, operation));
      if (list.ids.length < PAGE + 2) throw new Untestable("no-data", "the list is too short");
      const index = list.ids.length - 1;
      const answer = await page(target, operation, usualVersion(target, operation), {
        [before.name]: list.ids[index] ?? "",
      });
      const ids = idsOf(operation, answer);
      const first = list.ids.indexOf(ids[0] ?? "");
      const kind =
        first === 0 ? "the first of the list" : first === index - ids.length ? "the nearest ones" : "others";
      target.observe("BEFORE-PAGE", operation.key, "items", kind);
    },
  });
}
