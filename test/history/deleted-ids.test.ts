/** Other clients may delete resources. A service may give the id of a deleted resource to the next one. */

import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { ownChecks, ownSpec } from "../prove/run.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const spec = ownSpec();
const checks = ownChecks().filter(({ requirements }) =>
  requirements.some((id) => ["KEY-DISTINCT", "CREATE-ECHO"].includes(id)),
);
const made = { name: "a", url: "https://a.example/x", events: ["one"], isActive: false };

/** Requirements that two creates with the id 5 violate, with a request of this method between them. */
function violatedWith(method: string): string[] {
  const past = new HistoryBuilder(spec)
    .creates("5", made, { key: "key-1" })
    .answers("GET /webhooks", "", { operation: null, status: 204, url: "/webhooks/5" })
    .creates("5", { ...made, name: "b" }, { key: "key-2" })
    .lists([{ ...made, name: "b", id: "5" }]);
  return violatedIn(past, method);
}

function violatedIn({ entries }: HistoryBuilder, method: string): string[] {
  const changed = entries.map((entry) =>
    entry.operation === null ? { ...entry, request: { ...entry.request, method } } : entry,
  );
  const history = new History(spec, HEAD, changed);
  const violated = checks.filter((check) => check.verdict(history)?.outcome === "violated");
  return [...new Set(violated.flatMap(({ requirements }) => requirements))].sort();
}

test("two creates may show one id if the first resource was deleted between them", () => {
  expect(violatedWith("DELETE")).toEqual([]);
  expect(violatedWith("HEAD")).toEqual(["CREATE-ECHO", "KEY-DISTINCT"]);
});

test("a replayed create begins no other resource, though one of another kind with its id was deleted", () => {
  const sent = { url: made.url, name: "b" };
  const past = new HistoryBuilder(spec)
    .creates("5", made, { key: "key-1" })
    .updates("5", sent, { ...made, ...sent })
    .answers("GET /webhooks", "", { operation: null, status: 204, url: "/jobs/5" })
    .creates("5", made, { key: "key-1" })
    .lists([{ ...made, ...sent, id: "5" }]);
  expect(violatedIn(past, "DELETE")).toEqual([]);
});
