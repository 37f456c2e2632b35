import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { command, inFolder } from "./command.ts";

const run = (args: string[], env: Record<string, string> = {}) =>
  inFolder((cwd) => command(args, { cwd, env }));

describe("wrong use", () => {
  test.each<[string[], RegExp]>([
    [["rnu"], /unknown command rnu; did you mean run\?/],
    [["run", "--base-ulr", "http://x"], /unknown option --base-ulr; did you mean --base-url\?/],
    [["run", "--read-only=true"], /--read-only takes no value: leave out what follows it/],
    [["run", "--timeout", "soon"], /--timeout must be a whole number from 1 to 600000/],
    [["run", "--timeout"], /argument missing/],
    [["run", "extra"], /too many arguments/],
    [["run", "--service-version", "caph.2025-08-22"], /did you mean caph\.2025-08-23\?/],
    [["run", "--paths", "v2"], /--paths must be one of as-shown, v1, not v2; did you mean v1\?/],
    [["run", "--only", "LIST-CUONT"], /--only LIST-CUONT fits no check; did you mean LIST-COUNT\?/],
    [["run", "--skip", "*"], /leave no check to run/],
    [["run", "--waivers", "gone.yaml"], /cannot read the waivers file .*gone\.yaml: there is no such file/],
    [["run", "--profile", "gone.yaml"], /cannot read the profile/],
    [["run", "--spec", "gone"], /cannot read the part of the specification .*openapi\.yaml/],
    [["run", "--base-url", "http://127.0.0.1:1"], /--base-url is given without --token/],
    [["explain", "LIST-CUONT"], /no requirement or check LIST-CUONT; did you mean LIST-COUNT\?/],
    [["explain"], /missing required argument/],
    [["list", "--format", "jsn"], /did you mean json\?/],
    [
      ["serve", "--defect", "messages-missing-on-list"],
      /there is no defect messages-missing-on-list; did you mean /,
    ],
    [["replay", "gone.json"], /cannot read the report gone\.json/],
    [["compare", "gone.json", "gone.json"], /cannot read the report/],
    [["merge", "gone.json"], /cannot read the report/],
    [["verify", "gone.json"], /cannot read the certificate/],
  ])("%j exits 2 with one sentence, and leaves nothing behind", async (args, complaint) => {
    await inFolder(async (cwd) => {
      const { code, stdout, stderr } = await command(args, { cwd });
      expect(stderr).toMatch(complaint);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stdout).toBe("");
      expect(code).toBe(2);
      expect(existsSync(join(cwd, "conformance-report"))).toBe(false);
    });
  });

  test("sends nothing", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const target = ["--base-url", `http://127.0.0.1:${port}`, "--token", "tokentoken", "--space", "spc-1"];
    for (const wrong of [
      ["--only", "nothing-like-it"],
      ["--waivers", "gone.yaml"],
      ["--runs", "0"],
    ]) {
      expect((await run(["run", ...target, ...wrong])).code).toBe(2);
    }
    expect(requests).toBe(0);
    // Without the mistake, the same command does send requests.
    expect((await run(["run", ...target, "--only", "GET /banks"])).code).not.toBe(2);
    expect(requests).toBeGreaterThan(0);
    server.close();
  });

  test("a waiver with mistyped words ends the run before it begins, with every mistake", async () => {
    await inFolder(async (cwd) => {
      const waiver = (change: Record<string, string>) => ({
        requirement: "LIST-COUNT",
        operation: "GET /webhooks",
        reason: "known",
        expires: "2999-12-31",
        ...change,
      });
      const waivers = [waiver({ requirement: "LIST-CONUT" }), waiver({ operation: "GET /webhook" })];
      writeFileSync(join(cwd, "known.yaml"), JSON.stringify({ waivers }, null, 1));
      const { code, stdout, stderr } = await command(["run", "--waivers", "known.yaml"], { cwd });
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain("known.yaml:3: no requirement fits LIST-CONUT; did you mean LIST-COUNT?");
      expect(stderr).toContain("known.yaml:9: no operation fits GET /webhook; did you mean GET /webhooks?");
      expect(existsSync(join(cwd, "conformance-report"))).toBe(false);
    });
  });

  test("an unknown variable or file key is wrong use", async () => {
    const variable = await run(["run"], { PAYMENTS_CONFORMANCE_SEEED: "1" });
    expect(variable).toMatchObject({ code: 2, stdout: "" });
    expect(variable.stderr).toContain("did you mean PAYMENTS_CONFORMANCE_SEED?");
    await inFolder(async (cwd) => {
      writeFileSync(join(cwd, "payments-conformance.yaml"), "runs: 3\nseeed: 1\n");
      const { code, stderr } = await command(["run"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /payments-conformance\.yaml:2: there is no option named seeed; did you mean seed\?/,
      );
    });
  });

  test("a token without an address: the message says how to give the address, in the environment too", async () => {
    const { code, stdout, stderr } = await run(["run"], { PAYMENTS_CONFORMANCE_TOKEN: "canary-token" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/--token is given without --base-url: .*PAYMENTS_CONFORMANCE_TOKEN/);
    expect(stderr).not.toContain("canary");
  });

  test.each([
    ["the key of a configuration", (text: string) => ["run", "--config", text], true],
    ["the name of a file", (text: string) => ["run", "--config", text], false],
    ["a pattern", (text: string) => ["run", "--only", text], false],
    ["a flag", (text: string) => ["run", `--${text}`], false],
    ["a command", (text: string) => [text], false],
    ["an id", (text: string) => ["explain", text], false],
    [
      "the folder of the reports",
      (text: string) => ["run", "--only", "GET /countries", "--read-only", "--out", text],
      false,
    ],
  ])("%s has no effect on the terminal and the CI server that show it", async (_, args, isKey) => {
    const evil = "x\u009b2J\n::error::injected\n  ::warning::too\n##[error]x ##vso[task.complete]";
    await inFolder(async (cwd) => {
      writeFileSync(join(cwd, "bad.yaml"), `${JSON.stringify(evil)}: 1\n`);
      const { stdout, stderr } = await command(args(isKey ? "bad.yaml" : evil), { cwd });
      const printed = stdout + stderr;
      expect(printed).toContain("x\\x9b2J");
      expect(printed).not.toContain("\u009b");
      expect(printed).not.toMatch(/^\s*::|##\[|##vso\[/m);
    });
  });

  test("a call without a command shows the help", async () => {
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: payments-conformance");
  });
});

describe("help", () => {
  test("--help and --version exit 0; the help of run names every option of the table", async () => {
    const { OPTION_NAMES } = await import("../../command/options/options.ts");
    const { flagOf } = await import("../../command/options/names.ts");
    const help = await run(["run", "--help"]);
    expect(help.code).toBe(0);
    for (const name of OPTION_NAMES) expect(help.stdout).toContain(`${flagOf(name)} `);
    const version = await run(["--version"]);
    expect(version.code).toBe(0);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("list: text, JSON and Markdown hold the same requirements", async () => {
    const json = JSON.parse((await run(["list", "--format", "json"])).stdout) as {
      id: string;
      level: string;
      section: string;
      statement: string;
      untested?: string;
      checks: string[];
    }[];
    const text = (await run(["list"])).stdout;
    const markdown = (await run(["list", "--format", "markdown"])).stdout;
    expect(json.length).toBeGreaterThan(100);
    for (const { id, checks } of json) {
      expect(text).toContain(`${id} `);
      for (const check of checks.slice(0, 3)) expect(text).toContain(`      ${check}\n`);
      expect(markdown).toContain(`| ${id} |`);
    }
    const count = json.find(({ id }) => id === "LIST-COUNT");
    expect(count).toMatchObject({ level: "MUST", section: "2.2" });
    expect(count?.checks.length).toBeGreaterThan(0);
  });

  test("explain: a requirement and one of its checks, and how to run each alone", async () => {
    const requirement = await run(["explain", "LIST-COUNT"]);
    expect(requirement.stdout).toContain("Alone, this judges the answers to a few requests");
    expect((await run(["explain", "LIST-LIMIT-ACCEPTED"])).stdout).not.toContain("finds less");
    expect(requirement.code).toBe(0);
    expect(requirement.stdout).toContain("payments-conformance run --only LIST-COUNT");
    for (const fact of ["MUST: ", "Section  2.2", "Row      30", "\n  GET /webhooks\n"]) {
      expect(requirement.stdout).toContain(fact);
    }
    const [, id = ""] = /\n {4}(responses\/\S.*)\n/.exec(requirement.stdout) ?? [];
    const check = await run(["explain", id]);
    expect(check.code).toBe(0);
    expect(check.stdout).toContain("LIST-COUNT (MUST, section 2.2)");
    expect(check.stdout).toContain("payments-conformance run --only ");
  });

  test("explain: the parts of a valid call, and why a requirement is not tested", async () => {
    const check = await run(["explain", "creates/CREATE-LISTED POST /webhooks"]);
    expect(check.stdout).toMatch(/POST \/webhooks\n +Authorization: Bearer <token>\n +Idempotency-Key: /);
    expect(check.stdout).toContain('{ "name": <string>, "url": <string>, "events": <array or null> }');
    const untested = await run(["explain", "SILENCE-TOKEN"]);
    expect(untested.stdout).toMatch(/Level {4}NOTE: [\s\S]*Not tested: \w/);
    expect(untested.stdout).not.toContain("--only");
  });

  test("plan: requests, creations and time, by operation and by suite; nothing is sent", async () => {
    const target = ["--base-url", "http://127.0.0.1:1", "--token", "tokentoken", "--space", "spc-1"];
    const { code, stdout } = await run(["plan", ...target, "--only", "creates", "--only", "lists"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}operation +requests +creations +time$/m);
    expect(stdout).toMatch(/^ {2}POST \/webhooks +\d+ +[1-9]\d* +\d/m);
    // `lists` is a suite of earlier releases. It selects its checks, which are now in suites such as `pagination`.
    expect(stdout).toMatch(/^ {2}pagination +[1-9]\d* +\d+ +\d/m);
    expect(stdout).toContain("Nothing was sent");
    const json = JSON.parse((await run(["plan", ...target, "--format", "json"])).stdout);
    expect(json).toMatchObject({ depth: "quick", latency: 50 });
    expect(json.requests).toBeGreaterThan(100);
    expect(stdout).toContain("against a service with many faults asks more and takes longer than this");
  });

  test("plan needs neither token nor space, and estimates any selection", async () => {
    for (const only of ["LIST-COUNT", "responses/LIST-COUNT GET /banks", "GET /countries"]) {
      const args = ["plan", "--base-url", "http://127.0.0.1:1", "--only", only, "--format", "json"];
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout).requests).toBeGreaterThan(0);
    }
  });

  test("serve --list-defects names them all", async () => {
    const { defects } = await import("../../reference/index.ts");
    const { code, stdout } = await run(["serve", "--list-defects"]);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(defects.length);
    for (const { name } of defects) expect(stdout).toContain(name);
  });
});
