import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { requestTo, withBody } from "../../generators/request.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { httpAnswer, rawServer } from "../client/sending/raw-server.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { listOf } from "../spec/samples.ts";
import { checkThat } from "../suites/fakes.ts";
import { runChecks } from "../suites/run-checks.ts";
import { tinyServer } from "../suites/tiny-server.ts";
import { closing } from "./closing.ts";
import { exampleSettings } from "./settings.ts";

const OTPS = operation("GET /v1/ussd-otps");
const HOOKS = operation("GET /webhooks");
const CREATE = operation("POST /webhooks");

const askOnce = (n: number) =>
  checkThat(async (target) => void (await target.send(requestTo(OTPS, null))), {
    id: `lists/LIST-COUNT ${n}`,
  });

describe("a service that stops answering", () => {
  test("during a run ends the run soon, with skips", async () => {
    const body = JSON.stringify(listOf([], 0));
    const server = closing(
      await rawServer((socket, _, count) => {
        if (count > 40) socket.destroy();
        else socket.write(httpAnswer(body, { "content-type": "application/json" }));
      }),
    );
    const ran = await runChecks(spec, { baseUrl: server.url.replace(/\/$/, ""), concurrency: 4 }, () => true);
    expect(ran.results).toHaveLength(planChecks(spec, exampleSettings()).length);
    // The four requests in flight are sent again, because the service may restart. No others are.
    expect(ran.requests).toBeLessThan(40 + 60);
    const reasons = ran.results.map(({ outcome, reason }) => reason ?? outcome);
    // All other checks ended before the service stopped, or lack fixtures or data.
    const unanswered = reasons.filter((reason) => reason === "no-answer").length;
    expect(unanswered / reasons.length).toBeGreaterThan(0.4);
    expect(reasons).not.toContain("suite-error");
  });

  test("by letting requests hang is not waited for by each check", async () => {
    const server = closing(await rawServer(() => undefined));
    const settings = { baseUrl: server.url.replace(/\/$/, ""), concurrency: 4, timeout: 50 };
    const { requests, results } = await runChecks(spec, settings, ({ suite }) => suite === "access");
    expect(requests).toBeLessThan(30);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["skip"]));
    expect(results.map(({ reason }) => reason)).toContain("no-answer");
  });

  test("only now and then gets the requests again, and its answers count", async () => {
    const server = closing(
      await rawServer((socket, _, count) => {
        if (count % 3 !== 0) socket.destroy();
        else socket.write(httpAnswer(JSON.stringify(listOf([]))));
      }),
    );
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.url.replace(/\/$/, "") })));
    for (let n = 0; n < 10; n++) expect((await session.run({ check: askOnce(n) })).outcome).toBe("pass");
  });

  test("gets a create once more, with the same key", async () => {
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

describe("a service that stops accepting", () => {
  const rejection = { status: 422, body: {} };
  const acceptance = { status: 200, body: listOf([], 0) };
  const ask = (times: number) =>
    checkThat(async (target) => {
      for (let n = 0; n < times; n++) await target.send(requestTo(OTPS, null), { valid: n === 0 });
    });

  test.each([
    ["proves nothing by what it rejected last", [200, 422, 422], 1],
    ["and accepts again at the end meant its rejections", [200, 422, 200], 0],
    ["and fails at the end is not doubted for that", [200, 422, 500], 0],
    ["and never accepted anything is left to the controls", [422, 422], 0],
  ])("%s", async (_, statuses, doubted) => {
    const left = [...statuses];
    const server = closing(
      await tinyServer(() => {
        const status = left.shift() ?? 200;
        return status === 200 ? acceptance : { ...rejection, status };
      }),
    );
    const session = new Session(spec, exampleSettings({ baseUrl: server.baseUrl }));
    await session.run({ check: ask(2) });
    await session.close();
    const { unproven } = session.summary();
    expect(Object.values(unproven ?? {})).toHaveLength(doubted);
  });

  test("the expired token is no failure, and is not used any more", async () => {
    let asked = 0;
    const server = closing(
      await tinyServer(() => (++asked <= 6 ? acceptance : { ...rejection, status: 401 })),
    );
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    expect(await session.preflight()).toBeNull();
    expect(await session.run({ check: ask(2) })).toMatchObject({ outcome: "pass" });
    const before = asked;
    const late = checkThat(
      async (target) => {
        for (let n = 0; n < 9; n++) await target.send(requestTo(OTPS, null), { valid: n > 4 });
      },
      { id: "lists/LIST-COUNT late" },
    );
    expect(await session.run({ check: late })).toMatchObject({ outcome: "skip", reason: "control-rejected" });
    const then = asked;
    expect(then).toBeGreaterThan(before);
    const result = await session.run({ check: ask(1) });
    expect(result).toMatchObject({ outcome: "pass" });
    const other = checkThat(async (target) => void (await target.send(requestTo(OTPS, null))), {
      id: "lists/LIST-COUNT after",
    });
    expect((await session.run({ check: other })).message).toContain("no longer accepts the token");
    expect(asked).toBe(then);
  });

  test("a refusal on one connection alone is no expired token", async () => {
    const refusing = new Set<Socket>();
    const body = JSON.stringify(listOf([], 0));
    const json = { "content-type": "application/json" };
    const server = closing(
      await rawServer((socket, head) => {
        if (!/authorization/i.test(head)) refusing.add(socket);
        socket.write(httpAnswer(body, json, refusing.has(socket) ? "401 Unauthorized" : "200 OK"));
      }),
    );
    const baseUrl = server.url.replace(/\/$/, "");
    const session = closing(new Session(spec, exampleSettings({ baseUrl, concurrency: 1 })));
    expect(await session.preflight()).toBeNull();
    const check = checkThat(async (target) => {
      await target.send({ ...requestTo(OTPS, null), headers: { authorization: null } });
      await target.send(requestTo(OTPS, null), { valid: true });
    });
    expect(await session.run({ check })).toMatchObject({ outcome: "pass" });
  });

  test("at one operation with 403 is judged by that answer", async () => {
    const server = closing(
      await tinyServer(({ path }) =>
        path.startsWith("/webhooks") ? { ...rejection, status: 403 } : acceptance,
      ),
    );
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    await session.preflight();
    const check = checkThat(async (target) => {
      const answer = await target.send(requestTo(HOOKS, null), { valid: true });
      if (answer.status !== 403) throw new Error("not answered");
    });
    expect(await session.run({ check })).toMatchObject({ outcome: "pass" });
    expect(await session.run({ check: askOnce(1) })).toMatchObject({ outcome: "pass" });
  });
});

describe("an interrupted run", () => {
  test("stops running requests and sends no more", async () => {
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

  test("judges what was answered before, and counts no probe that it could not send", async () => {
    const body = { ...listOf([]), pagination: { count: 7, next: null } };
    const server = closing(await tinyServer(() => ({ status: 200, body })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    await session.run({ check: askOnce(1) });
    session.interrupt();
    const planned = planChecks(spec, exampleSettings());
    const outcomeOf = async (id: string) => {
      const member = planned.find(({ check }) => check.id === id);
      return member && (await session.run(member));
    };
    expect(await outcomeOf(`responses/LIST-COUNT ${OTPS.key}`)).toMatchObject({ outcome: "fail" });
    expect(await outcomeOf(`responses/LIST-COUNT ${HOOKS.key}`)).toMatchObject({ reason: "interrupted" });
  });

  test("reports what it had seen", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    await session.run({ check: askOnce(1) });
    session.interrupt();
    await session.run({ check: askOnce(2) });
    const { requests, coverage } = session.summary();
    expect(requests).toBe(1);
    expect(coverage.operations[OTPS.key]).toMatchObject({ requests: 1, statuses: { "200": 1 } });
  });
});
