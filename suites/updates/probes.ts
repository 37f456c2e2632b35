import { Call } from "../../client/call.ts";
import { restAtTheEnd } from "../../client/patience.ts";
import { baseQueries } from "../../client/samples.ts";
import type { Probe, Target } from "../../client/target.ts";
import { drawnVersion } from "../../client/version-choice.ts";
import { requestTo } from "../../generators/request.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { type ActedOn, actOnNew } from "../shared/action.ts";
import { readPages } from "../shared/pages.ts";
import { sendConcurrently } from "./concurrent.ts";
import { otherVersionsAgain, pagesAgain } from "./pages-again.ts";
import { readBack, readerOf } from "./read-back.ts";
import { REFUSED_UPDATES, refusedUpdates } from "./refused-updates.ts";
import { onSubject } from "./settled-reads.ts";
import { walk } from "./walk.ts";

export function walkOf(update: Operation): Probe {
  return { id: `walk ${update.id}`, stage: "write", run: (target) => walk(new Call(target, update)) };
}

/**
 * Reads once more at the end of the run: a service may revert an update late, or carry out a rejected one.
 */
export function lastLook(update: Operation): Probe {
  return {
    id: `last look ${update.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, update);
      const reader = readerOf(target.spec, update);
      await onSubject(call, async (id) => {
        await lateAtTheEnd(target);
        await (reader?.kind === "list" ? readWholeTwice(call.to(reader)) : readBack(call, id));
        await pagesAgain(call);
        await otherVersionsAgain(call);
      });
    },
  };
}

export function readWholeTwice({ target, operation, version }: Call): Promise<void> {
  return target.once(`whole list ${operation.id}`, async () => {
    await lateAtTheEnd(target);
    const [query = []] = await baseQueries(target, operation, 1);
    const options = { version, query, limit: largestSize(operation), mostPages: MOST_PAGES };
    for (const _ of [1, 2]) await readPages(target, operation, options);
  });
}

const MOST_PAGES = 12;

function lateAtTheEnd(target: Target): Promise<void> {
  return restAtTheEnd(target, Math.min(Math.max(LEAST, target.settings.visibilityDelay + MORE), MOST));
}

/** After this many milliseconds, no read shows an old value, unless the consistency timeout is very long. */
const LEAST = 1_000;
const MORE = 100;
const MOST = 3_000;

/** Acts on a resource that nothing else changes, and reads it before and after. */
export function lookAround(action: Operation): Probe {
  return {
    id: `around ${action.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, action);
      await call.control();
      const named = action.outer.at(-1);
      const reader = target.spec.operations.find(
        ({ kind, pathParameter }) => kind === "read" && named && pathParameter?.madeBy === named.madeBy,
      );
      const look = async ({ [named?.name ?? ""]: path = "", ...outer }: ActedOn) =>
        reader &&
        target.send({ ...requestTo(reader, call.to(reader).version), path, outer }, { valid: true });
      const outer = await actOnNew(call, look);
      await lateAtTheEnd(target);
      if (outer) await look(outer);
    },
  };
}

export function concurrentUpdates(update: Operation): Probe {
  return {
    id: `concurrent ${update.id}`,
    stage: "clash",
    run: (target) => sendConcurrently(new Call(target, update)),
  };
}

export function rejectedBatch(update: Operation): Probe {
  return {
    id: `rejected ${update.id}`,
    stage: "write",
    async run(target) {
      await refusedUpdates(new Call(target, update, drawnVersion(target, update, REFUSED_UPDATES)));
    },
  };
}

export function replaysOf(spec: Spec, create: Operation): Probe[] {
  const updates = spec.operations.filter(
    ({ kind, pathParameter }) => kind === "update" && pathParameter?.madeBy === create.id,
  );
  return updates.map(walkOf);
}
