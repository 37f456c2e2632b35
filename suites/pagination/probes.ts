import type { Call } from "../../client/call.ts";
import { createOf } from "../../client/relations.ts";
import { baseQueries } from "../../client/samples.ts";
import type { Probe } from "../../client/target.ts";
import { isInSpace } from "../../history/entry.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { allowedSizes } from "../../spec/page-sizes.ts";
import { listProbe } from "../cursors/probes.ts";
import { readUntilDecided, sizesAsked, sizesFollowed } from "../shared/list-reads.ts";
import { mustReadList, readList } from "../shared/read-list.ts";
import { beginningsOfLonger, comparedTotals, defaultPages, isWholeUnderFilter } from "./compared-pages.ts";

const MOST_QUERIES = 3;

/** Reads a page of several sizes, at depth full of each. */
export function eachSize(list: Operation): Probe {
  return listProbe("page sizes", list, async (call) => {
    const whole = await readList(call);
    for (const size of sizesAsked(call, whole.ids.length)) await readList(call, { size, mostPages: 1 });
  });
}

/** Reads a page without a size after all creates, when the list is longest. */
export function withoutSize(spec: Spec, list: Operation, defaultSize: number): Probe {
  const probe = listProbe("page without a size", list, (call) => askWithoutSize(call, defaultSize));
  return { ...probe, stage: createOf(spec, list) ? "aftermath" : "read" };
}

/** Reads a page without a size, and beside it a large one or one of the default size to compare it with. */
async function askWithoutSize(call: Call, defaultSize: number): Promise<void> {
  const left = await mustReadList(call, { size: null, mostPages: 1 });
  const large = await readList(call, { mostPages: 1 });
  const isBeginning =
    large.ids.length > defaultSize && large.ids.slice(0, defaultSize).join() === left.ids.join();
  if (isBeginning) {
    // Only a page that comes after the large one is compared with it.
    if (beginningsOfLonger(call.target.history(), call.operation, defaultSize).length === 0)
      await readList(call, { size: null, mostPages: 1, again: true });
    return;
  }
  const reference = { size: defaultSize, mostPages: 1 };
  await readList(call, reference);
  await readList(call, { size: null, mostPages: 1, again: true });
  await readUntilDecided(call, reference, (history) =>
    defaultPages(history, call.operation, defaultSize).filter(isUndecided),
  );
}

/** Reads whole lists and small pages under filters: small ones show the page size as total. */
export function withTotals(list: Operation): Probe {
  return listProbe("totals", list, async (call) => {
    for (const query of await baseQueries(call.target, list, call.isDefaultVersion ? MOST_QUERIES : 1)) {
      const whole = await mustReadList(call, { query });
      const sizes = call.isDefaultVersion
        ? allowedSizes(list, [1])
        : sizesFollowed(call, whole.ids.length).map(({ size }) => size);
      if (list.list?.limit) for (const size of sizes) await readList(call, { query, size, mostPages: 1 });
      await readUntilDecided(
        call,
        { query },
        (history) => comparedTotals(history, list).filter(isUndecided),
        ({ size, filters }) => readList(call, { size, query: filters, mostPages: 1, again: true }),
      );
    }
    await wrongTotalAgain(call);
  });
}

/** Reads a filtered list again that showed a wrong total, also in an earlier round. */
async function wrongTotalAgain(call: Call): Promise<void> {
  const { target, operation, version } = call;
  const pages = target.history().lists.pages(operation);
  const wrong = pages.find(
    (page) =>
      page.entry.version === version &&
      isInSpace(page.entry, target.settings.space) &&
      isWholeUnderFilter(operation, page) &&
      page.total !== page.ids.length,
  );
  if (wrong) await readList(call, { size: wrong.size, query: wrong.filters, mostPages: 1, again: true });
}

/** Reads the first page without parameters. */
export function plainRead(list: Operation): Probe {
  return listProbe("first page", list, (call) => call.control());
}
