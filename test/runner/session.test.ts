import { describe, expect, test } from "vitest";
import type { Probe } from "../../client/target.ts";
import { requestTo } from "../../generators/request.ts";
import { Session } from "../../runner/session.ts";
import { httpAnswer, rawServer } from "../client/sending/raw-server.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { listOf, samples } from "../spec/samples.ts";
import { checkThat } from "../suites/fakes.ts";
import { tinyServer } from "../suites/tiny-server.ts";
import { closing } from "./closing.ts";
import { exampleSettings } from "./settings.ts";

const OTPS = operation("GET /v1/ussd-otps");

describe("a value that checks share", () => {
  test("is made once, even if several ask at the same time", async () => {
    let made = 0;
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    const check = (n: number) =>
      checkThat(
        async (target) => {
          expect(await target.memoize("thing", async () => ++made)).toBe(1);
        },
        { id: `x ${n}` },
      );
    const results = await Promise.all([1, 2, 3].map((n) => session.run({ check: check(n) })));
    expect(results.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
    expect(made).toBe(1);
  });

  test("is used by one check at a time under a write lock, and a failure frees it", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    const did: string[] = [];
    const check = (name: string, fails: boolean) =>
      checkThat(
        (target) =>
          target.withWriteLock("it", async () => {
            did.push(`${name} begins`);
            await target.pause(5);
            did.push(`${name} ends`);
            if (fails) throw new Error("it fails");
          }),
        { id: name },
      );
    const results = await Promise.all(
      [check("a", true), check("b", false)].map((one) => session.run({ check: one })),
    );
    expect(did).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["skip", "pass"]);
  });

  test("is used by several checks at a time under read locks, and never beside a write lock", async () => {
    const server = closing(await tinyServer(() => ({ status: 200, body: listOf([]) })));
    const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
    const did: string[] = [];
    const check = (name: string, way: "withWriteLock" | "withReadLock") =>
      checkThat(
        (target) =>
          target[way]("it", async () => {
            did.push(`${name} begins`);
            await target.pause(5);
            did.push(`${name} ends`);
          }),
        { id: name },
      );
    const checks = [
      check("a", "withReadLock"),
      check("b", "withReadLock"),
      check("c", "withWriteLock"),
      check("d", "withReadLock"),
    ];
    await Promise.all(checks.map((one) => session.run({ check: one })));
    expect(did.slice(0, 2)).toEqual(["a begins", "b begins"]);
    expect(did.slice(2, 4).sort()).toEqual(["a ends", "b ends"]);
    expect(did.slice(4)).toEqual(["c begins", "c ends", "d begins", "d ends"]);
  });
});

test("the time of a check includes the requests of its probes", async () => {
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { status: 200, body: listOf([]) };
  };
  const server = closing(await tinyServer(slowly));
  const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
  const probe: Probe = {
    id: "one request",
    stage: "read",
    run: async (target) => void (await target.send(requestTo(OTPS, null))),
  };
  const check = checkThat(async (target) => void (await target.probe(probe)), { probes: [probe] });
  expect((await session.run({ check })).durationMs).toBeGreaterThanOrEqual(25);
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

  test("is JSON in UTF-8, with or without a byte order mark, or is no JSON", async () => {
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
    expect(seen?.json).toEqual(JSON.parse(whole));
    expect(seen?.text).toBe(seen?.shown);
    expect(seen?.truncated).toBe(true);
    expect(seen?.shown.length).toBeLessThan(25_000);
    expect(whole.startsWith(seen?.shown ?? "no")).toBe(true);
  });
});

test("that proves a violated MUST is reported at once, and a violated SHOULD is not", async () => {
  const late = { ...samples.UssdOtp, updateTime: "1999-01-01T00:00:00Z", status: 7 };
  const server = closing(await tinyServer(() => ({ status: 200, body: listOf([late]) })));
  const session = closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
  const reported: string[] = [];
  session.watchViolations(({ requirement, operation: key }) => reported.push(`${requirement} ${key}`));
  await session.run({ check: checkThat(async (target) => void (await target.ask(requestTo(OTPS, null)))) });
  expect(reported).toEqual([`OTP-FIELDS ${OTPS.key}`]);
});
