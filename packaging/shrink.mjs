/**
 * Before the package is packed: takes out of `dist` what only those need who work on it. Comments, blanks and the
 * names of local variables go, and declarations that no way into the package leads to. `npm run build` makes all of
 * it anew.
 */

import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { minifySync } from "rolldown/utils";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const kept = new Set();

/** Keeps a file of declarations, and those that it refers to. */
function keep(file) {
  if (kept.has(file)) return;
  kept.add(file);
  for (const [, named] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
    keep(join(dirname(file), `${named}.d.ts`));
}

for (const { types } of Object.values(exports)) if (types !== undefined) keep(join(types));

for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  const file = join("dist", name);
  if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
  if (!file.endsWith(".js")) continue;
  const { code, errors } = minifySync(file, readFileSync(file, "utf8"), { compress: true, mangle: true });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  // Whoever runs the file meanwhile has it whole.
  writeFileSync(`${file}.new`, code, { mode: statSync(file).mode });
  renameSync(`${file}.new`, file);
}
