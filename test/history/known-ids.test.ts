import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { documentCopy, objectAt, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

/** An edition whose webhooks have a `serial`, and no `id`. */
const edition = () => {
  const document = documentCopy();
  const webhook = objectAt(document, "components", "schemas", "Webhook");
  const { id, ...properties } = objectAt(webhook, "properties");
  Object.assign(webhook, {
    "x-identity": "serial",
    "x-fixed": ["serial", "createTime"],
    required: ["serial", "createTime"],
    properties: { serial: id, ...properties },
  });
  return specOf(document);
};

test("the id that a create shows is known, whatever its field is called and without a list", () => {
  const spec = edition();
  const made = { success: true, messages: [], result: { serial: "w1", name: "a" } };
  const url = "https://example.com/a";
  const past = new HistoryBuilder(spec)
    .answers("POST /webhooks", made, { sent: { name: "a", url, events: null }, key: "key-1" })
    .answers("PATCH /webhooks/{id}", made, { path: "w1", sent: { url } })
    .answers("PATCH /webhooks/{id}", {}, { path: "w2", sent: { url }, status: 404 });
  const { answers } = new History(spec, HEAD, past.entries);
  const kinds = past.entries.map((entry) => answers.classification(entry).kind);
  expect(kinds).toEqual(["valid", "valid", "faulty"]);
});

test.each(["at another path", "without a space"])("the id that a create shows is known %s", (where) => {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const { "/webhooks/{id}": one, ...others } = paths;
  const path = where === "at another path" ? "/subscribers/{id}" : "/webhooks/{id}";
  if (where === "without a space") {
    const update = objectAt(one, "patch");
    const parameters = Array.isArray(update.parameters) ? update.parameters : [];
    update.parameters = parameters.filter((each) => !JSON.stringify(each).includes("Space"));
  }
  Object.assign(document, { paths: { ...others, [path]: one } });
  const spec = specOf(document);
  const made = { success: true, messages: [], result: { id: "w1", name: "a" } };
  const url = "https://example.com/a";
  const key = `PATCH ${path}`;
  const past = new HistoryBuilder(spec)
    .answers("POST /webhooks", made, { sent: { name: "a", url, events: null }, key: "key-1" })
    .answers(key, made, { path: "w1", sent: { url } })
    .answers(key, {}, { path: "w2", sent: { url }, status: 404 });
  const { answers } = new History(spec, HEAD, past.entries);
  const kinds = past.entries.map((entry) => answers.classification(entry).kind);
  expect(kinds).toEqual(["valid", "valid", "faulty"]);
});

test("a record that a list shows is known at other paths that show it alone", () => {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const { "/banks/{idOrCode}": one, ...others } = paths;
  Object.assign(document, { paths: { ...others, "/bank/{idOrCode}": one } });
  const spec = specOf(document);
  const pagination = { count: 1, total: 1, next: null };
  const page = { success: true, messages: [], result: [{ id: "b1", code: "AFRI" }], pagination };
  const past = new HistoryBuilder(spec)
    .answers("GET /banks", page, { query: [["country", "CM"]] })
    .answers("GET /bank/{idOrCode}", {}, { path: "AFRI", status: 404 })
    .answers("GET /bank/{idOrCode}", {}, { path: "ECO", status: 404 });
  const { answers } = new History(spec, HEAD, past.entries);
  const kinds = past.entries.map((entry) => answers.classification(entry).kind);
  expect(kinds).toEqual(["valid", "valid", "faulty"]);
});

test("a value of a list of the first space decides nothing in the second one", () => {
  const document = documentCopy();
  const create = objectAt(document, "paths", "/webhooks", "post");
  const body = objectAt(create, "requestBody", "content", "application/json", "schema");
  objectAt(body, "properties").source = {
    type: "string",
    "x-values-from": { fixture: "webhookSource", list: "listWebhooks", field: "/id" },
  };
  const spec = specOf(document);
  const sent = { name: "a", url: "https://example.com/a", events: null, source: "w1" };
  const { entries } = new HistoryBuilder(spec)
    .creates("w2", sent, { key: "key-1" })
    .creates("w3", { ...sent, name: "b" }, { key: "key-2", space: "spc-second" });
  const { answers } = new History(spec, { ...HEAD, spaces: [...HEAD.spaces, "spc-second"] }, entries);
  const doubts = entries.map((entry) => answers.classification(entry).doubts.map(({ place }) => place));
  expect(doubts).toEqual([[], ["body/source"]]);
});
