/** Finds resources of rejected creating calls, once for the whole run, by the tags in their bodies. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { idOf } from "../client/creations.ts";
import { restAtTheEnd } from "../client/patience.ts";
import { type Answer, isRejected, type Target } from "../client/target.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { acceptedCreations } from "./creation.ts";
import { sinceFirst } from "./listed.ts";

/** A rejected creating call. No other call has the tags of its body. */
export interface RejectedCreation {
  sent: JsonObject;
  answer: Answer;
}

/** The rejected bodies of an operation so far. */
export function refusedSoFar(call: Call): Promise<RejectedCreation[]> {
  const { target, operation } = call;
  return target.once(`refused ${operation.id}`, async () => []);
}

/** Remembers a rejection, so that its effects are searched for at the end. */
export async function rememberRefused(call: Call, sent: JsonObject, answer: Answer): Promise<void> {
  const { operation } = call;
  if (operation.kind === "create" && isRejected(answer)) (await refusedSoFar(call)).push({ sent, answer });
}

function marksIn(target: Target, value: unknown): string[] {
  return JSON.stringify(value).match(new RegExp(`pc-${target.runId}-[0-9a-z]+`, "g")) ?? [];
}

/** @throws Violation if a list shows a tag of a rejected call */
export async function mustLeaveNothing(
  call: Call,
  list: Operation,
  refused: RejectedCreation[],
): Promise<void> {
  const { target, operation } = call;
  if (refused.length === 0)
    throw new Untestable("no-data", "nothing was rejected, so nothing can be left behind");
  const made = await acceptedCreations(call);
  const byTime = made.sort((a, b) => a.answer.exchange.startedAt.localeCompare(b.answer.exchange.startedAt));
  const [first, last] = [byTime[0], byTime.at(-1)];
  const firstId = first && idOf(target, first);
  if (firstId === undefined)
    throw new Untestable("control-rejected", `${operation.key} accepted nothing that could be looked beside`);
  await restAtTheEnd(target, Math.min(target.settings.visibilityDelay, 300));
  const shown = await sinceFirst(
    target,
    list,
    firstId,
    last === first ? undefined : last && idOf(target, last),
  );
  const byMark = new Map(
    refused.flatMap((one) => marksIn(target, one.sent).map((mark) => [mark, one] as const)),
  );
  for (const { item, page } of shown) {
    const culprit = marksIn(target, item)
      .map((mark) => byMark.get(mark))
      .find((one) => one !== undefined);
    if (culprit) {
      throw new Violation("nothing left of the rejected call", `${describeValue(item)} in the list`, [
        culprit.answer,
        page,
      ]);
    }
  }
}
