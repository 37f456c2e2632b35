import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { parameterValue } from "../../spec/schema/parameter-value.ts";
import { allChecks } from "../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "./package-spec.ts";

test("a text is a number or boolean if a branch of the schema says so", () => {
  const valueIn = (schema: Parameters<typeof parameterValue>[1], text: string) =>
    parameterValue(spec.schemas, schema, text);
  const pages = {
    oneOf: [
      { type: "integer", minimum: 1 },
      { type: "string", enum: ["all"] },
    ],
  };
  expect(valueIn(pages, "7")).toBe(7);
  expect(valueIn(pages, "all")).toBe("all");
  expect(valueIn({ anyOf: [{ type: "boolean" }, { type: "null" }] }, "true")).toBe(true);
  expect(valueIn({ anyOf: [{ enum: [1, 2] }, { const: "top" }] }, "2")).toBe(2);
  expect(valueIn({ type: "string" }, "7")).toBe("7");
});

test("an id that is a number or a text is known in both forms", () => {
  const document = documentCopy();
  const read = objectAt(document, "paths", "/payment-codes/{id}");
  const parameters = Array.isArray(read.parameters) ? read.parameters : [];
  const schema = { oneOf: [{ type: "integer" }, { type: "string", pattern: "^[a-z]+$" }] };
  read.parameters = parameters.map((each: unknown) => ({ ...objectAt(each), schema }));
  const edition = specOf(document);
  const key = "GET /payment-codes/{id}";
  const past = new HistoryBuilder(edition);
  for (const id of ["7", "seven"])
    past.answers(key, { success: true, messages: [], result: { id } }, { path: id });
  const check = allChecks(edition).find(({ id }) => id === `reads/READ-UNKNOWN ${key}`);
  expect(check?.verdict(new History(edition, HEAD, past.entries)).outcome).toBe("not-exercised");
});
