/** `judge`: what recorded traffic shows. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Report } from "../../reports/report.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const HISTORY = "conformance-report/history.ndjson";
const UPDATES = ["--only", "UPDATE-ECHO", "--only", "KEY-REPLAY", "--seed", "7"];
const judgedIn = (cwd: string) => reportIn(cwd, "conformance-judged");

/** Runs the rules about answers to updates against a service, and gives the folder of the report. */
function afterRun(defects: string[], use: (cwd: string) => Promise<void>): Promise<void> {
  return withReference({ defects }, (service) =>
    inFolder(async (cwd) => {
      await command(["run", ...flagsFor(service), ...UPDATES], { cwd });
      await use(cwd);
    }),
  );
}

describe("the history of a run", () => {
  test("gives the outcomes that the run reported, from a file, packed, and from standard input", () =>
    afterRun([], async (cwd) => {
      const plain = await command(["judge", HISTORY], { cwd });
      expect([plain.code, plain.stderr]).toEqual([3, ""]);
      const { judged, verdict, run, checks } = judgedIn(cwd);
      expect([verdict, run.requests, judged?.of]).toEqual(["inconclusive", 0, "run"]);
      expect(judged?.agreement).toMatchObject({ differ: [] });
      expect(judged?.agreement?.compared).toBeGreaterThan(20);
      expect(checks.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(5);
      expect(plain.stdout).toMatch(/\d+ of \d+ requirements exercised, 0 violated/);
      expect(plain.stdout).toMatch(/(\d+) of \1 outcomes as the run reported them/);
      expect(plain.stdout).toMatch(/Only \d+ of [\d,]+ checks can be judged from recorded traffic/);

      writeFileSync(join(cwd, "packed.gz"), gzipSync(readFileSync(join(cwd, HISTORY))));
      const packed = await command(["judge", "packed.gz", "--out", "packed"], { cwd });
      expect(packed.code).toBe(3);
      expect(reportIn(cwd, "packed").summary).toEqual(judgedIn(cwd).summary);
      const piped = await command(["judge", "-", "--out", "piped"], {
        cwd,
        input: readFileSync(join(cwd, HISTORY)),
      });
      expect(piped.code).toBe(3);
      expect(reportIn(cwd, "piped").summary).toEqual(judgedIn(cwd).summary);
    }));

  test("shows the violation that the run found", () =>
    afterRun(["lower-cased@webhook-update.url"], async (cwd) => {
      const { code } = await command(["judge", HISTORY], { cwd });
      const { judged, verdict, findings, checks } = judgedIn(cwd);
      expect([code, verdict, judged?.agreement?.differ]).toEqual([1, "nonconformant", []]);
      const told = new Set(checks.filter(({ reason }) => reason !== "needs-run").map(({ id }) => id));
      const judgedAgain = (all: Report["findings"] = []) =>
        all.map((each) => [each.cause, each.checks.filter((id) => told.has(id))]);
      expect(judgedAgain(findings)).toEqual(judgedAgain(reportIn(cwd).findings));
      expect(judged?.places.filter(({ outcome }) => outcome === "violated")).toMatchObject([
        { requirement: "UPDATE-ECHO", operation: "PATCH /webhooks/{id}" },
      ]);
    }));

  test("that gives another outcome than the report beside it does not agree", () =>
    afterRun(["lower-cased@webhook-update.url"], async (cwd) => {
      const file = join(cwd, HISTORY);
      // The answers show what was sent after all.
      const text = readFileSync(file, "utf8");
      const urls = [...text.matchAll(/\\"url\\":\\"(.*?)\\"/g)].map(([, url = ""]) => url);
      let mended = text;
      for (const url of urls)
        if (url !== url.toLowerCase()) mended = mended.replaceAll(url.toLowerCase(), url);
      expect(mended).not.toBe(text);
      writeFileSync(file, mended);
      const { stdout } = await command(["judge", HISTORY, "--reporter", "plain"], { cwd });
      expect(judgedIn(cwd).judged?.agreement?.differ).toMatchObject([{ run: "fail", judged: "pass" }]);
      expect(stdout).toContain("the run reported fail, and its history gives pass");
    }));

  test("is judged as far as it can be read", () =>
    afterRun([], async (cwd) => {
      const lines = readFileSync(join(cwd, HISTORY), "utf8").split("\n");
      lines[5] = lines[5]?.slice(0, 100) ?? "";
      writeFileSync(join(cwd, "damaged.ndjson"), lines.join("\n"));
      const { stdout } = await command(["judge", "damaged.ndjson"], { cwd });
      expect(stdout).toContain("damaged.ndjson: line 6 is no JSON");
      expect(judgedIn(cwd).judged?.exchanges).toBeGreaterThan(10);
    }));
});

describe("wrong use:", () => {
  test.each([
    [[], "name a file of recorded traffic"],
    [["none.har"], "cannot read none.har: there is no such file"],
    [["."], "cannot read .: it is a folder"],
    [["empty.ndjson"], "empty.ndjson is empty"],
    [["empty.ndjson", "--out", "."], "--out must be another folder than the one that empty.ndjson lies in"],
    [["empty.ndjson", "--only", "NOTHING"], "--only NOTHING fits no check"],
    [["empty.ndjson", "--rate", "5"], "unknown option --rate"],
  ])("%j", (args, message) =>
    inFolder(async (cwd) => {
      writeFileSync(join(cwd, "empty.ndjson"), "");
      const { code, stderr } = await command(["judge", ...args], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(existsSync(join(cwd, "conformance-judged"))).toBe(false);
    }),
  );
});
