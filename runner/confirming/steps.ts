import { nextOf } from "../../client/target.ts";
import {
  type Entry,
  hasSameCaller,
  inOrder,
  isAccepted,
  isRejected,
  isWrite,
  overlaps,
  pathId,
  requestJson,
  responseJson,
  sentIn,
  shownId,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { Violation, WrongField } from "../../history/result.ts";
import { idText } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { interleaved, preferredFirst } from "../../spec/ordered.ts";
import { coreOf, cursorIn } from "./core-steps.ts";
import { likelyCauses, withDifferentFaults } from "./likely-causes.ts";
import { isCreation } from "./sent-again.ts";

const MOST_NEAREST = 2;
const MOST_EARLIER = 2;
const MOST_BETWEEN = 24;

/** A request that may cause the violation if it is sent directly before one of the steps. */
interface Cause {
  cause: Entry;
  before: Entry;
}

export interface Steps {
  /** The requests that show the violation, and all that they need. */
  core: Entry[];
  offending: Entry | undefined;
  causes: Cause[];
  /** The latest requests before the offending one, of its operation. */
  nearest: Entry[];
  /** An accepted request that may undo the effect of the cause. */
  reset: Entry | undefined;
  /** For a rejected create: the first accepted one with the same fields, which rules compare it with. */
  twin: Entry | undefined;
  /** For a rejected update: an accepted update of the resource. */
  accepted: Entry | undefined;
  /** For a rejected read: a write of the resource at the same time. */
  beside: Entry | undefined;
  /** For an accepted read: other accepted reads of its operation since the step before it. */
  readsBetween: Entry[];
  writesBefore: Entry[];
  writesAfter: Entry[];
  others: Entry[];
  /** True if the run made the resource, so nobody else writes it. */
  isOwn: boolean;
}

/** Returns the requests that may belong to the violation, in order. */
export function stepsOf(violation: Violation, history: History): Steps {
  const { shownBy, wrongField } = violation;
  const shown = shownBy.map(({ entry }) => entry);
  const made = shown.flatMap((entry) => idMadeBy(entry, history.spec) ?? []);
  // The paths also name parents of nested resources.
  const ids = new Set([...shown.flatMap(({ path }) => Object.values(path)), ...made]);
  const isOfNamed = (entry: Entry) => ids.has(pathId(entry) ?? "");
  const { core, isOwn } = coreOf(violation, history);
  const offending = shownBy.find((each) => each.offending !== undefined)?.entry ?? shown.at(-1);
  const causes = offending ? causesOf(offending, core, shown, history) : [];
  const others = othersBetween(core, shown, history);
  const lastWrite = (core.findLast(isWrite) ?? core.at(-1))?.index ?? 0;
  const sendsShown = wrongField ? (entry: Entry) => sendsShownValue(entry, wrongField) : isOfNamed;
  const isLikelyAfter = isAcceptedOrFirstOfFault(others.filter(sendsShown), offending, history);
  const writesBefore = others.filter((entry) => isWrite(entry) && entry.index < lastWrite);
  return {
    core,
    offending,
    causes,
    nearest: inOrder(
      causes
        .filter(({ cause, before }) => before === offending && cause.operation === before.operation)
        .map(({ cause }) => cause),
    )
      .slice(-MOST_NEAREST)
      .reverse(),
    reset: shown[0] && resetOf(shown[0], history),
    twin: offending && twinOf(offending, history),
    accepted: offending && acceptedLike(offending, history),
    beside: offending && writeBeside(offending, history),
    readsBetween: offending ? readsBetween(offending, core, history) : [],
    writesBefore: likelyLast(writesBefore, isOfNamed),
    writesAfter: likelyLast(
      others.filter((entry) => isWrite(entry) && entry.index > lastWrite),
      isLikelyAfter,
    ),
    others,
    isOwn,
  };
}

/** Returns the entries that may have caused the violation: for a repeated read, either of its answers. */
function causesOf(
  offending: Entry,
  core: readonly Entry[],
  shown: readonly Entry[],
  history: History,
): Cause[] {
  const isRepeated = (entry: Entry) =>
    entry !== offending && !isWrite(entry) && entry.request.url === offending.request.url;
  const [own = [], ofRepeated = []] = [offending, ...shown.filter(isRepeated).slice(0, 1)].map((before) =>
    likelyCauses(before, core, history).map((cause) => ({ cause, before })),
  );
  return interleaved(own, ofRepeated);
}

function likelyLast(entries: readonly Entry[], isLikely: (entry: Entry) => boolean): Entry[] {
  return preferredFirst(entries, (entry) => !isLikely(entry));
}

/** Selects the accepted ones, and one rejected write of each fault: a faulty service may do only some of them. */
function isAcceptedOrFirstOfFault(
  entries: readonly Entry[],
  offending: Entry | undefined,
  history: History,
): (entry: Entry) => boolean {
  const rejected = offending ? withDifferentFaults(entries.toReversed(), offending, history) : [];
  const selected = new Set([...entries.filter((entry) => !isRejected(entry)), ...rejected]);
  return (entry) => selected.has(entry);
}

function sendsShownValue(entry: Entry, { name, shown }: WrongField): boolean {
  const sent = sentIn(entry, name);
  return sent !== undefined && sameJson(sent, shown);
}

/** Returns the other writes to the same resources, for a fixture also its last ones before the core. */
function othersBetween(core: readonly Entry[], shown: readonly Entry[], { spec, entries }: History): Entry[] {
  const first = core[0]?.index ?? 0;
  const ids = new Set(shown.flatMap((entry) => pathId(entry) ?? idMadeBy(entry, spec) ?? []));
  // Several operations may write the same resource.
  const isOfResource = (entry: Entry) => isWrite(entry) && ids.has(pathId(entry) ?? "");
  const earlier = entries.filter((entry) => isOfResource(entry) && entry.index < first);
  const since = core.some(isCreation) ? undefined : (earlier.at(-MOST_EARLIER) ?? earlier[0]);
  const [begin, end] = [since ? since.index - 1 : first, core.at(-1)?.index ?? 0];
  const operations = new Set(core.filter(isWrite).map(({ operation }) => operation));
  const probes = new Set(shown.map(({ probe }) => probe));
  return entries.filter(
    (entry) =>
      entry.index > begin &&
      entry.index < end &&
      entry.repeats === undefined &&
      (probes.has(entry.probe) || operations.has(entry.operation) || isOfResource(entry)) &&
      !core.includes(entry),
  );
}

function idMadeBy(entry: Entry, spec: Spec): string | undefined {
  return isCreation(entry) ? idText(shownId(spec, entry)) : undefined;
}

/** Returns an accepted write that ran at the same time as the rejected read. */
function writeBeside(offending: Entry, { entries }: History): Entry | undefined {
  if (!isRejected(offending) || isWrite(offending)) return undefined;
  return entries.find(
    (entry) =>
      isWrite(entry) &&
      isAccepted(entry) &&
      pathId(entry) === pathId(offending) &&
      overlaps(entry, offending) &&
      hasSameCaller(entry, offending),
  );
}

/** Returns the latest reads since the page that gave out the cursor (it may be forgotten) or the step before. */
function readsBetween(offending: Entry, core: readonly Entry[], { entries }: History): Entry[] {
  const earlier = core.slice(0, core.indexOf(offending));
  const cursor = cursorIn(offending);
  const issuer = earlier.findLast((entry) => nextOf({ json: responseJson(entry) }) === cursor);
  const before = issuer ?? earlier.at(-1);
  if (!before || isWrite(offending) || !isAccepted(offending)) return [];
  return entries
    .filter(
      (entry) =>
        entry.operation === offending.operation &&
        isAccepted(entry) &&
        entry.repeats === undefined &&
        entry.ended > before.ended &&
        entry.begun < offending.begun &&
        !core.includes(entry),
    )
    .slice(-MOST_BETWEEN);
}

/**
 * Returns an accepted update of the same resource, if the offending entry is a rejected update. One with values for all
 * its fields is preferred.
 */
function acceptedLike(offending: Entry, { entries }: History): Entry | undefined {
  if (!isRejected(offending) || offending.operation?.kind !== "update") return undefined;
  const accepted = entries.filter(
    (entry) =>
      entry.request.url === offending.request.url &&
      entry.operation === offending.operation &&
      isAccepted(entry) &&
      hasSameCaller(offending, entry),
  );
  const hasAllFields = (entry: Entry) =>
    fieldsIn(offending).every((name) => (sentIn(entry, name) ?? null) !== null);
  return accepted.findLast(hasAllFields) ?? accepted.at(-1);
}

/** Returns a request that may undo an effect: a read after an update, the smallest create, or another read. */
function resetOf(one: Entry, { entries }: History): Entry | undefined {
  const accepted = entries.filter(
    (entry) => entry.operation === one.operation && isAccepted(entry) && hasSameCaller(one, entry),
  );
  if (one.operation?.kind === "update")
    return entries.find(
      (entry) =>
        !isWrite(entry) && pathId(entry) === pathId(one) && isAccepted(entry) && hasSameCaller(one, entry),
    );
  if (one.operation?.kind === "create") return accepted.sort((a, b) => fieldCount(a) - fieldCount(b))[0];
  return accepted.findLast((entry) => entry.index < one.index && entry.request.url !== one.request.url);
}

/** Returns the first accepted create with the fields of this one, if it is a create. */
function twinOf(one: Entry, { entries }: History): Entry | undefined {
  if (one.operation?.kind !== "create") return undefined;
  const fields = fieldsIn(one);
  return entries.find(
    (entry) =>
      entry !== one &&
      entry.operation === one.operation &&
      isAccepted(entry) &&
      hasSameCaller(one, entry) &&
      fields.every((name) => fieldsIn(entry).includes(name)),
  );
}

function fieldCount(entry: Entry): number {
  return fieldsIn(entry).length;
}

function fieldsIn(entry: Entry): string[] {
  return Object.keys(requestJson(entry) ?? {});
}
