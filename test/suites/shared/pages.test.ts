import { describe, expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import type { Target } from "../../../client/target.ts";
import { findInList } from "../../../suites/shared/own-items.ts";
import { mustReadList } from "../../../suites/shared/read-list.ts";
import { operation } from "../../spec/package-spec.ts";
import { against, resultOf, runAgainst } from "../fakes.ts";
import type { Asked, TinyAnswer } from "../tiny-server.ts";

const OTPS = operation("GET /v1/ussd-otps");
const HOOKS = operation("GET /webhooks");

const item = (n: number) => ({ id: `i${String(n).padStart(3, "0")}` });

function page(items: object[], next: string | null): TinyAnswer {
  return {
    status: 200,
    body: { success: true, messages: [], result: items, pagination: { count: items.length, next } },
  };
}

/** A service with a list of `length` items. Its pages are correct, with at most `most` items. Cursors are offsets. */
const honest =
  (length: number, most = 50) =>
  ({ query }: Asked): TinyAnswer => {
    const start = Number(query.get("after") ?? 0);
    const size = Math.min(Number(query.get("limit") ?? 10), most);
    const end = Math.min(start + size, length);
    const items = Array.from({ length: end - start }, (_, n) => item(start + n));
    return page(items, end < length ? String(end) : null);
  };

const options = { size: 5, mostPages: 10, again: true };

describe("reading a list", () => {
  test("follows next to the end, keeping limit and query", async () => {
    await against(honest(12), async ({ baseUrl, asked }) => {
      const reading = await runAgainst(
        honest(12),
        (target) => mustReadList(new Call(target, OTPS, null), { ...options, query: [["status", "x"]] }),
        { baseUrl },
      );
      expect(reading.ids).toEqual(Array.from({ length: 12 }, (_, n) => item(n).id));
      expect(reading).toMatchObject({ complete: true, answers: { length: 3 } });
      expect(asked.map(({ query }) => query.toString())).toEqual([
        "status=x&limit=5",
        "status=x&limit=5&after=5",
        "status=x&limit=5&after=10",
      ]);
    });
  });

  test("ends after the given number of pages", async () => {
    const pages = await runAgainst(honest(100), (target) =>
      mustReadList(new Call(target, OTPS, null), { ...options, mostPages: 2 }),
    );
    expect(pages).toMatchObject({ complete: false, items: { length: 10 } });
  });

  test("ends at a repeated cursor", async () => {
    const reading = await runAgainst(
      () => page([item(1)], "again"),
      (target) => mustReadList(new Call(target, OTPS, null), options),
    );
    expect(reading).toMatchObject({ complete: false, answers: { length: 2 } });
  });

  test("reports a cursor that the service then rejects", async () => {
    const refusing = ({ query }: Asked) => (query.has("after") ? { status: 400 } : page([item(1)], "x"));
    const reading = await runAgainst(refusing, (target) =>
      mustReadList(new Call(target, OTPS, null), options),
    );
    expect(reading).toMatchObject({ rejected: { status: 400 }, complete: false, ids: ["i001"] });
  });

  test("can't be done if the first page is rejected", async () => {
    const result = await resultOf(
      () => ({ status: 403 }),
      async (target) => {
        await mustReadList(new Call(target, OTPS, null), options);
      },
    );
    expect(result).toMatchObject({ outcome: "skip", reason: "control-rejected", evidence: { length: 1 } });
  });

  test("a next that is null or empty is the end", async () => {
    const empty = {
      status: 200,
      body: { success: true, messages: [], result: null, pagination: { count: 0, next: "" } },
    };
    const reading = await runAgainst(
      () => empty,
      (target) => mustReadList(new Call(target, OTPS, null), options),
    );
    expect(reading).toMatchObject({ complete: true, ids: [], items: [] });
  });
});

describe("finding an item in a list", () => {
  const find = (id: string) => (target: Target) => findInList(target, HOOKS, id);

  test("finds an item on a later page", async () => {
    expect(await runAgainst(honest(120), find("i110"))).toEqual({ id: "i110" });
  });

  test("fails if the list was read to its end", async () => {
    expect(await runAgainst(honest(120), find("nowhere"))).toBeUndefined();
  });

  test("takes a while if the service is slow to show it", async () => {
    let looks = 0;
    const late = (asked: Asked) => honest(++looks < 4 ? 3 : 9)(asked);
    expect(await runAgainst(late, find("i007"), { visibilityDelay: 5_000 })).toEqual({ id: "i007" });
    expect(looks).toBe(4);
  });

  test("takes no longer than allowed", async () => {
    let looks = 0;
    const late = (asked: Asked) => honest(++looks < 4 ? 3 : 9)(asked);
    expect(await runAgainst(late, find("i007"), { visibilityDelay: 0 })).toBeUndefined();
    expect(looks).toBe(1);
  });

  test("is given up if the list is too long to read", async () => {
    const result = await resultOf(honest(5_000), async (target) => {
      await findInList(target, operation("GET /v1/ussd-otps"), "nowhere");
    });
    expect(result).toMatchObject({ outcome: "skip", reason: "budget" });
    expect(result.message).toContain("too long");
  });

  test("uses the item before it as cursor in a long list whose cursors are items", async () => {
    const all = Array.from({ length: 2_000 }, (_, n) => item(n));
    const entered = ({ query }: Asked): TinyAnswer => {
      const size = Number(query.get("limit") ?? 10);
      const place = (name: string) => all.findIndex(({ id }) => id === query.get(name));
      const start = query.has("after")
        ? place("after") + 1
        : query.has("before")
          ? Math.max(place("before") - size, 0)
          : 0;
      const end = query.has("before") ? place("before") : start + size;
      const items = all.slice(start, end);
      return page(items, end < all.length ? (items.at(-1)?.id ?? null) : null);
    };
    expect(await runAgainst(entered, find("i1500"))).toEqual({ id: "i1500" });
  });
});
