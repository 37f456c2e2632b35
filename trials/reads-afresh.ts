/** Reads that are sent again if a shared answer leaves a doubt. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { type Answer, asText } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import { sameJson } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import { listedAgain, listedRecords, type RecordRead } from "./listed-records.ts";
import { recordDifferences, shapesViolation } from "./same-record.ts";

/** Milliseconds between two reads of something that may be changing. */
const PAUSE = 100;

/** @throws Untestable (drift) if the list no longer shows the item */
export async function mustStillBeListed(call: Call, field: string, path: string): Promise<void> {
  const { target, operation } = call;
  const { sameRecord } = operation;
  if (!sameRecord) return;
  const list = operationById(target.spec, sameRecord.list);
  const listed = await listedRecords(target, list, call.to(list).usual.version);
  const shown = listed.find(({ item }) => asText(item[field]) === path);
  if (shown && !(await listedAgain(target, shown)))
    throw new Untestable("drift", `${path} is no longer in ${list.key}`);
}

/**
 * @throws Violation if list and read differ until the consistency timeout, while the list stays the same around the
 * read; Untestable (drift) if it never does
 */
export async function mustAgreeAfresh(
  call: Call,
  { listed, path }: RecordRead,
  requirement: string,
): Promise<void> {
  const { target, operation } = call;
  const deadline = Date.now() + target.settings.visibilityDelay;
  let before = await listedAgain(target, listed);
  for (;;) {
    const answer = await readAfresh(call, path);
    const after = await listedAgain(target, listed);
    if (!before || !after) return;
    const differences = recordDifferences(target.spec, operation, after.item, answer, requirement);
    if (differences.length === 0) return;
    if (Date.now() >= deadline) {
      if (!sameJson(before.item, after.item))
        throw new Untestable("drift", "the list changed each time it was read");
      throw shapesViolation(differences, after.page, answer);
    }
    await target.giveWay(PAUSE);
    before = after;
  }
}

export function readAfresh(call: Call, path: string): Promise<Answer> {
  return call.target.send({ ...requestTo(call.operation, call.version), path }, { valid: true });
}
