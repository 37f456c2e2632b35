import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderJson } from "../../reports/formats/render-json.ts";
import { validateReport } from "../../reports/validate.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, passOn, withReference, withServer } from "./targets.ts";

/** Defects that all break one requirement, at several operations. */
const DEFECTS = ["messages-missing@banks", "messages-missing@countries", "messages-missing@code"];
const BROKEN = "MESSAGES-ARRAY";
const BANKS = "responses/MESSAGES-ARRAY GET /banks";

describe("run", () => {
  test("without an address: tests the embedded reference service, which conforms", async () => {
    await inFolder(async (cwd) => {
      const { code, stdout, stderr } = await command(["run", "--only", BROKEN, "--seed", "7"], { cwd });
      expect(stderr).toBe("");
      expect(code).toBe(0);
      const report = reportIn(cwd);
      expect(validateReport(report)).toMatchObject({ valid: true });
      expect(report.target.embedded).toBe(true);
      expect(report.run).toMatchObject({ partial: false, seed: 7 });
      expect(report.problem).toBeUndefined();
      const tested = report.checks.filter(({ outcome }) => outcome !== "skip");
      expect(tested.length).toBeGreaterThan(5);
      expect(tested.every(({ requirements }) => requirements.includes(BROKEN))).toBe(true);
      expect(new Set(report.checks.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(["not-selected"]));
      expect(stdout).toContain(report.target.baseUrl);
      expect(readdirSync(join(cwd, "conformance-report")).sort()).toEqual([
        "created.json",
        "history.ndjson",
        "report.html",
        "report.json",
        "report.md",
        "report.xml",
      ]);
    });
  });

  test("a run without an address is refused if CI is set, unless --embedded is given", () =>
    inFolder(async (cwd) => {
      const env = { CI: "true" };
      for (const name of ["run", "doctor", "certify"]) {
        const { code, stderr } = await command([name], { cwd, env });
        expect(code).toBe(2);
        expect(stderr).toMatch(/CI is set and there is no --base-url \(PAYMENTS_CONFORMANCE_BASE_URL\)/);
      }
      expect(readdirSync(cwd)).toEqual([]);
      // CI also runs `npm start`, so its arguments must work there.
      const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
      const [, start] = /dist\/command\/bin\.js (.*)$/.exec(scripts.start) ?? [];
      const args = [...(start?.split(" ") ?? []), "--only", BROKEN];
      expect((await command(args, { cwd, env })).code).toBe(0);
      expect(reportIn(cwd).target.embedded).toBe(true);
      const again = await command(["replay", "conformance-report/report.json", BANKS], { cwd, env });
      expect(again).toMatchObject({ code: 0, stdout: `holds        ${BANKS}\n`, stderr: "" });
    }));

  test("a service that breaks a requirement: exit 1, and the failure in every report", async () => {
    await withReference({ defects: DEFECTS }, (service) =>
      inFolder(async (cwd) => {
        const { code, stdout } = await command(["run", ...flagsFor(service), "--only", BROKEN], { cwd });
        expect(code).toBe(1);
        expect(stdout).toContain(BROKEN);
        const report = reportIn(cwd);
        expect(report.verdict).toBe("nonconformant");
        expect(report.target).toMatchObject({ embedded: false, baseUrl: service.baseUrl });
        const again = report.checks.flatMap(({ reproduce }) => reproduce?.command ?? []);
        expect(again[0]).toMatch(/^(npx )?payments-conformance replay conformance-report\/report\.json '/);
        for (const name of ["report.html", "report.xml", "report.md"]) {
          expect(readFileSync(join(cwd, "conformance-report", name), "utf8")).toContain(BROKEN);
        }
      }),
    );
  });

  test("--reporter: json prints report.json alone, silent nothing, github commands", async () => {
    await inFolder(async (cwd) => {
      const json = await command(["run", "--only", BROKEN, "--reporter", "json"], { cwd });
      expect(json.stdout).toBe(renderJson(reportIn(cwd)));
      const silent = await command(["run", "--only", BROKEN, "--reporter", "silent"], { cwd });
      expect([silent.code, silent.stdout, silent.stderr]).toEqual([0, "", ""]);
      const github = await command(["run", "--only", BROKEN, "--reporter", "github"], { cwd });
      expect(github.stdout).toMatch(/^::notice /m);
    });
  });

  test("options of environment and file are used, and are in the report without secrets", async () => {
    await withReference({}, (service) =>
      inFolder(async (cwd) => {
        writeFileSync(
          join(cwd, "payments-conformance.yaml"),
          "runs: 3\nseed: 5\nout: kept\nonly: [responses]\n",
        );
        const env = {
          PAYMENTS_CONFORMANCE_BASE_URL: service.baseUrl,
          PAYMENTS_CONFORMANCE_TOKEN: service.token,
          PAYMENTS_CONFORMANCE_SPACE: service.space,
          PAYMENTS_CONFORMANCE_ONLY: BROKEN,
          PAYMENTS_CONFORMANCE_FIXTURE: "country=CM",
        };
        expect((await command(["run", "--seed", "6"], { cwd, env })).code).toBe(0);
        const report = reportIn(cwd, "kept");
        expect(report.run.seed).toBe(6);
        expect(report.run.options).toMatchObject({
          runs: 3,
          only: [BROKEN],
          fixtures: { country: "CM" },
          space: service.space,
        });
        expect(JSON.stringify(report.run.options)).not.toContain(service.token);
      }),
    );
  });
});

describe("a target that cannot be judged: exit 3, and reports that say why", () => {
  const flags = (baseUrl: string) => flagsFor({ baseUrl, token: "canary-token-0001", space: "spc-1" });

  test("nobody listens", async () => {
    await inFolder(async (cwd) => {
      const { code, stdout } = await command(["run", ...flags("http://127.0.0.1:1")], { cwd });
      expect(code).toBe(3);
      const report = reportIn(cwd);
      expect(validateReport(report)).toMatchObject({ valid: true });
      expect(report.problem).toContain("http://127.0.0.1:1");
      expect(report.verdict).toBe("inconclusive");
      expect(report.checks.length).toBeGreaterThan(100);
      expect(report.checks.every(({ outcome }) => outcome === "skip")).toBe(true);
      expect(stdout).toContain("INCONCLUSIVE");
    });
  });

  test.each(["token", "space"] as const)("the service refuses the %s", async (what) => {
    await withReference({}, (service) =>
      inFolder(async (cwd) => {
        const target = { ...service, [what]: what === "space" ? "spc-nowhere" : "canary-token-0001" };
        const { code } = await command(["run", ...flagsFor(target)], { cwd });
        expect(code).toBe(3);
        expect(reportIn(cwd).problem).toContain(`refuses the ${what}`);
      }),
    );
  });

  test.each<[string, string[]]>([
    ["a budget of one request", ["--only", "LIST-COUNT", "--max-requests", "1"]],
    ["writing that is not allowed", ["--only", "creates", "--read-only"]],
    ["deliveries without a callback", ["--only", "deliveries"]],
  ])("nothing was tested: %s", async (_, selection) => {
    await withReference({}, (service) =>
      inFolder(async (cwd) => {
        const args = ["run", ...flagsFor(service), ...selection];
        const { code, stdout } = await command([...args, "--reporter", "github"], { cwd });
        expect(stdout).toMatch(/INCONCLUSIVE .*No (MUST requirement was tested|success was seen of)/);
        expect(stdout).toMatch(/^::error title=payments-conformance%3A Inconclusive::/m);
        expect(code).toBe(3);
        expect(reportIn(cwd)).toMatchObject({ verdict: "inconclusive", summary: { fail: 0 } });
        expect((await command([...args, "--allow-inconclusive"], { cwd })).code).toBe(0);
      }),
    );
  });

  test("a service that stops, or a token that expires: ended early, whatever passed before", async () => {
    await withReference({}, (service) =>
      inFolder(async (cwd) => {
        for (const [name, end] of [
          ["away", (response: ServerResponse) => response.destroy()],
          ["token", (response: ServerResponse) => response.writeHead(401).end()],
        ] as const) {
          let asked = 0;
          await withServer(
            (request, response) =>
              ++asked > 30 ? end(response) : passOn(service.baseUrl, request, response),
            async (baseUrl) => {
              const args = [
                "run",
                ...flagsFor({ ...service, baseUrl }),
                "--only",
                "responses",
                "--out",
                name,
              ];
              const { code, stdout } = await command([...args, "--timeout", "2000"], { cwd });
              expect(stdout).toContain("The run ended early: the service ");
              expect([code, reportIn(cwd, name).verdict]).toEqual([3, "inconclusive"]);
            },
          );
        }
      }),
    );
  });

  test("the headline gives the scope in numbers, names hardly tested operations, and says what would test them", async () => {
    await withReference({}, (service) =>
      inFolder(async (cwd) => {
        const args = ["run", ...flagsFor(service), "--only", "PATCH /payouts/{id}", "--only", "LIST-COUNT"];
        const { code, stdout } = await command(args, { cwd });
        expect(code).toBe(0);
        expect(stdout).toMatch(
          /CONFORMANT IN SCOPE {2}\d+ of \d+ operations, \d+ of \d+ MUST requirements tested/,
        );
        const markdown = readFileSync(join(cwd, "conformance-report", "report.md"), "utf8");
        const page = readFileSync(join(cwd, "conformance-report", "report.html"), "utf8");
        const xml = readFileSync(join(cwd, "conformance-report", "report.xml"), "utf8");
        const offer = /--fixture mutablePayout=ID: \d+ more checks, PATCH \/payouts\/\{id\}/;
        expect(stdout).toMatch(/Hardly tested: 1 operation\n {2}PATCH \/payouts\/\{id\}: no success seen/);
        expect(stdout).toMatch(offer);
        expect(markdown).toContain("## Operations hardly tested (1)\n\n- `PATCH /payouts/{id}`");
        expect(markdown).toContain("`--fixture mutablePayout=ID`: ");
        expect(page.replaceAll(/<[^>]+>/g, "")).toMatch(offer);
        expect(page).toContain('id="hardly-tested"');
        expect(xml).toContain("would test more: --fixture mutablePayout=ID");
      }),
    );
  });

  test("--require-complete fails if a MUST is left out", async () => {
    await inFolder(async (cwd) => {
      const { code } = await command(["run", "--only", BROKEN, "--require-complete"], { cwd });
      expect(code).toBe(3);
      expect(reportIn(cwd).verdict).toBe("inconclusive");
    });
  });
});

test("no output has a secret, even if the service repeats it; the service's bytes are inert", async () => {
  const token = "canary-token-5f1c9a";
  const secondToken = "canary-second-77ab";
  await withServer(
    (request, response) => {
      const { authorization } = request.headers;
      response.setHeader("content-type", "application/json");
      response.setHeader("x-echo", String(authorization));
      const text = `\u001b[31m${authorization} ${Buffer.from(token).toString("base64")}`;
      response.end(JSON.stringify({ success: "no", messages: text, result: [{ id: text }], [token]: token }));
    },
    (baseUrl) =>
      inFolder(async (cwd) => {
        const env = {
          PAYMENTS_CONFORMANCE_TOKEN: token,
          PAYMENTS_CONFORMANCE_SECOND_TOKEN: secondToken,
          PAYMENTS_CONFORMANCE_DEBUG: "1",
        };
        const args = [
          "run",
          "--base-url",
          baseUrl,
          "--space",
          "spc-1",
          "--second-space",
          "spc-2",
          "--runs",
          "1",
        ];
        const outputs = [
          await command([...args, "--only", "responses"], { cwd, env }),
          await command(["replay", "conformance-report/report.json"], { cwd, env }),
          await command([...args, "--only", "responses", "--reporter", "github"], { cwd, env }),
        ];
        expect(outputs.map(({ code }) => code)).toEqual([1, 1, 1]);
        const files = readdirSync(join(cwd, "conformance-report")).map((name) =>
          readFileSync(join(cwd, "conformance-report", name), "utf8"),
        );
        expect(files).toHaveLength(6);
        for (const text of [...files, ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr])]) {
          for (const secret of [token, secondToken]) {
            expect(text).not.toContain(secret);
            expect(text).not.toContain(Buffer.from(secret).toString("base64"));
          }
          expect(text).not.toContain("\u001b");
        }
      }),
  );
});

