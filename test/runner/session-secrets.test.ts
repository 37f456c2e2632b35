import { describe, expect, test } from "vitest";
import { requestTo, withBody } from "../../generators/request.ts";
import type { CheckResult } from "../../reports/report.ts";
import { Session } from "../../runner/session.ts";
import type { CreatedResource } from "../../spec/model/result.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { samples, single } from "../spec/samples.ts";
import { against, checkThat, resultOf, violated } from "../suites/fakes.ts";
import { runChecks } from "../suites/run-checks.ts";
import type { Asked } from "../suites/tiny-server.ts";
import { exampleSettings } from "./settings.ts";

const HOOKS = operation("GET /webhooks");
const CREATE = operation("POST /webhooks");

describe("secrets", () => {
  const token = 'tok/en+with "odd" chars';
  /** A service that sends back what it receives, in several encodings. */
  const echo = ({ headers, body }: Asked) => {
    const authorization = String(headers.authorization);
    const echoed = authorization.replace(/^\S+ /, "");
    const base64 = Buffer.from(echoed).toString("base64");
    return {
      status: 200,
      headers: { "x-echo": encodeURIComponent(echoed), "x-basic": base64 },
      body: {
        success: true,
        messages: [authorization, base64, JSON.stringify({ echoed })],
        result: { echoed, body },
        pagination: null,
      },
    };
  };

  /** The result of a check with these requests, on the service that sends everything back. */
  async function resultWithEcho(
    run: Parameters<typeof resultOf>[1],
    change: Partial<Settings> = {},
  ): Promise<CheckResult> {
    return resultOf(echo, run, { token, ...change });
  }

  function expectNo(result: CheckResult, secret: string): void {
    const text = JSON.stringify(result);
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret)).slice(3, -3),
      Buffer.from(secret).toString("base64"),
    ])
      expect(text).not.toContain(form);
    expect(text).toContain("[redacted");
  }

  test("of the user are nowhere in a result, even if the service repeats them", async () => {
    const result = await resultWithEcho(async (target) => {
      const answer = await target.send(requestTo(HOOKS, null));
      return violated(target, `not ${token}`, `got ${answer.text}`);
    });
    expect(result.outcome).toBe("fail");
    expectNo(result, token);
  });

  test("that a probe changed are not shown either", async () => {
    const result = await resultWithEcho(async (target) => {
      const plan = requestTo(HOOKS, null);
      const answer = await target.send({
        ...plan,
        headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` },
        authorizationLabel: "the token as Basic credentials",
      });
      return violated(target, "a rejection", answer.text);
    });
    expectNo(result, token);
    expect(result.evidence[0]?.request.headers.authorization).toBe(
      "[redacted: the token as Basic credentials]",
    );
  });

  test("that the suite's own probes change are not repeated either, in any part", async () => {
    const own = "Tok-en_4711.Abcdefgh";
    const service = (asked: Asked) => ({
      ...echo(asked),
      headers: { "x-echo": String(asked.headers.authorization) },
    });
    const { results } = await against(service, ({ baseUrl }) =>
      runChecks(
        spec,
        { baseUrl, token: own },
        ({ id }) => id.startsWith("access/AUTH") && id.includes("GET /webhooks"),
      ),
    );
    expect(results.filter(({ outcome }) => outcome === "fail").length).toBeGreaterThan(5);
    const text = JSON.stringify(results);
    const swapped = "tOK-EN_4711.aBCDEFGH";
    for (const form of [own, own.slice(0, -1), swapped, own.toLowerCase(), own.toUpperCase()]) {
      expect(text).not.toContain(form);
      expect(text).not.toContain(Buffer.from(form).toString("base64").replace(/=+$/, ""));
    }
  });

  test("do not include a scheme that was sent without a token", async () => {
    const result = await resultWithEcho(async (target) => {
      const plan = requestTo(HOOKS, null);
      const label = "a scheme and no token";
      await target.send({ ...plan, headers: { authorization: "Bearer" }, authorizationLabel: label });
      await target.send(plan);
      return violated(target, "a Bearer challenge", "none");
    });
    expect(result.expected).toBe("a Bearer challenge");
    expect(result.reproduce?.curl).toContain('"Authorization: Bearer $PAYMENTS_CONFORMANCE_TOKEN"');
  });

  test("of the second space are not shown", async () => {
    const secondToken = "another-token-77";
    const result = await resultWithEcho(
      async (target) => {
        const answer = await target.send({ ...requestTo(HOOKS, null), space: "second" });
        return violated(target, "", answer.text);
      },
      { secondSpace: "spc-two", secondToken },
    );
    expectNo(result, secondToken);
  });

  test("that the suite made for a webhook are not shown, sent or repeated", async () => {
    const secret = "Secret0fTheWebhook77";
    const result = await resultWithEcho(async (target) => {
      const body = { name: "x", verificationMethod: { hmac256: { secret } } };
      const answer = await target.send(withBody(requestTo(CREATE, null), body));
      return violated(target, `secret ${secret}`, answer.text);
    });
    expectNo(result, secret);
  });

  test("that the service made for a webhook are not shown", async () => {
    const secret = "made-by-the-service-9321";
    const hook = { ...samples.Webhook, verificationMethod: { hmac256: { secret } } };
    const result = await resultOf(
      () => ({ status: 200, body: single(hook) }),
      async (target) => {
        const answer = await target.send(withBody(requestTo(CREATE, null), {}));
        return violated(target, "", answer.text);
      },
    );
    expectNo(result, secret);
  });

  test("of a webhook are hidden if the service shows the first part of them", async () => {
    const secret = "Secret0fTheWebhookThatIsCut77abcdefg";
    const result = await resultOf(
      ({ body }) => ({
        status: 200,
        body: single({ ...samples.Webhook, name: `sec ${body.includes(secret) ? secret.slice(0, 22) : ""}` }),
      }),
      async (target) => {
        const body = { name: "x", verificationMethod: { hmac256: { secret } } };
        const answer = await target.send(withBody(requestTo(CREATE, null), body));
        return violated(target, "", answer.text);
      },
    );
    expectNo(result, secret.slice(0, 8));
  });

  test("in custom headers are hidden, whoever made the webhook, and a wrong one is distinguished from the sent one", async () => {
    const shown = { ...samples.Webhook, customHeaders: { "X-One": "q7", "X-Two": "stored-elsewhere" } };
    const result = await resultOf(
      ({ body }) => ({ status: 200, body: { ...single(shown), messages: [body] } }),
      async (target) => {
        const body = { name: "x", customHeaders: { "X-One": "own-value-sent" } };
        await target.send(withBody(requestTo(CREATE, null), body));
        return violated(target, '{"X-One":"own-value-sent"}', '{"X-One":"q7"}');
      },
    );
    for (const value of ["own-value-sent", "q7", "stored-elsewhere"]) expectNo(result, value);
    expect(result.message).toBe('expected {"X-One":"[redacted]"}, got {"X-One":"[redacted: another value]"}');
  });

  test("are not in the list of created resources, even if the service puts them into names and ids", async () => {
    const secret = "made-by-the-service-9321";
    let reported: readonly CreatedResource[] = [];
    await against(
      ({ headers }) => ({
        status: 200,
        body: single({
          ...samples.Webhook,
          id: String(headers.authorization),
          name: secret,
          verificationMethod: { hmac256: { secret } },
        }),
      }),
      async ({ baseUrl }) => {
        const created = (all: readonly CreatedResource[]) => {
          reported = all;
        };
        const session = new Session(spec, exampleSettings({ baseUrl, token }), { created });
        await session.run({
          check: checkThat(async (target) => {
            await target.send(withBody(requestTo(CREATE, null), { name: "x" }));
          }),
        });
        expect(reported).toMatchObject([{ id: "Bearer [redacted]", name: "[redacted]" }]);
        await session.close();
      },
    );
    expect(reported).toMatchObject([{ id: "Bearer [redacted]", name: "[redacted]" }]);
  });
});
