import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The files that a run has open at the same time: about a hundred of the program's own, and its connections.
 */
const NEEDED = 192;

/** Returns why too few files can be opened, if so. A run would fail at an arbitrary file. */
export function tooFewHandles(): string | undefined {
  const open: number[] = [];
  try {
    while (open.length < NEEDED) open.push(openSync(fileURLToPath(import.meta.url), "r"));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `only ${open.length} more files can be opened here (${code}), and a run needs ${NEEDED}: raise ulimit -n`;
  } finally {
    for (const each of open) closeSync(each);
  }
}
