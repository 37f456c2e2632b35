import { afterEach, describe, expect, test } from "vitest";
import { requestTo, withBody } from "../../../generators/request.ts";
import { startReference } from "../../../reference/index.ts";
import type { CheckResult } from "../../../reports/report.ts";
import { planChecks } from "../../../runner/plan.ts";
import { Session } from "../../../runner/session.ts";
import type { Settings } from "../../../runner/settings.ts";
import { type Check, Violation } from "../../../suites/check.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { listOf, samples, single } from "../../spec/samples.ts";
import { checkThat, resultOf } from "../../suites/fakes.ts";
import { parcelsEdition } from "../../suites/parcels-edition.ts";
import { OTHER_SPACE, SPACE, startParcels, TOKEN } from "../../suites/parcels-service.ts";
import { runChecks } from "../../suites/run-checks.ts";
import { type Asked, tinyServer } from "../../suites/tiny-server.ts";
import { exampleSettings } from "../settings.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
function closing<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}

const OTPS = operation("GET /v1/ussd-otps");
const HOOKS = operation("GET /webhooks");
const CREATE = operation("POST /webhooks");
const edition = parcelsEdition();
const isParcels = ({ operation: key }: Check) => key.includes("/v1/parcels");
const parcels = { token: TOKEN, space: SPACE, secondSpace: OTHER_SPACE };

const askOnce = (n: number) =>
  checkThat(async (target) => void (await target.send(requestTo(OTPS, null))), {
    id: `lists/LIST-COUNT ${n}`,
  });

describe("a service that stops answering", () => {
  test("in the midst of a run ends it soon, with skips", async () => {
    const body = JSON.stringify(listOf([], 0));
    const server = closing(
      await rawServer((socket, _, count) => {
        if (count > 40) socket.destroy();
        else socket.write(httpAnswer(body, { "content-type": "application/json" }));
      }),
    );
    let requests = 0;
    const ran = await runChecks(spec, { baseUrl: server.url.replace(/\/$/, ""), concurrency: 4 }, () => true);
    requests = ran.requests;
    expect(ran.results).toHaveLength(planChecks(spec, exampleSettings()).length);
    expect(requests).toBeLessThan(40 + 30);
    const reasons = ran.results.map(({ outcome, reason }) => reason ?? outcome);
    expect(reasons.filter((reason) => reason === "no-answer").length).toBeGreaterThan(1_500);
    expect(reasons).not.toContain("suite-error");
  });

  test("now and then is asked again, and judged by what it answers", async () => {
    const server = closing(
      await rawServer((socket, _, count) => {
        if (count % 3 !== 0) socket.destroy();
        else socket.write(httpAnswer(JSON.stringify(listOf([]))));
      }),
    );
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.url.replace(/\/$/, "") })));
    for (let n = 0; n < 10; n++) expect((await session.run({ check: askOnce(n) })).outcome).toBe("pass");
  });

  test("to what may create something is asked once more, with the same key", async () => {
    const keys: string[] = [];
    const server = closing(
      await rawServer((socket, head) => {
        const key = /idempotency-key: (.*)\r\n/i.exec(head)?.[1];
        if (key !== undefined) keys.push(key);
        socket.destroy();
      }),
    );
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.url.replace(/\/$/, "") })));
    const check = checkThat(
      async (target) => void (await target.send(withBody(requestTo(CREATE, null), { name: "x" }))),
    );
    const result = await session.run({ check });
    expect(result).toMatchObject({ outcome: "skip", reason: "no-answer" });
    expect(result.evidence[0]).toMatchObject({
      request: { method: "POST" },
      fault: expect.stringContaining("closed"),
    });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("an interrupted run", () => {
  test("gives up what is in flight and begins nothing more", async () => {
    let asked = 0;
    const all = 6;
    const session: Session = closing(
      new Session(
        spec,
        exampleSettings({
          baseUrl: closing(
            await rawServer(() => {
              if (++asked === all) session.interrupt();
            }),
          ).url.replace(/\/$/, ""),
          timeout: 60_000,
        }),
      ),
    );
    const inFlight = await Promise.all(
      Array.from({ length: all }, (_, n) => session.run({ check: askOnce(n) })),
    );
    const after = await session.run({ check: askOnce(all) });
    for (const result of [...inFlight, after])
      expect(result).toMatchObject({ outcome: "skip", reason: "interrupted" });
    expect(asked).toBe(all);
  });

  test("says what it had seen", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    await session.run({ check: askOnce(1) });
    session.interrupt();
    await session.run({ check: askOnce(2) });
    const { requests, coverage } = session.summary();
    expect(requests).toBe(1);
    expect(coverage.operations[OTPS.key]).toMatchObject({ requests: 1, statuses: { "200": 1 } });
    expect(coverage.operations[HOOKS.key]?.outcomes).toEqual({ pass: 1, skip: 1 });
  });
});

