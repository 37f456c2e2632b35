import type { Check } from "../client/check.ts";
import { isReference } from "../client/relations.ts";
import { withOuterPath } from "../client/resources.ts";
import { withRequired } from "../client/samples.ts";
import { EvidenceLog } from "../client/sending/evidence.ts";
import { wait } from "../client/sending/load-limits.ts";
import type { CheckTarget, Probe } from "../client/target.ts";
import type { Entry } from "../history/entry.ts";
import { traitsOf } from "../history/traits/traits.ts";
import { SeenValues } from "../profiles/seen-values.ts";
import { addTo } from "../spec/grouped.ts";
import { keptIn } from "../spec/memoized.ts";
import type { CheckFacts } from "../spec/model/check.ts";
import type { CheckResult } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { Cleanups, LONGEST_CLEAN_UP_MS } from "./cleanups.ts";
import type { Confirmation } from "./confirming/confirm.ts";
import { skippedIfOfQuota } from "./confirming/excused.ts";
import { Rejections } from "./confirming/rejections.ts";
import { type RecordedFinding, Shortening } from "./confirming/shortening.ts";
import { Connection, type Listeners, type Onlookers } from "./connection.ts";
import { Histories, provenLater } from "./histories.ts";
import { type Judged, judge, resultOfVerdict, skippedResult } from "./judge.ts";
import type { Judge, Summary } from "./loop.ts";
import type { Cost } from "./planning/estimate.ts";
import { ChecksById, type PlannedCheck, whyForbidden } from "./planning/plan.ts";
import { Recorded } from "./recorded.ts";
import { RunRecord } from "./reporting/run-record.ts";
import { suggestedProfile } from "./reporting/suggested-profile.ts";
import { type RoundState, RoundStates } from "./round-state.ts";
import { newRunId } from "./run-id.ts";

export class Session implements Judge {
  readonly #settings: Settings;
  readonly #connection: Connection;
  readonly #record = new RunRecord();
  readonly #rejections = new Rejections();
  readonly #rounds = new RoundStates();
  readonly #first = this.#rounds.first;
  readonly histories: Histories;
  readonly #checks: ChecksById;
  readonly #results = new Map<string, CheckResult>();
  #onEntry: ((entry: Entry) => void) | undefined;
  readonly #suspected = new Set<string>();
  readonly #cleanups = new Cleanups();
  readonly #shortening: Shortening;
  readonly #runId = newRunId();
  #uniqueTexts = 0;

  constructor(
    private readonly spec: Spec,
    settings: Settings,
    onlookers: Onlookers = {},
    readonly replayed: ReadonlyMap<string, RecordedFinding> = new Map(),
  ) {
    // The preflight must not change the caller's fixtures.
    this.#settings = { ...settings, fixtures: { ...settings.fixtures } };
    this.#checks = new ChecksById(spec, this.#settings);
    const listeners: Listeners = {
      limited: (hasRetryAfter) => this.#record.limited(hasRetryAfter),
      ended: (why) => this.#rejections.end(why),
      answered: (answer, { asker, valid }) => {
        this.#record.charge(asker, this.created, answer.exchange);
        this.#rejections.see(answer.plan.operation, answer.status, asker, valid);
      },
    };
    const recorded = (entry: Entry) => {
      onlookers.recorded?.(entry);
      this.#onEntry?.(entry);
    };
    const all = { ...onlookers, recorded };
    this.#connection = new Connection(spec, this.#settings, this.#runId, listeners, all);
    this.histories = new Histories(spec, this.#settings, this.#runId, this.#connection.recorder);
    this.#shortening = new Shortening(this.#connection, this.histories, this.#cleanups, (check) => {
      const round = this.#rounds.alone();
      return { target: this.#target(check, round), round: round.number };
    });
  }

