/** `judge` reports the violations that recorded traffic shows. */

import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { judgeCommand } from "../../command/judging/judge.ts";
import { readFiles } from "../../command/judging/others-traffic.ts";
import { openTraffic } from "../../command/judging/traffic-file.ts";
import type { Report } from "../../reports/report.ts";
import { isTurn } from "../commit-seed.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const HISTORY = "conformance-report/history.ndjson";
const UPDATES = ["--only", "UPDATE-ECHO", "--only", "KEY-REPLAY", "--seed", "7"];
const judgedIn = (cwd: string) => reportIn(cwd, "conformance-judged");

/**
 * Runs the checks UPDATE-ECHO and KEY-REPLAY on a service with defects, and calls `use` with the folder of
 * the report.
 */
function afterRun(defects: string[], use: (cwd: string) => Promise<void>): Promise<void> {
  return withReference({ defects }, (service) =>
    inFolder(async (cwd) => {
      await command(["run", ...flagsFor(service), ...UPDATES], { cwd });
      await use(cwd);
    }),
  );
}

describe("the history of a run", () => {
  test.runIf(isTurn(0, 3))(
    "gives the outcomes of the run, from a file, packed or not, and from standard input",
    () =>
      afterRun([], async (cwd) => {
        const plain = await command(["judge", HISTORY], { cwd });
        expect([plain.code, plain.stderr]).toEqual([3, ""]);
        const { judged, verdict, run, checks } = judgedIn(cwd);
        expect([verdict, run.requests, judged?.of]).toEqual(["inconclusive", 0, "run"]);
        expect(judged?.agreement).toMatchObject({ differ: [] });
        expect(judged?.agreement?.compared).toBeGreaterThan(20);
        expect(checks.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(5);
        expect(plain.stdout).toMatch(/\d+ of \d+ requirements exercised, 0 violated/);
        expect(plain.stdout).toMatch(/ ([\d,]+) of \1 outcomes as the run reported them/);
        expect(judged?.checks.judged).toBe(judged?.checks.total);

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
      }),
  );

  test("shows what the run assumed about the service", () =>
    withReference({ variant: "lists-in-any-order-at-each-read" }, (service) =>
      inFolder(async (cwd) => {
        await command(["run", ...flagsFor(service), "--only", "GET /banks", "--seed", "7"], { cwd });
        const { assumed } = reportIn(cwd);
        expect(assumed).toMatchObject([{ trait: "moving-list", subject: "GET /banks" }]);
        await command(["judge", HISTORY], { cwd });
        expect(judgedIn(cwd).assumed).toEqual(assumed);
      }),
    ));

  test.runIf(isTurn(1, 3))("shows the violation that the run found", () =>
    afterRun(["lower-cased@webhook-update.url"], async (cwd) => {
      const { code } = await command(["judge", HISTORY], { cwd });
      const { judged, verdict, findings, checks } = judgedIn(cwd);
      expect([code, verdict, judged?.agreement?.differ]).toEqual([1, "nonconformant", []]);
      const ids = new Set(checks.map(({ id }) => id));
      const judgedAgain = (all: Report["findings"] = []) =>
        all.map((each) => [each.cause, each.checks.filter((id) => ids.has(id))]);
      expect(judgedAgain(findings)).toEqual(judgedAgain(reportIn(cwd).findings));
      expect(judged?.places.filter(({ outcome }) => outcome === "violated")).toMatchObject([
        { requirement: "UPDATE-ECHO", operation: "PATCH /webhooks/{id}" },
      ]);
    }),
  );

  test.runIf(isTurn(2, 3))("that gives another outcome than the report beside it does not agree", () =>
    afterRun(["lower-cased@webhook-update.url"], async (cwd) => {
      const file = join(cwd, HISTORY);
      // The recorded answers show URLs in lower case. Replace these by the URLs that were sent.
      const text = readFileSync(file, "utf8");
      const latest = new Map<string, string>();
      const mendedLine = (line: string) => {
        for (const [, url = ""] of line.matchAll(/\\"url\\":\\"(.*?)\\"/g))
          if (url !== url.toLowerCase()) latest.set(url.toLowerCase(), url);
        return [...latest].reduce((all, [lower, url]) => all.replaceAll(lower, url), line);
      };
      const mended = text.split("\n").map(mendedLine).join("\n");
      expect(mended).not.toBe(text);
      writeFileSync(file, mended);
      const { stdout } = await command(["judge", HISTORY, "--reporter", "plain"], { cwd });
      expect(judgedIn(cwd).judged?.agreement?.differ).toMatchObject([{ run: "fail", judged: "pass" }]);
      expect(stdout).toContain("the run reported fail, and its history gives pass");
    }),
  );

  test("is not compared with the report of another run that lies beside it", () =>
    afterRun([], async (cwd) => {
      const file = join(cwd, "conformance-report", "report.json");
      const report = readFileSync(file, "utf8");
      writeFileSync(file, report.replace('"seed": 7', '"seed": 8'));
      const { code, stdout } = await command(["judge", HISTORY, "--reporter", "plain"], { cwd });
      expect([code, judgedIn(cwd).judged?.agreement]).toEqual([3, undefined]);
      expect(stdout).toContain("conformance-report/report.json is of another run");
    }));

  test("is not judged if it lacks lines: what is missing may explain the rest", () =>
    afterRun([], async (cwd) => {
      const lines = readFileSync(join(cwd, HISTORY), "utf8").split("\n");
      const isUpdate = (line: string) => line.includes('"method":"PATCH"') && line.includes('"status":200');
      const lacking = lines.map((line, at) => (at % 2 === 0 && isUpdate(line) ? line.slice(0, 100) : line));
      writeFileSync(join(cwd, "lacking.ndjson"), lacking.join("\n"));
      const damaged = await command(["judge", "lacking.ndjson"], { cwd });
      expect(damaged.stdout).toMatch(/lacking\.ndjson: line \d+ is no JSON/);
      expect(damaged.stdout).toContain("lacking.ndjson lacks lines: nothing is judged");
      expect(damaged.code).toBe(3);
      expect(judgedIn(cwd).judged?.exchanges).toBeGreaterThan(10);

      writeFileSync(join(cwd, "cut.ndjson"), lines.slice(0, 12).join("\n"));
      const cut = await command(["judge", "cut.ndjson"], { cwd });
      expect(cut.stdout).toContain("cut.ndjson lacks its end");
      expect(cut.code).toBe(3);
    }));
});

/** One exchange in the format of a gateway's log. */
function logged(change: object = {}): string {
  const pagination = { next: null, previous: null, count: 0, total: 0 };
  return JSON.stringify({
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 5,
    request: {
      method: "GET",
      url: "https://pay.example.com/countries",
      headers: { authorization: "Bearer tok-1234567890abcdef" },
    },
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { success: true, messages: [], result: [], pagination },
    },
    ...change,
  });
}

