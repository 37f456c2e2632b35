import { describe, expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import type { Target } from "../../../client/target.ts";
import { MOST_PAGES, readList } from "../../../suites/shared/read-list.ts";
import { operation } from "../../spec/package-spec.ts";
import { against, runAgainst } from "../fakes.ts";
import { pagedList } from "../paged-list.ts";

const OTPS = operation("GET /v1/ussd-otps");
const NEWEST = "caph.2025-08-23";

const otps = (target: Target, version: string | null = NEWEST) => new Call(target, OTPS, version);

describe("walking a list", () => {
  test("is sent once for all that read the list in the same way, and again on request", async () => {
    await against(pagedList(120), async ({ baseUrl, asked }) => {
      const requests = await runAgainst(
        pagedList(120),
        async (target) => {
          await readList(otps(target));
          await readList(otps(target));
          const shared = asked.length;
          await readList(otps(target), { again: true });
          return [shared, asked.length];
        },
        { baseUrl },
      );
      expect(requests).toEqual([3, 6]);
    });
  });

  test("ends after the given number of pages, however long the list is", async () => {
    const reading = await runAgainst(pagedList(1_000_000), (target) => readList(otps(target)));
    expect(reading).toMatchObject({ complete: false, answers: { length: MOST_PAGES } });
  });

  test("sends no page size if none is wanted", async () => {
    const reading = await runAgainst(pagedList(30), (target) =>
      readList(otps(target), { size: null, mostPages: 1 }),
    );
    expect(reading.ids).toHaveLength(10);
    expect(reading.answers[0]?.plan.query).toEqual([]);
  });
});
