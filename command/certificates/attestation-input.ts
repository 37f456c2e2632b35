import { join } from "node:path";
import type { Resource } from "../../reports/certificates/attestations.ts";
import { sha256 } from "../../reports/certificates/keys.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { MOST_MEGABYTES, readBytes } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { OptionValues } from "../options/options.ts";
import { packageResource } from "./package-digest.ts";

const DIGEST =
  /^(?:(sha256):([0-9a-f]{64})|(sha512):([0-9a-f]{128})|(gitCommit):([0-9a-f]{40}|[0-9a-f]{64}))$/;

/**
 * Returns the subjects of the attestations, from `--subject-digest`.
 * @throws UsageError if a digest is malformed or repeated.
 */
export function subjectsOf(flag: unknown): Resource[] {
  const texts = Array.isArray(flag) ? flag.map(String) : [];
  if (new Set(texts).size < texts.length) throw new UsageError("--subject-digest names a digest twice");
  return texts.map((text) => {
    const [algorithm, value] = (DIGEST.exec(text) ?? []).slice(1).filter((part) => part !== undefined);
    if (algorithm === undefined || value === undefined)
      throw new UsageError(
        `--subject-digest must be sha256:, sha512: or gitCommit: and a digest in lower-case hexadecimal, not ${text}`,
      );
    return { digest: { [algorithm]: value } };
  });
}

/** Returns the files that decided the run, each with its digest. */
export function configurationOf({ spec, profile, waivers }: OptionValues): Resource[] {
  const edition = spec ?? join(packageRoot(), "spec");
  const digest = (name: string, file: string): Resource => ({
    name,
    digest: { sha256: sha256(readBytes(file, name, MOST_MEGABYTES.edition)) },
  });
  return [
    digest("openapi.yaml", join(edition, "openapi.yaml")),
    digest("requirements.yaml", join(edition, "requirements.yaml")),
    ...(profile === undefined ? [] : [digest("profile", profile)]),
    ...(waivers === undefined ? [] : [digest("waivers", waivers)]),
    packageResource(),
  ];
}
