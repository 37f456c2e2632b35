/**
 * Looks for the shortest history that still shows a violation. It sends as few requests of the run as
 * possible again, on a fresh resource, and judges them by the rule that found the violation.
 */

import { type Check, Untestable } from "../client/check.ts";
import { resourceOf, type Target } from "../client/target.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import { type Entry, header, isAccepted, resourceIn } from "../history/entry.ts";
import { History } from "../history/history.ts";
import { pathId } from "../history/resource-kinds.ts";
import { type Violation, violationIn } from "../history/result.ts";
import { identityOf } from "../spec/identity.ts";
import type { Operation } from "../spec/model/spec.ts";
import { replacedIn } from "./replaced.ts";

const MOST_REQUESTS = 60;
/** Numbers of earlier writes that are sent too, tried in this order. */
const LENGTHS = [1, 2, 4, 8];
/** Numbers of earlier requests of all kinds that are sent too, if no writes show the violation. */
const LENGTHS_WITH_READS = [4, 12, 24];
/** The search waits at most this often for a late answer. */
const MOST_WAITS = 3;
/** A violation of reads must show this often after the read that causes it, and never without. */
const TIMES = 5;
/** The most earlier reads of the same thing, and of anything, that are tried as its cause. */
const MOST_CAUSES = 2;
/** Matches run tags in bodies. A service may accept a value with one only once. */
const MARK = /pc-[0-9a-f]{8}-[0-9a-z]{4,}/g;

type Sender = Pick<Target, "spec" | "settings" | "send" | "unique" | "pause">;

export interface Shrinking {
  history: History;
  /** A target with a new round of its own, and the entries of that round. */
  target(): { target: Sender; entries(): Entry[] };
  planOf(entry: Entry): RequestPlan;
  /** True if any verdict may need the entry, e.g. a list of the records that fields refer to. */
  isCommonKnowledge(entry: Entry): boolean;
}

/** Requests that may be sent again, in the order of the run. */
interface Steps {
  /** Requests without which the violation does not show. */
  core: Entry[];
  /** Reads of the same operation before the offending request. */
  before: Entry[];
  /** Writes before and after the last request of the core. */
  earlier: Entry[];
  later: Entry[];
  /** All requests between the first and the last one of the core, reads included. */
  between: Entry[];
  /** True if the run made the resource, so that nobody else writes to it. */
  isOwn: boolean;
}

/** A history that shows the violation, and the violation as the rule found it there. */
export interface Shrunk {
  entries: Entry[];
  violation: Violation;
}

/**
 * The shortest history that shows the violation; undefined if none was found within the limit. A violation
 * that did not show in the second round must show twice more, on resources of the run: a volatile field
 * hardly changes three times at the same place. A violation of reads must show each time after the read
 * before it, and never without. Only this confirms one that has an excuse.
 */
export async function shrink(
  check: Check,
  violation: Violation,
  shrinking: Shrinking,
  { isUnsteady = false, isExcused = false } = {},
): Promise<Shrunk | undefined> {
  const search = new Search(check, shrinking);
  const steps = stepsOf(violation, shrinking.history);
  const isOfReads = isUnsteady && !steps.isOwn && !steps.core.some(isWrite);
  if (!isOfReads && (isExcused || steps.core.length < 2 || (isUnsteady && !steps.isOwn))) return undefined;
  try {
    if (isOfReads) return await search.afterAnotherRead(steps);
    await search.run(steps);
    return isUnsteady && !(await search.showsAgain()) ? undefined : search.best;
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return isUnsteady ? undefined : search.best;
  }
}

class Search {
  readonly #check: Check;
  readonly #shrinking: Shrinking;
  readonly #known: readonly Entry[];
  best: Shrunk | undefined;
  /** The requests of the run that the best history repeats. */
  #steps: readonly Entry[] | undefined;
  #left = MOST_REQUESTS;
  #waits = 0;

  constructor(check: Check, shrinking: Shrinking) {
    this.#check = check;
    this.#shrinking = shrinking;
    this.#known = shrinking.history.entries.filter((entry) => shrinking.isCommonKnowledge(entry));
  }