const WRONG = {
  response: { status: 200, headers: { "content-type": "text/html" }, body: "<tok-1234567890abcdef>" },
};

describe("the traffic of others", () => {
  const judge = async (files: Record<string, string | Buffer>, ...flags: string[]) =>
    inFolder(async (cwd) => {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
      const ended = await command(["judge", ...Object.keys(files), ...flags, "--reporter", "plain"], { cwd });
      const out = join(cwd, "conformance-judged");
      const written = existsSync(out)
        ? readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"))
        : [];
      return { ...ended, report: written.length > 0 ? judgedIn(cwd) : undefined, written };
    });

  test("is never conformant", async () => {
    const { code, report } = await judge({ "log.ndjson": logged() });
    expect([code, report?.verdict, report?.judged?.of]).toEqual([3, "inconclusive", "others"]);
    expect(report?.target.baseUrl).toBe("https://pay.example.com");
    const held = report?.judged?.places.filter(({ outcome }) => outcome === "held");
    expect(held).toContainEqual({
      requirement: "STATUS-200",
      operation: "GET /countries",
      outcome: "held",
      held: 1,
      violated: 0,
    });
    expect(held?.every(({ operation }) => operation === "GET /countries")).toBe(true);
  });

  test("shows violations with their exchanges, and no token", async () => {
    const { code, stdout, report, written } = await judge({ "log.ndjson": logged(WRONG) });
    expect([code, report?.verdict]).toEqual([1, "nonconformant"]);
    const failing = report?.checks.filter(({ outcome }) => outcome === "fail") ?? [];
    expect(failing.map(({ requirements }) => requirements[0]).sort()).toEqual([
      "JSON-BODY",
      "JSON-CONTENT-TYPE",
    ]);
    expect(failing[0]?.evidence[0]?.request.url).toBe("https://pay.example.com/countries");
    expect(stdout).toMatch(/\d+ of \d+ requirements exercised, 2 violated, by 1 recorded exchange/);
    for (const text of [stdout, ...written]) expect(text).not.toContain("1234567890abcdef");
    const coverage = written.find((text) =>
      text.startsWith(stdout.match(/\d+ of \d+ requirements/)?.[0] ?? "none"),
    );
    expect(coverage).toContain("Violated (2)\n  JSON-CONTENT-TYPE at GET /countries: violated once\n");
    expect(coverage).toContain("  STATUS-200 at GET /countries: held once\n");
    expect(coverage).toMatch(/Never exercised \(\d+\)\n/);
    expect(coverage).toMatch(/UPDATE-ECHO at PATCH \/webhooks\/\{id\}: a run would send: \S/);
    const page = written.find((text) => text.includes("coverage of recorded traffic"));
    expect(page).toContain("Violated (2)");
    expect(page).not.toContain("<script");
  });

  test("is read from several files, as far as it can be", async () => {
    const har = JSON.stringify({ log: { version: "1.2", entries: [{ request: 5 }] } });
    const { code, stdout, report } = await judge({
      "one.ndjson": `${logged()}\nnoise\n${logged({ durationMs: 6 })}`,
      "two.ndjson.gz": gzipSync(logged({ durationMs: 7 })),
      "three.ndjson.gz": gzipSync(`${logged({ durationMs: 8 })}\n${"x".repeat(9_999)}`).subarray(0, -20),
    });
    expect([code, report?.judged?.exchanges]).toEqual([3, 4]);
    expect(stdout).toContain("one.ndjson: line 2: it is no JSON");
    expect(stdout).toContain("three.ndjson.gz is cut off or damaged");
    const { code: none, stderr } = await judge({ "empty.har": har });
    expect([none, stderr]).toEqual([
      2,
      expect.stringContaining("empty.har: /log/entries/0: startedDateTime is no time"),
    ]);
  });

  test("can be narrowed to an address, to checks and by waivers", async () => {
    const files = { "log.ndjson": logged(WRONG) };
    const other = await judge(files, "--base-url", "https://other.example.com");
    expect([other.code, other.report?.judged?.exchanges]).toEqual([3, 0]);
    expect(other.stdout).toContain("No request calls a documented operation.");
    const part = await judge(files, "--only", "JSON-BODY");
    expect(part.report?.judged?.places.map(({ requirement }) => requirement)).toContain("JSON-BODY");
    expect(part.report?.judged?.requirements.violated).toBe(1);
    const ignored = await judge(files, "--ignore-header", "Content-Type", "--only", "JSON-CONTENT-TYPE");
    expect(ignored.code).toBe(3);
    const waiver = { requirement: "JSON-*", operation: "*", reason: "known", expires: "2999-01-01" };
    await inFolder(async (cwd) => {
      writeFileSync(join(cwd, "log.ndjson"), files["log.ndjson"]);
      writeFileSync(join(cwd, "waivers.yaml"), JSON.stringify({ waivers: [waiver] }));
      const { code } = await command(["judge", "log.ndjson", "--waivers", "waivers.yaml"], { cwd });
      expect([code, judgedIn(cwd).summary.waived]).toEqual([3, 2]);
    });
  });

  test.each([
    [Buffer.from([0, 1, 2, 255, 254, 0, 10, 7]), "noise: line 1: it is no JSON"],
    [Buffer.from('{"log":{}}'), "noise: it is no HAR: /log/entries is missing"],
    [Buffer.from('{\n "log": {"entries": 5'), "noise: it is no HAR: /log/entries is missing; line 2"],
    [Buffer.from([0x1f, 0x8b, 8, 0]), "noise is empty"],
  ])("is wrong use if nothing can be read (%#)", async (noise, message) => {
    const { code, stderr } = await judge({ noise });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("is followed while it grows", () =>
    inFolder(async (cwd) => {
      const file = join(cwd, "log.ndjson");
      writeFileSync(file, `${logged()}\n`);
      let step = 0;
      const { code, stdout } = await command(["judge", "log.ndjson", "--follow", "--reporter", "plain"], {
        cwd,
        onStart: () => setTimeout(() => appendFileSync(file, `${logged(WRONG)}\n{"unfinished`), 1_500),
        onOutput: (text, kill) => {
          if (step++ === 0 && text.includes("violated: JSON-")) kill("SIGINT");
        },
      });
      expect([code, judgedIn(cwd).judged?.exchanges]).toEqual([1, 2]);
      expect(stdout).toContain("violated: JSON-BODY at GET /countries: expected a body that is JSON");
    }));
});

test("standard input is followed to its end, and several files are not", () =>
  inFolder(async (cwd) => {
    const { code } = await command(["judge", "-", "--follow"], { cwd, input: Buffer.from(logged()) });
    expect([code, judgedIn(cwd).judged?.exchanges]).toEqual([3, 1]);
    const several = judgeCommand(["one.ndjson", "two.ndjson"], { follow: true });
    await expect(several).rejects.toThrow("takes one file only");
  }));

test("a signal can end the reading of a large HAR file", async () => {
  const entry = { startedDateTime: "2026-01-01T00:00:00Z", request: { method: "GET", url: "/banks" } };
  async function* lines(): AsyncGenerator<[string, number]> {
    yield [JSON.stringify({ log: { entries: Array.from({ length: 3_000 }, () => entry) } }), 1];
  }
  let taken = 0;
  let takenAtSignal = -1;
  setImmediate(() => {
    takenAtSignal = taken;
  });
  const judge = { take: () => taken++, end: () => undefined };
  await readFiles([{ name: "large.har", format: "har", lines: lines() }], judge, []);
  expect(taken).toBe(3_000);
  expect(takenAtSignal).toBeGreaterThanOrEqual(0);
  expect(takenAtSignal).toBeLessThan(3_000);
});

test("a log is followed over its rotation", () =>
  inFolder(async (cwd) => {
    const file = join(cwd, "log.ndjson");
    writeFileSync(file, "one\ntwo\nhalf");
    const ended = new AbortController();
    const { lines } = await openTraffic(file, { notice: () => undefined, follow: ended.signal });
    const next = async () => (await lines.next()).value?.[0];
    expect([await next(), await next()]).toEqual(["one", "two"]);
    const third = next();
    renameSync(file, `${file}.1`);
    await pause(300);
    writeFileSync(file, "three\n");
    expect([await third, await next()]).toEqual(["half", "three"]);
    writeFileSync(file, "4\n");
    expect([await next(), await next()]).toEqual(["", "4"]);
    ended.abort();
    expect((await lines.next()).done).toBe(true);
  }));

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
