/** The resource that updates may change: taken in turns, and read again once a list has caught up (row 53). */

import { Untestable } from "../client/check.ts";
import { subjectLock } from "../client/controls.ts";
import { ownResource, subjectOf } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import type { Answer, Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation } from "../spec/model/spec.ts";
import { changes } from "./compare.ts";
import { echoFaults } from "./echo.ts";
import { readBack, readerOf, type Seen } from "./read-back.ts";
import { nextSalt, sendUpdate } from "./updating.ts";

/** Own resources that are updated side by side where a list shows each update only after a while. */
const SIDE_BY_SIDE = 6;
const FIRST_PAUSE = 25;

/** Work on a resource that an update may change, in turns. */
export async function onSubject<T>(
  target: Target,
  operation: Operation,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const first = await subjectOf(target, operation, "write");
  const { madeBy } = operation.pathParameter ?? {};
  const late = await showsUpdatesLate(target, operation, first);
  if (!late || madeBy === undefined) return target.exclusive(subjectLock(operation), () => work(first));
  // One after another, so that each has as many waiting for it.
  const places = await target.once(`places ${operation.id}`, async () => ({ taken: 0 }));
  const place = (places.taken++ % SIDE_BY_SIDE) + 1;
  const id = await ownResource(target, operationById(target.spec, madeBy), `${operation.key} ${place}`);
  return target.exclusive(`${subjectLock(operation)} ${place}`, () => work(id));
}

/** What is known when a resource is read again. */
export interface Known {
  /** The update that was accepted last. */
  sent?: JsonObject;
  /** What was shown before that, or before anything that should change nothing. */
  before?: JsonObject;
}

/**
 * The resource once a list has caught up: when it shows what was sent last. Where that can't be told from what was
 * there before, a list is believed to show a change only when it still does after the delay that it is allowed.
 */
export async function readSettled(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  known: Known = {},
): Promise<Seen> {
  const look = () => readBack(target, operation, id, { version });
  if (readerOf(target.spec, operation)?.kind !== "list") return look();
  const delay = target.settings.visibilityDelay;
  const { sent, before } = known;
  // What was waited for in vain once is not waited for again.
  const lost = await target.once(`lost ${operation.id}`, async () => new Set<string>());
  const lacking = async (shown: JsonObject) =>
    sent ? (await missingOf(target, operation, sent, shown)).filter((pointer) => !lost.has(pointer)) : [];
  if (sent && (!before || (await lacking(before)).length > 0)) {
    const deadline = Date.now() + delay;
    for (let pause = FIRST_PAUSE; ; pause *= 2) {
      const seen = await look();
      const missing = await lacking(seen.resource);
      if (missing.length === 0) return seen;
      if (Date.now() + pause > deadline) {
        for (const pointer of missing) lost.add(pointer);
        return seen;
      }
      await target.pause(pause);
    }
  }
  const first = await subjectOf(target, operation, "write");
  if (await showsUpdatesLate(target, operation, first)) await target.pause(delay);
  const seen = await look();
  if (!before || changes(before, seen.resource, new Set()).length === 0) return seen;
  await target.pause(delay);
  return look();
}

/** Sends a valid update of all fields, and reads the resource as it is then. */
export async function beginAnew(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<Seen & { answer: Answer }> {
  const sent = await validBody(target, operation, "full", nextSalt(target));
  const answer = await sendUpdate(target, operation, id, version, sent);
  return { answer, ...(await readSettled(target, operation, id, version, { sent })) };
}

/** Pointers of what was sent and is not shown. */
async function missingOf(
  target: Target,
  operation: Operation,
  sent: JsonObject,
  shown: JsonObject,
): Promise<string[]> {
  const faults = await echoFaults(target, operation, sent, shown, readerOf(target.spec, operation));
  return faults.map(({ pointer }) => pointer);
}

/** Whether a list shows what an update changed only after a while; a single read never may. */
function showsUpdatesLate(target: Target, operation: Operation, id: string): Promise<boolean> {
  if (readerOf(target.spec, operation)?.kind !== "list") return Promise.resolve(false);
  return target.once(`late list ${operation.id}`, () =>
    target.exclusive(subjectLock(operation), async () => {
      try {
        return await comesLate(target, operation, id);
      } catch (error) {
        // What can't be updated or found can't be late either; the checks of that say so.
        if (error instanceof Untestable) return false;
        throw error;
      }
    }),
  );
}

/** Tries an update: what is lost for good is not late, even where the list is. */
async function comesLate(target: Target, operation: Operation, id: string): Promise<boolean> {
  const version = usualVersion(target, operation);
  const sent = await validBody(target, operation, "full", nextSalt(target));
  await sendUpdate(target, operation, id, version, sent);
  const missing = async () => {
    const { resource } = await readBack(target, operation, id, { version });
    return (await missingOf(target, operation, sent, resource)).length;
  };
  const atOnce = await missing();
  if (atOnce === 0) return false;
  await target.pause(target.settings.visibilityDelay);
  return (await missing()) < atOnce;
}
