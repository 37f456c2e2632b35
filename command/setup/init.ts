import { constants, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../runner/package-root.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { invocation } from "../invocation.ts";
import { DEFAULT_CONFIG_FILE } from "../options/options.ts";
import { print } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { writeWhole } from "../running/write-reports.ts";
import { choose } from "./choose.ts";
import { configTemplate } from "./config-template.ts";

const CI_SERVERS = {
  github: { file: ".github/workflows/payments-conformance.yml", template: "github.yml" },
  gitlab: { file: ".gitlab-ci.yml", template: "gitlab.yml" },
  jenkins: { file: "Jenkinsfile", template: "Jenkinsfile" },
} as const;

/** Writes a configuration file or a recipe for CI, and returns the exit code. */
export function initCommand(flags: Flags): number {
  const out = typeof flags.out === "string" && flags.out !== "" ? flags.out : undefined;
  const force = flags.force === true;
  if (flags.ci === undefined) {
    const file = out ?? DEFAULT_CONFIG_FILE;
    writeUnlessThere(file, configTemplate(), force);
    print(`\nNext: fill in ${file}, then run ${invocation()} doctor\n`);
    return EXIT.ok;
  }
  const server = CI_SERVERS[choose("--ci", flags.ci, ["github", "gitlab", "jenkins"])];
  const template = join(packageRoot(), "command", "templates", server.template);
  writeUnlessThere(out ?? server.file, readFileSync(template, "utf8"), force);
  print("\nNext: set the secrets that its first lines name, and commit it");
  const needed = ["package-lock.json", DEFAULT_CONFIG_FILE].filter((file) => !existsSync(file));
  print(needed.length === 0 ? "\n" : `; it also needs ${needed.join(" and ")}, which this folder lacks\n`);
  return EXIT.ok;
}

/**
 * Writes the file.
 * @throws UsageError if it is there already, unless `force` keeps a copy and replaces it.
 */
function writeUnlessThere(file: string, text: string, force: boolean): void {
  if (existsSync(file)) {
    if (readText(file) === text) {
      print(`${file} is there already, and just as it would be written\n`);
      return;
    }
    if (!force) throw new UsageError(`${file} is already there; --force replaces it and keeps a copy`);
    print(`kept ${keepCopy(file)}\n`);
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  writeWhole(file, text);
  print(`wrote ${file}\n`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Copies the file beside it under a free name, and returns that name. */
function keepCopy(file: string): string {
  for (let number = 1; ; number++) {
    const copy = number === 1 ? `${file}.bak` : `${file}.bak${number}`;
    try {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") throw new UsageError(`cannot keep a copy of ${file}: ${code}`);
    }
  }
}