  /** Adds requests until the violation shows, then leaves out one after the other. */
  async run({ core, earlier, later, between }: Steps): Promise<void> {
    if (await this.#shows(core, [])) return;
    const passes = [
      { before: earlier, lengths: LENGTHS },
      { before: later, lengths: LENGTHS },
      { before: between, lengths: LENGTHS_WITH_READS },
    ];
    for (const { before, lengths } of passes)
      for (const [at, length] of lengths.entries()) {
        // There are no more requests than the last attempt took.
        if (before.length <= (lengths[at - 1] ?? 0)) break;
        const added = before.slice(-length);
        if (await this.#shows(core, added)) return this.#leaveOut(core, added);
      }
  }

  /**
   * The violation if the read before it causes it, which means that it shows every time after that read, and
   * never without.
   */
  async afterAnotherRead({ core, before }: Steps): Promise<Shrunk | undefined> {
    const urls = new Set(core.map(({ request }) => request.url));
    const ofSame = before.filter(({ request }) => urls.has(request.url));
    const causes = new Set([...ofSame.slice(-MOST_CAUSES), ...before.slice(-MOST_CAUSES)]);
    for (const one of causes) if (await this.#isCausedBy(core, one)) return this.best;
    return undefined;
  }

  async #isCausedBy(core: readonly Entry[], one: Entry): Promise<boolean> {
    const [alone, after] = [
      { added: [], isDue: false },
      { added: [one], isDue: true },
    ];
    for (let time = 0; time < TIMES; time++) {
      // The order alternates, since a fault of every second request would look the same otherwise.
      const tries = time % 2 === 0 ? [alone, after] : [after, alone];
      for (const { added, isDue } of tries) if ((await this.#shows(core, added)) !== isDue) return false;
    }
    return true;
  }

  /** True if the shortest history shows the violation once more. */
  async showsAgain(): Promise<boolean> {
    return this.#steps !== undefined && this.#shows(this.#steps, []);
  }

  async #leaveOut(core: readonly Entry[], added: readonly Entry[]): Promise<void> {
    let kept = [...added];
    for (const one of added) {
      const without = kept.filter((other) => other !== one);
      if (await this.#shows(core, without)) kept = without;
    }
  }

  /** Sends only these requests again. Returns true if the violation shows. */
  async #shows(core: readonly Entry[], added: readonly Entry[]): Promise<boolean> {
    const steps = [...core, ...added].sort((one, other) => one.index - other.index);
    if (steps.length > this.#left) return false;
    const { target, entries } = this.#shrinking.target();
    const again = new Again(target, this.#shrinking);
    for (const step of steps) {
      this.#left--;
      await again.send(step);
    }
    let shrunk = this.#judged(target, entries());
    // An old value may be late, so it is read again a few times.
    if (shrunk === "open" && this.#waits++ < MOST_WAITS) {
      await target.pause(target.settings.visibilityDelay);
      const last = steps.at(-1);
      this.#left--;
      if (last?.request.method === "GET") await again.send(last);
      shrunk = this.#judged(target, entries());
    }
    if (shrunk === "open" || shrunk === undefined) return false;
    this.best = shrunk;
    this.#steps = steps;
    return true;
  }

  #judged(target: Sender, entries: Entry[]): Shrunk | "open" | undefined {
    const { head } = this.#shrinking.history;
    const history = new History(target.spec, head, entries, [...this.#known, ...entries]);
    const violation = violationIn(this.#check.verdict?.(history));
    if (violation) return { entries, violation };
    const isOpen = history.journal.sightings.some(({ standing }) => standing === "open");
    return isOpen ? "open" : undefined;
  }
}

/** Sends requests of the run again, with the ids, keys and tags of the new resources. */
class Again {
  readonly #target: Sender;
  readonly #shrinking: Shrinking;
  /** By text of the run, the text that is sent in its place. */
  readonly #instead = new Map<string, string>();

  constructor(target: Sender, shrinking: Shrinking) {
    this.#target = target;
    this.#shrinking = shrinking;
  }

  async send(entry: Entry): Promise<void> {
    const plan = this.#shrinking.planOf(entry);
    if (plan.operation.kind !== "create") {
      await this.#target.send(replacedIn(plan, this.#instead), { role: "again" });
      return;
    }
    const renewed = this.#renewed(plan, entry);
    const answer = await this.#target.send(replacedIn(renewed, this.#instead), { role: "again" });
    const identity = identityOf(this.#target.spec, plan.operation);
    const before = resourceIn(entry)?.[identity];
    const made = resourceOf(answer)?.[identity];
    if (typeof before === "string" && typeof made === "string") this.#instead.set(before, made);
  }

  /** A creation with a new key and new run tags. */
  #renewed(plan: RequestPlan, entry: Entry): RequestPlan {
    const { idempotencyKey } = plan.operation;
    const key = idempotencyKey && header(entry.request.headers, idempotencyKey.name);
    const { unique } = this.#target;
    for (const mark of JSON.stringify(plan.body ?? null).match(MARK) ?? [])
      if (!this.#instead.has(mark)) this.#instead.set(mark, unique());
    if (!idempotencyKey || key === undefined) return plan;
    if (!this.#instead.has(key)) this.#instead.set(key, headerText(idempotencyKey.schema, unique()));
    return withHeaders(plan, { [idempotencyKey.name]: key });
  }
}

/** The requests that the violation always needs, and those before each of them that it may need. */
function stepsOf(violation: Violation, { spec, entries }: History): Steps {
  const shown = violation.shownBy.map(({ entry }) => entry);
  const ids = new Set(shown.flatMap((entry) => pathId(entry) ?? []));
  // If a creation was sent twice with one key, both answers show the same id, and the first one made the
  // resource.
  const made = [...ids].flatMap(
    (id) =>
      entries.find(
        (entry) => isCreation(entry) && String(resourceIn(entry)?.[identityOf(spec, entry.operation)]) === id,
      ) ?? [],
  );
  const core = [...new Set([...made, ...shown])].sort((one, other) => one.index - other.index);
  const [first, last] = [core[0]?.index ?? 0, core.at(-1)?.index ?? 0];
  const operations = new Set(core.filter(isWrite).map(({ operation }) => operation));
  const probes = new Set(shown.map(({ probe }) => probe));
  const between = entries.filter(
    ({ index, probe, operation, repeats }) =>
      index > first &&
      index < last &&
      repeats === undefined &&
      (probes.has(probe) || operations.has(operation)),
  );
  const others = between.filter((entry) => !core.includes(entry));
  const writes = others.filter(isWrite);
  const lastWrite = core.findLast(isWrite)?.index ?? last;
  const offending = violation.shownBy.find((each) => each.offending !== undefined)?.entry ?? shown.at(-1);
  return {
    core,
    before: entries.filter(
      (entry) =>
        entry.operation === offending?.operation &&
        entry.index < (offending?.index ?? 0) &&
        !isWrite(entry) &&
        !core.includes(entry),
    ),
    earlier: writes.filter(({ index }) => index < lastWrite),
    later: writes.filter(({ index }) => index > lastWrite),
    between: others,
    isOwn: made.length > 0,
  };
}

function isWrite({ request }: Entry): boolean {
  return request.method !== "GET";
}

function isCreation(entry: Entry): entry is Entry & { operation: Operation } {
  return entry.operation?.kind === "create" && isAccepted(entry);
}
