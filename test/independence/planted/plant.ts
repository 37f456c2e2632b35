/** Starts a copy of the independent service that has a bug in it. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageRoot } from "../../../runner/package-root.ts";
import type { Started } from "../service/start.ts";
import type { Bug } from "./bug.ts";

type Module = { start(behind?: "proxy" | "nothing"): Promise<Started> };

/** `.ts` if this file runs from its source, `.js` if it was compiled. */
const EXTENSION = extname(fileURLToPath(import.meta.url));
let copies = 0;
const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "../service");

/** Starts the service with the bug, without a proxy. @throws if an edit does not match exactly one place */
export async function startWith(bug: Bug): Promise<Started> {
  const folder = join(packageRoot(), "build/planted", `${bug.name}-${process.pid}-${++copies}`);
  mkdirSync(folder, { recursive: true });
  cpSync(SOURCE, folder, { recursive: true });
  for (const [name, find, replace] of bug.edits) {
    const file = join(folder, `${name}${EXTENSION}`);
    const parts = readFileSync(file, "utf8").split(anyBlanks(find));
    if (parts.length !== 2)
      throw new RangeError(`${bug.name}: «${find}» is ${parts.length - 1} times in ${name}`);
    writeFileSync(file, parts.join(replace));
  }
  try {
    const module = (await import(pathToFileURL(join(folder, `start${EXTENSION}`)).href)) as Module;
    return await module.start("nothing");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A pattern for the text with any white space between its words, because a compiler formats the source
 * differently.
 */
function anyBlanks(text: string): RegExp {
  const words = text.trim().split(/\s+/);
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"));
}
