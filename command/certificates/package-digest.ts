import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Resource } from "../../reports/certificates/attestations.ts";
import { sha256 } from "../../reports/certificates/keys.ts";
import { packageIdentity, packageRoot } from "../../runner/package-root.ts";

/**
 * Returns the name and digest of this package, as attestations state them. Builds of one version have different
 * digests.
 */
export function packageResource(): Resource {
  const root = packageRoot();
  const { name, version } = packageIdentity();
  const installed = !("scripts" in JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const folder = installed ? root : join(root, "dist");
  return {
    name: installed ? name : `${name} (checkout)`,
    uri: `pkg:npm/${name}@${version}`,
    digest: { dirHash: dirHash(folder) },
  };
}

/** Returns the result of `find . -type f | cut -c3- | LC_ALL=C sort | xargs sha256sum | sha256sum`. */
export function dirHash(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => !name.startsWith("node_modules/"))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = files.map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  return sha256(Buffer.from(lines.join("")));
}
