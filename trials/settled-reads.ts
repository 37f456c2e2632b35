/** The resource that updates may change: taken in turns, and read again once what shows it has caught up (row 80). */

import type { Call } from "../client/call.ts";
import { subjectLock } from "../client/controls.ts";
import { patient } from "../client/patience.ts";
import { subjectOf } from "../client/subjects.ts";
import type { Answer } from "../client/target.ts";
import { changes } from "../history/differences.ts";
import type { JsonObject } from "../spec/json.ts";
import { echoFaults } from "./echo.ts";
import { type LastSeen, readBack, readerOf } from "./read-back.ts";
import { nextSalt, pick, sendUpdate, unusualSwitches } from "./updating.ts";

/** Work on the one resource that an update may change, in turns. */
export async function onSubject<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const id = await subjectOf(target, operation, "write");
  return target.exclusive(subjectLock(operation), () => work(id));
}

/** What is known of how a reader shows updates. */
interface Lateness {
  /** Whether it has shown one only after a while. */
  late: boolean;
  /** Pointers of what was waited for in vain: it is not waited for again. */
  lost: Set<string>;
}

function latenessOf(call: Call): Promise<Lateness> {
  const { target, operation } = call;
  return target.once(`lateness ${operation.id}`, async () => ({ late: false, lost: new Set<string>() }));
}

/** Whether reads were seen to show an update only after a while. */
export async function lagsBehind(call: Call): Promise<boolean> {
  return (await latenessOf(call)).late;
}

/**
 * The resource after an update that was accepted, read again until it shows the sent values, and the kept ones of other
 * fields, or until the consistency timeout is over. Throws Untestable if it can't be read back.
 */
export async function readSettled(
  call: Call,
  id: string,
  sent: JsonObject,
  kept: JsonObject = {},
): Promise<LastSeen> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  const lateness = await latenessOf(call);
  const started = performance.now();
  let looks = 0;
  let missing: string[] = [];
  const look = async () => {
    looks++;
    const seen = await readBack(call, id, { shared: looks === 1 });
    const faults = await echoFaults(target, operation, sent, seen.resource, reader);
    const lost = changes(kept, pick(seen.resource, new Set(Object.keys(kept))));
    missing = [...faults, ...lost]
      .map(({ pointer }) => pointer)
      .filter((pointer) => !lateness.lost.has(pointer));
    return seen;
  };
  const seen = await patient(target, look, () => missing.length === 0);
  for (const pointer of missing) lateness.lost.add(pointer);
  if (looks === 1 || missing.length > 0) return seen;
  lateness.late = true;
  return { ...seen, delay: performance.now() - started };
}

/** The resource as it is now: a read since the run last wrote will do, unless reads lag behind. Throws Untestable. */
export async function readNow(call: Call, id: string): Promise<LastSeen> {
  return readBack(call, id, { shared: !(await lagsBehind(call)) });
}

/** Sends a valid update of all fields, switches at what is not usual, and reads the resource as it is then. */
export async function beginAnew(call: Call, id: string): Promise<LastSeen & { answer: Answer }> {
  const { target, operation } = call;
  const body = await call.body("full", nextSalt(target));
  const switches = Object.entries(unusualSwitches(target.spec, operation)).filter(([name]) => name in body);
  const sent = { ...body, ...Object.fromEntries(switches) };
  const answer = await sendUpdate(call, id, sent);
  return { answer, ...(await readSettled(call, id, sent)) };
}
