/**
 * `node packaging/compiler.mjs FOLDER` makes a folder from which `npm ci` installs only the compiler, in the
 * locked version. The action builds its own copy this way.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder to make");
const { packages, ...lock } = JSON.parse(
  readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"),
);
const compiler = packages["node_modules/typescript"];
const parts = Object.keys(compiler.optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
const self = { name: "compiler", version: "0.0.0", dependencies: { typescript: compiler.version } };
const locked = { "": self, "node_modules/typescript": compiler };
for (const name of parts) locked[name] = packages[name];

mkdirSync(folder, { recursive: true });
const write = (name, value) => writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
write("package.json", { ...self, private: true });
write("package-lock.json", { ...lock, name: self.name, version: self.version, packages: locked });
