import { afterAll, beforeAll, expect, test } from "vitest";
import { INVENTED_VALUE } from "../../../history/creates/invented-names.ts";
import { type RunningService, startReference } from "../../../reference/index.ts";
import { runSuite, settingsFor } from "../../prove/run.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

/** Creates a webhook as an earlier run leaves it behind: among its mail addresses is an invented one. */
async function leaveWebhook(): Promise<void> {
  const { baseUrl, token, space } = service;
  const answer = await fetch(`${baseUrl}/webhooks`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "service-space-id": space,
      "content-type": "application/json",
      "idempotency-key": "left-by-an-earlier-run",
    },
    body: JSON.stringify({
      url: "https://example.com/left",
      name: "left",
      events: ["payout.updated"],
      alertEmails: ["ops@example.org", INVENTED_VALUE],
    }),
  });
  expect(answer.status).toBe(200);
}

test("names that an earlier run invented are not taken for good values", async () => {
  await leaveWebhook();
  const only = ["bodies/UPDATE-CHARSET PATCH /webhooks/{id}"];
  for (const seed of [1, 2, 3, 4]) {
    const { checks } = await runSuite(settingsFor(service, seed, { only, fixtures: {} }));
    const ran = checks.filter(({ outcome, reason }) => !(outcome === "skip" && reason === "not-selected"));
    expect(ran.map(({ id, outcome, message }) => [id, outcome, message])).toEqual([
      [only[0], "pass", undefined],
    ]);
  }
});
