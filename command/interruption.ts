const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const ended = new AbortController();
const listeners: (() => void)[] = [];
let isHandled = false;

/**
 * Ends the process at a signal. The second signal always ends the process, the first unless `interruption` was
 * called.
 */
export function listenForSignals(exitCode: number): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(exitCode);
      ended.abort();
      for (const tell of listeners) tell();
      if (!isHandled) process.exit(exitCode);
    });
}

/** Returns the signal of an interruption. The caller ends the process. */
export function interruption(onInterrupt: () => void): AbortSignal {
  isHandled = true;
  listeners.push(onInterrupt);
  if (ended.signal.aborted) onInterrupt();
  return ended.signal;
}
