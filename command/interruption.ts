const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const ended = new AbortController();
const listeners: (() => void)[] = [];
let heeded = false;

/** The first signal ends the run with a report, the second ends the process. */
export function listenForSignals(exitCode: number): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(exitCode);
      ended.abort();
      for (const tell of listeners) tell();
      if (!heeded) process.exit(exitCode);
    });
}

/** The caller must end the process after an interruption. */
export function interruption(onInterrupt: () => void): AbortSignal {
  heeded = true;
  listeners.push(onInterrupt);
  if (ended.signal.aborted) onInterrupt();
  return ended.signal;
}
