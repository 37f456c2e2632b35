import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The program itself opens about 100 files. */
const NEEDED_HANDLES = 192;

/** Returns a complaint if too few files can be opened: a run would fail at an arbitrary one. */
export function tooFewHandles(): string | undefined {
  const open: number[] = [];
  try {
    while (open.length < NEEDED_HANDLES) open.push(openSync(fileURLToPath(import.meta.url), "r"));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `only ${open.length} more files can be opened here (${code}), and a run needs ${NEEDED_HANDLES}: raise ulimit -n`;
  } finally {
    for (const each of open) closeSync(each);
  }
}
