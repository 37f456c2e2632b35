import { describe, expect, test } from "vitest";
import { Session } from "../../runner/session.ts";
import { rawServer } from "../client/sending/raw-server.ts";
import { spec } from "../spec/package-spec.ts";
import { listOf } from "../spec/samples.ts";
import { type Asked, type TinyAnswer, tinyServer } from "../suites/tiny-server.ts";
import { exampleSettings } from "./settings.ts";

const good: TinyAnswer = { status: 200, body: listOf([], 0) };

/**
 * Sends the requests that precede a run to a service with these answers. Returns these requests, and why the service
 * can't be judged (null if it can).
 */
async function preflight(
  answer: (asked: Asked) => TinyAnswer,
  change = {},
): Promise<{ problem: string | null; asked: Asked[] }> {
  const server = await tinyServer(answer);
  const problem = await preflightOf(server.baseUrl, change).finally(() => server.close());
  return { problem, asked: server.asked };
}

async function preflightOf(baseUrl: string, change = {}): Promise<string | null> {
  const session = new Session(
    spec,
    exampleSettings({ baseUrl, timeout: 2_000, space: "spc-mine", ...change }),
  );
  return session.preflight().finally(() => session.close());
}

const isSpaced = ({ headers }: Asked) => headers["service-space-id"] !== undefined;

describe("a service can be judged", () => {
  test("if it answers", async () => {
    const { problem, asked } = await preflight(() => good);
    expect(problem).toBeNull();
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    expect(asked.length).toBeLessThan(6);
  });

  test.each<[string, (asked: Asked) => TinyAnswer]>([
    ["the reference data fails", (asked) => (isSpaced(asked) ? good : { status: 500 })],
    [
      "one list of the space is refused",
      (asked) => (asked.path === "/v1/ussd-otps" ? { status: 403 } : good),
    ],
    ["every list of the space fails", (asked) => (isSpaced(asked) ? { status: 500 } : good)],
    ["all it says is nonsense", () => ({ status: 200, body: "hello" })],
    ["everything fails", () => ({ status: 500 })],
  ])("even if %s", async (_, answer) => {
    expect((await preflight(answer)).problem).toBeNull();
  });
});

describe("a fixture that can't be read", () => {
  const notFound: TinyAnswer = { status: 404 };
  const listing =
    (ids: string[]) =>
    ({ path }: Asked): TinyAnswer => {
      if (path.startsWith("/payment-codes/")) return notFound;
      const items = ids.map((id) => ({ id }));
      return path.includes("payment-codes") ? { status: 200, body: listOf(items, ids.length) } : good;
    };

  test("exists if the list shows it, so that the checks report the failed read", async () => {
    const { problem } = await preflight(listing(["code-1", "code-2"]), {
      fixtures: { paymentCode: "code-2" },
    });
    expect(problem).toBeNull();
  });

  test("does not exist if the list does not show it", async () => {
    const { problem } = await preflight(listing(["code-1"]), { fixtures: { paymentCode: "code-2" } });
    expect(problem).toMatch(/the fixture paymentCode=code-2 does not exist/);
  });
});

describe("a fixture that the token may not read", () => {
  const fixtures = { payout: "payout-1" };
  const isRead = ({ path }: Asked) => path.startsWith("/payouts/");

  test.each([401, 403])("is reported if it is answered %i under every version", async (status) => {
    const { problem } = await preflight((asked) => (isRead(asked) ? { status } : good), { fixtures });
    expect(problem).toContain(`the token may not read the fixture payout=payout-1: GET /payouts/{id}`);
    expect(problem).toContain("remove --fixture payout");
  });

  test("is left to the checks if another version shows it", async () => {
    const { problem } = await preflight(
      (asked) => (isRead(asked) && asked.headers["service-version"] === undefined ? { status: 403 } : good),
      { fixtures },
    );
    expect(problem).toBeNull();
  });
});

describe("a service can't be judged, and the report says why", () => {
  test("if the token is rejected", async () => {
    const { problem } = await preflight(() => ({ status: 401 }));
    expect(problem).toMatch(
      /^the service refuses the token: GET \/countries was answered 401\. Is the token right/,
    );
  });

  test("if the space is rejected everywhere", async () => {
    const { problem } = await preflight((asked) => (isSpaced(asked) ? { status: 404 } : good));
    expect(problem).toMatch(
      /^the service refuses the space spc-mine: GET \/v1\/ussd-otps was answered 404\. Is /,
    );
  });

  test("if nobody listens", async () => {
    const server = await rawServer(() => undefined);
    await server.close();
    const problem = await preflightOf(server.url.replace(/\/$/, ""));
    expect(problem).toMatch(/^no answer from http:\/\/127\.0\.0\.1:\d+: /);
  });

  test("if the answers are not HTTP", async () => {
    const server = await rawServer((socket) => socket.end("+OK POP3 ready\r\n"));
    const problem = await preflightOf(server.url.replace(/\/$/, "")).finally(() => server.close());
    expect(problem).toMatch(/not HTTP/);
  });

  test("if every connection is closed", async () => {
    const server = await rawServer((socket) => socket.destroy());
    const problem = await preflightOf(server.url.replace(/\/$/, "")).finally(() => server.close());
    expect(problem).toMatch(/closed without an answer/);
  });

  test("if the budget allows no request", async () => {
    const { problem, asked } = await preflight(() => good, { maxRequests: 0 });
    expect(problem).toMatch(/budget/);
    expect(asked).toEqual([]);
  });

  test("without showing the token", async () => {
    const problem = await preflightOf("http://token-for-tests.invalid:1");
    expect(problem).not.toBeNull();
    expect(problem).not.toContain("token-for-tests");
  });
});

test("the requests before a run are under the version that the user named", async () => {
  const versionOf = async (serviceVersion: string) =>
    (await preflight(() => good, { serviceVersion })).asked[0]?.headers["service-version"];
  expect(await versionOf("caph.2025-06-20")).toBe("caph.2025-06-20");
  expect(await versionOf("all")).toBeUndefined();
  expect(await versionOf("none")).toBeUndefined();
});
