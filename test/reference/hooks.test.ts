import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compose } from "../../reference/compose.ts";
import { newContext } from "../../reference/context.ts";
import { defects, historyDefects, startReference, variants } from "../../reference/index.ts";
import { prepare } from "../../reference/start.ts";
import { start } from "./client.ts";

const { service } = prepare({});
const request = { method: "GET", path: "/", query: "", headers: {}, body: Buffer.alloc(0), tooLarge: false };
const ctx = newContext(service, request, 0);

describe("composing", () => {
  test("each hook gets the result of the one before it", () => {
    const hooks = compose([{ limit: (limit) => limit + 1 }, {}, { limit: (limit) => limit * 10 }]);
    expect(hooks.limit(4, ctx, { at: "body.name", rule: "maxLength" })).toBe(50);
  });

  test("without hooks everything stays unchanged", () => {
    const hooks = compose([]);
    expect(hooks.limit(4, ctx, { at: "body.name", rule: "maxLength" })).toBe(4);
    expect(hooks.envelope({ success: true }, ctx)).toEqual({ success: true });
    expect(hooks.pause("arrived", ctx)).toBeUndefined();
  });

  test("asynchronous hooks are awaited in order", async () => {
    const order: string[] = [];
    const hooks = compose([
      {
        pause: async () => {
          await Promise.resolve();
          order.push("first");
        },
      },
      { pause: () => void order.push("second") },
    ]);
    await hooks.pause("arrived", ctx);
    expect(order).toEqual(["first", "second"]);
  });
});

test("several defects work together", async () => {
  const client = await start({
    defects: ["messages-text@webhook-create", "one-more-taken@webhook-create.name"],
  });
  const body = { name: "a".repeat(101), url: "https://example.com/x", events: null };
  const answer = await client.send("POST /webhooks", { body });
  expect(answer.json).toMatchObject({ messages: "1", result: { name: body.name } });
});

test("an unknown defect or variant is refused", async () => {
  await expect(startReference({ defects: ["nobody"] })).rejects.toThrow(RangeError);
  await expect(startReference({ variant: "nobody" })).rejects.toThrow(RangeError);
});

test("names are unique, and in kebab case except for names of fields", () => {
  const names = [...defects, ...historyDefects, ...variants].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*(@[A-Za-z0-9._-]+(:[a-z0-9-]+)?)?$/);
});

test("a defect names requirements of the catalogue that can fail", () => {
  const { requirements } = parse(readFileSync("spec/requirements.yaml", "utf8")) as {
    requirements: { id: string; level: string }[];
  };
  const levels = new Map(requirements.map(({ id, level }) => [id, level]));
  const named = [...defects, ...historyDefects].flatMap((defect) =>
    defect.requirements.map((id) => [defect.name, id, levels.get(id)]),
  );
  expect(named.filter(([, , level]) => level !== "MUST" && level !== "SHOULD")).toEqual([]);
  expect(defects.filter((defect) => defect.requirements.length === 0)).toEqual([]);
});

test("defects that only a sequence of calls shows have their own names", () => {
  const isHistory = ({ name }: { name: string }) => name.startsWith("history-");
  expect(historyDefects.length).toBeGreaterThanOrEqual(600);
  expect(historyDefects.filter((defect) => !isHistory(defect))).toEqual([]);
  expect(defects.filter(isHistory)).toEqual([]);
});

test("the reference imports nothing of the rest of the project", () => {
  const files = readdirSync("reference", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(30);
  for (const file of sources) {
    const text = readFileSync(join("reference", file), "utf8");
    for (const [, from = ""] of text.matchAll(/from "([^"]+)"/g)) {
      const inside =
        from.startsWith(".") &&
        !relative("reference", join("reference", dirname(file), from)).startsWith("..");
      const allowed =
        inside || from.startsWith("node:") || ["currency-codes", "i18n-iso-countries"].includes(from);
      expect([file, from, allowed]).toEqual([file, from, true]);
    }
  }
});
