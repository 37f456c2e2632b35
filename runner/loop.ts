import { AFTER_PROBES, type Check, ONE_BY_ONE } from "../client/check.ts";
import type { Probe } from "../client/target.ts";
import { STAGES, type Stage } from "../spec/model/check.ts";
import type { CheckResult, Coverage, CreatedResource, Observation, Trait } from "../spec/model/result.ts";
import { type Confirmation, confirmSuspected, type SuspectedViolation } from "./confirming/confirm.ts";
import { isFinding, isViolated } from "./judge.ts";
import type { PlannedCheck } from "./planning/plan.ts";

/** Checks of a stage may wait for each other, so all run at the same time. */
const UNLIMITED = 1_000;

export interface Summary {
  requests: number;
  observations: Observation[];
  coverage: Coverage;
  created?: CreatedResource[];
  traits?: Trait[];
  /** Keys are check ids, values the reason why rejections prove nothing. */
  unproven?: Record<string, string>;
  endedEarly?: string;
  spoiltSince?: string;
  suggestedProfile?: string;
}

export interface Judge {
  preflight(): Promise<string | null>;
  run(planned: PlannedCheck): Promise<CheckResult>;
  ask(probe: Probe): Promise<void>;
  isSuspected(checkId: string): boolean;
  tryAgain(check: Check, found: CheckResult): Promise<Confirmation>;
  shortened?(check: Check, found: CheckResult): Promise<CheckResult>;
  provenLater?(checks: readonly Check[]): CheckResult[];
  readonly replayed?: ReadonlyMap<string, unknown>;
  interrupt(): void;
  readonly isOver: boolean;
  watchViolations?(onViolation: (place: { requirement: string; operation: string }) => void): void;
  readonly requests: number;
  summary(): Summary;
  close(): Promise<void>;
}

export interface Execution {
  results: CheckResult[];
  problem?: string;
  summary?: Summary;
  faults: string[];
}

type OnResult = (result: CheckResult, requests: number) => void;

export interface LoopOptions {
  onResult?: OnResult;
  onSuspected?: (suspected: number, left: number) => void;
  failFast?: boolean;
  signal?: AbortSignal;
}

/**
 * Runs the stages with their probes and checks, confirms suspected violations, and returns the results. Never
 * rejects: errors of the suite are in `faults`.
 */
export async function runLoop(
  judge: Judge,
  planned: readonly PlannedCheck[],
  options: LoopOptions = {},
): Promise<Execution> {
  const { onResult, signal } = options;
  const execution: Execution = { results: [], faults: [] };
  const interrupt = () => judge.interrupt();
  if (signal?.aborted) interrupt();
  signal?.addEventListener("abort", interrupt);
  const tell = (result: CheckResult) => {
    execution.results.push(result);
    onResult?.(result, judge.requests);
  };
  try {
    const problem = await judge.preflight();
    if (problem === null) await new Stages(judge, planned, tell, execution.faults, options).run();
    else execution.problem = problem;
  } catch (error) {
    execution.faults.push(messageOf(error));
  } finally {
    // Closing may send requests, which the summary counts.
    try {
      await judge.close();
      execution.summary = judge.summary();
    } catch (error) {
      execution.faults.push(messageOf(error));
    }
    signal?.removeEventListener("abort", interrupt);
  }
  return execution;
}

/** Stages from `finish` on may lock the client out, so earlier suspicions are confirmed first. */
const ROUNDS: readonly (readonly Stage[])[] = [
  STAGES.slice(0, STAGES.indexOf("finish")),
  STAGES.slice(STAGES.indexOf("finish")),
];

/** After a failed check, confirming takes at most this many times the time before. */
const MOST_CONFIRMING_TIMES = 2;
/** The least time for confirming, in milliseconds. */
const LEAST_CONFIRMING_MS = 6_000;
/** Results behind which a rule may have excused a violation: passes, and skips with these reasons. */
const HIDE_EXCUSED: ReadonlySet<string> = new Set(["pass", "drift", "no-data"]);

class Stages {
  readonly #tell: (result: CheckResult) => void;
  readonly #begun = new Set<string>();
  readonly #order: ReadonlyMap<string, number>;
  readonly #startedAt = performance.now();
  #suspected: SuspectedViolation[] = [];
  #suspectedCount = 0;
  #unconfirmed = 0;
  #fails = false;
  readonly #violated = new Set<string>();
  #toShorten: SuspectedViolation[] = [];

