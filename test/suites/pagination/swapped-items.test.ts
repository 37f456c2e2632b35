import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { swappedItems } from "../../../suites/pagination/swapped-items.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { operation, spec } from "../../spec/package-spec.ts";

const LIST = operation("GET /webhooks");

const made = () => new HistoryBuilder(spec).creates("w1", { name: "a" }).creates("w2", { name: "b" });
const inOrder = (past: HistoryBuilder, ...ids: string[]) => past.lists(ids.map((id) => ({ id })));
const swaps = ({ entries }: HistoryBuilder) => swappedItems(new History(spec, HEAD, entries), LIST);

/** Shows the two resources in each order in turn. */
function shownInTurn(past: HistoryBuilder, between = (each: HistoryBuilder) => each): HistoryBuilder {
  for (let time = 0; time < 3; time++) inOrder(between(inOrder(past, "w1", "w2")), "w2", "w1");
  return past;
}

test("resources of the run that change places again and again prove a change of order", () => {
  expect(swaps(shownInTurn(made()))).toMatchObject([
    { certainty: "proven", actual: "the order changed 5 times" },
  ]);
});

test("a rejected update between explains no other order", () => {
  expect(swaps(shownInTurn(made(), (past) => past.rejects("w1", { name: 7 })))).toHaveLength(1);
});

test("an accepted update explains another order, and so may other writers of others' resources", () => {
  expect(swaps(shownInTurn(made(), (past) => past.updates("w1", { name: "c" })))).toEqual([]);
  expect(swaps(shownInTurn(new HistoryBuilder(spec)))).toEqual([]);
});

test("one change of the order proves nothing", () => {
  expect(swaps(inOrder(inOrder(inOrder(made(), "w1", "w2"), "w2", "w1"), "w1", "w2"))).toEqual([]);
});
