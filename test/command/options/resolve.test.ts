import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveValues, type Sources } from "../../../command/options/resolve.ts";
import { UsageError } from "../../../spec/usage-error.ts";

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

const TARGET = { baseUrl: "https://pay.example.test/api", token: "t0ken", space: "spc-1" };

function values(sources: Partial<Sources> & { file?: string }) {
  if (sources.file !== undefined) writeFileSync(join(cwd, "payments-conformance.yaml"), sources.file);
  return resolveValues({ flags: {}, environment: {}, cwd, ...sources });
}

/** The message of the error that these sources of options cause. */
function refusal(sources: Partial<Sources> & { file?: string }): string {
  try {
    values(sources);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "";
}

describe("precedence", () => {
  const file = "timeout: 3000";
  const environment = { PAYMENTS_CONFORMANCE_TIMEOUT: "2000" };

  test.each([
    ["the default", {}, 10_000],
    ["the file over the default", { file }, 3000],
    ["the environment over the file", { file, environment }, 2000],
    ["the flag over all", { file, environment, flags: { timeout: "1000" } }, 1000],
    [
      "what an earlier run recorded under the flag",
      { file, recorded: new Map([["timeout", 5]] as const) },
      5,
    ],
  ])("%s", (_, sources, timeout) => {
    expect(values(sources).timeout).toBe(timeout);
  });

  test("fixtures of all sources are merged, name by name", () => {
    const got = values({
      file: "fixtures: { payout: file, country: file, currency: file }",
      environment: { PAYMENTS_CONFORMANCE_FIXTURE: "payout=env,eventNames=a.b,c.d,country=env" },
      flags: { fixtures: ["payout=flag"] },
    });
    expect(got.fixtures).toEqual({ payout: "flag", country: "env", currency: "file", eventNames: "a.b,c.d" });
  });

  test("the environment can switch off what the file switches on", () => {
    const environment = { PAYMENTS_CONFORMANCE_STRICT: "false" };
    expect(values({ file: "strict: true", environment }).strict).toBe(false);
  });

  test("settled options ignore the environment", () => {
    const environment = { PAYMENTS_CONFORMANCE_ONLY: "LIST-*" };
    expect(values({ environment, settled: new Set(["only"]) }).only).toBeUndefined();
    expect(values({ environment }).only).toEqual(["LIST-*"]);
  });
});

describe("the configuration file", () => {
  test("secrets may refer to the environment", () => {
    const file = `baseUrl: https://pay.example.test\ntoken: $\{MY_TOKEN}\nspace: spc-1\n`;
    expect(values({ file, environment: { MY_TOKEN: "s3cret" } }).token).toBe("s3cret");
    expect(refusal({ file })).toMatch(/payments-conformance\.yaml:2: token refers to .*MY_TOKEN.* not set/);
  });

  test("a variable may be a part of a value, but for commands, which the shell reads", () => {
    const target = `baseUrl: https://$\{HOST}/api\ntoken: x-$\{MY_TOKEN}\nspace: spc-1\n`;
    const file = `${target}labels:\n  build: v-$\{BUILD}\nfixtureCommand: for i in 1; do echo $\{i}; done\n`;
    const environment = { HOST: "pay.example.test", MY_TOKEN: "s3cret", BUILD: "4.2" };
    expect(values({ file, environment })).toMatchObject({
      baseUrl: "https://pay.example.test/api",
      token: "x-s3cret",
      labels: { build: "v-4.2" },
      fixtureCommand: expect.stringContaining("{i}; done"),
    });
    expect(refusal({ file, environment: { ...environment, BUILD: "" } })).toMatch(
      /:4: labels refers to .*BUILD/,
    );
  });

  describe("a variable that is not set", () => {
    const target = "baseUrl: https://pay.example.test\nspace: spc-1\n";
    const file = `${target}token: $\{UNSET}\nfixtures:\n  payout: $\{UNSET}\n  country: $\{SET}\n`;
    const set = { SET: "GH" };
    const fixtures = { PAYMENTS_CONFORMANCE_FIXTURE: "payout=po_1" };

    test.each<[string, Partial<Sources>]>([
      ["by the environment", { environment: { ...set, ...fixtures, PAYMENTS_CONFORMANCE_TOKEN: "t0ken" } }],
      ["by flags", { environment: set, flags: { token: "t0ken", fixtures: ["payout=po_1"] } }],
      [
        "by an earlier run",
        { environment: { ...set, ...fixtures }, recorded: new Map([["token", "t0ken"]]) },
      ],
    ])("is no mistake in a value that is overridden: %s", (_, sources) => {
      const fixed = { payout: "po_1", country: "GH" };
      expect(values({ file, ...sources })).toMatchObject({ token: "t0ken", fixtures: fixed });
    });

    test("is a mistake in any other value", () => {
      const token = { PAYMENTS_CONFORMANCE_TOKEN: "t0ken" };
      expect(refusal({ file, environment: { ...set, ...fixtures } })).toMatch(/:3: token refers to .*UNSET/);
      expect(refusal({ file, environment: { ...set, ...token } })).toMatch(/:4: fixtures refers to .*UNSET/);
      expect(refusal({ file, environment: { ...token, ...fixtures } })).toMatch(/:4: fixtures .* SET,/);
    });
  });

  test("relative files start at the file's folder, or at the working folder for other sources", () => {
    writeFileSync(join(cwd, "other.yaml"), "waivers: known.yaml");
    expect(values({ config: join(cwd, "other.yaml"), cwd: "/" }).waivers).toBe(join(cwd, "known.yaml"));
    expect(values({ flags: { waivers: "known.yaml" } }).waivers).toBe(join(cwd, "known.yaml"));
  });

  test("an empty file is no fault; a missing named one is", () => {
    expect(values({ file: "# nothing\n" }).runs).toBe(10);
    expect(refusal({ config: "gone.yaml" })).toMatch(/cannot read the configuration file .*gone\.yaml/);
    const environment = { PAYMENTS_CONFORMANCE_CONFIG: "gone.yaml" };
    expect(refusal({ environment })).toContain("gone.yaml");
  });

  test.each([
    ["concurency: 3", /:1: there is no option named concurency; did you mean concurrency\?/],
    ["runs: 5\nbase-url: x", /:2: there is no option named base-url; did you mean baseUrl\?/],
    ["timeout: soon", /:1: timeout must be a whole number from 1 to 600000/],
    ["timeout:", /:1: timeout is empty/],
    ["token: 12345", /:1: token must be a text/],
    ["fixtures: { payuot: x }", /:1: fixtures has no fixture named payuot; did you mean payout\?/],
    ["only: [1]", /:1: only must be a list of patterns/],
    ["strict: maybe", /strict must be true or false/],
    ["- a", /a configuration file is a map/],
    ["a: [", /:1: /],
    ["runs: 1\nruns: 2", /:2: /],
  ])("refuses %j with file and line", (file, complaint) => {
    expect(refusal({ file })).toMatch(complaint);
  });
});

describe("values", () => {
  test("a base URL loses its trailing slash and keeps its prefix", () => {
    expect(values({ flags: { ...TARGET, baseUrl: "https://pay.example.test/api/" } }).baseUrl).toBe(
      TARGET.baseUrl,
    );
  });

  test.each<[Sources["flags"], RegExp]>([
    [{ ...TARGET, baseUrl: "ftp://x" }, /--base-url must begin with http/],
    [{ ...TARGET, baseUrl: "localhost:3000" }, /--base-url must begin with http/],
    [{ ...TARGET, baseUrl: "http://" }, /--base-url is not a URL/],
    [{ ...TARGET, baseUrl: "http://me:pw@x" }, /--base-url must not hold a user name/],
    [{ ...TARGET, baseUrl: "http://x/?a=b" }, /--base-url must be an address/],
    [{ ...TARGET, baseUrl: "" }, /--base-url is empty/],
    [{ ...TARGET, token: "Bearer abc" }, /--token must be the token alone/],
    [{ ...TARGET, space: "spc 1 " }, /--space must be a text that a header may hold/],
    [{ runs: "0" }, /--runs must be a whole number from 1/],
    [{ runs: "1e3" }, /--runs must be/],
    [{ rate: "0" }, /--rate must be a number above 0/],
    [{ seed: "-1" }, /--seed must be a whole number from 0/],
    [{ seed: "4294967296" }, /--seed must be/],
    [{ shard: "3/2" }, /--shard must be I\/N/],
    [{ shard: "0/2" }, /--shard must be I\/N/],
    [{ reporter: "prety" }, /--reporter must be one of .* not prety; did you mean pretty\?/],
    [{ fixtures: ["payout"] }, /--fixture must be NAME=VALUE, not payout/],
    [{ fixtures: ["payout="] }, /--fixture gives the fixture payout no value/],
    [{ fixtures: ["payot=1"] }, /did you mean payout\?/],
    [{ only: [""] }, /--only holds an empty pattern/],
  ])("refuses %j", (flags, complaint) => {
    expect(refusal({ flags })).toMatch(complaint);
  });

  test("no refusal quotes a secret", () => {
    for (const token of ["Bearer canary-secret", "canary secret", "canary\nsecret"]) {
      expect(refusal({ flags: { ...TARGET, token } })).not.toContain("canary");
      expect(refusal({ environment: { PAYMENTS_CONFORMANCE_TOKEN: token } })).not.toContain("canary");
    }
  });

  test("an unknown variable with the prefix is refused, with the nearest known one", () => {
    expect(refusal({ environment: { PAYMENTS_CONFORMANCE_TOKN: "x" } })).toContain(
      "PAYMENTS_CONFORMANCE_TOKN means nothing to this program; did you mean PAYMENTS_CONFORMANCE_TOKEN?",
    );
  });

  test("commas separate patterns in a variable, except within braces", () => {
    const environment = { PAYMENTS_CONFORMANCE_ONLY: "GET /{banks,momos}, LIST-*" };
    expect(values({ environment }).only).toEqual(["GET /{banks,momos}", "LIST-*"]);
  });
});

describe("options together", () => {
  test.each<[Sources["flags"], RegExp]>([
    [{ token: "t" }, /--token is given without --base-url/],
    [{ space: "spc-1" }, /--space is given without --base-url/],
    [{ baseUrl: "http://x", space: "spc-1" }, /--base-url is given without --token/],
    [{ baseUrl: "http://x", token: "t" }, /--base-url is given without --space/],
    [{ ...TARGET, secondToken: "t" }, /--second-token is given without --second-space/],
    [{ ...TARGET, secondSpace: "spc-1" }, /another space/],
    [{ callbackPort: "80" }, /--callback-port is given without --callback-url/],
    [{ callbackUrl: "https://tunnel.test" }, /which local port/],
    [{ readOnly: true, postNamedOnly: true }, /contradict/],
  ])("refuses %j", (flags, complaint) => {
    expect(refusal({ flags })).toMatch(complaint);
  });

  test("an empty variable for the address does not select the embedded service", () => {
    expect(refusal({ environment: { PAYMENTS_CONFORMANCE_BASE_URL: "" } })).toMatch(/BASE_URL is empty/);
  });

  test.each([["true"], ["1"]])("no address while CI is %s is refused, unless embedded is given", (CI) => {
    expect(refusal({ environment: { CI } })).toContain("CI is set and there is no --base-url");
    expect(refusal({ environment: { CI }, flags: { embedded: true } })).toBe("");
    expect(refusal({ environment: { CI, PAYMENTS_CONFORMANCE_EMBEDDED: "true" } })).toBe("");
    expect(refusal({ environment: { CI }, flags: TARGET })).toBe("");
  });

  test.each([[""], ["false"], ["0"]])("CI=%j counts as not set", (CI) => {
    expect(refusal({ environment: { CI } })).toBe("");
  });

  test("an address and embedded exclude each other", () => {
    const file = `{ baseUrl: "${TARGET.baseUrl}", token: a, space: b }`;
    expect(refusal({ file, flags: { embedded: true } })).toContain("there can be only one target");
  });

  test("the run listens at the port of the callback address by default", () => {
    expect(values({ flags: { callbackUrl: "http://10.0.0.1:8099" } }).callbackPort).toBe(8099);
  });
});

describe("a space", () => {
  const space = (value: string) => ({ ...TARGET_FLAGS, space: value });

  test.each(["spc-Team A/eu", "spc-~!", "spc-Zürich", "spc-a\tb"])("may be %j", (value) => {
    expect(values({ flags: space(value) }).space).toBe(value);
  });

  test.each(["spc-a ", " spc-a", "spc-a\nb", "spc-\u0007", "spc-☃"])("may not be %j", (value) => {
    expect(refusal({ flags: space(value) })).toContain("--space must be a text that a header may hold");
  });
});

const TARGET_FLAGS = { baseUrl: TARGET.baseUrl, token: TARGET.token };