describe("the load on the service", () => {
  test.each([1, 3])("is never more than %i requests at once", async (concurrency) => {
    let running = 0;
    let most = 0;
    const server = closing(
      await tinyServer(async () => {
        running++;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return { status: 200, body: listOf([], 0) };
      }),
    );
    const picked = ({ suite }: Check) => suite === "lists" || suite === "access";
    await runChecks(spec, { baseUrl: server.baseUrl, concurrency, readOnly: true }, picked);
    expect(most).toBe(concurrency);
  });

  test("is never more than the budget, what is asked again included", async () => {
    let count = 0;
    const server = closing(
      await rawServer((socket) => {
        if (++count % 2 === 0) socket.destroy();
        else socket.write(httpAnswer(JSON.stringify(listOf([], 0))));
      }),
    );
    const settings = { baseUrl: server.url.replace(/\/$/, ""), maxRequests: 25, concurrency: 8 };
    const { results, requests } = await runChecks(spec, settings, ({ suite }) => suite === "lists");
    expect(requests).toBe(25);
    expect(count).toBeLessThanOrEqual(25);
    expect(results.filter(({ reason }) => reason === "budget").length).toBeGreaterThan(0);
  });

  test("holds no POST and no PATCH in a read-only run", async () => {
    const server = closing(await startParcels());
    const ran = await runChecks(edition, { baseUrl: server.baseUrl, ...parcels, readOnly: true }, isParcels);
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
    const left = ran.results.filter(({ reason }) => reason === "read-only");
    expect(left.length).toBeGreaterThan(100);
    expect(ran.results.some(({ outcome }) => outcome === "pass")).toBe(true);
    expect(ran.results.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual([]);
  });
});

describe("two runs with one seed", () => {
  /** What differs between any two runs: the run's mark, keys made of it, and what the service makes up. */
  function normal({ method, path, query, headers, body }: Asked, runId: string): string {
    const text = JSON.stringify([
      method,
      path,
      [...query],
      headers["service-version"],
      headers["idempotency-key"],
      headers.authorization,
      body,
    ]);
    return text
      .replace(new RegExp(runId, "gi"), "RUN")
      .replace(/pc-[0-9a-f]{32}/g, "KEY")
      .replace(/[0-9a-fAB-]{36}/g, "CURSOR");
  }

  /** Runs checks one after the other; the requests and the outcome of each. */
  async function oneByOne(seed: number) {
    const server = await startParcels();
    const settings: Settings = exampleSettings({
      baseUrl: server.baseUrl,
      timeout: 10_000,
      runs: 5,
      concurrency: 1,
      seed,
      ...parcels,
    });
    const session = new Session(edition, settings);
    const did: Record<string, { requests: string[]; outcome: string }> = {};
    let runId = "no mark yet";
    try {
      for (const planned of planChecks(edition, settings).filter(({ check }) => isParcels(check))) {
        const before = server.asked.length;
        const { check } = planned;
        const result = await session.run({
          check: {
            ...check,
            run: (target) => {
              runId = target.runId;
              return check.run(target);
            },
          },
        });
        const requests = server.asked.slice(before).map((asked) => normal(asked, runId));
        did[check.id] = { requests, outcome: result.reason ?? result.outcome };
      }
    } finally {
      await session.close();
      await server.close();
    }
    return did;
  }

  test("ask the same, check by check and in the same order, and come to the same", async () => {
    const [first, second] = [await oneByOne(7), await oneByOne(7)];
    expect(Object.keys(first).length).toBeGreaterThan(300);
    const differ = (a: typeof first, b: typeof first) =>
      Object.keys(a).filter((id) => JSON.stringify(a[id]) !== JSON.stringify(b[id]));
    const changed = differ(first, second);
    expect(changed).toEqual([]);
    const other = await oneByOne(8);
    expect(differ(first, other).length).toBeGreaterThan(0);
    for (const id of Object.keys(first)) expect(other[id]?.outcome, id).toBe(first[id]?.outcome);
  }, 120_000);

  test("come to the same when their checks run at once", async () => {
    const outcomes = async () => {
      const server = await startReference();
      const settings = {
        baseUrl: server.baseUrl,
        token: server.token,
        space: server.space,
        fixtures: { ...server.fixtures },
        seed: 3,
      };
      const { results } = await runChecks(spec, settings, ({ suite }) =>
        ["filters", "reads", "limits"].includes(suite),
      ).finally(() => server.close());
      return Object.fromEntries(results.map(({ id, outcome, reason }) => [id, reason ?? outcome]).sort());
    };
    expect(await outcomes()).toEqual(await outcomes());
  });
});

describe("secrets", () => {
  const token = 'tok/en+with "odd" chars';
  /** A service that tells back all it was told, in every way that it can think of. */
  const echo = ({ headers, body }: Asked) => {
    const authorization = String(headers.authorization);
    const told = authorization.replace(/^\S+ /, "");
    const base64 = Buffer.from(told).toString("base64");
    return {
      status: 200,
      headers: { "x-echo": encodeURIComponent(told), "x-basic": base64 },
      body: {
        success: true,
        messages: [authorization, base64, JSON.stringify({ told })],
        result: { told, body },
        pagination: null,
      },
    };
  };

  /** Everything that is left of a check that fails after these requests. */
  async function leftOf(
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

  test("of the user are nowhere in a result, though the service tells them back", async () => {
    const result = await leftOf(async (target) => {
      const answer = await target.send(requestTo(HOOKS, null));
      throw new Violation(`not ${token}`, `got ${answer.text}`, [answer.exchange], {
        counterexample: { path: "0", value: { deep: [token, encodeURIComponent(token)] } },
      });
    });
    expect(result.outcome).toBe("fail");
    expectNo(result, token);
  });

  test("that a probe altered are not shown either", async () => {
    const result = await leftOf(async (target) => {
      const plan = requestTo(HOOKS, null);
      const answer = await target.send({
        ...plan,
        headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` },
        authorizationLabel: "the token as Basic credentials",
      });
      throw new Violation("a rejection", answer.text, [answer.exchange]);
    });
    expectNo(result, token);
    expect(result.evidence[0]?.request.headers.authorization).toBe(
      "[redacted: the token as Basic credentials]",
    );
  });

  test("of the second space are not shown", async () => {
    const secondToken = "another-token-77";
    const result = await leftOf(
      async (target) => {
        const answer = await target.send({ ...requestTo(HOOKS, null), space: "second" });
        throw new Violation("", answer.text, [answer.exchange]);
      },
      { secondSpace: "spc-two", secondToken },
    );
    expectNo(result, secondToken);
  });

  test("that the suite made for a webhook are not shown, sent or told back", async () => {
    const secret = "Secret0fTheWebhook77";
    const result = await leftOf(async (target) => {
      const body = { name: "x", verificationMethod: { hmac256: { secret } } };
      const answer = await target.send(withBody(requestTo(CREATE, null), body));
      throw new Violation(`secret ${secret}`, answer.text, [answer.exchange]);
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
        throw new Violation("", answer.text, [answer.exchange]);
      },
    );
    expectNo(result, secret);
  });
});

describe("what checks share", () => {
  test("is made once, also when several ask at the same time", async () => {
    let made = 0;
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    const check = (n: number) =>
      checkThat(
        async (target) => {
          expect(await target.once("thing", async () => ++made)).toBe(1);
        },
        { id: `x ${n}` },
      );
    const results = await Promise.all([1, 2, 3].map((n) => session.run({ check: check(n) })));
    expect(results.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
    expect(made).toBe(1);
  });

  test("is worked on in turns, and a failure lets the next one work", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    const did: string[] = [];
    const check = (name: string, fails: boolean) =>
      checkThat(
        (target) =>
          target.exclusive("it", async () => {
            did.push(`${name} begins`);
            await target.pause(5);
            did.push(`${name} ends`);
            if (fails) throw new Violation("a", "b");
          }),
        { id: name },
      );
    const results = await Promise.all(
      [check("a", true), check("b", false)].map((one) => session.run({ check: one })),
    );
    expect(did).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["fail", "pass"]);
  });

  test("is tidied up at the end, and a failure in that is no one's", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = new Session(spec, exampleSettings({ baseUrl: server.baseUrl }));
    const did: string[] = [];
    await session.run({
      check: checkThat(async (target) => {
        target.atEnd(async () => {
          did.push("first");
          throw new Error("no");
        });
        target.atEnd(async () => void did.push("second"));
      }),
    });
    expect(did).toEqual([]);
    await session.close();
    expect(did).toEqual(["first", "second"]);
  });
});

describe("an answer", () => {
  const answerTo = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const server = closing(await rawServer((socket) => socket.write(httpAnswer(body, headers))));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.url.replace(/\/$/, "") })));
    const seen: { json: unknown; text: string; shown: string; truncated: boolean }[] = [];
    const result = await session.run({
      check: checkThat(async (target) => {
        const { json, text, exchange } = await target.send(requestTo(OTPS, null));
        const { response } = exchange;
        seen.push({ json, text, shown: response?.body ?? "", truncated: response?.truncated ?? false });
      }),
    });
    expect(result.outcome).toBe("pass");
    return seen[0];
  };

  test("is JSON in UTF-8, with or without a byte order mark, or none", async () => {
    expect((await answerTo('{"a":"é"}'))?.json).toEqual({ a: "é" });
    expect((await answerTo('\uFEFF{"a":1}'))?.json).toEqual({ a: 1 });
    expect((await answerTo(Buffer.from('{"a":"\xe9"}', "latin1")))?.json).toBeUndefined();
    expect((await answerTo(""))?.json).toBeUndefined();
    expect((await answerTo("{'a':1}"))?.json).toBeUndefined();
    expect((await answerTo("null"))?.json).toBeNull();
  });

  test("that is long is judged whole and shown cut", async () => {
    const whole = JSON.stringify({ text: "x".repeat(60_000) });
    const seen = await answerTo(whole);
    expect(seen?.text).toBe(whole);
    expect(seen?.truncated).toBe(true);
    expect(seen?.shown.length).toBeLessThan(25_000);
    expect(whole.startsWith(seen?.shown ?? "no")).toBe(true);
  });
});
