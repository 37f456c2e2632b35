import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { renderJson } from "../../reports/formats/render-json.ts";
import { validateReport } from "../../reports/validate.ts";
import { isTurn } from "../commit-seed.ts";
import { typicalReport } from "../reports/example.ts";
import { command, inFolder, MAIN, reportIn, runNode } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const DEFECTS = ["messages-missing@banks", "messages-missing@countries", "messages-missing@code"];
const BROKEN = "MESSAGES-ARRAY";

test("replay finds a fault that is still there, and then none; the replayed report stays unchanged", async () => {
  await inFolder(async (cwd) => {
    const report = join("conformance-report", "report.json");
    const ids = await withReference({ defects: DEFECTS }, async (service) => {
      await command(["run", ...flagsFor(service), "--only", BROKEN], { cwd });
      const text = readFileSync(join(cwd, report), "utf8");
      const env = { PAYMENTS_CONFORMANCE_TOKEN: service.token };
      const { code, stdout } = await command(["replay", report], { cwd, env });
      expect(code).toBe(1);
      expect(readFileSync(join(cwd, report), "utf8")).toBe(text);
      const failing = reportIn(cwd).checks.filter(({ outcome }) => outcome === "fail");
      for (const { id } of failing) expect(stdout).toContain(`still there  ${id}`);
      const one = await command(["replay", report, failing[0]?.id ?? ""], { cwd, env });
      expect(one.stdout.match(/still there/g)).toHaveLength(1);
      const unknown = await command(["replay", report, `${failing[0]?.id}x`], { cwd, env });
      expect(unknown.code).toBe(2);
      expect(unknown.stderr).toContain(`did you mean ${failing[0]?.id}?`);
      const checks = reportIn(cwd).checks.map((check) => ({
        ...check,
        ...(check.outcome === "fail" ? { waived: { reason: "later", expires: "2999-01-01" } } : {}),
      }));
      writeFileSync(join(cwd, "waived.json"), JSON.stringify({ ...reportIn(cwd), checks }));
      const waived = await command(["replay", "waived.json"], { cwd, env });
      expect(waived.stdout).toContain("but for what waivers or a baseline cover");
      return failing.map(({ id }) => id);
    });
    await withReference({}, async (service) => {
      const { code, stdout } = await command(["replay", report, ...flagsFor(service)], { cwd });
      expect(code).toBe(0);
      for (const id of ids) expect(stdout).toContain(`gone         ${id}`);
    });
    const gone = await command(["replay", report, "--token", "tokentoken"], { cwd });
    expect(gone.code).toBe(3);
    expect(gone.stdout).toContain("not told");
  });
});

test("compare exits with 1 on a regression, and with 0 on a repair", async () => {
  await inFolder(async (cwd) => {
    await command(["run", "--only", BROKEN, "--out", "good"], { cwd });
    await withReference({ defects: DEFECTS }, (service) =>
      command(["run", ...flagsFor(service), "--only", BROKEN, "--out", "bad"], { cwd }),
    );
    const worse = await command(["compare", "good/report.json", "bad/report.json"], { cwd });
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain(BROKEN);
    expect(worse.stdout).toMatch(
      /\| GET http[\s\S]*\| At fault: \/messages\n +again {2}(?:npx )?payments-conformance replay /,
    );
    // The folder of a run stands for its report.
    expect((await command(["compare", "bad", "good"], { cwd })).code).toBe(0);
    for (const [format, start] of [
      ["json", "{"],
      ["markdown", "#"],
      ["html", "<!"],
    ] as const) {
      const args = ["compare", "good/report.json", "bad/report.json", "--format", format];
      expect((await command(args, { cwd })).stdout.startsWith(start)).toBe(true);
    }
    writeFileSync(join(cwd, "broken.json"), '{"schemaVersion":1}');
    expect((await command(["compare", "good/report.json", "broken.json"], { cwd })).code).toBe(2);
  });
});

