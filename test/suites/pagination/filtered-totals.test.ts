import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import type { Target } from "../../../client/target.ts";
import { History } from "../../../history/history.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { withTotals } from "../../../suites/pagination/probes.ts";
import { paginationRules } from "../../../suites/pagination/rules.ts";
import { readList } from "../../../suites/shared/read-list.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, operation, specOf } from "../../spec/package-spec.ts";
import { runAgainst } from "../fakes.ts";
import type { Asked } from "../tiny-server.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const spec = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const NIGHTS = "GET /stage/plays/{play}/nights";
const play = "11111111-1111-4111-8111-111111111111";
const space = "33333333-3333-4333-8333-333333333333";
const check = paginationRules(spec).find(({ id }) => id === `pagination/LIST-TOTAL-EXACT ${NIGHTS}`);

/** Judges reads of two nights under a filter. Each has one of the totals. */
function outcome(next: string | null, ...totals: number[]): string | undefined {
  const made = { result: { id: play, title: "a" } };
  const past = new HistoryBuilder(spec).answers("POST /stage/plays", made, { sent: { title: "a" }, space });
  const result = ["N01:aa", "N02:bb"].map((slot) => ({ slot, premiere: true }));
  for (const total of totals)
    past.answers(
      NIGHTS,
      { result, pagination: { count: 2, next, total } },
      { path: play, query: [["premiere", "true"]], space },
    );
  return check?.verdict(new History(spec, { ...HEAD, spaces: [space] }, past.entries)).outcome;
}

test("the total of a filtered list of one page is the number of its items", () => {
  expect(outcome(null, 7, 7)).toBe("violated");
  expect(outcome(null, 2)).toBe("not-exercised");
});

test("a filtered list that was right once, or has more pages, shows no wrong total", () => {
  expect(outcome(null, 2, 3)).toBe("not-exercised");
  expect(outcome("N02:bb", 7)).toBe("not-exercised");
});

test("a filtered list is read again if its total was wrong", async () => {
  const document = documentCopy();
  const list = objectAt(document, "paths", "/webhooks", "get");
  const filter = { name: "by", in: "query", schema: { type: "string" }, "x-filter": "/name" };
  list.parameters = [...(Array.isArray(list.parameters) ? list.parameters : []), filter];
  const edition = specOf(document);
  const reads = async (total: number) => {
    let count = 0;
    let made = 1;
    const answer = ({ query, method }: Asked) => {
      if (method === "POST")
        return { status: 200, body: { success: true, messages: [], result: { id: `w${++made}` } } };
      if (query.has("by")) count++;
      const result = [{ id: "w1", name: "a" }];
      const pagination = { count: 1, next: null, total: query.has("by") ? total : 1 };
      return { status: 200, body: { success: true, messages: [], result, pagination } };
    };
    const ask = async (target: Target) => {
      const there = new Call(target, operation("GET /webhooks", edition));
      await readList(there, { query: [["by", "a"]] });
      await withTotals(there.operation).run(target);
    };
    await runAgainst(answer, ask, {}, edition);
    return count;
  };
  expect(await reads(1)).toBe(1);
  expect(await reads(7)).toBe(2);
});
