import { groupedByEach } from "../../spec/grouped.ts";
import { idText, isCounter } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import {
  type Entry,
  type Head,
  isAccepted,
  isOrdinary,
  isRejected,
  pathId,
  requestJson,
  resourceIn,
} from "../entry.ts";
import {
  mayShareParents,
  type ResourceKind,
  resourceKinds,
  type ShownResource,
  shownBy,
} from "../resource-kinds.ts";

export interface Stray {
  text: string;
  kind: ResourceKind;
  sender: Entry;
  shownBy: Entry;
  id: string;
}

/** `spills` were sent to another resource, `leaks` in a rejected update. */
export interface Strays {
  spills: Stray[];
  leaks: Stray[];
}

/** Finds strays by the run tag: a text without it may be equal by chance. */
export function straysIn(spec: Spec, head: Head, entries: readonly Entry[]): Strays {
  const { runTag } = head;
  if (runTag === null) return { spills: [], leaks: [] };
  const kinds = resourceKinds(spec);
  const senders = groupedByEach(entries, (entry) => textsOfRun(runTag, requestJson(entry)));
  const spills = new Map<string, Stray>();
  const leaks = new Map<string, Stray>();
  for (const entry of entries.filter((entry) => isOrdinary(entry, head)))
    for (const { text, kind, shown } of taggedTexts(spec, kinds, entry, runTag)) {
      const own = senders.get(text) ?? [];
      const stray = { text, kind, shownBy: entry, id: shown.id };
      const spilled = unrelatedSender(own, kind, entry, shown, text);
      if (spilled && !spills.has(text)) spills.set(text, { ...stray, sender: spilled });
      const leaked = rejectedSender(own, kind, entry);
      if (leaked && !leaks.has(text)) leaks.set(text, { ...stray, sender: leaked });
    }
  return { spills: [...spills.values()], leaks: [...leaks.values()] };
}

function taggedTexts(
  spec: Spec,
  kinds: readonly ResourceKind[],
  entry: Entry,
  runTag: string,
): { text: string; kind: ResourceKind; shown: ShownResource }[] {
  if (!mayShow(entry, runTag)) return [];
  return kinds.flatMap((kind) =>
    shownBy(spec, kind, entry).flatMap((shown) =>
      textsOfRun(runTag, shown.fields).map((text) => ({ text, kind, shown })),
    ),
  );
}

function mayShow({ response }: Entry, text: string): boolean {
  return "body" in response && (response.body.text.includes(text) || response.body.text.includes("\\u"));
}

/** Returns the latest sender of the text if all were accepted updates of other resources, or `undefined`. */
function unrelatedSender(
  senders: Entry[],
  kind: ResourceKind,
  entry: Entry,
  { id, fields }: ShownResource,
  text: string,
): Entry | undefined {
  const earlier = senders.filter((sender) => sender.begun < entry.ended && !isRejected(sender));
  const isUnrelated = (sender: Entry) =>
    isUpdateOf(kind, sender.operation) &&
    isAccepted(sender) &&
    sender.space === entry.space &&
    !(namedBy(kind, sender).includes(id) && mayShareParents(kind, sender, entry)) &&
    !isOfNamed(fields, text, namedBy(kind, sender));
  return earlier.length > 0 && earlier.every(isUnrelated) ? earlier.at(-1) : undefined;
}

function rejectedSender(senders: Entry[], kind: ResourceKind, entry: Entry): Entry | undefined {
  const sender = senders.findLast((sender) => sender.ended < entry.begun);
  const isOfRejected = senders.every((sender) => isRejected(sender) || sender.begun > entry.ended);
  return isOfRejected && sender && isUpdateOf(kind, sender.operation) ? sender : undefined;
}

function isUpdateOf({ updates }: ResourceKind, operation: Operation | null): boolean {
  return operation !== null && updates.includes(operation);
}

function namedBy({ identity }: ResourceKind, entry: Entry): string[] {
  const answered = resourceIn(entry)?.[identity];
  return [pathId(entry) ?? [], answered === undefined ? [] : String(answered)].flat();
}

/** True if the value has the run tag, which nobody else sends. */
export function holdsRunTag(shown: unknown, runTag: string | null): boolean {
  return runTag !== null && JSON.stringify(shown ?? null).includes(runTag);
}

/** Returns texts with the run tag, which other clients can't have sent. */
export function textsOfRun(runTag: string, value: unknown): string[] {
  return textsIn(value).filter((text) => text.includes(runTag));
}

/** Returns all texts in a value, also in its parts. */
export function textsIn(value: unknown): string[] {
  const found: string[] = [];
  const visit = (part: unknown) => {
    if (typeof part === "string") found.push(part);
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return found;
}

/**
 * True if the record shows the text only beside an id of these: it may embed another record. A small number in the record
 * itself need not be an id.
 */
export function isOfNamed(record: JsonObject, text: string, ids: readonly string[]): boolean {
  const distinctive = ids.filter((id) => !isCounter(id));
  const isIn = (values: unknown[], sought: readonly string[]) =>
    values.some((value) => idText(value) !== undefined && sought.includes(String(value)));
  const showsAlone = (part: unknown): boolean => {
    if (typeof part === "string") return part.includes(text);
    if (typeof part !== "object" || part === null) return false;
    const values = Object.values(part);
    return !isIn(Array.isArray(part) ? [] : values, ids) && values.some(showsAlone);
  };
  const own = Object.values(record);
  return isIn(own, distinctive) || !own.some(showsAlone);
}

/** Returns the tags of the run that the value holds. In recorded traffic, `head.tags` lists the tags. */
export function tagsIn({ runTag, tags }: Head, value: unknown): string[] {
  if (tags !== undefined) return textsIn(value).filter((text) => tags.has(text));
  if (runTag === null) return [];
  return JSON.stringify(value ?? null).match(new RegExp(`${runTag}-[0-9a-z]+`, "g")) ?? [];
}

/** Returns the requests that sent each text of the run. */
export function sendersByTag(head: Head, entries: readonly Entry[]): Map<string, Entry[]> {
  return groupedByEach(entries, (entry) => new Set(tagsIn(head, requestJson(entry))));
}