test("compare does not call a run that tested less an improvement", async () => {
  await inFolder(async (cwd) => {
    const run = (out: string, label: string, ...args: string[]) =>
      command(["run", "--out", out, "--label", `build=${label}`, ...args], { cwd });
    await run("good", "4.1", "--only", BROKEN, "--only", "LIST-COUNT");
    await run("less", "4.2", "--only", BROKEN);
    await run("part", "4.2", "--only", BROKEN, "--only", "LIST-COUNT", "--shard", "1/2");
    await run("none", "4.2", "--only", BROKEN, "--only", "LIST-COUNT", "--max-requests", "1");
    const gone = flagsFor({ baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" });
    await run("gone", "4.2", ...gone);
    const compare = (to: string, ...args: string[]) =>
      command(["compare", "good/report.json", `${to}/report.json`, ...args], { cwd });
    for (const [to, sentence] of [
      ["less", "1 requirement that was tested before is not tested now"],
      ["part", "The new run is one shard of a run"],
      ["none", "No success was seen"],
      ["gone", "The target could not be judged"],
    ] as const) {
      const { code, stdout } = await compare(to);
      expect(stdout).toContain("NOT COMPARABLE, BUILD 4.1 TO 4.2");
      expect(stdout).toContain(sentence);
      expect(stdout).toMatch(/No longer tested: .*\n(.*\n)*.*LIST-COUNT/);
      expect(code).toBe(3);
      expect((await compare(to, "--fail-on-untested")).code).toBe(1);
    }
    expect((await compare("good", "--fail-on-untested")).code).toBe(0);
    expect((await command(["compare", "none/report.json", "none/report.json"], { cwd })).code).toBe(0);
    expect(JSON.parse((await compare("less", "--format", "json")).stdout)).toMatchObject({
      old: { labels: { build: "4.1" } },
      new: { labels: { build: "4.2" } },
    });
  });
});

test("compare --fail-on-changes fails only for the chosen observations", async () => {
  await inFolder(async (cwd) => {
    await command(["run", "--only", "REJECTION-STATUS", "--seed", "1"], { cwd });
    const report = reportIn(cwd);
    const observations = report.observations.map((each) =>
      each.operation === "GET /banks" ? { ...each, value: "422", status: 422 } : each,
    );
    writeFileSync(join(cwd, "old.json"), JSON.stringify(report));
    writeFileSync(join(cwd, "new.json"), JSON.stringify({ ...report, observations }));
    const compare = (...globs: string[]) =>
      command(["compare", ...globs.flatMap((glob) => ["--fail-on-changes", glob]), "old.json", "new.json"], {
        cwd,
      });
    expect((await compare()).code).toBe(0);
    expect((await compare("GET /momos")).code).toBe(0);
    const chosen = await compare("GET /momos", "rejection");
    expect(chosen.code).toBe(1);
    expect(chosen.stdout).toMatch(/CHOSEN OBSERVATIONS? CHANGED/);
    const wrong = await compare("REJECTION-STATE");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("did you mean REJECTION-STATUS?");
  });
});

test("merge makes the report of the whole run from its shards", async () => {
  await withReference({}, (service) =>
    inFolder(async (cwd) => {
      const run = ["run", ...flagsFor(service), "--only", "responses"];
      for (const part of [1, 2]) {
        const args = [...run, "--shard", `${part}/2`, "--out", `part-${part}`];
        expect((await command(args, { cwd })).code).toBe(0);
      }
      await command([...run, "--out", "whole"], { cwd });
      const args = ["merge", "part-1/report.json", "part-2/report.json", "--out", "merged"];
      expect((await command(args, { cwd })).code).toBe(0);
      const [merged, whole] = [reportIn(cwd, "merged"), reportIn(cwd, "whole")];
      expect(validateReport(merged)).toMatchObject({ valid: true });
      const tested = (report: typeof merged) =>
        report.checks.flatMap(({ id, outcome }) => (outcome === "skip" ? [] : `${id} ${outcome}`)).sort();
      expect(tested(merged)).toEqual(tested(whole));
      expect(tested(reportIn(cwd, "part-1")).length).toBeLessThan(tested(whole).length);
      expect(merged.run.partial).toBe(false);
    }),
  );
});

test("merge does not allow an inconclusive whole because its parts may be inconclusive", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      // With --max-created 0 nothing is created, so CREATE-LISTED is not tested.
      const run = ["run", ...flagsFor(service), "--only", "CREATE-LISTED", "--max-created", "0"];
      for (const part of [1, 2]) {
        const args = [...run, "--shard", `${part}/2`, "--out", `part-${part}`, "--allow-inconclusive"];
        expect((await command(args, { cwd })).code).toBe(0);
      }
      const merge = ["merge", "part-1/report.json", "part-2/report.json", "--out", "merged"];
      expect((await command(merge, { cwd })).code).toBe(3);
      expect(reportIn(cwd, "merged")).toMatchObject({
        verdict: "inconclusive",
        run: { options: { allowInconclusive: false } },
      });
      expect((await command([...merge, "--allow-inconclusive"], { cwd })).code).toBe(0);
    }),
  ));

test("replay sends a token to no other address than the settings name", () =>
  inFolder(async (cwd) => {
    writeFileSync(join(cwd, "report.json"), renderJson(typicalReport()));
    const env = {
      PAYMENTS_CONFORMANCE_TOKEN: "token-1234",
      PAYMENTS_CONFORMANCE_BASE_URL: "http://127.0.0.1:1",
    };
    const { code, stderr } = await command(["replay", "report.json"], { cwd, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("and your settings name http://127.0.0.1:1")]);
    const named = ["replay", "report.json", "--base-url", "http://127.0.0.1:1"];
    expect((await command(named, { cwd, env })).stderr).not.toContain("your settings name");
  }));

describe("printing", () => {
  test("a reader that closes the pipe ends the printing, not the program", () => {
    const script = `"$0" "$1" list | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script, process.execPath, MAIN], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n").at(-1)).toBe("0");
  });

  test.runIf(isTurn(1, 3))("vitest's own command runs the suite too", async () => {
    const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
    const root = fileURLToPath(new URL("../../", import.meta.url));
    await withReference({ defects: DEFECTS }, (service) =>
      inFolder(async (out) => {
        const env = {
          PATH: process.env.PATH ?? "",
          PAYMENTS_CONFORMANCE_BASE_URL: service.baseUrl,
          PAYMENTS_CONFORMANCE_TOKEN: service.token,
          PAYMENTS_CONFORMANCE_SPACE: service.space,
          PAYMENTS_CONFORMANCE_ONLY: BROKEN,
          PAYMENTS_CONFORMANCE_OUT: join(out, "conformance-report"),
        };
        const child = await runNode([vitest, "run", "--config", "conformance.config.ts"], { cwd: root, env });
        expect(child.code).toBe(1);
        expect(child.stdout).toContain(BROKEN);
        expect(reportIn(out).verdict).toBe("nonconformant");
      }),
    );
  });
});
