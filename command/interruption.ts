/** Signals that end a run early. Loaded before everything else, so that none comes too soon to be heard. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const ended = new AbortController();
const listeners: (() => void)[] = [];
let heeded = false;

/** Listens for signals: the first ends the run in good order, the second ends the process at once. */
export function listenForSignals(exitCode: number): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(exitCode);
      ended.abort();
      for (const tell of listeners) tell();
      // Nothing is under way that could end in good order: there is nothing to report.
      if (!heeded) process.exit(exitCode);
    });
}

/** The signal that a run ends early by, from here on: whoever takes it answers for ending in good order. */
export function interruption(onInterrupt: () => void): AbortSignal {
  heeded = true;
  listeners.push(onInterrupt);
  if (ended.signal.aborted) onInterrupt();
  return ended.signal;
}
