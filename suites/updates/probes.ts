import fc from "fast-check";
import { Call } from "../../client/call.ts";
import { lateAtTheEnd } from "../../client/eventually.ts";
import { resourceIdFor } from "../../client/resources.ts";
import { underVersions } from "../../client/side-by-side.ts";
import type { Probe, Target } from "../../client/target.ts";
import { sampledVersion, sendsAll } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { awkwardId } from "../../generators/text.ts";
import { type Entry, isInSpace } from "../../history/entry.ts";
import { MIN_DIFFERENCES } from "../../history/lists/pairs.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { rotated } from "../../spec/ordered.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { comparedSizes } from "../shared/followed-lists.ts";
import { creationsListed } from "../shared/left-out-creations.ts";
import { mustReadList } from "../shared/read-list.ts";
import { probeOf } from "../shared/sampled.ts";
import { sendConcurrently } from "./concurrent/probes.ts";
import {
  changeFilteredFields,
  otherVersionsAgain,
  pagesAgain,
  readBesideFilters,
  setSwitches,
} from "./lists/last-lists.ts";
import { readerOf, withLockedResource } from "./read-back.ts";
import { REJECTED_UPDATES, sendRejectedUpdates, updatesAfterRejected } from "./rejected-updates.ts";
import { walk } from "./walk/walk.ts";

/** Takes one resource through many events. */
export const walkOf = probeOf("walk", "write", walk);

/** Reads the updated resource at the end: updates may be reverted by then, or rejected ones applied. */
export const lastLook = probeOf("last look", "aftermath", (call) =>
  withLockedResource(call, async (id) => {
    const reader = readerOf(call.target.spec, call.operation);
    if (reader?.kind === "read") await setSwitches(call, id, false);
    const former = await changeFilteredFields(call, id);
    await lateAtTheEnd(call.target);
    for (const plan of former) await call.target.send(plan, { role: "read back", valid: true });
    if (reader?.kind === "list") await readWholeList(call.to(reader));
    else if (reader) await readBesideFilters(call, id);
    await pagesAgain(call);
    await otherVersionsAgain(call);
    if (reader?.kind !== "read") return;
    // A faulty service may show the updated resource in every space.
    if (reader.space && call.target.settings.secondSpace !== undefined)
      await call.target.send({ ...call.to(reader).requestAt(id), space: "second" }, { role: "probe" });
    await setSwitches(call, id, true);
  }),
);

/** Reads several times, because other clients may change the list. Smaller pages show broken paging. */
export function readWholeList(call: Call): Promise<void> {
  const { target, operation } = call;
  return target.memoize(`whole list ${operation.id}`, async () => {
    await lateAtTheEnd(target);
    const options = { mostPages: MOST_PAGES, again: true };
    const { ids } = await mustReadList(call, options);
    // A list may end before its last item, or in the middle.
    const [part = 1] = rotated([Math.ceil(ids.length / 2), ids.length - 1], target.settings.seed);
    // If a resource is missing, other page sizes are not read: they may show it, and hide that pages are
    // outdated.
    const creations = creationsListed(target.spec, operation, target.history().entries);
    const isWhole = [...creations].every(
      ([id, entry]) => !isInSpace(entry, target.settings.space) || ids.includes(id),
    );
    const isInParts = isWhole && part > 1 && part < largestSize(operation);
    for (let count = 0; count < MIN_DIFFERENCES; count++) {
      if (isInParts) await mustReadList(call, { ...options, size: part });
      await mustReadList(call, options);
      if (comparedSizes(target.history(), operation).every(({ verdict }) => verdict === "agrees")) break;
    }
    const cached = firstUnderOther(call);
    if (cached) for (const _ of [1, 2]) await target.send(cached, { role: "version again", valid: true });
  });
}

/** Returns a list read under another version, whose answer a service may have cached, or `undefined`. */
function firstUnderOther({ target, operation, version }: Call): RequestPlan | undefined {
  const limit = largestSize(operation);
  const entries = target
    .history()
    .lists.reads(operation)
    .filter(({ filters, size }) => filters.length === 0 && size === limit)
    .flatMap(({ pages }) => pages[0]?.entry ?? []);
  const isMeant = (entry: Entry) => entry.version !== version && isInSpace(entry, target.settings.space);
  const found = entries.find(isMeant);
  return found && { ...requestTo(operation, found.version), query: found.request.query };
}

const MOST_PAGES = 12;

/** Sends updates of one resource at the same time. */
export const concurrentUpdates = probeOf("concurrent", "clash", sendConcurrently);

/** Sends updates that must be rejected, and then accepted ones. */
export const rejectedBatch = probeOf("rejected", "write", async (byDefault) => {
  const call = byDefault.under(sampledVersion(byDefault.target, byDefault.operation, REJECTED_UPDATES));
  await updatesAfterRejected(call, await sendRejectedUpdates(call));
});

/** If a shorter id is cut, it could name another resource. */
const LONG_ID = 16;

export const UNKNOWN_IDS: Record<string, (known: string, target: Target) => string[]> = {
  "made up": (_, { runId }) => [`conformance-${runId}`],
  appended: (known) => [`${known}x`],
  "cut short": (known) => (known.length < LONG_ID ? [] : [known.slice(0, -1)]),
  "any text": (known, target) => {
    const { seed } = target.settings;
    const awkward = fc.sample(awkwardId(), { seed, numRuns: 1 }).map((text) => `${text}-${target.runId}`);
    const texts = ["a".repeat(300), `${known}/x`, `'"' OR '1'='1`, ...awkward];
    return sendsAll(target) ? texts : texts.slice(seed % texts.length).slice(0, 1);
  },
};

/** Updates resources that do not exist, under ids made from a known one. */
export function unknownIds(operation: Operation): Probe {
  const id = `unknown ids ${operation.id}`;
  return {
    id,
    stage: "write",
    async run(target) {
      const known = await resourceIdFor(target, operation, "write");
      const ids = Object.values(UNKNOWN_IDS).flatMap((make) => make(known, target));
      await underVersions(target, operation, id, ids, async (unknown, version) => {
        const call = new Call(target, operation, version);
        await call.control();
        await call.send(withBody(call.requestAt(unknown), await call.body()));
      });
    },
  };
}
