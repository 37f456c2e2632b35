import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAME = "payments-conformance";

/** Returns the folder with package.json, from sources as from `dist`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (nameIn(folder) !== NAME) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`the package ${NAME} has no package.json`);
    folder = above;
  }
  return folder;
}

export function packageIdentity(): { name: string; version: string } {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as {
    version: string;
  };
  return { name: NAME, version };
}

function nameIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name?: string }).name;
  } catch {
    return undefined;
  }
}
