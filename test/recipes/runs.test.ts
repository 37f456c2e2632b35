/**
 * Runs the recipes that `init` writes. The commands of each run in order, in their own environment, on the
 * reference service.
 */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKeyPair } from "../../reports/certificates/keys.ts";
import type { Report } from "../../reports/report.ts";
import { writeSmallEdition } from "../command/small-edition.ts";
import { withReference } from "../command/targets.ts";
import { isTurn } from "../commit-seed.ts";
import { runAction, runGithub, writeGh } from "./github.ts";
import { runGitlab } from "./gitlab.ts";
import { runJenkins } from "./jenkins.ts";
import type { Ended } from "./shell.ts";
import { newUser, type User } from "./user.ts";

/** A defect that breaks LIST-COUNT, the only rule that short runs check. */
const DEFECT = "count-one-more@webhooks";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KEY = generateKeyPair();
const TIME = { timeout: 240_000 };

let user: User;
let edition: string;
/** Reports of an earlier release: one of a sound service, one of a service with the defect. */
const baselines = { sound: "", broken: "" };

beforeAll(async () => {
  user = await newUser();
  edition = join(user.repository, "..", "edition");
  writeSmallEdition(edition);
  baselines.sound = await reportOf([]);
  baselines.broken = await reportOf([DEFECT]);
}, 120_000);
afterAll(() => user?.remove());

function reportOf(defects: string[]): Promise<string> {
  return withReference({ defects }, async ({ baseUrl, space, token }) => {
    const env = { PAYMENTS_CONFORMANCE_TOKEN: token };
    const target = ["--base-url", baseUrl, "--space", space];
    await user.suite(["run", ...target, "--only", "LIST-COUNT", "--reporter", "silent"], env);
    return readFileSync(join(user.repository, "conformance-report/report.json"), "utf8");
  });
}

interface Scenario {
  defects?: string[];
  baseline?: string;
  tag?: string;
  token?: string;
  down?: boolean;
  whole?: boolean;
  /** True if `npm ci` really installs packages. By default a fake `npm` links those of the user's repository. */
  installs?: boolean;
}
/** The value of `github` in expressions of a workflow that runs for a pull request. */
const PULL_REQUEST = {
  repository: "acme/pay",
  token: "ghs_ofthejob",
  event_name: "pull_request",
  ref: "refs/pull/7/merge",
  ref_name: "7/merge",
  event: { pull_request: { number: 7, head: { repo: { full_name: "acme/pay" } } } },
};
/** How a pipeline ended, with the report that it kept. */
interface Outcome extends Ended {
  report: Report | undefined;
  place: string;
  bin: string;
}
type Server = (scenario: Scenario) => Promise<Outcome>;

/** Returns a CI server: a function that runs a recipe in a scenario. */
function server(
  run: (at: ReturnType<User["fork"]>, secrets: { token: string }, tag: string | undefined) => Promise<Ended>,
): Server {
  return (scenario) =>
    withReference({ defects: scenario.defects ?? [] }, async (service) => {
      const baseUrl = scenario.down ? "http://127.0.0.1:1" : service.baseUrl;
      const lines = [
        `baseUrl: ${baseUrl}`,
        `space: ${service.space}`,
        `token: $\{PAYMENTS_CONFORMANCE_TOKEN}`,
        // A run of one rule is enough to test a recipe, but a certificate needs a whole run.
        scenario.whole ? `spec: ${edition}` : "only: LIST-COUNT",
      ];
      const at = user.fork(`${lines.join("\n")}\n`, scenario.installs ?? false);
      if (scenario.baseline !== undefined)
        writeFileSync(join(at.repository, "conformance-baseline.json"), scenario.baseline);
      const token = scenario.token ?? service.token;
      const ended = await run(at, { token }, scenario.tag);
      expectNoSecrets(ended, [token, KEY.privateKey.split("\n")[1] ?? ""]);
      const kept = join(ended.artifacts["conformance-report"] ?? "", "report.json");
      const report = existsSync(kept) ? (JSON.parse(readFileSync(kept, "utf8")) as Report) : undefined;
      return { ...ended, ...at, report };
    });
}

/** Fails if a secret is in the output, in an artefact, or in the environment of `npm ci`. */
function expectNoSecrets({ ran, artifacts }: Ended, secrets: readonly string[]): void {
  const files = Object.values(artifacts).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !folder.endsWith("node_modules/") && statSync(join(folder, name)).isFile())
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  for (const secret of secrets) {
    for (const { name, output } of ran) expect([name, output.includes(secret)]).toEqual([name, false]);
    expect(files.filter((text) => text.includes(secret))).toEqual([]);
  }
  const installing = ran.filter(({ text }) => text.includes("npm ci"));
  expect(installing.length).toBeGreaterThan(0);
  for (const { env } of installing)
    expect(Object.keys(env).filter((name) => /TOKEN|KEY/.test(name) && !/^npm_/i.test(name))).toEqual([]);
}

