/** Requests that exercise updates. */

import { Call } from "../../client/call.ts";
import { restAtTheEnd } from "../../client/patience.ts";
import type { Probe } from "../../client/target.ts";
import { drawnVersion } from "../../client/version-choice.ts";
import { withQuery } from "../../generators/request.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { readBack, readerOf } from "../../trials/read-back.ts";
import { REFUSED_UPDATES, refusedUpdates } from "../../trials/refused-updates.ts";
import { onSubject } from "../../trials/settled-reads.ts";
import { sendConcurrently } from "./concurrent.ts";
import { pagesAgain } from "./pages-again.ts";
import { walk } from "./walk.ts";

/** One resource meets many events, in many orders. */
export function walkOf(update: Operation): Probe {
  return { id: `walk ${update.id}`, stage: "write", run: (target) => walk(new Call(target, update)) };
}

/** One more read at the end of the run: a service may revert an update after a while, or carry out a rejected one. */
export function lastLook(update: Operation): Probe {
  return {
    id: `last look ${update.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, update);
      const reader = readerOf(target.spec, update);
      await onSubject(call, async (id) => {
        await restAtTheEnd(target, Math.min(Math.max(LEAST, target.settings.visibilityDelay + MORE), MOST));
        await (reader?.kind === "list" ? readWholeTwice(call.to(reader)) : readBack(call, id));
        await pagesAgain(call);
      });
    },
  };
}

/** Reads a list twice, on the largest pages: an item that both lack is gone. */
async function readWholeTwice(call: Call): Promise<void> {
  const { limit } = call.operation.list ?? {};
  const plan = await call.valid();
  const whole = limit ? withQuery(plan, { [limit.name]: String(largestSize(call.operation)) }) : plan;
  for (const _ of [1, 2]) await call.target.send(whole, { role: "read back", valid: true });
}

/** Milliseconds: long enough that no read may be late any more, if the consistency timeout is not very long. */
const LEAST = 1_000;
const MORE = 100;
const MOST = 3_000;

/** Updates of different fields at the same time. */
export function concurrentUpdates(update: Operation): Probe {
  return {
    id: `concurrent ${update.id}`,
    stage: "clash",
    run: (target) => sendConcurrently(new Call(target, update)),
  };
}

/** All updates that must be rejected, sent at once between two reads. */
export function rejectedBatch(update: Operation): Probe {
  return {
    id: `rejected ${update.id}`,
    stage: "write",
    async run(target) {
      await refusedUpdates(new Call(target, update, drawnVersion(target, update, REFUSED_UPDATES)));
    },
  };
}

/** The walks that repeat the create of their resource. */
export function replaysOf(spec: Spec, create: Operation): Probe[] {
  const updates = spec.operations.filter(
    ({ kind, pathParameter }) => kind === "update" && pathParameter?.madeBy === create.id,
  );
  return updates.map(walkOf);
}
