/** First pages with and without a page size. */

import type { Call } from "../client/call.ts";
import { type Query, walk } from "./corpus.ts";
import { compareStill, mustHaveBegun, type Reading, stoodStill } from "./pages.ts";

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
