import { PAGED, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { ALWAYS, across, type Row, tabled } from "../../operators/operator.ts";
import { limitOf } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { Defect } from "../defect.ts";

const LONG: Where = ["GET /v1/ussd-otps", "GET /v1/payment-codes"];

const bySize =
  (
    isMeant: (limit: number) => boolean,
    change: (members: readonly StoredRecord[]) => readonly StoredRecord[],
  ) =>
  (): Hooks => ({ members: (members, ctx) => (isMeant(limitOf(ctx)) ? change(members) : members) });
const without = (place: number) => (members: readonly StoredRecord[]) =>
  members.filter((_, index) => index !== place);
const everyOther = (members: readonly StoredRecord[]) => members.filter((_, index) => index % 2 === 0);
const withoutLast = (members: readonly StoredRecord[]) => members.slice(0, -1);

const SIZES: Readonly<Record<string, Row>> = {
  "second-skipped-at-1": [
    "CURSOR-COMPLETE",
    "at limit=1 every second item is left out",
    bySize((limit) => limit === 1, everyOther),
  ],
  "third-skipped-at-2": [
    "CURSOR-COMPLETE",
    "at limit=2 the third item is left out",
    bySize((limit) => limit === 2, without(2)),
  ],
  "end-cut-above-10": [
    ["CURSOR-COMPLETE", "CURSOR-END", "LIST-SHOWS-ALL"],
    "on pages of more than 10 the last item of the list is left out",
    bySize((limit) => limit > 10, withoutLast),
  ],
};
const SMALL: Readonly<Record<string, Row>> = Object.fromEntries(
  [5, 10].map((below): [string, Row] => [
    `end-cut-below-${below}`,
    [
      ["CURSOR-COMPLETE", "CURSOR-END"],
      `on pages of less than ${below} the last item of the list is left out`,
      bySize((limit) => limit < below, withoutLast),
    ],
  ]),
);
const LARGE: Readonly<Record<string, Row>> = Object.fromEntries(
  [20, 30, 40, 50].map((from): [string, Row] => [
    `item-lost-from-${from}`,
    [
      "CURSOR-COMPLETE",
      `on pages of ${from} and more the fourth item of the list is left out`,
      bySize((limit) => limit >= from, without(3)),
    ],
  ]),
);

function keepsSize(): Hooks {
  let last: number | undefined;
  return {
    pageSize: (size, _ctx, sent) => {
      if (sent === null) return last ?? size;
      last = size;
      return size;
    },
  };
}

export const pageSizeDefects: readonly Defect[] = [
  ...tabled(PAGED, ALWAYS, SIZES),
  ...tabled(["GET /v1/ussd-otps", "GET /webhooks"], ALWAYS, SMALL),
  ...tabled(LONG, ALWAYS, LARGE),
  ...across("last-size-kept", PAGED, ALWAYS, {
    breaks: ["LIST-LIMIT-DEFAULT"],
    does: "without a page size the list has the one that was asked for last",
    hooks: () => keepsSize,
  }),
];