/** Fails unless GitHub shows a summary, a result for each check, and a comment on the pull request. */
function expectShown({ jobs, place, bin }: Outcome, summary = /LIST-COUNT[\s\S]*regression/i): void {
  expect(jobs.show).toBe("success");
  expect(readFileSync(join(place, "summary.md"), "utf8")).toMatch(summary);
  expect(readFileSync(join(place, "checks/report.xml"), "utf8")).toContain("<failure");
  expect(readFileSync(join(bin, "gh.body"), "utf8")).toMatch(
    /^<!-- payments-conformance -->[\s\S]*LIST-COUNT/,
  );
  const posted = "api --method POST repos/acme/pay/issues/7/comments";
  expect(readFileSync(join(bin, "gh.log"), "utf8")).toContain(posted);
}

const read = (at: { repository: string }, file: string) => readFileSync(join(at.repository, file), "utf8");

const servers: Record<string, Server> = {
  github: server((at, { token }, tag) => {
    writeGh(at.bin);
    return runGithub({
      ...at,
      workflow: read(at, ".github/workflows/payments-conformance.yml"),
      secrets: { PAYMENTS_CONFORMANCE_TOKEN: token, PAYMENTS_CONFORMANCE_KEY: KEY.privateKey },
      github: {
        ...PULL_REQUEST,
        ...(tag === undefined
          ? {}
          : { event_name: "push", ref: `refs/tags/${tag}`, ref_name: tag, event: {} }),
      },
    });
  }),
  gitlab: server((at, { token }, tag) => {
    const file = join(at.place, "key.pem");
    writeFileSync(file, KEY.privateKey);
    return runGitlab({
      ...at,
      pipeline: read(at, ".gitlab-ci.yml"),
      scope: "conformance",
      secrets: { PAYMENTS_CONFORMANCE_TOKEN: token, PAYMENTS_CONFORMANCE_KEY: file },
      variables: tag === undefined ? {} : { CI_COMMIT_TAG: tag },
    });
  }),
  jenkins: server((at, { token }, tag) => {
    const file = join(at.place, "key.pem");
    writeFileSync(file, KEY.privateKey);
    return runJenkins({
      ...at,
      pipeline: read(at, "Jenkinsfile"),
      credentials: { "payments-conformance-token": token, "payments-conformance-key": file },
      variables: tag === undefined ? {} : { TAG_NAME: tag },
    });
  }),
};
const GATE: Record<string, string> = { github: "gate", gitlab: "conformance", jenkins: "Conformance" };
const CERTIFICATE: Record<string, string> = {
  github: "certificate",
  gitlab: "certificate",
  jenkins: "Certificate",
};

const SERVERS = Object.keys(servers);
/** True for one of the three servers, in every third commit. Other scenarios and commits pick other servers. */
function isTurnOf(scenario: number, name: string): boolean {
  const turns = 3 * SERVERS.length;
  return isTurn((SERVERS.indexOf(name) + scenario) % turns, turns);
}