  get recorded(): Recorded {
    return new Recorded(this.spec, this.#connection, this.histories);
  }

  get requests(): number {
    return this.#connection.load.sent;
  }

  get created(): number {
    return this.#connection.creations.all.length;
  }

  get costs(): ReadonlyMap<string, Cost> {
    return this.#record.costs;
  }

  get waiting(): number {
    return this.#connection.load.pausedFor;
  }

  preflight(): Promise<string | null> {
    return this.#connection.preflight();
  }

  get prepared(): { fixtures: Readonly<Record<string, string>>; remarks: readonly string[] } {
    return { fixtures: this.#settings.fixtures, remarks: this.#connection.remarks };
  }

  async run(planned: PlannedCheck): Promise<CheckResult> {
    const { check, skip } = planned;
    if (skip) return skippedResult(check, { spec: this.spec }, skip.reason, skip.message);
    const { result, isSuspected } = await this.#try(check, this.#first);
    if (isSuspected) this.#suspected.add(check.id);
    this.#results.set(check.id, result);
    return this.#connection.redactor.result(result);
  }

  isSuspected(checkId: string): boolean {
    return this.#suspected.has(checkId);
  }

  async tryAgain(check: Check, found?: CheckResult): Promise<Confirmation> {
    const evidence = new EvidenceLog();
    const round = this.#rounds.ofConfirmation(check);
    const target = this.#target(check, round);
    const quotaFreed = found !== undefined && (await this.#cleanups.freeActiveQuota(target, found));
    for (const id of found?.reproduce?.with ?? []) await this.#rerun(id, round);
    const { result } = await this.#try(check, round, evidence);
    return {
      result: this.#connection.redactor.result(result),
      shown: this.#connection.redactor.value(evidence.exchanges),
      quotaFreed,
    };
  }

  async shortened(check: Check, found: CheckResult): Promise<CheckResult> {
    if (this.isOver) return found;
    const target = this.#target(check, this.#rounds.alone());
    const replayed = this.replayed.get(check.id);
    return this.#connection.redactor.result(await this.#shortening.shortened(check, found, target, replayed));
  }

  provenLater(checks: readonly Check[]): CheckResult[] {
    return provenLater(checks, this.histories).map(({ check, verdict }) => {
      const target = this.#target(check, this.#first);
      return this.#connection.redactor.result(resultOfVerdict(check, verdict, target));
    });
  }

  async ask(probe: Probe): Promise<void> {
    if (!this.isOver) await this.#probed(probe, this.#first);
  }

  #probed(probe: Probe, round: RoundState, evidence = new EvidenceLog()): Promise<Error | undefined> {
    this.#checks.probes.set(probe.id, probe);
    return round.probed(probe, this.#target(probe, round, evidence));
  }

  async #rerun(id: string, round: RoundState): Promise<boolean> {
    const check = this.#checks.tried.get(id);
    const probe = this.#checks.probes.get(id);
    if (round === this.#first) return false;
    if (check) await this.#try(check, round);
    else if (probe) await this.#probed(probe, round);
    return check !== undefined || probe !== undefined;
  }

  #try(check: Check, round: RoundState, evidence = new EvidenceLog()): Promise<Judged> {
    this.#checks.tried.set(check.id, check);
    return keptIn(round.tried, check.id, async () => {
      const quota = { isConfirming: round !== this.#first, resources: this.#cleanups.active };
      const target = this.#target(check, round, evidence);
      const askers = [check.id, ...check.probes.map(({ id }) => id)];
      // After an interruption probes send nothing, but earlier answers are judged.
      const found = await judge(check, target, () => this.#record.wallTime(askers));
      return this.isOver ? found : skippedIfOfQuota(check, found, this.#target(check, round), quota);
    });
  }

  async #resultOf(asked: CheckFacts, round: RoundState): Promise<CheckResult> {
    const check = this.#checks.of(asked);
    const left = whyForbidden(check, this.#settings);
    const result = left
      ? skippedResult(check, { spec: this.spec }, left.reason, left.message)
      : (await this.#try(check, round)).result;
    if (round === this.#first) this.#results.set(check.id, result);
    return result;
  }

  interrupt(): void {
    this.#connection.ending.interrupt();
  }

  get isOver(): boolean {
    return this.#connection.ending.interrupted.aborted;
  }

  watchViolations(onViolation: (place: { requirement: string; operation: string }) => void): void {
    this.#onEntry = (entry) => this.histories.provenBy(entry).forEach(onViolation);
  }

  summary(): Summary {
    const { endedBecause } = this.#connection.ending;
    const { spoiltSince } = this.#connection;
    return this.#connection.redactor.value({
      requests: this.#connection.load.sent,
      observations: this.#record.observations,
      coverage: this.#record.coverage(this.spec, this.histories.of(1).answers),
      created: [...this.#connection.creations.all],
      traits: traitsOf(this.histories.lastJudged),
      unproven: this.#checks.unproven(this.#rejections.unproven),
      ...(endedBecause === undefined ? {} : { endedEarly: endedBecause }),
      ...(endedBecause !== undefined && spoiltSince !== undefined ? { spoiltSince } : {}),
      // Answers of a maintenance page, or to an expired token, suggest no promise.
      ...(this.#settings.suggestProfile && endedBecause === undefined && spoiltSince === undefined
        ? { suggestedProfile: this.#suggestProfile() }
        : {}),
    });
  }

  #suggestProfile(): string {
    return suggestedProfile(this.spec, this.#settings, {
      seenValues: new SeenValues(this.spec, this.histories.of(1).answers),
      result: (id) => this.#results.get(id),
      seen: (id) => this.#first.notes.get(id),
      isDeclining: (operation) => this.#rejections.isDeclining(operation),
    });
  }

  async close(): Promise<void> {
    const target = this.#target({ id: "closing" }, this.#first);
    await this.#rejections.askOnceMore(target, () => this.#connection.ending.isOver);
    this.#connection.allowCleanUp(LONGEST_CLEAN_UP_MS);
    await this.#cleanups.finish(target, () => this.#connection.creations.hasLost);
    await this.#connection.close();
  }

  #target(asker: Pick<Check, "id">, round: RoundState, evidence = new EvidenceLog()): CheckTarget {
    let locksHeld = 0;
    const underLock = async <T>(work: () => Promise<T>): Promise<T> => {
      locksHeld++;
      return work().finally(() => locksHeld--);
    };
    const target: CheckTarget = {
      spec: this.spec,
      settings: this.#settings,
      runId: this.#runId,
      send: async (planned, use = {}) => {
        const plan = await withRequired(target, await withOuterPath(target, planned));
        // Other checks wait for the lock, so requests under one are urgent.
        const by = { asker: asker.id, round: round.number, urgent: locksHeld > 0, ...use };
        const send = () => this.#connection.send(plan, by);
        return evidence.follow(await this.#cleanups.active.watch(target, plan, send, use.role));
      },
      ask: async (planned, role) => {
        const answer = await round.ask(
          planned,
          this.#connection.order,
          () => target.send(planned, { valid: true, ...(role === undefined ? {} : { role }) }),
          isReference(this.spec, planned.operation),
        );
        return evidence.follow(answer);
      },
      history: () => {
        this.#connection.ending.refuseLateJudging(round !== this.#first);
        return this.histories.of(round.number, asker.id);
      },
      writesRecorded: () => this.#connection.recorder.writesRecorded(),
      probe: (probe) => this.#probed(probe, round, evidence),
      exchangeOf: (entry) => this.#connection.exchangeOf(entry),
      memoize: (key, make) => round.memoize(key, make),
      memoizeUnjudged: (key, make) => this.#rounds.unjudged.memoize(key, make),
      withWriteLock: (key, work) => round.withWriteLock(key, () => underLock(work)),
      withReadLock: (key, work) => round.withReadLock(key, () => underLock(work)),
      note: (note, shown) => {
        // A confirmation observes nothing new, so its notes are not recorded.
        if (round === this.#first && this.spec.requirements.has(note.requirement)) this.#record.note(note);
        addTo(round.notes, asker.id, { note, evidence: shown });
      },
      resultOf: (other) => this.#resultOf(other, round),
      rerun: (id) => this.#rerun(id, round),
      checkThatSends: (id) => this.#checks.checkThatSends(id),
      exercised: (constraint, by) => this.#record.exercised(constraint, by),
      receiver: () => this.#cleanups.receiver(this.#settings, this.#runId, this.#connection.recorder),
      pause: (milliseconds) => wait(milliseconds, this.#connection.ending.interrupted),
      unique: () => `pc-${this.#runId}-${(this.#uniqueTexts++).toString(36).padStart(4, "0")}`,
    };
    return target;
  }
}
