import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { runSuite, settingsFor } from "../../prove/run.ts";

test("a resource that accepts no more updates is no sign of a quota if another one still does", async () => {
  const service = await startReference({ defects: ["history-update-refused@webhook-update:after-older"] });
  const settings = settingsFor(service, 1, { visibilityDelay: 100 });
  const { checks } = await runSuite(settings, {
    chosen: ({ requirements, operation }) =>
      requirements.includes("UPDATE-ACCEPTED") && operation === "PATCH /webhooks/{id}",
  });
  await service.close();
  expect(checks.map(({ outcome }) => outcome)).toContain("fail");
  // The rejected activation is left out: it may have reached a quota of active resources.
  const others = checks.filter(({ id }) => !id.includes("isActive alone"));
  expect(others.map(({ reason }) => reason)).not.toContain("declined");
}, 60_000);
