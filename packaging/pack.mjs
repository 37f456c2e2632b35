/**
 * `npm run package [-- FOLDER]` makes the tarball after a build. A temporary folder holds its files, so that nothing
 * in the checkout changes.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { minifySync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(process.argv[2] ?? ".");
const from = (name) => join(root, name);
const read = (name) => readFileSync(from(name), "utf8");
const manifest = JSON.parse(read("package.json"));

function packable() {
  const listed = npm(root, ["--dry-run"]);
  const declared = declarations();
  return listed.files.map(({ path }) => path).filter((name) => !name.endsWith(".d.ts") || declared.has(name));
}

/** Returns the type declarations that an import of the package needs. */
function declarations() {
  const kept = new Set();
  const keep = (name) => {
    if (kept.has(name)) return;
    kept.add(name);
    for (const [, other] of read(name).matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
      keep(join(dirname(name), `${other}.d.ts`));
  };
  for (const { types } of Object.values(manifest.exports)) if (types !== undefined) keep(join(types));
  return kept;
}

function minified(name) {
  const { code, errors } = minifySync(name, read(name), { compress: true, mangle: true });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}

/** Removes parts that only a checkout needs, and images and links to files that the package does not have. */
function linked(name, files) {
  const leads = (link) =>
    /^(https?:|#)/.test(link) || files.has(join(dirname(name), link.replace(/#.*/, "")));
  return read(name)
    .replace(/<!-- checkout -->[\s\S]*?<!-- \/checkout -->\n*/g, "")
    .replace(/\[?!\[[^\]]*\]\(([^)]+)\)(?:\]\([^)]+\))?\n*/g, (image, link) => (leads(link) ? image : ""))
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, text, link) => (leads(link) ? whole : text));
}

/** Removes fields that only a checkout needs. */
function packedManifest() {
  const { scripts: _, devDependencies: __, overrides: ___, files: ____, ...packed } = manifest;
  return packed;
}

/** Removes packages that only a checkout needs. */
function shrinkwrap() {
  const { packages, ...lock } = JSON.parse(read("package-lock.json"));
  const { devDependencies: _, ...self } = packages[""];
  const needed = Object.entries(packages).filter(([name, { dev }]) => name !== "" && !dev);
  return { ...lock, packages: { "": self, ...Object.fromEntries(needed) } };
}

function npm(folder, args) {
  const all = ["pack", "--json", "--ignore-scripts", ...args];
  return JSON.parse(execFileSync("npm", all, { cwd: folder, encoding: "utf8" }))[0];
}

const folder = mkdtempSync(join(tmpdir(), "payments-conformance-pack-"));
try {
  const files = new Set(packable());
  const write = (name, text) => writeFileSync(join(folder, name), text);
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(from(name), join(folder, name));
    if (name.endsWith(".js")) write(name, minified(name));
    // Only code reads this data, so the white space is removed.
    if (/^dist\/.*\.json$/.test(name)) write(name, JSON.stringify(JSON.parse(read(name))));
    if (name.endsWith(".md")) write(name, linked(name, files));
  }
  write("package.json", `${JSON.stringify(packedManifest(), null, 2)}\n`);
  write("npm-shrinkwrap.json", `${JSON.stringify(shrinkwrap(), null, 2)}\n`);
  mkdirSync(out, { recursive: true });
  const { filename, integrity } = npm(folder, ["--pack-destination", out]);
  console.log(`${join(out, filename)}\n${integrity}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
