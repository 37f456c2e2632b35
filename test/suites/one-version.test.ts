import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startReference } from "../../reference/index.ts";
import { runSuite, settingsFor } from "../prove/run.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

test.each(["none", "caph.2025-06-20"])(
  "with version %s alone, the second request of a replay does not count as a second resource of a key",
  async (serviceVersion) => {
    const settings = settingsFor(service, 6, { serviceVersion });
    const { checks } = await runSuite(settings, {
      chosen: ({ requirements }) =>
        requirements.some(
          (id) => id.startsWith("KEY-") || id === "CREATE-CHARSET" || id === "UNIQUE-OPTIONAL",
        ),
    });
    expect(checks.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(10);
    expect(checks.filter(({ outcome }) => !["pass", "skip", "note"].includes(outcome))).toEqual([]);
  },
);