describe.each(SERVERS)("%s", (name) => {
  const [run, gate, certificate] = [
    servers[name] as Server,
    GATE[name] as string,
    CERTIFICATE[name] as string,
  ];
  const outputOf = ({ ran }: Outcome) => ran.map(({ output }) => output).join("\n");

  test.runIf(isTurnOf(5, name))("green: the gate passes, and the report is kept", TIME, async () => {
    const outcome = await run({ installs: true });
    expect(outcome.jobs[gate], outputOf(outcome)).toBe("success");
    expect(outcome.jobs[certificate]).toBe("skipped");
    expect(outcome.report?.verdict).toBe("conformant");
    const kept = readdirSync(outcome.artifacts["conformance-report"] ?? "");
    expect(kept).toEqual(expect.arrayContaining(["report.html", "report.xml"]));
  });

  test.runIf(isTurnOf(0, name))(
    "a regression: the gate stops, and the comparison names the regression",
    TIME,
    async () => {
      const outcome = await run({ defects: [DEFECT], baseline: baselines.sound });
      expect(outcome.jobs[gate]).toBe("failure");
      const folder = outcome.artifacts["conformance-report"] ?? "";
      const [page = ""] = readdirSync(folder).filter((file) => file.startsWith("comparison."));
      expect(readFileSync(join(folder, page), "utf8")).toMatch(/regression[\s\S]*LIST-COUNT/i);
      if (name === "github") expectShown(outcome);
    },
  );

  test.runIf(isTurnOf(1, name))(
    "known failures: the gate passes, and the report shows them",
    TIME,
    async () => {
      const outcome = await run({ defects: [DEFECT], baseline: baselines.broken });
      expect(outcome.jobs[gate], outputOf(outcome)).toBe("success");
      expect(outcome.report?.checks.map(({ id }) => id)).toContain("responses/LIST-COUNT GET /webhooks");
    },
  );

  test.runIf(isTurnOf(2, name))(
    "staging down: the gate stops and says why, and no tag is certified",
    TIME,
    async () => {
      const outcome = await run({ down: true, tag: "v2" });
      expect(outcome.jobs).toMatchObject({ [gate]: "failure", [certificate]: "skipped" });
      expect(outcome.report?.verdict).toBe("inconclusive");
      expect(outcome.report?.problem).toBeTruthy();
      expect(outputOf(outcome)).toContain(outcome.report?.problem?.slice(0, 30));
    },
  );

  test.runIf(isTurnOf(3, name))("token expired: the gate stops and says so", TIME, async () => {
    const outcome = await run({ token: "expired-token-0123456789", baseline: baselines.broken });
    expect(outcome.jobs[gate]).toBe("failure");
    expect(outcome.report?.verdict).toBe("inconclusive");
    expect(outcome.report?.problem).toMatch(/token/);
  });

  test.runIf(isTurnOf(4, name))("a tag: a certificate that the key of the recipe signed", TIME, async () => {
    const outcome = await run({ tag: "v2", whole: true });
    expect(outcome.jobs[certificate], outputOf(outcome)).toBe("success");
    const trusted = join(outcome.place, "trusted.pem");
    writeFileSync(trusted, KEY.publicKey);
    const file = join(outcome.artifacts.certificate ?? "", "certificate.json");
    const verified = await user.suite(["verify", file, "--public-key", trusted]);
    expect(verified.code, verified.stdout).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8")).statement.labels).toEqual({ release: "v2" });
  });
});

describe("action.yml", () => {
  const text = readFileSync(join(ROOT, "action.yml"), "utf8");

  test.runIf(isTurn(1, 6))(
    "from its own copy: it installs no development package, stops at a failure and shows it",
    TIME,
    () =>
      withReference({ defects: [DEFECT] }, async ({ baseUrl, space, token }) => {
        const at = user.fork("only: LIST-COUNT\n", true);
        writeGh(at.bin);
        const own = checkoutIn(join(at.place, "action"));
        const github = { ...PULL_REQUEST, action_path: own };
        const given = { token, space, "base-url": baseUrl, show: "true" };
        const ended = await runAction(text, given, { ...at, github });
        const output = ended.ran.map((ran) => ran.output).join("\n");
        expect(ended.jobs.action, output).toBe("failure");
        expect(ended.ran.map(({ code }) => code)).toEqual([0, 1, 0, 0]);
        expectNoSecrets(ended, [token]);
        expect(existsSync(join(own, "node_modules/ajv"))).toBe(true);
        expect(existsSync(join(own, "node_modules/vitest"))).toBe(false);
        expect(existsSync(join(own, "node_modules/typescript"))).toBe(false);
        expect(readFileSync(join(at.place, "output"), "utf8")).toContain("verdict=nonconformant");
        expectShown({ ...ended, jobs: { show: "success" }, ...at, report: undefined }, /LIST-COUNT/);
      }),
  );

  test.runIf(isTurn(1, 2))("from a tarball: known failures pass, and the comparison is shown", TIME, () =>
    withReference({ defects: [DEFECT] }, async (service) => {
      const at = user.fork(`baseUrl: ${service.baseUrl}\nspace: ${service.space}\nonly: LIST-COUNT\n`, true);
      writeFileSync(join(at.repository, "conformance-baseline.json"), baselines.broken);
      const [tarball = ""] = readdirSync(at.repository).filter((name) => name.endsWith(".tgz"));
      const given = { token: service.token, package: tarball };
      const ended = await runAction(text, given, { ...at, github: PULL_REQUEST });
      expect(ended.jobs.action, ended.ran.map(({ output }) => output).join("\n")).toBe("success");
      expectNoSecrets(ended, [service.token]);
      const kept = readdirSync(ended.artifacts["conformance-report"] ?? "");
      expect(kept).toEqual(expect.arrayContaining(["report.xml", "comparison.md"]));
    }),
  );
});

/** Copies the files under version control to a folder, as a checkout does. */
function checkoutIn(folder: string): string {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const name of listed.split("\0").filter((each) => each !== "" && existsSync(join(ROOT, each))))
    cpSync(join(ROOT, name), join(folder, name));
  return folder;
}
