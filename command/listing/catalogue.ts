import { join, resolve } from "node:path";
import { withProfile } from "../../profiles/promises.ts";
import { readProfile } from "../../profiles/read-profile.ts";
import { wrapped } from "../../reports/text.ts";
import { packageRoot } from "../../runner/package-root.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { SpecificationText } from "../../spec/specification-text.ts";
import { allChecks, type ChecksOfSpec, checksOf } from "../../suites/index.ts";
import type { Flags } from "../flags.ts";
import { readSpecFiles } from "../options/settings.ts";
import { parseSpec, refuseIdleRequirements } from "../running/prepare.ts";

/** Returns the checks of an edition and profile, with the text of the specification if there is one. */
export function readCatalogue(
  folder: unknown,
  profileFile?: unknown,
): ChecksOfSpec & { spec: Spec; specification: SpecificationText | undefined } {
  const where = typeof folder === "string" ? resolve(folder) : join(packageRoot(), "spec");
  const files = readSpecFiles(where);
  const spec = parseSpec(files);
  const profile =
    typeof profileFile === "string" ? readProfile(resolve(profileFile), spec, allChecks(spec)) : undefined;
  const own = checksOf(spec, profile);
  refuseIdleRequirements(spec, own.checks);
  return { ...own, spec: withProfile(spec, profile), specification: files.specification };
}

export function editionFlags({ spec, profile }: Flags): string {
  return [
    ["--spec", spec],
    ["--profile", profile],
  ]
    .map(([flag, file]) => (typeof file === "string" ? ` ${flag} ${shellWord(file)}` : ""))
    .join("");
}

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function wrap(text: string, indent = "", width = 100): string {
  return wrapped(text.replace(/\s+/g, " "), width - indent.length)
    .map((line) => indent + line)
    .join("\n");
}
