/** The clock of the service may differ from that of the suite. */

import { expect, test } from "vitest";
import { shapeFaults } from "../../history/answers/shape-faults.ts";
import { History } from "../../history/history.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const OTPS = "GET /v1/ussd-otps";
const HOUR = 3_600_000;

/** True if a session that expired at this time breaks a rule, in an answer with this Date. The suite's clock shows 0. */
function isWrong(expired: number, date?: string): boolean {
  const result = [{ id: "o1", status: "expired", expireTime: new Date(expired).toISOString() }];
  const dated: [string, string][] = date === undefined ? [] : [["date", date]];
  const headers: [string, string][] = [["content-type", "application/json"], ...dated];
  const past = new HistoryBuilder(spec).answers(OTPS, { success: true, result }, { headers });
  const [answer] = new History(spec, HEAD, past.entries).answers.to(operation(OTPS));
  if (!answer) throw new Error("no answer");
  return shapeFaults(spec.schemas, answer).some(({ requirement }) => requirement === "OTP-STATUS-TIME");
}

test("a time must be wrong by the clocks of both", () => {
  expect(isWrong(HOUR)).toBe(true);
  expect(isWrong(HOUR, new Date(2 * HOUR).toUTCString())).toBe(false);
  expect(isWrong(HOUR, new Date(-HOUR).toUTCString())).toBe(true);
  expect(isWrong(0, new Date(-HOUR).toUTCString())).toBe(false);
  expect(isWrong(HOUR, "no date")).toBe(true);
});
