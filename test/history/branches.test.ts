/** Bodies whose fields only a branch of `oneOf` documents, beside properties that all branches share. */

import { expect, test } from "vitest";
import { bodyEdges } from "../../generators/body-edges.ts";
import { validValue } from "../../generators/values.ts";
import { History } from "../../history/history.ts";
import type { JsonObject } from "../../spec/json.ts";
import { exampleSource } from "../generators/value-source.ts";
import { documentCopy, objectAt, operation, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const document = documentCopy();
const create = objectAt(document, "paths", "/webhooks", "post");
const body = objectAt(create, "requestBody", "content", "application/json", "schema");
objectAt(body, "properties").delivery = {
  type: "object",
  properties: { mode: { type: "string", enum: ["mail", "desk"] } },
  oneOf: [
    {
      type: "object",
      required: ["mode", "to"],
      properties: { mode: { const: "mail" }, to: { type: "string" } },
    },
    { type: "object", required: ["mode"], properties: { mode: { const: "desk" }, at: { type: "string" } } },
  ],
};
const spec = specOf(document);
const delivery = spec.schemas.field(operation("POST /webhooks", spec).body, "delivery");
const source = { ...exampleSource(), schemas: spec.schemas };

function doubtsAbout(sent: JsonObject): string[] {
  const url = "https://example.com/a";
  const { entries } = new HistoryBuilder(spec).creates(
    "w1",
    { name: "a", url, events: null, delivery: sent },
    { key: "key-1" },
  );
  const { answers } = new History(spec, HEAD, entries);
  return entries.flatMap((entry) => answers.classification(entry).doubts.map(({ place }) => place));
}

test("a field of the branch is documented, one of another branch is not", () => {
  expect(doubtsAbout({ mode: "mail", to: "x" })).toEqual([]);
  expect(doubtsAbout({ mode: "desk", to: "x" })).toEqual(["body/delivery/to"]);
});

test("a field of a branch that the value does not fit is documented, too", () => {
  expect(doubtsAbout({ mode: "mail", to: 5 })).toEqual([]);
});

test("values have the tag of their branch, whatever the shared property allows", () => {
  const modes = [0, 1].map((variation) => validValue(delivery, source, variation));
  expect(modes).toMatchObject([{ mode: "mail" }, { mode: "desk" }]);
});

test("no edge gives a branch the tag of another", () => {
  const edges = bodyEdges({ type: "object", properties: { delivery } }, source);
  expect(edges.length).toBeGreaterThan(0);
  for (const { pointer } of edges) expect(pointer).not.toBe("/delivery/mode");
});

test("a wrong or missing tag is the only fault of a value with branches", () => {
  const faults = (value: JsonObject) =>
    spec.schemas.validate(delivery, value).map(({ keyword, pointer }) => `${pointer} ${keyword}`);
  expect(faults({ mode: "pigeon", to: "a" })).toEqual(["/mode enum"]);
  expect(faults({ mode: 7 })).toEqual(["/mode type"]);
  expect(faults({ mode: "mail" })).toEqual(["/to required"]);
});
