import { describe, expect, test } from "vitest";
import { Call } from "../../client/call.ts";
import type { Target } from "../../client/target.ts";
import { readInSizes } from "../../suites/cursors/probes.ts";
import { comparedSizes } from "../../suites/shared/followed-lists.ts";
import { sizesAsked, sizesFollowed } from "../../suites/shared/list-reads.ts";
import { operation } from "../spec/package-spec.ts";
import { against, runAgainst } from "./fakes.ts";
import { pagedList } from "./paged-list.ts";
import type { Asked, TinyAnswer } from "./tiny-server.ts";

const OTPS = operation("GET /v1/ussd-otps");
const NEWEST = "caph.2025-08-23";
const QUICK = { depth: "quick" } as const;

const otps = (target: Target, version: string | null = NEWEST) => new Call(target, OTPS, version);

describe("page sizes", () => {
  const sizes = (change: object, version: string | null = NEWEST, known = 60) =>
    runAgainst(
      pagedList(1),
      async (target) => sizesFollowed(otps(target, version), known).map(({ size }) => size),
      {
        ...QUICK,
        ...change,
      },
    );

  test("are the smallest, the default one, and one on either side of it that the seed picks", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const [byDefault, small = 0, mid = 0, smallest, ...others] = await sizes({ seed });
      expect([byDefault, smallest, others]).toEqual([10, 1, []]);
      expect(small).toBeGreaterThan(1);
      expect(small).toBeLessThan(10);
      expect(mid).toBeGreaterThan(10);
      expect(mid).toBeLessThan(50);
      expect(await sizes({ seed })).toEqual([byDefault, small, mid, smallest]);
    }
    const others = await Promise.all([1, 2, 3, 4].map((seed) => sizes({ seed })));
    expect(new Set(others.map((each) => each.join())).size).toBeGreaterThan(1);
  });

  test("reach the end of the list, all but the smallest", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const followed = await runAgainst(pagedList(1), async (target) => sizesFollowed(otps(target), 72), {
        ...QUICK,
        seed,
      });
      for (const { size, mostPages } of followed)
        if (size > 1) expect(size * mostPages).toBeGreaterThanOrEqual(72);
    }
  });

  test("include every edge at depth full, the default first", async () => {
    const tried = await sizes({ depth: "full" });
    expect(tried[0]).toBe(10);
    for (const size of [1, 2, 9, 10, 11, 25, 26, 49]) expect(tried).toContain(size);
    expect(tried.length).toBeLessThanOrEqual(10);
  });

  test("are small under the other versions", async () => {
    expect(await sizes({}, null)).toEqual([3]);
    expect(await sizes({}, "caph.2025-06-20")).toEqual([4]);
  });

  test("are each sent under at least one version at depth full, and edges under every version", async () => {
    const asked = (version: string | null) =>
      runAgainst(pagedList(1), async (target) => sizesAsked(otps(target, version), 60), { depth: "full" });
    const byVersion = await Promise.all([null, "caph.2025-06-20", NEWEST].map(asked));
    const all = new Set(byVersion.flat());
    expect([...all].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    for (const tried of byVersion)
      for (const size of [1, 2, 9, 10, 11, 25, 26, 49, 50]) expect(tried).toContain(size);
  });
});

describe("a list that is followed", () => {
  /** Reads a list in several page sizes. Returns the requirements that it violates, and `moved` if it changed. */
  const faults = (answer: (asked: Asked) => TinyAnswer, change: object = {}) =>
    runAgainst(
      answer,
      async (target) => {
        await target.probe(readInSizes(OTPS));
        const compared = comparedSizes(target.history(), OTPS);
        return [
          ...new Set(
            compared.flatMap(({ verdict, difference }) =>
              verdict === "differs"
                ? (difference?.fault ?? [])
                : verdict === "list-changed"
                  ? ["list-changed"]
                  : [],
            ),
          ),
        ];
      },
      { ...QUICK, visibilityDelay: 0, ...change },
    );

  test("has no violation if it pages correctly", async () => {
    expect(await faults(pagedList(130))).toEqual([]);
    expect(await faults(pagedList(1))).toEqual([]);
    expect(await faults(pagedList(0))).toEqual([]);
  });

  test("costs no more requests for a million items than for a thousand", async () => {
    const cost = (length: number) =>
      against(pagedList(length), async ({ baseUrl, asked }) => {
        await faults(pagedList(length), { baseUrl, seed: 3 });
        return asked.length;
      });
    expect(await cost(1_000_000)).toBe(await cost(1_000));
  });

  test.each<[string, string, (asked: Asked) => TinyAnswer]>([
    [
      "an item left out in pages of the default size",
      "CURSOR-COMPLETE",
      pagedList(130, (page, { start, size }) => (size === 10 && start > 0 ? page.slice(1) : page)),
    ],
    [
      "items left out on pages of 30 and more",
      "CURSOR-COMPLETE",
      pagedList(60, (page) => page.filter((_, index) => index < 30)),
    ],
    [
      "items left out on pages of 30 and more of a long list",
      "CURSOR-COMPLETE",
      pagedList(600, (page) => page.filter((_, index) => index !== 30)),
    ],
    [
      "every second item left out in pages of one",
      "CURSOR-COMPLETE",
      ({ query, ...asked }) => {
        const doubled = new URLSearchParams(query);
        if (query.get("limit") === "1" && query.has("after"))
          doubled.set("after", String(Number(query.get("after")) * 2));
        return pagedList(60)({ ...asked, query: doubled });
      },
    ],
    [
      "an end that comes too early on pages below 10",
      "CURSOR-END",
      pagedList(60, undefined, ({ start, size }) => size < 10 && start + size >= 45),
    ],
    [
      "an item that comes again",
      "CURSOR-ONCE",
      pagedList(130, (page, { start, size }) => (size === 10 && start > 0 ? ["i00000", ...page] : page)),
    ],
    [
      "another order",
      "LIST-ORDER",
      pagedList(40, (page, { size }) => (size === 10 ? page.toReversed() : page)),
    ],
    [
      "an end where there is more, however long the list is",
      "CURSOR-END",
      pagedList(5_000, undefined, ({ start, size }) => size === 10 && start >= 20),
    ],
  ])("shows %s", async (_, fault, answer) => {
    expect(await faults(answer)).toContain(fault);
  });

  test("has no violation if no two reads agree", async () => {
    let looks = 0;
    const moving = (asked: Asked): TinyAnswer => {
      const answer = pagedList(130)(asked);
      const body = answer.body as { result: { id: string }[] };
      body.result = body.result.map(({ id }) => ({ id: `${id}-${looks++}` }));
      return answer;
    };
    expect(await faults(moving)).toEqual(["list-changed"]);
  });
});
