/** The curl commands in reports work in bash and zsh, and show the violation again. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../reference/index.ts";
import { decisiveExchange } from "../../reports/exchange.ts";
import type { CheckResult, Exchange } from "../../reports/report.ts";
import { commitShare } from "../commit-seed.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, passOn, withReference, withServer } from "./targets.ts";

/** bash, and zsh if it is installed (test/install-browser.sh installs it). */
const SHELLS = ["bash", "zsh"].filter((name) => spawnSync(name, ["-c", "true"]).status === 0);

/** Defects of the service, and the requirements whose checks find them. */
const RUNS: { defects: string[]; only: string[] }[] = [
  { defects: ["messages-missing@banks", "messages-missing@countries"], only: ["MESSAGES-ARRAY"] },
  { defects: ["one-more-taken@webhook-create.name"], only: ["CREATE-TOO-LONG"] },
  { defects: ["unique-ignored@account-create"], only: ["UNIQUE-REJECTED"] },
  {
    defects: ["key-latest-only@account-create", "key-cut-at-63@account-create"],
    only: ["KEY-REPLAY", "KEY-DISTINCT"],
  },
  {
    defects: ["emptied@webhook-create.customHeaders", "tags-lost@webhook-create.name"],
    only: ["CREATE-ECHO"],
  },
  { defects: ["reset-unsent@webhook-update.isActive-stored"], only: ["UPDATE-KEEPS"] },
  // These violations need several requests: to two spaces, or with keys that differ in the first character alone.
  {
    defects: ["unique-in-all-spaces@account-create"],
    only: ["UNIQUE-PER-SPACE"],
  },
  {
    defects: ["key-without-first@webhook-create", "lower-cased@webhook-update.url"],
    only: ["KEY-DISTINCT", "UPDATE-ECHO"],
  },
];

interface Shown {
  status: number;
  headers: string;
  body: string;
}

/** The answers that a script printed, in order. */
function answersIn(printed: string): Shown[] {
  return printed
    .split(/^(?=HTTP\/1\.1 \d{3})/m)
    .filter((part) => part.startsWith("HTTP/1.1 ") && !part.startsWith("HTTP/1.1 100"))
    .map((part) => {
      const [head = "", ...body] = part.split(/\r?\n\r?\n/);
      return { status: Number(head.slice(9, 12)), headers: head, body: body.join("\n\n") };
    });
}

function at(body: string, pointer: string): unknown {
  let value: unknown = JSON.parse(body);
  for (const token of pointer.slice(1).split("/")) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

/**
 * The status or value that violates the rule, without parts that change from run to run. Of a value that is no text,
 * only its type.
 */
function offendingValue(answer: Shown, { offending = "status" }: Exchange): unknown {
  if (!offending.startsWith("/")) return answer.status;
  const value = at(answer.body, offending);
  return typeof value === "string" ? value.replace(/pc-[0-9a-f]{8}.*/s, "pc-…") : typeof value;
}

async function expectShownAgain(
  check: CheckResult,
  shell: string,
  env: Record<string, string>,
): Promise<void> {
  const exchange = decisiveExchange(check);
  if (exchange?.response === undefined) throw new Error(`${check.id} shows no answer`);
  const { status, body } = exchange.response;
  const script = check.reproduce?.curl ?? "";
  // The call must not block, because the service runs in this process.
  const ended = await promisify(execFile)(
    shell,
    shell === "zsh" ? ["-f", "-c", script] : ["--norc", "-c", script],
    {
      env: { PATH: process.env.PATH ?? "", ...env },
      timeout: 10_000,
    },
  );
  const place = `${check.id} in ${shell}:\n${script}\n${ended.stdout}`;
  expect(ended.stderr, place).toBe("");
  const answers = answersIn(ended.stdout);
  const nth = check.evidence.indexOf(exchange) - check.evidence.length;
  const answer = script.includes("\n") ? answers.at(nth) : answers.at(-1);
  if (answer === undefined) throw new Error(`nothing was answered: ${place}`);
  expect(answer.status, place).toBe(status);
  const before = { status, headers: "", body: body ?? "" };
  // Ids change from run to run, so only their presence is compared.
  if (!/\/id$/.test(exchange.offending ?? "")) {
    expect(offendingValue(answer, exchange), place).toEqual(offendingValue(before, exchange));
  }
}

function tokensOf({ token, secondToken }: RunningService): Record<string, string> {
  return { PAYMENTS_CONFORMANCE_TOKEN: token, PAYMENTS_CONFORMANCE_SECOND_TOKEN: secondToken };
}

function failing(folder: string): CheckResult[] {
  const found = reportIn(folder).checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  expect(found.length).toBeGreaterThan(0);
  return found.filter(({ reproduce }) => reproduce?.curl !== undefined);
}

describe("the curl of a finding", { timeout: 60_000 }, () => {
  test.each(commitShare(RUNS, 2))("shows the violation again: $defects", async ({ defects, only }) => {
    await withReference({ defects }, (service) =>
      inFolder(async (cwd) => {
        const second = ["--second-space", service.secondSpace, "--second-token", service.secondToken];
        const chosen = ["--seed", "1", ...only.flatMap((each) => ["--only", each])];
        const args = [...flagsFor(service), ...second, ...chosen];
        expect((await command(["run", ...args], { cwd })).code).toBe(1);
        const checks = failing(cwd);
        expect(checks.length).toBeGreaterThan(0);
        for (const check of checks.slice(0, 12))
          for (const shell of SHELLS) await expectShownAgain(check, shell, tokensOf(service));
      }),
    );
  });

  test("sends the credentials that the run sent", async () => {
    await withReference({}, async (service) => {
      const seen: (string | undefined)[] = [];
      await withServer(
        (request, response) => {
          seen.push(request.headers.authorization);
          request.headers.authorization = `Bearer ${service.token}`;
          passOn(service.baseUrl, request, response);
        },
        (baseUrl) =>
          inFolder(async (cwd) => {
            const args = [
              ...flagsFor({ ...service, baseUrl }),
              "--only",
              "access/AUTH-*GET /countries*",
              "--depth",
              "full",
            ];
            expect((await command(["run", ...args], { cwd })).code).toBe(1);
            const sent = new Set(seen.splice(0));
            const checks = failing(cwd);
            expect(checks.length).toBeGreaterThan(4);
            for (const check of checks)
              for (const shell of SHELLS) await expectShownAgain(check, shell, tokensOf(service));
            // The commands send only credentials that the run sent, except the unknown token, which differs each time.
            for (const again of seen.filter((each) => each?.includes("unknown") !== true))
              expect(sent).toContain(again);
            expect(new Set(seen).size).toBeGreaterThan(3);
          }),
      );
    });
  });
});
