import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

test("an empty page that was asked for says nothing about the end of the list", () => {
  const document = documentCopy();
  objectAt(document, "components", "parameters", "Limit", "schema").minimum = 0;
  const edition = specOf(document);
  const key = "GET /v1/ussd-otps";
  const past = new HistoryBuilder(edition);
  const page = (ids: string[], size: number) => {
    const query: [string, string][] = [["limit", String(size)]];
    const result = ids.map((id) => ({ id }));
    const pagination = { count: ids.length, next: null };
    past.answers(key, { success: true, messages: [], result, pagination }, { query });
  };
  for (let turn = 0; turn < 3; turn++) {
    page(["a", "b"], 50);
    page([], 0);
  }
  page(["a", "b"], 50);
  const violated = allChecks(edition).filter(
    ({ operation, id, verdict }) =>
      operation === key &&
      !id.startsWith("responses") &&
      verdict(new History(edition, HEAD, past.entries)).outcome === "violated",
  );
  expect(violated.map(({ id }) => id)).toEqual([]);
});
