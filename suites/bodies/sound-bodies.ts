import type { Answer } from "../../history/answers/answers.ts";
import { type Doubt, isOfRepetition } from "../../history/classification.ts";
import { isReplay } from "../../history/creates/keys.ts";
import { type Entry, isAccepted, objectSent } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

export interface SentBody {
  answer: Answer;
  entry: Entry;
  sent: JsonObject;
}

/** Returns the sent bodies, without rejected ones that have values which the service need not know. */
export function soundBodies(history: History, operation: Operation): SentBody[] {
  const made = operation.kind === "create" ? history.creates(operation).accepted : [];
  // Simultaneous calls may share a key. The first one with the resource in its answer may have made it.
  const mayHaveMade = (entry: Entry) => made.some((use) => use.entry === entry && !isReplay(use, made));
  return history.answers.to(operation).flatMap((answer): SentBody[] => {
    const { entry } = answer;
    const sent = objectSent(entry);
    const isOwn = operation.kind === "create" || history.isOfOwn(entry);
    if (!history.isOrdinary(entry) || !sent || !isOwn) return [];
    const { kind, faults, doubts: all } = history.answers.classification(entry);
    const isOpen = (doubt: Doubt) =>
      doubt.behaviour === "idempotencyReplay" ? !mayHaveMade(entry) : !isOfRepetition(doubt, entry);
    const doubts = all.filter(isOpen);
    const isFaulty = kind === "undocumented" || faults.length > 0;
    // Acceptance settles doubts about the body, but not about headers (a used key).
    const isSound = isAccepted(entry)
      ? doubts.every(({ place }) => place.startsWith("body"))
      : doubts.every(({ behaviour }) => behaviour === "unheardOfValues");
    return isFaulty || !isSound ? [] : [{ answer, entry, sent }];
  });
}
