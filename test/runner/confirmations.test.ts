import { expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import { type Probe, SIMULTANEOUS } from "../../client/target.ts";
import { requestTo } from "../../generators/request.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { listOf } from "../spec/samples.ts";
import { checkThat, violated } from "../suites/fakes.ts";
import { type TinyAnswer, tinyServer } from "../suites/tiny-server.ts";
import { closing } from "./closing.ts";
import { exampleSettings } from "./settings.ts";

const OTPS = operation("GET /v1/ussd-otps");

async function sessionWith(answer: () => TinyAnswer): Promise<Session> {
  const server = closing(await tinyServer(answer));
  return closing(new Session(spec, exampleSettings({ baseUrl: server.baseUrl })));
}

const fine = (): TinyAnswer => ({ status: 200, body: listOf([]) });

test("a second run of a check shares only remembered values with the first, and repeats shared requests", async () => {
  let asked = 0;
  const session = await sessionWith(() => {
    asked++;
    return fine();
  });
  let made = 0;
  let known = 0;
  const check = checkThat(async (target) => {
    await target.ask(requestTo(OTPS, null));
    await target.ask(requestTo(OTPS, null));
    const value = await target.memoize("thing", async () => ++made);
    expect(await target.memoizeUnjudged("fact", async () => ++known)).toBe(1);
    if (value === 1) return violated(target, "a second thing", "the first");
  });
  expect(await session.run({ check })).toMatchObject({ outcome: "fail" });
  expect(session.isSuspected(check.id)).toBe(true);
  expect(asked).toBe(1);
  const { result, shown } = await session.tryAgain(check);
  expect(result.outcome).toBe("pass");
  expect(shown).toMatchObject([{ request: { method: "GET" }, response: { status: 200 } }]);
  expect([asked, made]).toEqual([2, 2]);
});

test.each([
  ["what one answer proves", "proven", {}],
  ["what uses its subject up", "suspected", { consumes: true }],
  ["what is only noted", "suspected", { requirements: ["BEFORE-PAGE"] }],
] as const)("%s is not suspected", async (_, certainty, change) => {
  const session = await sessionWith(fine);
  const check = checkThat(async (target) => violated(target, "a", "b", certainty), change as Partial<Check>);
  const { message } = await session.run({ check });
  expect(session.isSuspected(check.id)).toBe(false);
  expect(message?.includes("not tried again")).toBe("consumes" in change);
});

test.each([
  [500, "fail"],
  [502, "unsteady"],
  [503, "unsteady"],
  [504, "unsteady"],
])("a %i in both runs of a race is %s at its operation", async (status, outcome) => {
  let asked = 0;
  const server = closing(await tinyServer(() => (++asked % 3 === 2 ? { status } : fine())));
  const settings = exampleSettings({ baseUrl: server.baseUrl });
  const only = `responses/NO-SERVER-ERROR ${OTPS.key}`;
  const planned = planChecks(spec, settings).filter(({ check }) => check.id === only);
  const race = checkThat(async (target) => {
    for (let n = 0; n < 3; n++) await target.send(requestTo(OTPS, null), { valid: true, role: SIMULTANEOUS });
  });
  const session = new Session(spec, settings);
  session.preflight = async () => null;
  const { results } = await runLoop(session, [{ check: race }, ...planned]);
  expect(results.map((result) => [result.id, result.outcome])).toEqual([
    [race.id, "pass"],
    [only, outcome],
  ]);
});

test.each([
  ["unsteady", "does not show again", 1],
  ["fail", "shows again", 2],
])("a 500 among simultaneous calls of a probe is %s if it %s", async (outcome, _, times) => {
  let sent = 0;
  let asked = 0;
  const server = closing(
    await tinyServer(() => (++asked % 3 === 2 && sent <= times ? { status: 500 } : fine())),
  );
  const settings = exampleSettings({ baseUrl: server.baseUrl });
  const only = `responses/NO-SERVER-ERROR ${OTPS.key}`;
  const planned = planChecks(spec, settings).filter(({ check }) => check.id === only);
  const probe: Probe = {
    id: "several at the same time",
    stage: "clash",
    run: async (target) => {
      sent++;
      for (let n = 0; n < 3; n++)
        await target.send(requestTo(OTPS, null), { valid: true, role: SIMULTANEOUS });
    },
  };
  const judged = checkThat(async () => {}, { probes: [probe] });
  const session = new Session(spec, settings);
  session.preflight = async () => null;
  const { results } = await runLoop(session, [{ check: judged }, ...planned]);
  expect(results.find(({ id }) => id === only)).toMatchObject({ outcome });
  expect(sent).toBe(2);
});

test("a server error that an equal request does not get is unsteady at its operation", async () => {
  let asked = 0;
  const server = closing(await tinyServer(() => (++asked === 2 ? { status: 500 } : fine())));
  const settings = exampleSettings({ baseUrl: server.baseUrl });
  const only = `responses/NO-SERVER-ERROR ${OTPS.key}`;
  const planned = planChecks(spec, settings).filter(({ check }) => check.id === only);
  const probe = checkThat(async (target) => {
    for (let n = 0; n < 3; n++) await target.send(requestTo(OTPS, null), { valid: true });
  });
  const session = new Session(spec, settings);
  session.preflight = async () => null;
  const { results } = await runLoop(session, [{ check: probe }, ...planned]);
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    [probe.id, "pass"],
    [only, "unsteady"],
  ]);
  expect(results[1]?.evidence.map(({ response }) => response?.status)).toEqual([500, 200]);
});
