/** Signals that end a run early. Loaded before everything else, so that no signal is missed. */

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
      // No run is under way, so there is nothing to report.
      if (!heeded) process.exit(exitCode);
    });
}

/** The signal that ends a run early. The caller must then end in good order. */
export function interruption(onInterrupt: () => void): AbortSignal {
  heeded = true;
  listeners.push(onInterrupt);
  if (ended.signal.aborted) onInterrupt();
  return ended.signal;
}
