import { expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import { WalkedResource } from "../../../suites/updates/walk/walked-resource.ts";
import { operation } from "../../spec/package-spec.ts";
import { runAgainst } from "../fakes.ts";

const page = (url: string) => ({
  success: true,
  messages: [],
  result: [{ id: "w1", name: "a", url, events: [], isActive: true, createTime: "2026-01-01T00:00:00Z" }],
  pagination: { count: 1, total: 1, next: null },
});

test("a read without an update waits for a required field, because the new value may be an old one", async () => {
  const urls = ["https://a.example/2", "https://a.example/1", "https://a.example/2"];
  const shown = await runAgainst(
    () => ({ status: 200, body: page(urls.shift() ?? "https://a.example/3") }),
    async (target) => {
      const resource = new WalkedResource(new Call(target, operation("PATCH /webhooks/{id}")), "w1");
      await resource.readAtStart();
      return resource.readAgain();
    },
    { visibilityDelay: 500 },
  );
  expect(shown?.url).toBe("https://a.example/2");
});
