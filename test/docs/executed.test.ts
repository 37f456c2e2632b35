/** Executes the shell blocks of README and docs in an empty folder against the reference service. */

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../reference/index.ts";
import { inFolder, MAIN } from "../command/command.ts";
import { writeSmallEdition } from "../command/small-edition.ts";
import { withReference } from "../command/targets.ts";
import { commitShare } from "../commit-seed.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`),
];

/** Lines that this test does not execute, and why. If a line runs an npm script, the script must exist. */
const NOT_HERE: readonly [line: RegExp, why: string][] = [
  [
    /^npm (ci|test|start|run (lint|typecheck))\b|^npm ci && |\bnpx vitest /,
    "is what runs these tests, or is run by them",
  ],
  [
    /^npm run (docs|prove|hostile|planted|bench|package)\b/,
    "takes long, or writes into the repository; its own tests run parts",
  ],
  [/^git checkout /, "needs a repository"],
  [/^npm install /, "asks the registry; test/recipes installs the tarball in the same way"],
  [/^export PATH=/, "the shell of this test finds the command anyway"],
  [/^cosign /, "needs cosign, and a CI that offers an identity"],
  [/ certify /, "tries everything at depth full, which takes a while; the page on certifying does it"],
];

/**
 * The conditions under which the commands of a page work: defects of the service, and a command to run
 * before.
 */
interface Setting {
  defects?: string[];
  before?: string;
  /** The allowed exit codes of the page's commands. By default only 0. */
  codes?: number[];
  /**
   * If set, the page's runs are whole runs of a small edition with these additional paths and fixtures.
   * Otherwise they run one rule, to save time.
   */
  whole?: { paths: readonly string[]; fixtures: readonly string[] };
}
const CODES = {
  paths: ["/v1/payment-codes", "/payment-codes/{id}"],
  fixtures: ["paymentCode", "mutablePaymentCode", "cancellablePaymentCode"],
};
const SETTINGS: Readonly<Record<string, Setting>> = {
  "docs/certifying.md": { whole: CODES, codes: [0, 5] },
  "docs/results.md": {
    defects: ["count-one-more@webhooks"],
    before: "payments-conformance run",
    codes: [0, 1],
  },
  // A run of one rule would test no promise of a profile.
  "docs/profiles.md": { whole: { paths: [], fixtures: [] } },
  // Judging recorded traffic never gives "conformant", so it exits with 3 if it finds no violation.
  "docs/judge.md": { before: "payments-conformance run --traffic", codes: [0, 3] },
  "docs/upgrades.md": { before: "payments-conformance run --out before" },
};

const pages = PAGES.filter((page) => page.endsWith(".md")).flatMap((page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
  return lines.length === 0 ? [] : [{ page, lines }];
});

function isReadme({ page }: { page: string }): boolean {
  return page === "README.md";
}

/** Each commit executes the README and an eighth of the other pages. */
const [readme, others] = [pages.filter(isReadme), pages.filter((page) => !isReadme(page))];

describe.concurrent("code runs unchanged", () => {
  test.each([...readme, ...commitShare(others, 12)])("$page", { timeout: 600_000 }, ({ page, lines }) =>
    withReference({ defects: SETTINGS[page]?.defects ?? [] }, (service) =>
      inFolder(async (folder) => {
        const { before, codes = [0], whole } = SETTINGS[page] ?? {};
        const next = whole ? await nextPaymentCode(service) : "";
        const edition = join(folder, "edition");
        if (whole) writeSmallEdition(edition, whole.paths);
        const env: Record<string, string> = {
          PATH: `${commandsIn(folder)}:${process.env.PATH}`,
          HOME: folder,
          EDITOR: "true",
          PAYMENTS_CONFORMANCE_BASE_URL: service.baseUrl,
          PAYMENTS_CONFORMANCE_TOKEN: service.token,
          PAYMENTS_CONFORMANCE_SPACE: service.space,
          // A shortened run is enough to show that a command works.
          ...(whole
            ? wholeRun(service, edition, whole.fixtures)
            : { PAYMENTS_CONFORMANCE_ONLY: "LIST-COUNT" }),
        };
        const executed = [
          ...(before === undefined ? [] : [before]),
          ...lines.filter((line) => !reasonFor(line, page)),
        ];
        const work = join(folder, "work");
        mkdirSync(work);
        for (const line of executed) {
          const [, name, value] = /^export (\w+)=(\S+)/.exec(line) ?? [];
          if (name !== undefined) env[name] = value === "…" ? service.token : (value ?? "");
          else {
            const real = line
              .replaceAll("https://sandbox.example.com/api", service.baseUrl)
              .replaceAll("spc-main", service.space)
              .replaceAll("pyc-next", next)
              // `verify` reads no variable for the edition, so a flag names it.
              .replaceAll(" --rejudge", ` --rejudge --spec ${edition}`);
            const { code, output } = await run(real, work, env);
            expect(codes, `${line}\n${output}`).toContain(code);
          }
        }
      }),
    ),
  );
});

test("code that is not executed has a reason, and names an existing npm script", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const left = pages.flatMap(({ lines, page }) => lines.filter((line) => reasonFor(line, page)));
  for (const line of left)
    for (const [, script = ""] of line.matchAll(/npm run ([\w-]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  const executed = pages.flatMap(({ lines, page }) => lines.filter((line) => !reasonFor(line, page)));
  expect(executed.length).toBeGreaterThan(left.length);
});

function reasonFor(line: string, page: string): string | undefined {
  if (SETTINGS[page]?.whole && line.startsWith("payments-conformance ")) return undefined;
  return NOT_HERE.find(([pattern]) => pattern.test(line))?.[1];
}

/** Environment variables with which a run of a small edition leaves no requirement untested. */
function wholeRun(
  { secondSpace, fixtures }: RunningService,
  edition: string,
  used: readonly string[],
): Record<string, string> {
  const given = used.map((name) => `${name}=${fixtures[name]}`);
  return {
    PAYMENTS_CONFORMANCE_SPEC: edition,
    PAYMENTS_CONFORMANCE_SECOND_SPACE: secondSpace,
    ...(given.length > 0 ? { PAYMENTS_CONFORMANCE_FIXTURE: given.join(",") } : {}),
    PAYMENTS_CONFORMANCE_REPORTER: "silent",
    PAYMENTS_CONFORMANCE_RUNS: "1",
  };
}

/** The id of a pending payment code that is not a fixture. */
async function nextPaymentCode({ baseUrl, token, space, fixtures }: RunningService): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, "Service-Space-Id": space };
  const answer = await fetch(`${baseUrl}/v1/payment-codes?status=pending&limit=50`, { headers });
  const { result } = (await answer.json()) as { result: { id: string }[] };
  const named = Object.values(fixtures).flatMap((value) => value.split(","));
  const free = result.find(({ id }) => !named.includes(id));
  if (free === undefined) throw new Error("no payment code is left");
  return free.id;
}

/** A folder of executables for the PATH: the command itself, and an `npx` that runs it. */
function commandsIn(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const own = `exec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(bin, "payments-conformance"), `#!/bin/sh\n${own}`);
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\nwhile [ "$1" != payments-conformance ]; do shift; done\nshift\n${own}`,
  );
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  return bin;
}

function run(
  line: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile("bash", ["-c", line], { cwd, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}
