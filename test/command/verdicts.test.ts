/** The output of a run: findings, warnings under `--strict`, masked data, progress. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defects } from "../../reference/index.ts";
import { startNullService } from "../../reference/null-services.ts";
import { isTurn } from "../commit-seed.ts";
import { command, type Ended, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const named = (pattern: RegExp): string[] =>
  defects.map(({ name }) => name).filter((name) => pattern.test(name));

interface Seen extends Ended {
  report: ReturnType<typeof reportIn>;
  /** Returns the text of the report file with this extension. */
  file: (ending: string) => string;
}

function look(ended: Ended, cwd: string): Seen {
  const file = (ending: string) => readFileSync(join(cwd, "conformance-report", `report.${ending}`), "utf8");
  return { ...ended, report: reportIn(cwd), file };
}

/** Runs the suite on the reference service with defects, and passes output and report to `use`. */
function runWith<T>(names: string[], flags: string[], use: (seen: Seen) => T | Promise<T>): Promise<T> {
  return withReference({ defects: names }, (service) =>
    inFolder(async (cwd) =>
      use(look(await command(["run", ...flagsFor(service), "--seed", "1", ...flags], { cwd }), cwd)),
    ),
  );
}

describe("findings", () => {
  test("a service that ignores credentials gets a few findings, not one for each request", () =>
    runWith(named(/^no-credentials@/), ["--only", "access"], ({ code, stdout, report }) => {
      expect(code).toBe(1);
      expect(report.summary.fail).toBeGreaterThan(20);
      const findings = (report.findings ?? []).filter(({ outcome }) => outcome === "fail");
      expect(findings.map(({ cause }) => cause)).toEqual([
        "AUTH-MISSING: accepted a request that must be rejected",
      ]);
      expect(findings[0]?.operations.length).toBeGreaterThan(15);
      expect(findings[0]?.kind).toBe("security");
      expect(stdout).toMatch(/Failures: 1 finding, \d+ checks/);
    }));

  test("a service that ignores limit: one finding for the requirement, for every size and version", () =>
    runWith(named(/^limit-ignored@/), ["--only", "pagination", "--only", "responses"], ({ report }) => {
      const groups = (report.findings ?? []).map(({ cause }) => cause);
      expect(groups).toContain("LIST-LIMIT-RESPECTED: more than is allowed");
      expect(new Set(groups).size).toBe(groups.length);
      expect(groups.length).toBeLessThanOrEqual(4);
    }));

  test.runIf(isTurn(1, 2))(
    "a service that accepts everything: each violated requirement is named in every format",
    () =>
      inFolder(async (cwd) => {
        const service = await startNullService("empty-object");
        try {
          const { code, stdout, report, file } = look(
            await command(["run", ...flagsFor(service), "--seed", "1"], { cwd }),
            cwd,
          );
          expect(code).toBe(1);
          expect(stdout).toMatch(/NOT CONFORMANT .*The service rejects nothing: \d+ kinds of invalid calls/);
          const violated = report.requirements
            .filter(({ outcome }) => outcome === "fail")
            .map(({ id }) => id);
          // On a slow machine, the time for confirming ends before all violations are confirmed.
          expect(violated.length).toBeGreaterThan(10);
          const [markdown, page] = [file("md"), file("html")];
          for (const id of violated) {
            expect(stdout).toContain(` ${id}`);
            expect(markdown).toContain(`\`${id}\``);
            expect(page).toContain(`<code class="id">${id}</code>`);
          }
          // Findings about security come first. Violations of one requirement mostly share a finding.
          const groups = report.findings ?? [];
          const broken = new Set(groups.map(({ requirement }) => requirement));
          expect(groups[0]?.requirement).toBe("AUTH-MISSING");
          expect(groups.length).toBeLessThanOrEqual(broken.size + 5);
          expect(markdown.length).toBeLessThan(60_000);
          // No message contains internal names of the suite.
          const messages = report.checks.map(({ message = "" }) => message).join("\n");
          expect(messages).not.toMatch(/\b(?:list|get|create|update)[A-Z]\w+#|\[object |undefined/);
        } finally {
          await service.close();
        }
      }),
  );
});

test("a violated SHOULD: a warning in every format, and a failure under --strict", async () => {
  const broken = named(/^scheme-case@/);
  const only = ["--only", "AUTH-SCHEME-CASE", "--only", "MESSAGES-ARRAY"];
  await runWith(broken, [...only, "--reporter", "github"], ({ code, stdout, file }) => {
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CONFORMANT IN SCOPE /m);
    expect(stdout).toMatch(/Warnings: 1 finding, \d+ checks?$/m);
    expect(stdout).toMatch(/^::warning title=AUTH-SCHEME-CASE/m);
    const [, testcase = ""] =
      /<testcase [^>]*AUTH-SCHEME-CASE[^>]*>(.*?)<\/testcase>/s.exec(file("xml")) ?? [];
    expect(testcase).toMatch(/<property name="warning" value="expected /);
    expect(testcase).toContain("<system-out>");
    expect(testcase).not.toContain("<failure");
  });
  await runWith(broken, [...only, "--strict"], ({ code, stdout, file }) => {
    expect(code).toBe(1);
    expect(stdout).toMatch(/NOT CONFORMANT .*Under --strict 1 warning counts as a failure\./);
    expect(stdout).toMatch(/Failures: 1 finding, \d+ checks?$/m);
    expect(stdout).not.toContain("Warnings:");
    expect(file("xml")).toMatch(/<testsuites [^>]*failures="[1-9]"/);
    expect(file("md")).toContain("Under --strict 1 warning counts as a failure");
  });
});

test("people in answers are masked unless the user wants them shown; labels and progress are reported", async () => {
  const flags = ["--only", "LIST-COUNT", "--reporter", "plain", "--label", "build=4.2.1"];
  const defect = ["count-of-all@codes"];
  const person = /Aïcha Diallo|Chinedu Okafor|Ama Mensah/;
  const phone = /\+2376[1-9]\d{7}/;
  await runWith(defect, flags, ({ stdout, file }) => {
    expect(stdout).toMatch(/ of \d+ checks done, [\d,]+ of about [\d,]+ requests \(\d+ %\), .* left, /);
    expect(stdout).toContain("  labels    build=4.2.1");
    for (const ending of ["json", "html", "md", "xml"]) {
      expect(file(ending)).not.toMatch(person);
      expect(file(ending)).not.toMatch(phone);
      expect(file(ending)).toContain("4.2.1");
    }
    expect(file("json")).toContain('\\"customer\\":{\\"name\\":\\"xxx');
  });
  await runWith(defect, [...flags, "--show-personal-data"], ({ file }) => {
    expect(file("json")).toMatch(person);
  });
});

test("the message names the limit that was reached", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const bounds = ["--only", "creates", "--max-created", "1"];
      const { code, stdout } = await command(["run", ...flagsFor(service), ...bounds], { cwd });
      expect(stdout).toMatch(/with a larger --max-created: \d+ more checks, POST /);
      expect(stdout).not.toContain("--max-requests");
      expect(code).toBe(3);
    }),
  ));