  constructor(
    private readonly judge: Judge,
    private readonly planned: readonly PlannedCheck[],
    tell: (result: CheckResult) => void,
    private readonly faults: string[],
    private readonly options: LoopOptions,
  ) {
    this.#order = new Map(planned.map(({ check }, index) => [check.id, index]));
    this.#tell = (result) => {
      this.#fails ||= result.outcome === "fail";
      if (isViolated(result)) this.#violated.add(result.id);
      tell(result);
    };
  }

  /** Runs the stages one after the other, and confirms the suspected violations. */
  async run(): Promise<void> {
    if (this.options.failFast) this.judge.watchViolations?.((place) => void this.#tryAtOnce(place));
    for (const stages of ROUNDS) {
      for (const stage of stages) {
        const members = this.planned.filter(({ check }) => check.stage === stage);
        const asked = this.#askProbes(stage);
        if (AFTER_PROBES.includes(stage)) await asked;
        const concurrency = ONE_BY_ONE.includes(stage) ? 1 : UNLIMITED;
        await sideBySide(members, concurrency, (member) => this.#try(member));
        await asked;
        if (this.options.failFast) await this.#confirm();
      }
      await this.#confirm();
    }
    for (const result of this.judge.provenLater?.(this.#withoutViolation()) ?? []) this.#tell(result);
  }

  #withoutViolation(): Check[] {
    const checks = this.planned.flatMap(({ check, skip }) => (skip ? [] : [check]));
    return checks.filter(({ id }) => !this.#violated.has(id));
  }

  /** Runs each probe of the stage once, though several checks may share it. */
  async #askProbes(stage: Stage): Promise<void> {
    const probes = new Map(
      this.planned
        .flatMap(({ check, skip }) => (skip ? [] : check.probes))
        .filter((probe) => probe.stage === stage)
        .map((probe) => [probe.id, probe]),
    );
    const concurrency = ONE_BY_ONE.includes(stage) ? 1 : probes.size;
    await sideBySide([...probes.values()], concurrency, (probe) =>
      this.judge
        .ask(probe)
        .catch((error: unknown) => void this.faults.push(`${probe.id}: ${messageOf(error)}`)),
    );
  }

  async #try(member: PlannedCheck): Promise<void> {
    if (this.#begun.has(member.check.id)) return;
    this.#begun.add(member.check.id);
    try {
      const result = await this.judge.run(member);
      if (!this.judge.isSuspected(result.id)) return this.#tellOrShorten(result, member.check);
      this.#suspected.push({ check: member.check, result });
      this.#suspectedCount++;
      this.#countUnconfirmed(1);
    } catch (error) {
      this.faults.push(`${member.check.id}: ${messageOf(error)}`);
    }
  }

  /** Runs the check of a violation at once, so that `--fail-fast` can end the run. */
  async #tryAtOnce({ requirement, operation }: { requirement: string; operation: string }): Promise<void> {
    const member = this.planned.find(
      ({ check, skip }) =>
        !skip &&
        check.stage === "finish" &&
        check.operation === operation &&
        check.requirements.includes(requirement),
    );
    if (member) await this.#try(member);
  }

  #countUnconfirmed(change: number): void {
    this.#unconfirmed += change;
    this.options.onSuspected?.(this.#suspectedCount, this.#unconfirmed);
  }

  /** Tries the suspected violations again, the failures first. */
  async #confirm(): Promise<void> {
    const weight = ({ check, result }: SuspectedViolation) =>
      (result.outcome === "fail" ? 0 : this.planned.length) + (this.#order.get(check.id) ?? 0);
    const suspected = this.#suspected.sort((a, b) => weight(a) - weight(b));
    this.#suspected = [];
    const begun = performance.now();
    const most = Math.max(LEAST_CONFIRMING_MS, MOST_CONFIRMING_TIMES * (begun - this.#startedAt));
    const checks = new Map(suspected.map(({ check }) => [check.id, check]));
    await confirmSuspected(suspected, {
      tryAgain: (check, found) => this.judge.tryAgain(check, found),
      tell: (result) => {
        this.#tellOrShorten(result, checks.get(result.id));
        this.#countUnconfirmed(-1);
      },
      stopped: () => {
        if (this.judge.isOver) return { reason: "interrupted", why: "stopped early" };
        const isTooLong = this.#fails && performance.now() - begun > most;
        return isTooLong ? { reason: "budget", why: "confirming took too long" } : undefined;
      },
    });
    for (const { check, result } of this.#toShorten.splice(0))
      this.#tell(await this.#shortened(check, result));
  }

  /** Returns the result with its shortest history. If shortening fails, the finding is reported all the same. */
  async #shortened(check: Check, result: CheckResult): Promise<CheckResult> {
    try {
      return (await this.judge.shortened?.(check, result)) ?? result;
    } catch (error) {
      this.faults.push(`${check.id}: ${messageOf(error)}`);
      return result;
    }
  }

  /** Findings wait, because histories are shortened after all confirmations. */
  #tellOrShorten(result: CheckResult, check: Check | undefined): void {
    const isReplayed = this.judge.replayed?.has(result.id) === true;
    const mayBeExcused = check?.mayBeExcused === true && HIDE_EXCUSED.has(result.reason ?? result.outcome);
    const mayBecomeOne = isReplayed || mayBeExcused;
    if (check && (isFinding(result) || mayBecomeOne) && !this.options.failFast) {
      this.#fails ||= result.outcome === "fail";
      this.#toShorten.push({ check, result });
    } else this.#tell(result);
  }
}

/** Does the work for each member, for at most `concurrency` of them at a time. */
async function sideBySide<T>(
  members: readonly T[],
  concurrency: number,
  work: (member: T) => Promise<void>,
): Promise<void> {
  const queue = members.values();
  const lane = async () => {
    for (const member of queue) await work(member);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, members.length) }, lane));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
