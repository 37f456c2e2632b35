import { describe, expect, test } from "vitest";
import { requestTo, withBody } from "../../../generators/request.ts";
import { planChecks } from "../../../runner/plan.ts";
import { Session } from "../../../runner/session.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { listOf } from "../../spec/samples.ts";
import { checkThat } from "../../suites/fakes.ts";
import { runChecks } from "../../suites/run-checks.ts";
import { tinyServer } from "../../suites/tiny-server.ts";
import { exampleSettings } from "../settings.ts";
import { closing } from "./closing.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

const OTPS = operation("GET /v1/ussd-otps");
const HOOKS = operation("GET /webhooks");
const CREATE = operation("POST /webhooks");

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
    const ran = await runChecks(spec, { baseUrl: server.url.replace(/\/$/, ""), concurrency: 4 }, () => true);
    expect(ran.results).toHaveLength(planChecks(spec, exampleSettings()).length);
    expect(ran.requests).toBeLessThan(40 + 30);
    const reasons = ran.results.map(({ outcome, reason }) => reason ?? outcome);
    expect(reasons.filter((reason) => reason === "no-answer").length).toBeGreaterThan(1_500);
    expect(reasons).not.toContain("suite-error");
  });

  test("and hangs instead is not waited for by each check", async () => {
    const server = closing(await rawServer(() => undefined));
    const settings = { baseUrl: server.url.replace(/\/$/, ""), concurrency: 4, timeout: 50 };
    const { requests, results } = await runChecks(spec, settings, ({ suite }) => suite === "access");
    expect(requests).toBeLessThan(30);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["skip"]));
    expect(results.map(({ reason }) => reason)).toContain("no-answer");
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
