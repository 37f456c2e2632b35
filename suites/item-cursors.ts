/** Cursors that are items (section 4.16): after and before an item, and which of the two wins. */

import { Untestable, Violation } from "../client/check.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { largestSize } from "../spec/page-sizes.ts";
import {
  type BesideRule,
  following,
  idsOf,
  listOfItems,
  PAGE,
  POSITIONS,
  type Position,
  pageBeside,
  preceding,
  toldIds,
  wrongBeside,
  wrongTogether,
} from "../trials/beside-item.ts";
import { operationsOf, rule, suiteOf, type Versions } from "../trials/rule.ts";

/** The place at which items are looked at under each version; elsewhere under one of them at a time. */
const USUAL_POSITION = "middle";

type Side = "after" | "before";

function itemCursor({ list }: Operation, side: Side): Parameter | undefined {
  const cursor = list?.[side];
  return cursor?.cursor === "item" ? cursor : undefined;
}

/** The lists whose items are cursors, at each of some positions. */
function besideItems(side: Side, wanted: (position: Position) => boolean) {
  return (spec: Spec) =>
    operationsOf(spec, "list").flatMap((operation) => {
      const cursor = itemCursor(operation, side);
      if (!cursor) return [];
      return POSITIONS.filter(wanted).map((position) => ({
        operation,
        cursor,
        position,
        detail: position.name,
      }));
    });
}

const SIDES: { side: Side; requirement: string; shows: string; judge: BesideRule }[] = [
  { side: "after", requirement: "ITEM-CURSOR-AFTER", shows: "what follows it", judge: following },
  { side: "before", requirement: "ITEM-CURSOR-BEFORE", shows: "only what precedes it", judge: preceding },
];

const beside = SIDES.flatMap(({ side, requirement, shows, judge }) =>
  (["each", "rotated"] as const).map((versions: Versions) =>
    rule({
      requirement,
      over: besideItems(side, ({ name }) => (name === USUAL_POSITION) === (versions === "each")),
      title: ({ operation, cursor, position }) =>
        `${operation.key} ${cursor.name} the item at the ${position.name} gives ${shows}`,
      versions,
      async run(call, { cursor, position }) {
        // Small pages show where a page begins; one of the largest, that the size changes nothing of it.
        const closely = position.name === USUAL_POSITION && call.isUsual;
        for (const size of closely ? [PAGE, largestSize(call.operation)] : [PAGE]) {
          const wrong = await wrongBeside(call, cursor, position, judge, size);
          if (wrong) throw new Violation(wrong.expected, wrong.actual, [wrong.page, wrong.answer]);
        }
      },
    }),
  ),
);

/** A later item for before tells "after wins" from "between the two", an earlier one from "before wins". */
const OFFSETS = [
  { detail: "later before", offset: 2, versions: "each" },
  { detail: "earlier before", offset: -1, versions: "rotated" },
] as const;

const precedence = OFFSETS.map(({ detail, offset, versions }) =>
  rule({
    requirement: "ITEM-CURSOR-PRECEDENCE",
    over: (spec) =>
      operationsOf(spec, "list").flatMap((operation) => {
        const after = itemCursor(operation, "after");
        const { before, limit } = operation.list ?? {};
        return after && before && limit ? [{ operation, after, before, offset, detail }] : [];
      }),
    title: ({ operation, after, before }) =>
      `${operation.key} with ${after.name} and ${before.name} (${detail}) gives what ${after.name} alone gives`,
    versions,
    async run(call, { after, before }) {
      const wrong = await wrongTogether(call, after, before, offset);
      if (!wrong) return;
      const expected = `as with ${after.name} alone: ${toldIds(wrong.wanted)}`;
      throw new Violation(expected, toldIds(wrong.got), [wrong.one, wrong.two]);
    },
  }),
);

const beforePage = rule({
  requirement: "BEFORE-PAGE",
  notes: "beforePage",
  over: (spec) =>
    operationsOf(spec, "list").flatMap((operation) => {
      const before = itemCursor(operation, "before");
      return before ? [{ operation, before }] : [];
    }),
  title: ({ operation, before }) =>
    `which of the preceding items ${operation.key} shows under ${before.name}`,
  async run(call, { before }) {
    const list = await listOfItems(call);
    if (list.ids.length < PAGE + 2) throw new Untestable("no-data", "the list is too short");
    const index = list.ids.length - 1;
    const ids = idsOf(call, await pageBeside(call, { [before.name]: list.ids[index] ?? "" }));
    const first = list.ids.indexOf(ids[0] ?? "");
    const word = first === 0 ? "first" : first === index - ids.length ? "nearest" : "other";
    call.note("BEFORE-PAGE", "beforePage", { word });
  },
});

export const itemCursorChecks = suiteOf("item-cursors", ...beside, beforePage, ...precedence);
