import { idActedOn } from "../../history/answers/actions-done.ts";
import {
  type Entry,
  hasSameCaller,
  inOrder,
  isAccepted,
  isRejected,
  isWrite,
  objectSent,
  overlaps,
  pathId,
  resourceIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { mayShareParents, resourceKinds } from "../../history/resource-kinds.ts";
import type { Violation, WrongField } from "../../history/result.ts";
import { pathParametersOf } from "../../spec/actions.ts";
import { identityOf } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import { interleaved, preferredFirst } from "../../spec/ordered.ts";
import { acceptedLike, resetOf, twinOf } from "./accepted-steps.ts";
import { likelyCauses } from "./likely-causes.ts";
import { isCreation } from "./sent-again.ts";

const MOST_NEAREST = 2;
const MOST_EARLIER = 2;

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
  writesBefore: Entry[];
  writesAfter: Entry[];
  others: Entry[];
  /** True if the run made the resource, so nobody else writes it. */
  isOwn: boolean;
}

/** Returns the requests that may belong to the violation, in order. */
export function stepsOf({ shownBy, wrongField }: Violation, history: History): Steps {
  const shown = shownBy.map(({ entry }) => entry);
  // The paths also name parents of nested resources.
  const ids = new Set(shown.flatMap(({ path }) => Object.values(path)));
  const made = wrongField?.made ? [wrongField.made] : [];
  const creates = [...made, ...shown.flatMap((entry) => createsNamedIn(entry, history))];
  const offender = shownBy.find(({ offending }) => offending !== undefined);
  const setting = wrongField
    ? unlessMadeAlike(wrongField)
    : offender && settingWrite(offender, creates, history);
  const lastIndex = shown.at(-1)?.index ?? 0;
  const actions = shown.flatMap((entry) => actionsOnNamed(entry, lastIndex, history));
  const firstPages = shown.flatMap((entry) => firstPageOf(entry, history) ?? []);
  const core = inOrder([...creates, ...(setting ? [setting] : []), ...actions, ...firstPages, ...shown]);
  const offending = offender?.entry ?? shown.at(-1);
  const causes = offending ? causesOf(offending, core, shown, history) : [];
  const others = othersBetween(core, shown, history);
  const lastWrite = (core.findLast(isWrite) ?? core.at(-1))?.index ?? 0;
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
    writesBefore: likelyLast(writesBefore, (entry) => ids.has(pathId(entry) ?? "")),
    writesAfter: likelyLast(
      others.filter((entry) => isWrite(entry) && entry.index > lastWrite),
      (entry) => wrongField !== undefined && sendsShownValue(entry, wrongField),
    ),
    others,
    isOwn: creates.length > 0,
  };
}

/**
 * Returns the entries that may have caused the violation. If a read was repeated, and the answers differ,
 * either answer may be the wrong one.
 */
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

function sendsShownValue(entry: Entry, { name, shown }: WrongField): boolean {
  const sent = sentIn(entry, name);
  return sent !== undefined && sameJson(sent, shown);
}

function sentIn(entry: Entry, name: string): unknown {
  return objectSent(entry)?.[name];
}

/**
 * Returns the first create of each resource in the path. Later ones repeat its idempotency key. Resources of other
 * kinds, or below other parents, may have the same id.
 */
function createsNamedIn(shown: Entry, { spec, entries }: History): Entry[] {
  const { operation, path } = shown;
  const named = operation ? pathParametersOf(operation) : [];
  return Object.entries(path).flatMap(([name, id]) => {
    const madeBy = named.find((parameter) => parameter.name === name)?.madeBy;
    const isMaker = (entry: Entry) =>
      isCreation(entry) &&
      entry.operation.id === madeBy &&
      String(resourceIn(entry)?.[identityOf(spec, entry.operation)]) === id;
    const isBeside = (entry: Entry) =>
      Object.entries(entry.path).every(([other, value]) => (path[other] ?? value) === value);
    const makers = entries.filter((entry) => isMaker(entry) && isBeside(entry));
    // A request may also name another space than that of the resource.
    return makers.find((entry) => mayShareSpace(entry, shown)) ?? makers[0] ?? [];
  });
}

/** True if both requests may be in one space. Resources of two spaces may have the same id. */
function mayShareSpace(one: Entry, other: Entry): boolean {
  return one.space === null || other.space === null || one.space === other.space;
}

/** Returns the last action on each resource in the path. Resources of other kinds may have the same id. */
function actionsOnNamed({ operation, path }: Entry, before: number, { spec, entries }: History): Entry[] {
  const named = operation ? pathParametersOf(operation) : [];
  return named.flatMap((parameter) => {
    const isOn = (entry: Entry) => {
      const other = entry.operation?.outer.at(-1);
      return (
        idActedOn(spec, entry) === path[parameter.name] &&
        (other?.madeBy === parameter.madeBy || entry.operation === operation)
      );
    };
    return entries.findLast((entry) => entry.index < before && isOn(entry)) ?? [];
  });
}

/**
 * Returns the other writes to the same resources. The history of a fixture begins before the core, with its
 * last writes.
 */
function othersBetween(core: readonly Entry[], shown: readonly Entry[], { entries }: History): Entry[] {
  const first = core[0]?.index ?? 0;
  const ids = new Set(shown.flatMap((entry) => pathId(entry) ?? []));
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

function unlessMadeAlike({ name, made, setBy }: WrongField): Entry | undefined {
  const isAlike = made && setBy && sameJson(resourceIn(made)?.[name], sentIn(setBy, name));
  return isAlike ? undefined : (setBy ?? undefined);
}

/** Returns the write that set the offending field, or `undefined` if none is known. */
function settingWrite(
  { entry, offending = "" }: Violation["shownBy"][number],
  creates: readonly Entry[],
  { spec, entries }: History,
): Entry | undefined {
  const [, , field = ""] = offending.split("/");
  const kind = resourceKinds(spec).find(
    ({ updates, views }) =>
      entry.operation && (updates.includes(entry.operation) || views.has(entry.operation.id)),
  );
  // Resources of other kinds, or below other parents, may have the same id.
  const isOfOne = (write: Entry) =>
    kind === undefined ||
    (write.operation !== null &&
      kind.updates.includes(write.operation) &&
      mayShareParents(kind, write, entry));
  const setting = entries.findLast(
    (write) =>
      isWrite(write) &&
      write.ended < entry.begun &&
      pathId(write) === pathId(entry) &&
      isOfOne(write) &&
      mayShareSpace(write, entry) &&
      isAccepted(write) &&
      sentIn(write, field) !== undefined,
  );
  if (!setting) return undefined;
  const isCreated = creates.some((create) => sameJson(resourceIn(create)?.[field], sentIn(setting, field)));
  return isCreated ? undefined : setting;
}

/**
 * Returns the read of the first page whose cursor leads to this one. A service may remember how far a client
 * has read, so the first page is read again.
 */
function firstPageOf({ index, request, operation }: Entry, { lists }: History): Entry | undefined {
  const [, cursor] = request.query.find(([name]) => name === operation?.list?.after?.name) ?? [];
  if (!operation || cursor === undefined) return undefined;
  const leads = ({ entry, next }: ListPage) => next === cursor && entry.index < index;
  return lists.reads(operation).findLast(({ pages }) => pages.some(leads))?.pages[0]?.entry;
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
