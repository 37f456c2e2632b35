import { isServed } from "../../history/answers/served.ts";
import { type Entry, isAccepted, isRejected } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, wrongStatus } from "../../history/result.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plannedParts } from "../shared/body-parts.ts";
import { type Excuse, excuseFor, type Tested } from "./excuses.ts";
import { type SentBody, soundBodies } from "./sound-bodies.ts";

/** Judges bodies with this part. Violated if a valid body is rejected only because of the tested part. */
export function partMustBeAccepted(history: History, operation: Operation, tested: Tested): RuleResult {
  const parts = plannedParts(history.spec, operation);
  const all = soundBodies(history, operation);
  const sent = all.filter((each) => tested.isIn(each.sent) && history.isOfRound(each.entry));
  const accepted = all.filter(({ entry }) => isAccepted(entry));
  const acceptedWithPart = sent.filter(({ entry }) => isAccepted(entry));
  const isProven = ({ version, space }: Entry) =>
    !tested.areTexts &&
    acceptedWithPart.some(({ entry }) => entry.version === version && entry.space === space);
  const bodies = { operation, tested, parts, all, accepted, acceptedWithPart };
  const specialIn = (body: JsonObject) => parts.filter((part) => part.isIn(body)).length;
  const rejected = sent
    .filter(({ entry }) => isRejected(entry) && !isProven(entry))
    .map((each) => ({ ...each, excuse: excuseFor(history, bodies, each) }))
    .sort((one, other) => specialIn(one.sent) - specialIn(other.sent));
  const [first] = rejected;
  return judged(
    rejected.flatMap(({ entry, excuse }) =>
      excuse ? [] : [wrongStatus(`${tested.what} to be accepted`, entry)],
    ),
    acceptedWithPart.filter((each) => showsResource(history, operation, each)).map(({ entry }) => entry),
    notExercised(
      ...(first?.excuse ?? whyUnshown(sent)),
      sent.slice(0, 1).map(({ entry }) => entry),
    ),
  );
}

/** Judges bodies with unusual texts. Violated if fields reject them that accept plain ones of that length. */
export function textsMustBeAccepted(
  history: History,
  operation: Operation,
  fieldsIn: (sent: JsonObject) => string[],
): RuleResult {
  const isIn = (sent: JsonObject) => fieldsIn(sent).length > 0;
  return partMustBeAccepted(history, operation, { what: "legal text", isIn, fieldsIn, areTexts: true });
}

/** False if no resource was made: a service may answer 200 to everything. */
function showsResource(history: History, operation: Operation, { answer, entry }: SentBody): boolean {
  const made = operation.kind === "create" ? history.creates(operation).accepted : undefined;
  return isServed(answer) && (made?.some((use) => use.entry === entry) ?? true);
}

function whyUnshown([first]: readonly SentBody[]): Excuse {
  if (!first) return ["no-data", "no valid request had this value"];
  const { status } = first.answer;
  if (status >= 500) return ["server-error", `it was answered ${status}`];
  return ["no-data", "it was accepted, but the answer shows no resource"];
}
