import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import type { ListPage, ListRead } from "../../history/lists/lists.ts";
import { leavesOutCreation } from "../../suites/shared/left-out-creations.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { operation, spec } from "../spec/package-spec.ts";

const LIST = operation("GET /webhooks");
const made = { name: "a", url: "https://a.example/x", events: ["one"] };

/** True if a list that begins `wait` milliseconds after the create of w1 proves that it leaves out `missing`. */
function isProven(wait: number, missing: string, end: ListRead["end"] = "last-page"): boolean {
  const past = new HistoryBuilder(spec).creates("w1", made).waits(wait).lists([]);
  const entry = past.entries.at(-1);
  if (!entry) throw new Error("nothing was recorded");
  const history = new History(spec, HEAD, past.entries);
  const [page] = history.lists.pages(LIST);
  const pages: ListPage[] = page ? [page] : [];
  const read: ListRead = { scope: "", listKey: "", filters: [], size: 2, pages, items: [], ids: ["w0"], end };
  const before: ListRead = { ...read, ids: ["w0", missing], end: "last-page" };
  return leavesOutCreation(history, LIST, { before, read, after: before, listState: "unchanged" });
}

test("a list that leaves out a resource of the run is proven wrong after the consistency timeout", () => {
  expect(isProven(HEAD.consistencyTimeoutMs + 100, "w1")).toBe(true);
  expect(isProven(0, "w1")).toBe(false);
});

test("others may have removed a resource that the run did not make", () => {
  expect(isProven(HEAD.consistencyTimeoutMs + 100, "w9")).toBe(false);
});

test("a list that was not read to its end leaves nothing out", () => {
  expect(isProven(HEAD.consistencyTimeoutMs + 100, "w1", "not-followed")).toBe(false);
});
