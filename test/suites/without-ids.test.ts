import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { allChecks } from "../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../spec/package-spec.ts";

const LIST = "GET /v1/payment-codes";

/** An edition whose list of payment codes shows rows without ids, as lists of rates or fees do. */
function edition() {
  const document = documentCopy();
  const item = objectAt(document, "components", "schemas", "PaymentCodeListItem");
  for (const name of Object.keys(item)) if (name.startsWith("x-")) delete item[name];
  const { name, status, mode, ussdCode } = objectAt(item, "properties");
  Object.assign(item, { required: ["name", "status"], properties: { name, status, mode, ussdCode } });
  const paths = objectAt(document, "paths");
  for (const [path, one] of Object.entries(paths))
    if (path.includes("payment-codes/") && isObject(one)) delete paths[path];
  return specOf(document);
}

test("a list whose items have no ids breaks no rule that tells them apart", () => {
  const spec = edition();
  const past = new HistoryBuilder(spec);
  const rows = ["pending", "completed", "pending"].map((status, index) => ({ name: `row ${index}`, status }));
  const page = (text: string, result: JsonObject[], next: string | null = null, version?: string) => {
    const query = [...new URLSearchParams(text)];
    const json = { success: true, messages: [], result, pagination: { count: result.length, next } };
    past.answers(LIST, json, { query, ...(version === undefined ? {} : { version }) });
  };
  for (let turn = 0; turn < 8; turn++) {
    for (const version of spec.versions) {
      page("limit=50", rows, null, version);
      page("limit=2", rows.slice(0, 2), "c2", version);
      page("limit=2&after=c2", rows.slice(2), null, version);
      page("limit=50&status=pending", [...rows.slice(0, 1), ...rows.slice(2)], null, version);
      page("limit=1&status=pending", rows.slice(0, 1), "c1", version);
      page("limit=1&status=pending&after=c1", rows.slice(2), null, version);
    }
  }
  const history = new History(spec, HEAD, past.entries);
  const results = allChecks(spec)
    .filter(({ operation }) => operation === LIST)
    .map(({ id, verdict }) => [id, verdict(history).outcome] as const);
  expect(results.filter(([, outcome]) => outcome === "violated")).toEqual([]);
  const held = results.flatMap(([id, outcome]) => (outcome === "held" ? [id] : []));
  expect(held).toContain(`filters/FILTER-SOUND ${LIST} status`);
  expect(held).toContain(`filters/PARAMETER-ACCEPTED ${LIST} status`);
});
