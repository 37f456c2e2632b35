/**
 * The one loop: preflight, stage after stage, suspects again, the end. The command, vitest's adapter, the proof and
 * the bench all drive it, so that what is proved is what is shipped.
 */

import { type Check, ONE_BY_ONE, STAGES, type Stage } from "../client/check.ts";
import type { Probe } from "../client/target.ts";
import type { CheckResult, Coverage, CreatedResource, Observation } from "../spec/model/result.ts";
import { confirmSuspects, type SecondTry, type Suspect } from "./confirm.ts";
import type { PlannedCheck } from "./plan.ts";
import type { Turn } from "./turns.ts";

/**
 * Checks at the same time in a stage: so many that none which could ask waits behind those that wait for each other.
 * How many requests are in flight is bounded elsewhere.
 */
const AT_ONCE = 1_000;

/** What is known once the last check has ended. */
export interface Summary {
  requests: number;
  observations: Observation[];
  /** `outcomes` are left for whoever knows how the checks came out. */
  coverage: Coverage;
  /** What the run made on the service. */
  created?: CreatedResource[];
  /** By check id: why the rejections that a check saw prove nothing, as turned out later. */
  unproven?: Record<string, string>;
  /** Why nothing more was asked from some point on, when it was so. */
  endedEarly?: string;
  /** When the answers began to come from something else than the service; RFC 3339. */
  spoiltSince?: string;
  /** A profile as the run would have it, when one was asked for: YAML. */
  suggestedProfile?: string;
}

/** Who tries the checks: a Session. */
export interface Judge {
  /** A plain sentence when the target can't be judged, else null. */
  preflight(): Promise<string | null>;
  run(planned: PlannedCheck): Promise<CheckResult>;
  /** Sends the requests of a probe. */
  ask(probe: Probe): Promise<void>;
  /** Whether what a check found has to show again before it is told. */
  isSuspect(checkId: string): boolean;
  /** Tries a check from scratch, for what it found at first, in a turn: it shares nothing with what was tried before. */
  again(check: Check, found: CheckResult, turn?: Turn): Promise<SecondTry>;
  interrupt(): void;
  /** Whether nothing more is asked: the run was interrupted, or the service went away. */
  readonly isOver: boolean;
  /** Is told where an answer has just shown a MUST to be violated, so that nobody needs to wait for the check of it. */
  watchViolations?(told: (place: { requirement: string; operation: string }) => void): void;
  /** Requests sent so far. */
  readonly requests: number;
  summary(): Summary;
  close(): Promise<void>;
}

/** What came of a run. */
export interface Execution {
  results: CheckResult[];
  /** Why the target cannot be judged. */
  problem?: string;
  /** Absent when the run did not get to its end. */
  summary?: Summary;
  /** What went wrong in the suite itself, as sentences. */
  faults: string[];
}

/** Sees each result as it comes, and how many requests had been sent by then. */
type OnResult = (result: CheckResult, requests: number) => void;

export interface LoopOptions {
  onResult?: OnResult;
  /** Is told how many suspects there were so far, and how many of them are still to be confirmed. */
  onSuspects?: (suspected: number, left: number) => void;
  /** Tells what is certain at once, and confirms what is suspected after each stage. */
  failFast?: boolean;
  /** Ends the run early: requests in flight are given up, and the checks to come are skips. */
  signal?: AbortSignal;
}

/** Runs what is planned. Never rejects: what goes wrong in the suite itself is among the faults. */
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
    execution.faults.push(sentence(error));
  } finally {
    // Closing may still send requests, to leave harmless what was created; the summary counts them.
    try {
      await judge.close();
      execution.summary = judge.summary();
    } catch (error) {
      execution.faults.push(sentence(error));
    }
    signal?.removeEventListener("abort", interrupt);
  }
  return execution;
}

/**
 * What is concluded at the finish rests on all answers, so what others suspect is settled before it begins. Whatever a
 * service may take offence at comes after all.
 */
const ROUNDS: readonly (readonly Stage[])[] = [
  STAGES.slice(0, STAGES.indexOf("finish")),
  STAGES.slice(STAGES.indexOf("finish")),
];

/** Confirming takes at most so many times the time of what was asked before, once it is certain that the run fails. */
const MOST_CONFIRMING = 2;
/** Milliseconds that it may take in any case. */
const LEAST_CONFIRMING = 6_000;

