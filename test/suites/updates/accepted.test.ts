import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { updatesAccepted } from "../../../suites/updates/accepted.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const url = "https://hooks.example.com/a";

function judge(past: HistoryBuilder) {
  const check = updatesAccepted(spec).find(({ id }) => id.endsWith("PATCH /webhooks/{id} name alone"));
  return check?.verdict(new History(spec, HEAD, past.entries));
}

const made = () => new HistoryBuilder(spec).creates("w1", { name: "a", url });

test("an update of one field that is rejected is suspected", () => {
  const past = made().updates("w1", { url, name: "b" }).rejects("w1", { url, name: "c" }, { status: 409 });
  expect(judge(past)).toMatchObject({ violations: [{ certainty: "suspected", actual: "status 409" }] });
});

test("one of two simultaneous updates of one resource may be rejected", () => {
  const past = made()
    .updates("w1", { url, name: "b" })
    .rejects("w1", { url, name: "c" }, { status: 409, beside: true });
  expect(judge(past)).toMatchObject({ outcome: "held" });
});
