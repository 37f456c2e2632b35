import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

/** An edition whose webhooks belong to regions. */
const edition = () => {
  const document = documentCopy();
  const { "/webhooks": all, "/webhooks/{id}": _, ...others } = objectAt(document, "paths");
  const schema = { type: "string" };
  const region = { name: "region", in: "path", required: true, schema, "x-fixture": { read: "region" } };
  document.paths = { ...others, "/regions/{region}/webhooks": { ...Object(all), parameters: [region] } };
  return specOf(document);
};

test("a list may show an own resource with the id and the times of one of another parent", () => {
  const spec = edition();
  const path = "/regions/{region}/webhooks";
  const check = readRules(spec).find(({ id }) => id === `reads/FILTER-SOUND GET ${path} of one region`);
  const times = { createTime: "2026-01-01T00:00:00Z" };
  const judge = (parents: string[], shown: JsonObject) => {
    const past = new HistoryBuilder(spec);
    for (const [index, parent] of parents.entries()) {
      const sent = { name: `hook ${index}`, url: "https://example.com/a", events: null };
      const result = { id: "1", name: sent.name, ...times };
      past.answers(
        `POST ${path}`,
        { success: true, messages: [], result },
        { sent, path: parent, key: parent },
      );
    }
    const page = {
      success: true,
      messages: [],
      result: [shown],
      pagination: { count: 1, total: 1, next: null },
    };
    past.answers(`GET ${path}`, page, { path: "r2" });
    return check?.verdict(new History(spec, { ...HEAD, fixtures: { region: "r1,r2" } }, past.entries))
      .outcome;
  };
  expect(judge(["r1", "r2"], { id: "1", name: "hook 1", ...times })).toBe("held");
  expect(judge(["r1"], { id: "1", name: "hook 0", ...times })).toBe("violated");
});
