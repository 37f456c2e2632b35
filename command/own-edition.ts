import { join } from "node:path";
import type { Resource } from "../reports/certificates/attestations.ts";
import { sha256 } from "../reports/certificates/keys.ts";
import { packageRoot } from "../runner/package-root.ts";
import { fingerprint } from "../spec/loading/checked.ts";
import { MOST_MEGABYTES, readBytes, readText } from "../spec/loading/read-file.ts";

const FILES = ["openapi.yaml", "requirements.yaml"] as const;

/** True if the digest is that of the specification that is part of this suite. */
export function isOwnEdition(digest: string): boolean {
  const [openapi, requirements] = FILES.map((name) => readText(fileOf(name), name, MOST_MEGABYTES.edition));
  return digest === fingerprint(openapi ?? "", requirements ?? "");
}

/** True if the configuration of an attestation names the specification that is part of this suite. */
export function isOwnConfiguration(configuration: readonly Resource[]): boolean {
  return FILES.every((name) => {
    const named = configuration.find((resource) => resource.name === name);
    return named?.digest.sha256 === sha256(readBytes(fileOf(name), name, MOST_MEGABYTES.edition));
  });
}

function fileOf(name: string): string {
  return join(packageRoot(), "spec", name);
}
