import { expect, test } from "vitest";
import { NotTested } from "../../client/check.ts";
import { skippedIfOfQuota } from "../../runner/confirming/excused.ts";
import { runAgainst } from "../suites/fakes.ts";
import { exampleCheck, exampleResult } from "./example.ts";

const check = exampleCheck("creates/CREATE-ACCEPTED POST /webhooks", {
  requirements: ["CREATE-ACCEPTED"],
  operation: "POST /webhooks",
});
const rejected = exampleResult(check, {
  outcome: "fail",
  evidence: [
    {
      request: { method: "POST", url: "/webhooks", headers: {}, body: JSON.stringify({ isActive: true }) },
      response: { status: 422, headers: {}, body: "{}" },
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 1,
      offending: "status",
    },
  ],
});

test("a rejection is unclear if the service does not answer whether a quota of active webhooks is met", async () => {
  const { result } = await runAgainst(
    () => ({ status: 200, body: {} }),
    (target) => {
      const gone = () => Promise.reject(new NotTested("no-answer", "the service is gone"));
      const silent = { ...target, send: gone, ask: gone };
      const found = { result: rejected, isSuspected: true };
      return skippedIfOfQuota(check, found, silent, { isConfirming: true, resources: { wasActive: true } });
    },
  );
  expect(result).toMatchObject({ outcome: "skip", reason: "no-answer", message: "the service is gone" });
});
