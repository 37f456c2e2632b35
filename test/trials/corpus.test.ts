import { describe, expect, test } from "vitest";
import { Call } from "../../client/call.ts";
import type { Target } from "../../client/target.ts";
import { MOST_PAGES, pagesWorth, sizesAsked, sizesTried, walk } from "../../trials/corpus.ts";
import { followed } from "../../trials/following.ts";
import { operation } from "../spec/package-spec.ts";
import { against, resultOf, seen } from "../suites/fakes.ts";
import type { Asked, Told } from "../suites/tiny-server.ts";

const OTPS = operation("GET /v1/ussd-otps");
const NEWEST = "caph.2025-08-23";

const QUICK = { depth: "quick" } as const;

const otps = (target: Target, version: string | null = NEWEST) => new Call(target, OTPS, version);

/** A list of some ids that pages as it should, but for what `change` makes of a page. */
function list(
  length: number,
  change: (page: string[], asked: { start: number; size: number; query: URLSearchParams }) => string[] = (
    page,
  ) => page,
): (asked: Asked) => Told {
  const all = Array.from({ length }, (_, n) => `i${String(n).padStart(5, "0")}`);
  return ({ query }) => {
    const start = Number(query.get("after") ?? 0);
    const size = Number(query.get("limit") ?? 10);
    const shown = change(all.slice(start, start + size), { start, size, query });
    const next = start + size < length ? String(start + size) : null;
    const result = shown.map((id) => ({ id }));
    return {
      status: 200,
      body: { success: true, messages: [], result, pagination: { count: result.length, next } },
    };
  };
}

describe("walking a list", () => {
  test("is asked for once by all who walk it alike, and anew where that is wanted", async () => {
    await against(list(120), async ({ baseUrl, asked }) => {
      const requests = await seen(
        list(120),
        async (target) => {
          await walk(otps(target));
          await walk(otps(target));
          const shared = asked.length;
          await walk(otps(target), { anew: true });
          return [shared, asked.length];
        },
        { baseUrl },
      );
      expect(requests).toEqual([3, 6]);
    });
  });

  test("ends after so many pages, however long it is", async () => {
    const reading = await seen(list(1_000_000), (target) => walk(otps(target)));
    expect(reading).toMatchObject({ complete: false, answers: { length: MOST_PAGES } });
  });

  test("without a page size asks for none", async () => {
    const reading = await seen(list(30), (target) => walk(otps(target), { size: null, mostPages: 1 }));
    expect(reading.ids).toHaveLength(10);
    expect(reading.answers[0]?.plan.query).toEqual([]);
  });
});

describe("page sizes", () => {
  const sizes = (change: object, version: string | null = NEWEST) =>
    seen(list(1), async (target) => sizesTried(otps(target, version)), { ...QUICK, ...change });

  test("are those at the edges and some that the seed picks", async () => {
    const tried = await sizes({ seed: 7 });
    for (const size of [1, 10]) expect(tried).toContain(size);
    expect([9, 11, 25, 26, 2, 49].some((size) => tried.includes(size))).toBe(true);
    expect(tried.length).toBeLessThanOrEqual(4);
    expect(await sizes({ seed: 7 })).toEqual(tried);
    const others = await Promise.all([1, 2, 3, 4].map((seed) => sizes({ seed })));
    expect(new Set(others.map((each) => each.join())).size).toBeGreaterThan(1);
  });

  test("stand at every edge at depth full, the usual one first", async () => {
    const tried = await sizes({ depth: "full" });
    expect(tried[0]).toBe(10);
    for (const size of [1, 2, 9, 10, 11, 25, 26, 49]) expect(tried).toContain(size);
    expect(tried.length).toBeLessThanOrEqual(9);
  });

  test("are small under the other versions", async () => {
    expect(await sizes({}, null)).toEqual([3]);
    expect(await sizes({}, "caph.2025-06-20")).toEqual([4]);
  });

  test("are each asked for under one version at least at depth full, and those at an edge under every one", async () => {
    const asked = (version: string | null) =>
      seen(list(1), async (target) => sizesAsked(otps(target, version)), { depth: "full" });
    const byVersion = await Promise.all([null, "caph.2025-06-20", NEWEST].map(asked));
    const all = new Set(byVersion.flat());
    expect([...all].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    for (const tried of byVersion)
      for (const size of [1, 2, 9, 10, 11, 25, 26, 49, 50]) expect(tried).toContain(size);
  });

  test("are read as far as they reach the end, or a few pages", async () => {
    const pages = await seen(list(1), async (target) =>
      [1, 10, 25].map((size) => pagesWorth(otps(target), size, 130)),
    );
    expect(pages).toEqual([3, MOST_PAGES, 3]);
  });
});

describe("following a list", () => {
  const findings = (answer: (asked: Asked) => Told) =>
    seen(answer, async (target) => (await followed(otps(target))).findings.map(({ fault }) => fault), QUICK);

  test("shows nothing of one that pages as it should", async () => {
    expect(await findings(list(130))).toEqual([]);
  });

  test("costs no more requests for a million items than for a thousand", async () => {
    const cost = (length: number) =>
      against(list(length), async ({ baseUrl, asked }) => {
        await seen(list(length), (target) => followed(otps(target)), { ...QUICK, baseUrl, seed: 3 });
        return asked.length;
      });
    expect(await cost(1_000_000)).toBe(await cost(1_000));
  });

  test("shows an item left out in pages of one size alone", async () => {
    const skipping = list(130, (page, { start, size }) => (size === 10 && start > 0 ? page.slice(1) : page));
    expect(await findings(skipping)).toEqual(["CURSOR-COMPLETE"]);
  });

  test("shows an item that comes again", async () => {
    const repeating = list(130, (page, { start, size }) =>
      start > 0 && size === 10 ? [`i${String(start - 1).padStart(5, "0")}`, ...page] : page,
    );
    expect(await findings(repeating)).toEqual(["CURSOR-ONCE"]);
  });

  test("shows another order, and goes on to what is worse", async () => {
    const reversing = list(40, (page, { size }) => (size === 10 ? page.toReversed() : page));
    expect(await findings(reversing)).toEqual(["LIST-ORDER"]);
  });

  test("shows a list that ends where there is more, however long it is", async () => {
    const ending = (asked: Asked): Told => {
      const told = list(5_000)(asked);
      const body = told.body as { pagination: { next: string | null } };
      if (asked.query.get("limit") === "10" && Number(asked.query.get("after") ?? 0) >= 50)
        body.pagination.next = null;
      return told;
    };
    expect(await findings(ending)).toEqual(["CURSOR-END"]);
  });

  test("is drift where no two walks agree", async () => {
    let looks = 0;
    const moving = (asked: Asked): Told => {
      const told = list(130)(asked);
      const body = told.body as { result: { id: string }[] };
      body.result = body.result.map(({ id }) => ({ id: `${id}-${looks++}` }));
      return told;
    };
    const follow = async (target: Target) => {
      await followed(otps(target));
    };
    const result = await resultOf(moving, follow, QUICK);
    expect(result).toMatchObject({ outcome: "skip", reason: "drift" });
  });
});
