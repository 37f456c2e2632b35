import type { Probe } from "../../client/target.ts";
import { type RequestPlan, requestTo, withPageSize } from "../../generators/request.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../../spec/page-sizes.ts";
import { type Ask, pagesFrom } from "../shared/pages.ts";
import { plainProbe } from "../shared/sampled.ts";

/** The page that shows a record. First pages with more than `place` items also show it. */
interface PageToRead {
  page: ListPage;
  pagesBefore: number;
  place: number;
}

/** How often the page and another size are read by turns. */
export const TURNS = 4;

/** Reads the page of the doubtful record in its own size and in others by turns. */
export function pagesByTurns(operation: Operation, { page, pagesBefore, place }: PageToRead): Probe {
  return plainProbe("pages by turns", operation, "read", async ({ target }) => {
    const { limit } = operation.list ?? {};
    const asked = new Set(
      target
        .history()
        .lists.pages(operation)
        .map(({ size }: ListPage) => size),
    );
    const sizes = otherSizes(operation, { place, own: page.size, asked });
    const plan: RequestPlan = { ...requestTo(operation, page.entry.version), query: page.filters };
    const own = withPageSize(plan, page.size ?? undefined);
    const read = (first: RequestPlan, most: number) =>
      readTo(first, most, (request) => target.send(request, { role: "again", valid: true }));
    if (!limit || sizes.length < TURNS) return;
    for (const size of sizes) {
      for (const _ of [1, 2]) await read(own, pagesBefore + 1);
      await read(withPageSize(plan, size), 1);
      await target.pause(target.settings.visibilityDelay / TURNS);
    }
    await read(own, pagesBefore + 1);
  });
}

/** Returns sizes of pages that reach the place. A service may have cached the pages of the `asked` sizes. */
export function otherSizes(
  operation: Operation,
  { place, own, asked }: { place: number; own: number | null; asked: ReadonlySet<number | null> },
): number[] {
  const all = Array.from({ length: largestSize(operation) - place }, (_, index) => place + 1 + index);
  const others = allowedSizes(operation, all).filter((size) => size > place && size !== own);
  const known = others.filter((size) => asked.has(size));
  return [...known, ...others.filter((size) => !asked.has(size))].slice(-TURNS);
}

async function readTo(first: RequestPlan, most: number, ask: Ask): Promise<void> {
  for await (const _ of pagesFrom(ask, first, most));
}
