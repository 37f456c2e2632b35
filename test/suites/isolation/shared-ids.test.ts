/** Two spaces may have resources with one id and one time of creation. */

import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const head = { ...HEAD, spaces: ["spc-main", "spc-other"] };
const other = { space: "spc-other" };
const [first, second] = [`${HEAD.runTag}-1`, `${HEAD.runTag}-2`];
const createTime = "2026-01-01T00:00:00Z";

function outcome(past: HistoryBuilder, from = spec) {
  const check = allChecks(from).find(({ id }) => id === "isolation/ISOLATION-LISTS GET /webhooks");
  return check?.verdict(new History(from, head, past.entries)).outcome;
}

/** Both spaces have made their webhook with this id in one second. */
function bothMade(id: string): HistoryBuilder {
  return new HistoryBuilder(spec)
    .creates(id, { name: first })
    .creates(id, { name: second }, other)
    .lists([{ id, name: first, createTime }]);
}

test.each(["7", "w1"])("a list may show the webhook %s that its own space has made", (id) => {
  expect(outcome(bothMade(id).lists([{ id, name: second, createTime }], other))).toBe("held");
});

test.each(["7", "w1"])("a list must not show the webhook %s of the other space instead", (id) => {
  expect(outcome(bothMade(id).lists([{ id, name: first, createTime }], other))).toBe("violated");
});

test("a number that counts resources tells only equal resources apart", () => {
  const past = new HistoryBuilder(spec).lists([{ id: "7", name: first, createTime }]);
  expect(outcome(past.lists([{ id: "7", name: second, createTime }], other))).toBe("held");
  expect(outcome(past.lists([{ id: "7", name: first, createTime }], other))).toBe("violated");
});

test("equal resources may be different ones if each space is known to count its own", () => {
  const both = (past: HistoryBuilder) =>
    past
      .creates("8", { name: first })
      .creates("8", { name: first }, other)
      .lists([{ id: "8", name: first, createTime }])
      .lists([{ id: "8", name: first, createTime }], other);
  expect(outcome(both(new HistoryBuilder(spec)))).toBe("violated");
  const third = `${HEAD.runTag}-3`;
  const counted = new HistoryBuilder(spec)
    .creates("7", { name: second })
    .creates("7", { name: third }, other);
  expect(outcome(both(counted))).toBe("held");
});

test("two resources are not made in one millisecond", () => {
  const made = (time: string) => {
    const shown = [{ id: "7", name: second, createTime: time }];
    const past = new HistoryBuilder(spec)
      .creates("7", { name: first }, { shown: { createTime: time } })
      .creates("7", { name: second }, { ...other, shown: { createTime: time } });
    return outcome(past.lists(shown, other));
  };
  expect(made("2026-01-01T00:00:00.000Z")).toBe("held");
  expect(made("2026-01-01T00:00:00.010Z")).toBe("violated");
});

test("a counted resource keeps its id if it gets another name", () => {
  const past = new HistoryBuilder(spec)
    .creates("7", { name: first })
    .updates("7", { name: second })
    .lists([{ id: "7", name: second, createTime }], other);
  expect(outcome(past)).toBe("violated");
});

test.each([1, 2])("two spaces may accept one id that the caller chooses (%i fixed fields)", (count) => {
  const document = documentCopy();
  const properties = objectAt(document, "components", "schemas", "Webhook");
  properties["x-identity"] = "name";
  properties["x-fixed"] = ["name", "createTime"].slice(0, count);
  const edition = specOf(document);
  const shown = [{ id: "1", name: first, createTime }];
  const past = new HistoryBuilder(edition)
    .creates("1", { name: first })
    .creates("1", { name: first }, other)
    .lists(shown)
    .lists(shown, other);
  expect(outcome(past, edition)).toBe("held");
});

test("two spaces may have been filled with counted resources in one millisecond", () => {
  const filled = (ids: string[], name: string) =>
    ids.map((id) => ({ id, name, createTime: "2026-01-01T00:00:00.010Z" }));
  const shown = (ids: string[]) =>
    outcome(new HistoryBuilder(spec).lists(filled(ids, "a")).lists(filled(["7"], "b"), other));
  expect(shown(["7", "8"])).toBe("held");
  expect(shown(["7"])).toBe("violated");
});

test("two spaces may have been filled with the same ids that callers choose", () => {
  const document = documentCopy();
  const schema = objectAt(document, "components", "schemas", "Webhook");
  schema["x-identity"] = "name";
  schema["x-fixed"] = ["name", "createTime"];
  const edition = specOf(document);
  const filled = [{ id: "1", name: "main", createTime }];
  const past = new HistoryBuilder(edition).lists(filled).lists(filled, other);
  expect(outcome(past, edition)).toBe("held");
});

test("two spaces may have begun with equal resources that each counts", () => {
  const filled = [{ id: "7", name: "a", createTime }];
  expect(outcome(new HistoryBuilder(spec).lists(filled).lists(filled, other))).toBe("held");
});

test("a fixed field that a resource does not have makes it no other one", () => {
  const document = documentCopy();
  const webhook = objectAt(document, "components", "schemas", "Webhook");
  webhook["x-fixed"] = ["id", "createTime", "apiVersion"];
  const shown = [{ id: "w1", name: first, createTime }];
  const edition = specOf(document);
  const past = new HistoryBuilder(edition).creates("w1", { name: first }).lists(shown).lists(shown, other);
  expect(outcome(past, edition)).toBe("violated");
});
