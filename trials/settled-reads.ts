/** The resource that updates may change: taken in turns, and read again once what shows it has caught up (row 80). */

import { subjectLock } from "../client/controls.ts";
import { patient } from "../client/patience.ts";
import { subjectOf } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import type { Answer, Target } from "../client/target.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { echoFaults } from "./echo.ts";
import { readBack, readerOf, type Seen } from "./read-back.ts";
import { nextSalt, sendUpdate } from "./updating.ts";

/** Work on the one resource that an update may change, in turns. */
export async function onSubject<T>(
  target: Target,
  operation: Operation,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const id = await subjectOf(target, operation, "write");
  return target.exclusive(subjectLock(operation), () => work(id));
}

/**
 * The resource after an update that was accepted, once the read shows what was `sent`: the visibility delay is allowed
 * to lists and to single reads. Throws Untestable where it can't be read back.
 */
export async function readSettled(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  { sent }: { sent?: JsonObject } = {},
): Promise<Seen> {
  const look = () => readBack(target, operation, id, { version });
  if (!sent) return look();
  const reader = readerOf(target.spec, operation);
  // What was waited for in vain once is not waited for again.
  const lost = await target.once(`lost ${operation.id}`, async () => new Set<string>());
  const lacking = async ({ resource }: Seen) =>
    (await echoFaults(target, operation, sent, resource, reader))
      .map(({ pointer }) => pointer)
      .filter((pointer) => !lost.has(pointer));
  const started = performance.now();
  let looks = 0;
  let missing: string[] = [];
  const seen = await patient(target, look, async (shown) => {
    looks++;
    missing = await lacking(shown);
    return missing.length === 0;
  });
  if (looks > 1) missing = await lacking(seen);
  for (const pointer of missing) lost.add(pointer);
  return looks > 1 && missing.length === 0 ? { ...seen, delay: performance.now() - started } : seen;
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
