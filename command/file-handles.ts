/** Whether the process may open as many files as the command needs. Loaded before everything else. */

import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The program's own files are loaded about a hundred at a time, beside the connections of a run. */
const NEEDED = 192;

/** Why the command can't begin: with fewer handles it ends at whichever file comes one too many. */
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
