import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { unknownIdRules } from "../../../suites/updates/accepted.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const [check] = unknownIdRules(spec).filter(({ operation }) => operation === "PATCH /webhooks/{id}");
const valid = { name: "a", url: "https://example.com/a", events: null };
const sent = { url: "https://example.com/b" };
const history = () => new HistoryBuilder(spec).creates("w1", valid).updates("w1", sent);

function judge(past: HistoryBuilder): RuleResult | undefined {
  return check?.verdict(new History(spec, HEAD, past.entries));
}

test("an update of an id that nothing shows is rejected", () => {
  expect(judge(history().rejects("w1x", sent, { status: 404 }))).toMatchObject({ outcome: "held", times: 1 });
});

test("an update of an unknown id that is accepted is a violation, even if the answer shows the id", () => {
  expect(judge(history().updates("w1x", sent))).toMatchObject({
    violations: [{ expected: 'an update of the unknown id "w1x" to be rejected (4xx)' }],
  });
});

test("an update of a known id, or in another space, proves nothing", () => {
  expect(judge(history())).toMatchObject({ reason: "no-data" });
  expect(judge(history().updates("w1x", sent, sent, { space: "spc-other" }))).toMatchObject({
    reason: "no-data",
  });
});
