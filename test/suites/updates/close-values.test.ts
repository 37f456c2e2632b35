import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { alteredBody, closeValues } from "../../../suites/updates/bodies.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { runAgainst } from "../fakes.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const harbour = loadSpec(file("test/editions/harbour/openapi.yaml"), file("spec/requirements.yaml"));

test("a code whose values come from a list keeps its letter case, and another text does not", async () => {
  const swapped = (key: string, shown: Record<string, string>) =>
    runAgainst(
      () => ({ status: 200, body: {} }),
      async (target) => closeValues(new Call(target, operation(key, harbour)), shown, Object.keys(shown)),
      { seed: 2 },
      harbour,
    );
  expect(await swapped("PUT /api/ships/{ship}/calls/{call}", { berth: "A-1" })).toEqual({});
  expect(await swapped("PATCH /api/ships/{ship}", { title: "Anna" })).toEqual({ title: "aNNA" });
});

test("the tag of the run keeps its letter case, and what follows it does not", async () => {
  let tagged = "";
  const close = await runAgainst(
    () => ({ status: 200, body: {} }),
    async (target) => {
      tagged = `pc-${target.runId}`;
      return closeValues(
        new Call(target, operation("PATCH /payment-codes/{id}")),
        { name: `${tagged}-0ab` },
        ["name"],
      );
    },
    { seed: 2 },
  );
  expect(close).toEqual({ name: `${tagged}-0AB` });
});

test("a time moves by a second, unless it is past, soon or far ahead", async () => {
  const moved = (key: string, hours: number) => {
    const time = new Date(Math.floor(Date.now() / 1000 + hours * 3600) * 1000);
    const expireTime = time.toISOString();
    return runAgainst(
      () => ({ status: 200, body: {} }),
      async (target) => {
        const close = closeValues(new Call(target, operation(key)), { expireTime }, ["expireTime"]);
        return typeof close.expireTime === "string"
          ? Date.parse(close.expireTime) - time.getTime()
          : undefined;
      },
    );
  };
  const update = "PATCH /payment-codes/{id}";
  expect(await moved(update, 24)).toBe(1000);
  expect(await moved(update, -1)).toBeUndefined();
  expect(await moved(update, 0.1)).toBeUndefined();
  expect(await moved(update, 24 * 365)).toBeUndefined();
});

test.each([
  [1, { name: "Shopb", metadata: { till: "1", deskb: "1" } }],
  [2, { name: "sHOP", metadata: { till: "1", deskb: "1" } }],
])(
  "with seed %d, a text has another end or letter case, and a map another name for its last value",
  async (seed, close) => {
    const shown = { name: "Shop", metadata: { till: "1", desk: "1" } };
    const found = await runAgainst(
      () => ({ status: 200, body: {} }),
      async (target) =>
        closeValues(new Call(target, operation("PATCH /payment-codes/{id}")), shown, Object.keys(shown)),
      { seed },
    );
    expect(found).toEqual(close);
  },
);

test("a URL that the user gave stays, unless it may vary", async () => {
  const close = (webhookUrl: string) =>
    runAgainst(
      () => ({ status: 200, body: {} }),
      async (target) =>
        closeValues(new Call(target, operation("PATCH /webhooks/{id}")), { url: "https://a.example/in" }, [
          "url",
        ]),
      { seed: 2, fixtures: { webhookUrl } },
    );
  expect(await close("https://a.example/in")).toEqual({});
  expect(await close("https://a.example/in?{unique}")).toEqual({ url: "https://a.example/IN" });
});

test("another body for a used key has no other URL than the user gave", () => {
  const url = "https://a.example/in";
  const altered = alteredBody(spec, operation("POST /webhooks"), { name: "Till", url, isActive: true });
  expect(altered).toEqual({ name: "Tillx", url, isActive: false });
});
