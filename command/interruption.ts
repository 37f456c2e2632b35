/** This module is loaded first, so that no signal is missed. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const ended = new AbortController();
const listeners: (() => void)[] = [];
let heeded = false;

/** The first signal ends the run with a report, and the second one ends the process. */
export function listenForSignals(exitCode: number): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(exitCode);
      ended.abort();
      for (const tell of listeners) tell();
      if (!heeded) process.exit(exitCode);
    });
}

/** Returns a signal that aborts on an interruption. The caller must then end the process. */
export function interruption(onInterrupt: () => void): AbortSignal {
  heeded = true;
  listeners.push(onInterrupt);
  if (ended.signal.aborted) onInterrupt();
  return ended.signal;
}
