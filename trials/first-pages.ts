/** First pages: with and without a page size, and the total that they tell against what the list holds. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { paginationOf } from "../client/target.ts";
import { type Query, sizesTried, type Walk, walk } from "./corpus.ts";
import { allowedSizes, compareStill, mustHaveBegun, type Reading, stoodStill } from "./pages.ts";

/** A list asked for with a page size, and without one. */
export interface DefaultPages {
  asked: Reading;
  left: Reading;
  /** Whether the two differ while the list stands still. */
  differ: boolean;
}

/** The first page of a list of its usual size, asked for by that size and by none, under what else `query` asks for. */
export async function defaultPages(call: Call, usual: number, query: Query): Promise<DefaultPages> {
  const page = (size: number | null, anew = false) => walk(call, { query, size, mostPages: 1, anew });
  const left = await page(null);
  mustHaveBegun(left);
  const beginning = await beginningOf(call, usual, query);
  if (beginning && stoodStill(beginning, left)) return { asked: beginning, left, differ: false };
  const seen = { asked: await page(usual), left };
  mustHaveBegun(seen.asked);
  if (stoodStill(seen.asked, seen.left)) return { ...seen, differ: false };
  const different = await compareStill(
    call.target,
    () => page(usual, true),
    () => page(null, true),
    stoodStill,
    (asked, left) => (stoodStill(asked, left) ? null : { asked, left }),
    call.operation.id,
  );
  return { ...(different ?? seen), differ: different !== null };
}

/** A page of a size as the list's largest page begins, where that is longer: it need not be asked for. */
async function beginningOf(call: Call, size: number, query: Query): Promise<Reading | undefined> {
  const large = await walk(call, { query, mostPages: 1 });
  if (large.refused || large.ids.length <= size) return undefined;
  return {
    answers: large.answers,
    items: large.items.slice(0, size),
    ids: large.ids.slice(0, size),
    complete: false,
  };
}

/** What a first page says that there is in all, and what following next reached. */
export interface Total {
  total: number;
  reached: number;
  /** Whether the end was reached. */
  complete: boolean;
  page: Reading;
}

/**
 * Where the total of a first page, large or small, is not what following next reaches; null where it is on all. Small
 * pages tell a total that is the size of the page. Throws Untestable where items come twice: then they can't be counted.
 */
export async function wrongTotal(
  call: Call,
  query: Query,
  isWrong: (total: Total) => boolean,
): Promise<Total | null> {
  const { target, operation } = call;
  const small = call.isUsual ? allowedSizes(operation, [1, 2]) : sizesTried(call);
  const sizes = operation.list?.limit ? small : [];
  const first = async (options: Walk) => [
    await walk(call, { query, ...options, mostPages: 1 }),
    ...(await Promise.all(sizes.map((size) => walk(call, { query, ...options, size, mostPages: 1 })))),
  ];
  const wrong = (whole: Reading, pages: Reading[]) => {
    const { complete } = whole;
    const reached = whole.ids.length;
    for (const page of pages) {
      const total = page.answers[0] ? paginationOf(page.answers[0]).total : undefined;
      if (typeof total !== "number") continue;
      const found = { total, reached, complete, page };
      if (isWrong(found)) return found;
    }
    return null;
  };
  const whole = await walk(call, { query });
  mustHaveBegun(whole);
  if (new Set(whole.ids).size < whole.ids.length)
    throw new Untestable("control-rejected", "following next gives an item twice");
  if (wrong(whole, await first({})) === null) return null;
  return compareStill(
    target,
    () => walk(call, { query, anew: true }),
    () => first({ anew: true }),
    stoodStill,
    wrong,
    operation.id,
  );
}
