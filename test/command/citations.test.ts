/** Reports quote the sentence of the specification that a finding violates. */

import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateReport } from "../../reports/validate.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { anchorOf } from "../../spec/specification-text.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const DEFECT = "messages-missing@banks";
const BROKEN = "MESSAGES-ARRAY";

test("the terminal, Markdown and HTML quote the sentence of the specification that is violated", () =>
  withReference({ defects: [DEFECT] }, (service) =>
    inFolder(async (cwd) => {
      cpSync(join(packageRoot(), "spec"), join(cwd, "edition"), { recursive: true });
      const args = ["run", ...flagsFor(service), "--only", BROKEN];
      const { stdout } = await command([...args, "--spec", "edition"], { cwd });
      const [, file = "", line = ""] =
        /section +2\.1 Common response envelope, (\S+):(\d+)/.exec(stdout) ?? [];
      expect(readFileSync(join(cwd, file), "utf8").split("\n")[Number(line) - 1]).toContain("2.1 Common");
      const markdown = readFileSync(join(cwd, "conformance-report/report.md"), "utf8");
      const [, target = "", anchor] =
        /section \[2\\?\.1 Common response envelope\]\(([^)#]+)#([^)]+)\)/.exec(markdown) ?? [];
      expect(existsSync(join(cwd, "conformance-report", target))).toBe(true);
      expect(anchor).toBe(anchorOf("2.1", "Common response envelope"));
      const page = readFileSync(join(cwd, "conformance-report/report.html"), "utf8");
      expect(page).toContain('<a href="#section-2-1">section 2.1 Common response envelope</a>');
      expect(page).toMatch(/<h3 id="section-2-1">[^<]*<\/h3>\s*<pre>Every 200 response is JSON/);
      expect(validateReport(reportIn(cwd))).toMatchObject({ valid: true });
      rmSync(join(cwd, "edition/specification.md"));
      const without = await command([...args, "--spec", "edition"], { cwd });
      expect(without.stdout).toContain("section 2.1");
      expect(without.stdout).not.toContain("Common response envelope");
      expect(reportIn(cwd).specification).toBeUndefined();
    }),
  ));

test("explain names the file and line of the section", () =>
  inFolder(async (cwd) => {
    const { stdout } = await command(["explain", BROKEN], { cwd });
    expect(stdout).toMatch(/Section {2}2\.1 of the specification \(\S+spec\/specification\.md:20\)/);
  }));
