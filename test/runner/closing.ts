import { afterEach } from "vitest";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Closes `one` after the current test, and returns it. */
export function closing<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}
