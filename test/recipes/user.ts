/** Makes a user's repository as the documentation says: installs the packed tarball in an empty folder. */

import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { packInto } from "../package/pack.ts";

const run = promisify(execFile);

export interface User {
  repository: string;
  suite(args: readonly string[], env?: Record<string, string>): Promise<{ code: number; stdout: string }>;
  /**
   * Copies the repository without its node_modules, appends a configuration, and makes a folder `bin` beside the copy.
   * Unless `installs` is true, `bin` has a fake `npm` and `npx`, which use the packages of the repository, to save time.
   */
  fork(configuration: string, installs: boolean): { repository: string; place: string; bin: string };
  remove(): void;
}

export async function newUser(): Promise<User> {
  const home = mkdtempSync(join(tmpdir(), "payments-conformance-user-"));
  const repository = join(home, "repository");
  mkdirSync(repository);
  const { tarball } = await packInto(repository);
  const npm = (...args: string[]) => run("npm", args, { cwd: repository });
  await npm("init", "--yes");
  await npm("install", "--save-dev", "--prefer-offline", "--no-audit", "--no-fund", basename(tarball));
  const suite = (args: readonly string[], env: Record<string, string> = {}) =>
    run(join(repository, "node_modules/.bin/payments-conformance"), [...args], {
      cwd: repository,
      env: { ...process.env, ...env },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  await suite(["init"]);
  for (const server of ["github", "gitlab", "jenkins"]) await suite(["init", "--ci", server]);
  return {
    repository,
    suite,
    fork: (configuration, installs) => {
      const place = mkdtempSync(join(home, "fork-"));
      const [copy, bin] = [join(place, "repository"), join(place, "bin")];
      mkdirSync(bin);
      cpSync(repository, copy, {
        recursive: true,
        filter: (name) => !["node_modules", "conformance-report"].includes(basename(name)),
      });
      appendFileSync(join(copy, "payments-conformance.yaml"), configuration);
      if (!installs) {
        writeFileSync(join(bin, "npm"), fakeNpm(repository), { mode: 0o755 });
        writeFileSync(join(bin, "npx"), FAKE_NPX, { mode: 0o755 });
      }
      return { repository: copy, place, bin };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A script in place of `npx`. It runs only commands of packages that are installed in the folder. */
const FAKE_NPX = `#!/bin/sh
[ "$1" = "--no-install" ] || exit 1
shift
command="$PWD/node_modules/.bin/$1"
shift
exec "$command" "$@"
`;

function fakeNpm(repository: string): string {
  return `#!/bin/sh
[ "$*" = "ci --ignore-scripts" ] || exit 1
ln -s "${join(repository, "node_modules")}" node_modules
`;
}
