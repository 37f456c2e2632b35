import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";

const OWN = fileURLToPath(new URL("../../spec/", import.meta.url));
const LISTS = ["/banks", "/momos", "/countries"];

/**
 * Writes an edition for tests that need a short but whole run. It has the three lists that need no fixtures, and the
 * paths of `more`.
 */
export function writeSmallEdition(folder: string, more: readonly string[] = []): void {
  const document = parse(readFileSync(join(OWN, "openapi.yaml"), "utf8")) as { paths: object };
  const paths = Object.entries(document.paths).filter(([path]) => [...LISTS, ...more].includes(path));
  mkdirSync(folder);
  const small = { ...document, paths: Object.fromEntries(paths) };
  writeFileSync(join(folder, "openapi.yaml"), stringify(small, { aliasDuplicateObjects: false }));
  writeFileSync(join(folder, "requirements.yaml"), readFileSync(join(OWN, "requirements.yaml")));
}