class Stages {
  readonly #judge: Judge;
  readonly #planned: readonly PlannedCheck[];
  readonly #tell: (result: CheckResult) => void;
  readonly #faults: string[];
  readonly #options: LoopOptions;
  /** Ids of checks that were begun. */
  readonly #begun = new Set<string>();
  /** The place of each check in the plan. */
  readonly #order: ReadonlyMap<string, number>;
  readonly #startedAt = performance.now();
  #suspects: Suspect[] = [];
  #suspected = 0;
  /** How many suspects are not confirmed yet. */
  #left = 0;
  #fails = false;

  constructor(
    judge: Judge,
    planned: readonly PlannedCheck[],
    tell: (result: CheckResult) => void,
    faults: string[],
    options: LoopOptions,
  ) {
    this.#judge = judge;
    this.#planned = planned;
    this.#faults = faults;
    this.#options = options;
    this.#order = new Map(planned.map(({ check }, index) => [check.id, index]));
    this.#tell = (result) => {
      this.#fails ||= result.outcome === "fail";
      tell(result);
    };
  }

  async run(): Promise<void> {
    if (this.#options.failFast) this.#judge.watchViolations?.((place) => void this.#tellAtOnce(place));
    for (const stages of ROUNDS) {
      for (const stage of stages) {
        const members = this.#planned.filter(({ check }) => check.stage === stage);
        const asked = askProbes(this.#judge, this.#planned, stage, this.#faults);
        await sideBySide(members, ONE_BY_ONE.includes(stage) ? 1 : AT_ONCE, (member) => this.#try(member));
        await asked;
        if (this.#options.failFast) await this.#confirm();
      }
      await this.#confirm();
    }
  }

  async #try(member: PlannedCheck): Promise<void> {
    if (this.#begun.has(member.check.id)) return;
    this.#begun.add(member.check.id);
    try {
      const result = await this.#judge.run(member);
      if (!this.#judge.isSuspect(result.id)) return this.#tell(result);
      this.#suspects.push({ check: member.check, result });
      this.#suspected++;
      this.#count(1);
    } catch (error) {
      this.#faults.push(`${member.check.id}: ${sentence(error)}`);
    }
  }

  /** Tries the check that tells what answers showed, before its turn. */
  async #tellAtOnce({ requirement, operation }: { requirement: string; operation: string }): Promise<void> {
    const member = this.#planned.find(
      ({ check, skip }) =>
        !skip &&
        check.stage === "finish" &&
        check.operation === operation &&
        check.requirements.includes(requirement),
    );
    if (member) await this.#try(member);
  }

  #count(change: number): void {
    this.#left += change;
    this.#options.onSuspects?.(this.#suspected, this.#left);
  }

  /** Confirms the suspects so far: those that would fail the run first, in the order of the plan. */
  async #confirm(): Promise<void> {
    const weight = ({ check, result }: Suspect) =>
      (result.outcome === "fail" ? 0 : this.#planned.length) + (this.#order.get(check.id) ?? 0);
    const suspects = this.#suspects.sort((a, b) => weight(a) - weight(b));
    this.#suspects = [];
    const begun = performance.now();
    const most = Math.max(LEAST_CONFIRMING, MOST_CONFIRMING * (begun - this.#startedAt));
    await confirmSuspects(suspects, {
      again: (check, found, turn) => this.#judge.again(check, found, turn),
      tell: (result) => {
        this.#tell(result);
        this.#count(-1);
      },
      stopped: () => {
        if (this.#judge.isOver) return { reason: "interrupted", why: "stopped early" };
        const isTooLong = this.#fails && performance.now() - begun > most;
        return isTooLong ? { reason: "budget", why: "confirming took too long" } : undefined;
      },
    });
  }
}

/** Sends the probes of a stage that some planned check is judged by, each once, side by side. */
async function askProbes(
  judge: Judge,
  planned: readonly PlannedCheck[],
  stage: Stage,
  faults: string[],
): Promise<void> {
  const probes = new Map(
    planned
      .flatMap(({ check, skip }) => (skip ? [] : (check.probes ?? [])))
      .filter((probe) => probe.stage === stage)
      .map((probe) => [probe.id, probe]),
  );
  await Promise.all(
    [...probes.values()].map((probe) =>
      judge.ask(probe).catch((error: unknown) => void faults.push(`${probe.id}: ${sentence(error)}`)),
    ),
  );
}

async function sideBySide<T>(
  members: readonly T[],
  atOnce: number,
  work: (member: T) => Promise<void>,
): Promise<void> {
  const queue = members.values();
  const lane = async () => {
    for (const member of queue) await work(member);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, members.length) }, lane));
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
