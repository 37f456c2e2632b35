import { Writable } from "node:stream";
import { BroadcastChannel } from "node:worker_threads";
import { Collector, type Execution, type OnResult } from "./collector.ts";
import { vitestOptions } from "./options.ts";
import type { RunInput } from "./protocol.ts";

export interface RunningChecks {
  /** Ends the run: checks in flight are aborted, those to come are skipped as interrupted. */
  interrupt(): void;
  /** Resolves when all is over; never rejects. */
  done: Promise<Execution>;
}

/**
 * Runs the checks in a vitest worker of this process. `onResult` sees each result as it comes. vitest prints
 * nothing, and neither it nor its exit code decides anything.
 */
export function startChecks(input: RunInput, onResult: OnResult): RunningChecks {
  const channel = new BroadcastChannel(input.channel);
  let repeated: NodeJS.Timeout | undefined;
  const before = signalListeners();
  const collector = new Collector(onResult, () => ignoreSignals(before));
  const done = run(input, collector).finally(() => {
    clearInterval(repeated);
    channel.close();
  });
  return {
    // What is sent before the worker listens is lost, so it is said until the worker is done.
    interrupt: () => {
      repeated ??= setInterval(() => channel.postMessage("interrupt"), 20);
    },
    done,
  };
}

async function run(input: RunInput, collector: Collector): Promise<Execution> {
  const { execution } = collector;
  const printed: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, next) => {
      printed.push(String(chunk));
      next();
    },
  });
  try {
    const { startVitest } = await import("vitest/node");
    const options = { ...vitestOptions(input), config: false as const, run: true, reporters: [collector] };
    const vite = { configFile: false as const, envDir: false as const, logLevel: "silent" as const };
    await startVitest("test", [], options, vite, { stdout: sink, stderr: sink });
  } catch (error) {
    execution.faults.push(error instanceof Error ? error.message : String(error));
  }
  const told = execution.results.length > 0 || execution.problem !== undefined || execution.faults.length > 0;
  if (!told && printed.length > 0) execution.faults.push(printed.join("").trim().slice(0, 2_000));
  return execution;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function signalListeners(): Set<NodeJS.SignalsListener> {
  return new Set(SIGNALS.flatMap((signal) => process.listeners(signal) as NodeJS.SignalsListener[]));
}

/**
 * Takes away the listeners that came with vitest: it would end the process before any report could be written. What
 * to do on a signal is the command's to say, and the command listens before it starts the checks.
 */
function ignoreSignals(before: Set<NodeJS.SignalsListener>): void {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal) as NodeJS.SignalsListener[]) {
      if (!before.has(listener)) process.off(signal, listener);
    }
  }
}
