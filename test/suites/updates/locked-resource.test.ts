import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { isTurn } from "../../commit-seed.ts";
import { runSuite, settingsFor } from "../../prove/run.ts";
import { withProxy } from "../altering-proxy.ts";

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

/** Judges a payment code that stops accepting updates. `state` is the status that it shows then. */
async function closedCode(state: string | undefined): Promise<(string | undefined)[]> {
  const service = await startReference();
  const path = `/payment-codes/${service.fixtures.mutablePaymentCode}`;
  let updates = 0;
  try {
    return await withProxy(
      service.baseUrl,
      (method, asked, answer) => {
        if (asked !== path || answer.status !== 200) return undefined;
        if (method === "PATCH" && ++updates > 2) return { ...answer, status: 409, body: "{}" };
        const body = JSON.parse(answer.body) as { result: object };
        const result = { ...body.result, ...(updates > 2 && state !== undefined && { status: state }) };
        return { ...answer, body: JSON.stringify({ ...body, result }) };
      },
      async (baseUrl) => {
        const settings = settingsFor({ ...service, baseUrl }, 1, { visibilityDelay: 100 });
        const { checks } = await runSuite(settings, {
          chosen: ({ requirements, operation }) =>
            operation === "PATCH /payment-codes/{id}" &&
            requirements.some((id) => id === "UPDATE-ACCEPTED" || id === "CANCEL-STATUS"),
        });
        return checks.flatMap(({ requirements, outcome, reason }) =>
          requirements.includes("UPDATE-ACCEPTED") ? [outcome, reason] : [],
        );
      },
    );
  } finally {
    await service.close();
  }
}

test.runIf(isTurn(1, 2))(
  "a code that was paid meanwhile may take no update any more",
  async () => {
    const paid = await closedCode("completed");
    expect(paid).toContain("declined");
    expect(paid).not.toContain("fail");
    expect(await closedCode(undefined)).toContain("fail");
  },
  60_000,
);
