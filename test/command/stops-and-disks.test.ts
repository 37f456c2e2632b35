/**
 * A run that is interrupted still writes a report. A run that can't write its reports ends before it sends
 * anything.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../reference/index.ts";
import { commitShare, isTurn } from "../commit-seed.ts";
import { typicalReport } from "../reports/example.ts";
import { command, type Ended, inFolder, MAIN, reportIn, runNode } from "./command.ts";
import { flagsFor, withReference, withServer } from "./targets.ts";

const FEW = ["--only", "GET /banks", "--read-only", "--seed", "1"];

describe("Signals: a signal to the command", () => {
  test.each(commitShare(["SIGINT", "SIGTERM", "SIGHUP"] as const, 3))(
    "%s ends the run with 130 and a partial report",
    (signal) =>
      withReference({ latencyMs: 20 }, (service) =>
        inFolder(async (cwd) => {
          let sent = false;
          const { code } = await command(["run", ...flagsFor(service), "--reporter", "plain"], {
            cwd,
            onOutput: (text, kill) => {
              if (sent || !text.includes("Running")) return;
              sent = true;
              setTimeout(() => kill(signal), 400);
            },
          });
          expect(code).toBe(130);
          expect(reportIn(cwd).run.partial).toBe(true);
        }),
      ),
  );

  test.each([1, 60, 150, 250, 400])("ends it with 130 even %i ms after its start", (delay) =>
    withReference({ latencyMs: 20 }, (service) =>
      inFolder(async (cwd) => {
        const child = spawn(process.execPath, [MAIN, "run", ...flagsFor(service)], { cwd });
        let printed = "";
        child.stdout.on("data", (chunk) => {
          printed += String(chunk);
        });
        const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve([code, signal])));
        await sleep(delay);
        const before = printed;
        child.kill("SIGINT");
        // Before the command starts to run, Node itself handles the signal.
        expect([[130, null], ...(before === "" ? [[null, "SIGINT"]] : [])]).toContainEqual(await ended);
      }),
    ),
  );
});

/** The webhooks of the service that are active and that a run created. */
async function activeIn(service: Pick<RunningService, "baseUrl" | "token" | "space">): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${service.token}`, "service-space-id": service.space };
  const answer = await fetch(`${service.baseUrl}/webhooks?limit=50`, { headers });
  const { result } = (await answer.json()) as { result: { name: string; isActive: boolean }[] };
  return result.filter(({ name, isActive }) => name.startsWith("pc-") && isActive);
}

test.runIf(isTurn(0, 2))("a run makes inactive what its updates made active", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const updates = ["--only", "PATCH /webhooks/{id}", "--seed", "1"];
      const { code } = await command(["run", ...flagsFor(service), ...updates], { cwd });
      expect(code).toBe(0);
      expect(await activeIn(service)).toEqual([]);
    }),
  ),
);

test.runIf(isTurn(1, 2))("Signals: a stopped run makes inactive what it made active", () =>
  withReference({ latencyMs: 5 }, (service) =>
    inFolder(async (cwd) => {
      const own = () => activeIn(service);
      let stopped = false;
      const { code } = await command(["run", ...flagsFor(service)], {
        cwd,
        onStart: (kill) => {
          const watch = setInterval(async () => {
            const seen = await own().catch(() => []);
            // On a busy machine, two of these calls overlap. A second signal would end the process at once.
            if (stopped || seen.length === 0) return;
            stopped = true;
            clearInterval(watch);
            kill("SIGINT");
          }, 20);
        },
      });
      expect([code, stopped]).toEqual([130, true]);
      expect(await own()).toEqual([]);
    }),
  ),
);

describe("Disk: if reports can't be written, nothing is sent", () => {
  const refused = (prepare: (cwd: string) => string[], message: RegExp) =>
    inFolder(async (cwd) => {
      let requests = 0;
      await withServer(
        (_, response) => {
          requests++;
          response.end("{}");
        },
        async (baseUrl) => {
          const target = flagsFor({ baseUrl, token: "token-1234", space: "spc-1" });
          const { code, stderr } = await command(["run", ...target, ...prepare(cwd)], { cwd });
          expect([code, requests]).toEqual([2, 0]);
          expect(stderr).toMatch(message);
        },
      );
    });

  test("under /proc", () => refused(() => ["--out", "/proc/nowhere/at/all"], /cannot make the folder/));

  test("because a file has the folder's name", () =>
    refused((cwd) => {
      writeFileSync(join(cwd, "taken"), "");
      return ["--out", "taken"];
    }, /cannot make the folder \S*taken: ENOTDIR/));

  test("because a folder has a report's name", () =>
    refused((cwd) => {
      mkdirSync(join(cwd, "conformance-report/report.json"), { recursive: true });
      return [];
    }, /report\.json: it is a folder/));

  test("on a full disk", () =>
    refused((cwd) => {
      mkdirSync(join(cwd, "out"));
      // Every write to /dev/full fails, as on a full disk.
      return ["--out", "/dev/full/out"];
    }, /cannot make the folder/));
});

test("Disk: an earlier run's reports are moved aside, and its unfinished files removed", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const out = join(cwd, "conformance-report");
      mkdirSync(out);
      writeFileSync(join(out, "report.json"), "earlier");
      writeFileSync(join(out, "report.json.123.tmp"), "half");
      writeFileSync(join(out, "report.sarif"), "earlier");
      const { code } = await command(["run", ...flagsFor(service), ...FEW], { cwd });
      expect(code).toBe(0);
      expect(readFileSync(join(out, "report.previous.json"), "utf8")).toBe("earlier");
      expect(readdirSync(out).filter((name) => name.endsWith(".tmp") || name === "report.sarif")).toEqual([]);
    }),
  ));

test("Disk: a second process does not write into the folder of a run, and the lock of a killed one is ignored", () =>
  withReference({ latencyMs: 20 }, (service) =>
    inFolder(async (cwd) => {
      const run = ["run", ...flagsFor(service), ...FEW, "--reporter", "plain"];
      const lock = join(cwd, "conformance-report", "report.lock");
      let second: Promise<Ended> | undefined;
      const { code } = await command([...run, "--rate", "20"], {
        cwd,
        onOutput: (text) => {
          if (text.includes("Running")) second ??= command(run, { cwd });
        },
      });
      expect(code).toBe(0);
      const { code: refused, stderr } = (await second) ?? { code: null, stderr: "" };
      expect([refused, stderr]).toEqual([
        2,
        expect.stringMatching(/process \d+ writes into \S*conformance-report/),
      ]);
      expect(existsSync(lock)).toBe(false);
      const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
      await new Promise((resolve) => gone.on("exit", resolve));
      writeFileSync(lock, JSON.stringify({ pid: gone.pid, host: hostname() }));
      expect((await command(run, { cwd })).code).toBe(0);
      expect(existsSync(lock)).toBe(false);
    }),
  ));

test.each([
  ["run", () => ["--embedded", ...FEW]],
  ["merge", () => ["part.json"]],
  ["judge", () => ["part.ndjson"]],
] as const)("Disk: %s leaves no file of an earlier command beside its reports", (name, args) =>
  inFolder(async (cwd) => {
    const out = join(cwd, "out");
    mkdirSync(out);
    const earlier = [
      "report.json",
      "history.ndjson",
      "traffic.har",
      "created.json",
      "coverage.html",
      "coverage.txt",
    ];
    for (const file of [...earlier, "report.sarif"]) writeFileSync(join(out, file), "earlier");
    writeFileSync(join(cwd, "part.json"), JSON.stringify(typicalReport()));
    const request = { method: "GET", url: "https://a.example/banks" };
    const exchange = { startedAt: "2026-01-01T00:00:00Z", request, response: { status: 200 } };
    writeFileSync(join(cwd, "part.ndjson"), JSON.stringify(exchange));
    const { stderr } = await command([name, ...args(), "--out", "out"], { cwd });
    expect(stderr).toBe("");
    const left = readdirSync(out).filter((file) => readFileSync(join(out, file), "utf8") === "earlier");
    expect(left.sort()).toEqual(["created.previous.json", "report.previous.json"]);
  }),
);

test.runIf(isTurn(0, 2))(
  "Disk: if a folder disappears, the reports are written to another place, and the exit code shows it",
  () =>
    withReference({}, (service) =>
      inFolder(async (cwd) => {
        const out = join(cwd, "conformance-report");
        let gone = false;
        const { code, stderr } = await command(
          ["run", ...flagsFor(service), ...FEW, "--reporter", "plain", "--rate", "10"],
          {
            cwd,
            onOutput: (text) => {
              if (gone || !text.includes("Running")) return;
              gone = true;
              rmSync(out, { recursive: true, force: true });
              writeFileSync(out, "in the way");
            },
          },
        );
        expect(code).toBe(3);
        const [, folder = ""] = / are in (\S+) instead/.exec(stderr) ?? [];
        expect(readdirSync(folder)).toContain("report.md");
        rmSync(folder, { recursive: true, force: true });
      }),
    ),
);

test("Disk: a file size limit costs only the reports that are too large, and the exit code shows it", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const line = [process.execPath, MAIN, "run", ...flagsFor(service), ...FEW]
        .map((word) => `'${word}'`)
        .join(" ");
      const child = spawn("bash", ["--norc", "-c", `ulimit -f 100; ${line}`], { cwd });
      let said = "";
      child.stderr.on("data", (chunk) => {
        said += String(chunk);
      });
      const code = await new Promise((resolve) => child.on("exit", resolve));
      expect(code).toBe(3);
      expect(said).toMatch(/report\.json: EFBIG; .*there is no place for .*report\.json/);
      expect(readdirSync(join(cwd, "conformance-report"))).toContain("report.md");
    }),
  ));

test("Disk: an earlier report is not mistaken for a merged one that is too large to be written", () =>
  inFolder(async (cwd) => {
    const out = join(cwd, "out");
    mkdirSync(out);
    const report = typicalReport();
    report.checks = report.checks.map((check) => ({ ...check, title: "long ".repeat(40_000) }));
    writeFileSync(join(cwd, "part.json"), JSON.stringify(report));
    for (const name of ["report.json", "report.html", "report.sarif"])
      writeFileSync(join(out, name), "earlier");
    const line = `ulimit -f 100; '${process.execPath}' '${MAIN}' merge --out out part.json`;
    const child = spawn("bash", ["--norc", "-c", line], { cwd, stdio: "ignore" });
    await new Promise((resolve) => child.on("exit", resolve));
    const left = readdirSync(out);
    expect(left).not.toContain("report.json");
    expect(readFileSync(join(out, "report.previous.json"), "utf8")).toBe("earlier");
    expect(left).toContain("report.md");
  }));

test("Memory: too little memory is reported before the run", () =>
  inFolder(async (cwd) => {
    const { code, stderr } = await runNode(["--max-old-space-size=48", MAIN, "run"], {
      cwd,
      env: { PATH: process.env.PATH ?? "" },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/raise --max-old-space-size/);
  }));

test("Disk: reports are written although standard output is on a full disk", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const line = [process.execPath, MAIN, "run", ...flagsFor(service), ...FEW]
        .map((word) => `'${word}'`)
        .join(" ");
      const child = spawn("bash", ["--norc", "-c", `${line} > /dev/full 2> /dev/full`], {
        cwd,
        stdio: "ignore",
      });
      const code = await new Promise((resolve) => child.on("exit", resolve));
      expect(code).toBe(0);
      expect(reportIn(cwd).verdict).toBe("conformant");
    }),
  ));