test("a header or proxy user with the name of an operation does not hide its coverage", () =>
  inFolder(async (cwd) => {
    const env = { HTTP_PROXY: "http://bank:p4ssw0rd@127.0.0.1:9" };
    const args = ["run", "--embedded", "--only", "GET /banks", "--header", "X-Kind=banks", "--seed", "1"];
    const { code } = await command(args, { cwd, env });
    expect([code, reportIn(cwd).verdict]).toEqual([0, "conformant"]);
    expect(Object.keys(reportIn(cwd).coverage.operations)).toContain("GET /banks");
  }));

describe("waivers", () => {
  const waiver = (change: Record<string, string> = {}) =>
    JSON.stringify({
      waivers: [
        { requirement: BROKEN, operation: "*", reason: "being mended", expires: "2999-12-31", ...change },
      ],
    });

  test.each<[string, string, number, RegExp | null]>([
    ["cover what they fit", waiver(), 0, null],
    ["that expired cover nothing", waiver({ expires: "2001-01-01" }), 1, /expired on 2001-01-01/],
  ])("%s", async (_, text, code, complaint) => {
    await withReference({ defects: DEFECTS }, (service) =>
      inFolder(async (cwd) => {
        writeFileSync(join(cwd, "known.yaml"), text);
        const args = ["run", ...flagsFor(service), "--only", BROKEN, "--waivers", "known.yaml"];
        expect((await command(args, { cwd })).code).toBe(code);
        const report = reportIn(cwd);
        expect(validateReport(report)).toMatchObject({ valid: true });
        if (complaint === null) {
          expect(report.summary).toMatchObject({ fail: 0 });
          expect(report.summary.waived).toBeGreaterThan(0);
          expect(report.checks.find(({ waived }) => waived)?.waived?.reason).toBe("being mended");
        } else {
          expect(report.complaints?.join()).toMatch(complaint);
        }
      }),
    );
  });
});

