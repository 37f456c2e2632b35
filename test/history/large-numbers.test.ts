/** JSON.parse rounds whole numbers above 2^53. */

import { expect, test } from "vitest";
import { bodyEdges } from "../../generators/body-edges.ts";
import { parameterEdges } from "../../generators/parameters.ts";
import { History } from "../../history/history.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import { exampleSource } from "../generators/value-source.ts";
import { documentCopy, objectAt, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const document = documentCopy();
objectAt(document, "components", "schemas", "Webhook", "properties").id = { type: "integer" };
const spec = specOf(document);
const [one, two] = ["9007199254740992", "9007199254740993"];

function outcome(past: HistoryBuilder, id: string): string | undefined {
  const check = allChecks(spec).find((each) => each.id === id);
  return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
}

test("a list may show two ids that differ only in their last digit", () => {
  const list = (ids: (string | undefined)[]) =>
    new HistoryBuilder(spec).answers("GET /webhooks", `{"result":[${ids.map((id) => `{"id":${id}}`)}]}`);
  expect(outcome(list([one, two]), "responses/LIST-IDS-UNIQUE GET /webhooks")).toBe("not-exercised");
  expect(outcome(list(["1", "1"]), "responses/LIST-IDS-UNIQUE GET /webhooks")).toBe("violated");
});

test("two keys may make resources whose ids differ only in their last digit", () => {
  const made = (ids: (string | undefined)[]) =>
    ids.reduce(
      (past, id, index) =>
        past.answers("POST /webhooks", `{"result":{"id":${id}}}`, { sent: {}, key: `key-${index}` }),
      new HistoryBuilder(spec),
    );
  const distinct = "idempotency/KEY-DISTINCT POST /webhooks last character";
  expect(outcome(made([one, two]), distinct)).toBe("not-exercised");
  expect(outcome(made(["1", "1"]), distinct)).toBe("violated");
});

test("a rounded limit is not sent as a valid value", () => {
  const schema: Schema = { type: "integer", minimum: 1, maximum: Number("9223372036854775807") };
  const parameter = { name: "p", in: "query", required: false, role: "other", requirements: {} } as const;
  expect(parameterEdges({ ...parameter, schema }, spec.schemas)).toEqual([
    { constraint: "minimum", text: "1" },
  ]);
  const edges = bodyEdges({ type: "object", properties: { size: schema } }, exampleSource());
  expect(edges.map(({ value }) => value)).toEqual([1]);
});
