import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isLater, type SentCreate, type Use } from "../creates/keys.ts";
import type { Entry } from "../entry.ts";
import type { History } from "../history.ts";
import { type Violation, wrongStatus } from "../result.ts";

interface RejectedCreate {
  rejected: SentCreate;
  /** Shows that no quota explains the rejection. */
  accepted: Use;
}

/** Returns rejected valid creates if a later similar create was accepted. */
export function wronglyRejected(
  history: History,
  create: Operation,
  isAlike: (accepted: Use, rejected: SentCreate) => boolean,
): RejectedCreate[] {
  const { accepted, rejected } = history.creates(create);
  return rejected.flatMap((call) => {
    // The state of another parent, or of the resource of an action, may explain the rejection.
    const isBeside = ({ entry }: Use) => sameJson(entry.path, call.entry.path);
    const later = accepted.find((use) => isLater(use, call) && isBeside(use) && isAlike(use, call));
    return later && isValid(history, create, call, later) ? [{ rejected: call, accepted: later }] : [];
  });
}

function isValid(history: History, create: Operation, { entry, body }: SentCreate, later: Use): boolean {
  const { faults, doubts } = history.answers.classification(entry);
  const key = `header/${create.idempotencyKey?.name.toLowerCase()}`;
  const isOpen = doubts.some(({ place }) => place === key || body !== later.body);
  return history.isOrdinary(entry) && faults.length === 0 && !isOpen;
}

/** Returns the violation of a rejected create. */
export function notAccepted(what: string, { entry }: SentCreate, ...before: Entry[]): Violation {
  return wrongStatus(`${what} to be accepted`, entry, before);
}

/** True if the bodies differ in some of these fields, and in no others. */
export function isSameBut({ sent: one }: SentCreate, { sent: other }: SentCreate, fields: string[]): boolean {
  const without = (sent: JsonObject) => ({
    ...sent,
    ...Object.fromEntries(fields.map((name) => [name, null])),
  });
  return sameJson(without(one), without(other)) && !sameJson(one, other);
}
