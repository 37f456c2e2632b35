/** The resource that updates may change: taken in turns, and read again once a list has caught up (row 53). */

import type { JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/load.ts";
import type { Operation } from "../spec/types.ts";
import { Untestable } from "./check.ts";
import { subjectLock } from "./controls.ts";
import { echoFaults } from "./echo.ts";
import { readBack, readerOf, type Seen } from "./read-back.ts";
import { ownResource, subjectOf } from "./subjects.ts";
import { validBody } from "./supply.ts";
import type { Target } from "./target.ts";
import { nextSalt, sendUpdate } from "./updating.ts";
import { usualVersion } from "./version-choice.ts";

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

/** The update that was accepted last, and what was shown before it where that is known. */
export interface LastUpdate {
  sent: JsonObject;
  before?: JsonObject;
}

/**
 * The resource once a list has caught up: when it shows what was sent last or, where that can't be told apart from what
 * was there before, after the delay that lists are allowed.
 */
export async function readSettled(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  last?: LastUpdate,
): Promise<Seen> {
  const look = () => readBack(target, operation, id, { version });
  const first = await subjectOf(target, operation, "write");
  if (!(await showsUpdatesLate(target, operation, first))) return look();
  const lacks = (sent: JsonObject, shown: JsonObject) => lacksAnyOf(target, operation, sent, shown);
  if (!last || (last.before && !(await lacks(last.sent, last.before)))) {
    await target.pause(target.settings.visibilityDelay);
    return look();
  }
  const deadline = Date.now() + target.settings.visibilityDelay;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const seen = await look();
    if (!(await lacks(last.sent, seen.resource)) || Date.now() > deadline) return seen;
    await target.pause(pause);
  }
}

async function lacksAnyOf(
  target: Target,
  operation: Operation,
  sent: JsonObject,
  shown: JsonObject,
): Promise<boolean> {
  const reader = readerOf(target.spec, operation);
  return (await echoFaults(target, operation, sent, shown, reader)).length > 0;
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
  const faults = async () => {
    const { resource } = await readBack(target, operation, id, { version });
    return (await echoFaults(target, operation, sent, resource, readerOf(target.spec, operation))).length;
  };
  const atOnce = await faults();
  if (atOnce === 0) return false;
  await target.pause(target.settings.visibilityDelay);
  return (await faults()) < atOnce;
}