describe("interrupted", () => {
  /** Returns a listener that sends the signal once, as soon as the output says that some checks are done. */
  const interrupt = (signal: NodeJS.Signals) => {
    let sent = false;
    return (text: string, kill: (signal: NodeJS.Signals) => void) => {
      if (sent || !/[1-9]\d* of \d+ checks done/.test(text)) return;
      sent = true;
      kill(signal);
    };
  };

  test("SIGINT: exit 130 and a partial report of every check", async () => {
    await withReference({ latencyMs: 15 }, (service) =>
      inFolder(async (cwd) => {
        // Checks of reads end early, and checks of creates late. The signal comes in between.
        const some = ["--only", "reads", "--only", "creates", "--concurrency", "2"];
        const args = ["run", ...flagsFor(service), ...some, "--reporter", "plain"];
        const { code, stderr } = await command(args, { cwd, onOutput: interrupt("SIGINT") });
        expect(stderr).toBe("");
        expect(code).toBe(130);
        const report = reportIn(cwd);
        expect(validateReport(report)).toMatchObject({ valid: true });
        expect(report.run.partial).toBe(true);
        const reasons = new Set(report.checks.map(({ reason }) => reason));
        expect(reasons).toContain("interrupted");
        expect(report.summary.pass).toBeGreaterThan(0);
        expect(report.verdict).not.toBe("conformant");
      }),
    );
  });

  test("SIGTERM: a service that hangs does not block the command", async () => {
    let asked = 0;
    await withServer(
      () => {
        asked++;
      },
      (baseUrl) =>
        inFolder(async (cwd) => {
          const args = ["run", ...flagsFor({ baseUrl, token: "tokentoken", space: "spc-1" })];
          const running = command([...args, "--timeout", "60000"], {
            cwd,
            onStart: (kill) => {
              const waiting = setInterval(() => {
                if (asked === 0) return;
                clearInterval(waiting);
                kill("SIGTERM");
              }, 20);
            },
          });
          expect((await running).code).toBe(130);
          expect(reportIn(cwd).run.partial).toBe(true);
        }),
    );
  });
});
