import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { acceptedAfterUpdates } from "../../../suites/item-cursors/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";

const LIST = operation("GET /webhooks");
const url = "https://a.example/x";
const [check] = acceptedAfterUpdates(spec, "item-cursors");

function outcome(status: number, cursor = "w1", age = 10_000): string | undefined {
  const past = new HistoryBuilder(spec)
    .creates("w1", { name: "a", url, events: ["one"] })
    .creates("w2", { name: "b", url, events: ["one"] })
    .updates("w1", { url, isActive: false })
    .waits(age)
    .answers(LIST.key, status === 200 ? listOf([samples.Webhook], 1) : { error: "rejected" }, {
      status,
      query: [["after", cursor]],
    });
  return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
}

test("an updated item must be accepted as a cursor", () => {
  expect(outcome(200)).toBe("held");
  expect(outcome(400)).toBe("violated");
});

test("an item that was not updated is left to other rules", () => {
  expect(outcome(400, "w2")).toBe("not-exercised");
});

test("an item that was made within the consistency timeout may be unknown to the list", () => {
  expect(outcome(400, "w1", 10)).toBe("not-exercised");
});

test("a list may reject an updated item under a filter whose field can change", () => {
  const document = documentCopy();
  const list = objectAt(document, "paths", "/webhooks", "get");
  const { parameters } = list;
  if (!Array.isArray(parameters)) throw new Error("GET /webhooks has no parameters");
  const filterBy = (name: string, schema: object) => ({ name, in: "query", schema, "x-filter": `/${name}` });
  list.parameters = [
    ...parameters,
    filterBy("isActive", { type: "boolean" }),
    filterBy("createTime", { type: "string", format: "date-time" }),
  ];
  const edition = specOf(document);
  const [rule] = acceptedAfterUpdates(edition, "item-cursors");
  const under = (name: string, value: string) => {
    const past = new HistoryBuilder(edition)
      .creates("w1", { name: "a", url, events: ["one"] })
      .updates("w1", { url, isActive: false })
      .waits(10_000)
      .answers(
        LIST.key,
        { error: "rejected" },
        {
          status: 400,
          query: [
            [name, value],
            ["after", "w1"],
          ],
        },
      );
    return rule?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  expect(under("isActive", "true")).toBe("not-exercised");
  expect(under("createTime", "2026-01-01T00:00:00Z")).toBe("violated");
});
