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
  /** Ends the run early: requests in flight are given up, and the checks to come are skips. */
  signal?: AbortSignal;
}

/** Runs what is planned. Never rejects: what goes wrong in the suite itself is among the faults. */
export async function runLoop(
  judge: Judge,
  planned: readonly PlannedCheck[],
  { onResult, signal }: LoopOptions = {},
): Promise<Execution> {
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
    if (problem === null) await runStages(judge, planned, tell, execution.faults);
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

async function runStages(
  judge: Judge,
  planned: readonly PlannedCheck[],
  tell: (result: CheckResult) => void,
  faults: string[],
): Promise<void> {
  const order = new Map(planned.map(({ check }, index) => [check.id, index]));
  const place = ({ check }: Suspect) => order.get(check.id) ?? 0;
  for (const stages of ROUNDS) {
    const suspects: Suspect[] = [];
    for (const stage of stages) {
      const members = planned.filter(({ check }) => check.stage === stage);
      const asked = askProbes(judge, planned, stage, faults);
      await sideBySide(members, ONE_BY_ONE.includes(stage) ? 1 : AT_ONCE, async (member) => {
        try {
          const result = await judge.run(member);
          if (judge.isSuspect(result.id)) suspects.push({ check: member.check, result });
          else tell(result);
        } catch (error) {
          faults.push(`${member.check.id}: ${sentence(error)}`);
        }
      });
      await asked;
    }
    suspects.sort((a, b) => place(a) - place(b));
    await confirmSuspects(suspects, {
      again: (check, found, turn) => judge.again(check, found, turn),
      tell,
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
