import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { type Check, NotTested } from "../../client/check.ts";
import type { Answer } from "../../client/target.ts";
import { objectSent, type RequestPlan, requestTo } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import type { RuleResult, Violation } from "../../history/result.ts";
import { type RunningService, startReference } from "../../reference/index.ts";
import type { Resending } from "../../runner/confirming/attempts.ts";
import { NewIds, replacedIn } from "../../runner/confirming/replaced.ts";
import { sendAllAgain, shortestHistory } from "../../runner/confirming/shortest-history.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { operationById } from "../../spec/operations.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { ownSpec, runSuite, settingsFor } from "../prove/run.ts";
import { exchange } from "../reports/example.ts";
import { exampleCheck } from "./example.ts";
import { exampleSettings } from "./settings.ts";

const services: RunningService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

/** Runs the checks of one requirement on a service with a defect. Returns the failed ones. */
async function findingsOf(defect: string, requirement: string) {
  const service = await startReference({ defects: [defect] });
  services.push(service);
  const settings = settingsFor(service, 1, {});
  const report = await runSuite(settings, {
    chosen: ({ requirements, suite }) => suite === "updates" && requirements.includes(requirement),
  });
  return report.checks.filter(({ outcome }) => outcome === "fail");
}

/** The methods of a finding's requests. `PATCH another` updates another resource than the finding's last update. */
function requestsOf({ evidence }: CheckResult): string[] {
  const id = evidence
    .findLast(({ request }) => request.method === "PATCH")
    ?.request.url.split("/")
    .at(-1);
  return evidence.map(({ request }) => {
    const [path = ""] = request.url.split("?");
    return request.method === "PATCH" && path.split("/").at(-1) !== id ? "PATCH another" : request.method;
  });
}

describe("the history of a finding", () => {
  test("holds the update of another resource that the defect needs", async () => {
    const [found] = await findingsOf(
      "history-not-stored@webhook-update.apiVersion:after-other",
      "UPDATE-STORED",
    );
    const requests = found ? requestsOf(found) : [];
    expect(requests[0]).toBe("POST");
    expect(requests[requests.lastIndexOf("PATCH") - 1]).toBe("PATCH another");
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(found?.reproduce?.curl).toContain("ID1=$(");
    expect(found?.reproduce?.curl?.match(/^.*curl /gm)).toHaveLength(found?.evidence.length ?? 0);
  }, 60_000);

  test("leaves out what the defect does not need", async () => {
    const found = await findingsOf(
      "history-answered-otherwise@webhook-update.events:after-unread",
      "UPDATE-ECHO",
    );
    const shortest = Math.min(...found.map(({ evidence }) => evidence.length));
    expect(shortest).toBe(3);
  }, 60_000);

  test("is not looked for once the request budget is used up", async () => {
    const { check, violation, resending } = lostUpdate([]);
    expect(await shortestHistory(check, violation, resending)).toBeUndefined();
  });
});

describe("a violation that did not show in the second round", () => {
  test("is a finding if its history shows it twice more", async () => {
    const { check, violation, resending } = lostUpdate(["a", "a"]);
    const shown = await shortestHistory(check, violation, resending, { isUnsteady: true });
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["POST", "PATCH", "GET"]);
  });

  test("is no finding if its history shows it once", async () => {
    const { check, violation, resending } = lostUpdate(["a", "b"]);
    expect(await shortestHistory(check, violation, resending, { isUnsteady: true })).toBeUndefined();
  });

  test("is no finding if it has an excuse, even if its history shows it twice more", async () => {
    const { check, violation, resending } = lostUpdate(["a", "a"]);
    const excused = { isUnsteady: true, isExcused: true };
    expect(await shortestHistory(check, violation, resending, excused)).toBeUndefined();
  });

  test("is a finding on a fixture if it shows four times more, and rests before each", async () => {
    const { check, violation, resending, pauses } = lostUpdate(["a", "a", "a", "a"], { isOwn: false });
    const shown = await shortestHistory(check, violation, resending, { isUnsteady: true });
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["PATCH", "GET"]);
    expect(pauses()).toBe(4);
  });

  test("needs a rest after each create if only an older resource shows it", async () => {
    const { check, violation, resending, pauses } = lostUpdate(["a", "a"]);
    await shortestHistory(check, { ...violation, needsOlderResource: true }, resending, { isUnsteady: true });
    expect(pauses()).toBe(2);
  });

  test("is no finding on a fixture if it shows three times more", async () => {
    const { check, violation, resending } = lostUpdate(["a", "a", "a", "b"], { isOwn: false });
    expect(await shortestHistory(check, violation, resending, { isUnsteady: true })).toBeUndefined();
  });
});

describe("a refused read, whose violation did not show in the second round", () => {
  test("is a finding if it is refused each time after the faulty read, and never without it", async () => {
    const { check, violation, resending } = refusedRead(([first]) => first === "?limit=0");
    const excused = { isUnsteady: true, isExcused: true };
    const shown = await shortestHistory(check, violation, resending, excused);
    expect(shown?.entries.map(({ response }) => "status" in response && response.status)).toEqual([400, 403]);
  });

  test("is no finding if it is refused without the faulty read, too", async () => {
    const { check, violation, resending } = refusedRead(() => true);
    expect(await shortestHistory(check, violation, resending, { isUnsteady: true })).toBeUndefined();
  });

  test("is a finding if it is refused with 422 each time, because the cause may last", async () => {
    const { check, violation, resending } = refusedRead(() => true, 200, 422);
    expect(await shortestHistory(check, violation, resending, { isUnsteady: true })).toBeDefined();
  });

  test("is no finding if only the faulty read before it is refused each time", async () => {
    const { check, violation, resending } = refusedRead(() => false, 403);
    expect(await shortestHistory(check, violation, resending, { isUnsteady: true })).toBeUndefined();
  });

  test("is no finding if it is refused now and then", async () => {
    let asked = 0;
    const { check, violation, resending } = refusedRead(() => ++asked % 2 === 1);
    const shown = await shortestHistory(check, violation, resending, { isUnsteady: true });
    expect(asked).toBeGreaterThan(1);
    expect(shown).toBeUndefined();
  });
});

describe("a rejected write that something may excuse", () => {
  const excused = { isUnsteady: true, isExcused: true };

  test("is a finding if it is rejected each time after one other request, and never without that request", async () => {
    const { check, violation, resending } = rejectedUpdate((before) => before.at(-1) === "PATCH other");
    const shown = await shortestHistory(check, violation, resending, excused);
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["POST", "PATCH", "PATCH", "PATCH"]);
  });

  test("is a finding if the accepted update before it is the cause", async () => {
    const { check, violation, resending } = rejectedUpdate((before) => before.at(-1) !== "POST");
    const shown = await shortestHistory(check, violation, resending, excused);
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["POST", "PATCH", "PATCH"]);
  });

  test("is a finding if the cause locks the resource for two updates", async () => {
    let left = 0;
    const { check, violation, resending } = rejectedUpdate((before) => {
      if (before.at(-1) === "PATCH other") left = 2;
      return left-- > 0;
    });
    expect(await shortestHistory(check, violation, resending, excused)).toBeDefined();
  });

  test("is no finding if the service is busy for a while after the other write", async () => {
    let left = 0;
    const { check, violation, resending } = rejectedUpdate(
      (before) => {
        if (before.at(-1) === "PATCH other") left = 2;
        // After a pause, only the create counts as sent before. The service is no longer busy then.
        if (before.length === 1) left = 0;
        return left-- > 0;
      },
      { needsRest: true },
    );
    expect(await shortestHistory(check, violation, resending, excused)).toBeUndefined();
  });

  test("is no finding if a service is busy after each write", async () => {
    const { check, violation, resending } = rejectedUpdate(() => true);
    expect(await shortestHistory(check, violation, resending, excused)).toBeUndefined();
  });

  test("is no finding if the other request gives another resource the same text", async () => {
    const { check, violation, resending } = rejectedUpdate((before) => before.at(-1) === "PATCH other", {
      note: "pc-00000000-0001",
    });
    expect(await shortestHistory(check, violation, resending, excused)).toBeUndefined();
  });

  test("is no finding if the service accepts it after a pause", async () => {
    const { check, violation, resending } = rejectedUpdate((before) => before.at(-1) === "PATCH other", {
      needsRest: true,
    });
    expect(await shortestHistory(check, violation, resending, excused)).toBeUndefined();
  });
});

/** A check that is violated if an entry is offending, and else held. */
function violatedBy(
  id: string,
  isOffending: (entry: Entry) => boolean,
  violationIn: (entries: readonly Entry[]) => Violation,
): Check {
  return exampleCheck(id, {
    verdict: ({ entries }) =>
      entries.some(isOffending)
        ? { outcome: "violated", violations: [violationIn(entries)] }
        : { outcome: "held", times: 1, evidence: [] },
  });
}

/**
 * The parts that `shortestHistory` needs to send requests of `past` again. For each attempt, `serve` makes a new fake service:
 * a function that adds each request to the history `again`, and returns the status of its answer.
 */
function servedAgain(
  past: HistoryBuilder,
  serve: (again: HistoryBuilder) => (plan: RequestPlan) => number | Promise<number>,
): Resending {
  const spec = ownSpec();
  return {
    history: new History(spec, HEAD, past.entries),
    target: () => {
      const again = new HistoryBuilder(spec);
      const served = serve(again);
      const send = async (plan: RequestPlan): Promise<Answer> => {
        const status = await served(plan);
        return { plan, exchange: exchange(), status, headers: {}, text: "", json: { result: { id: "w1" } } };
      };
      const settings = exampleSettings({});
      const pause = () => Promise.resolve();
      const target = { spec, settings, send, unique: () => "pc-00000000-0001", pause };
      return { target, entries: () => again.entries };
    },
    planOf: ({ operation, request }) => ({
      ...requestTo(operation ?? operationById(spec, "updateWebhook"), null),
      query: request.query,
      ...(request.body ? { body: { kind: "json", value: JSON.parse(request.body.text) } } : {}),
    }),
    known: [],
  };
}

test("a changed field is a finding even if another rule judges it after fewer requests", async () => {
  const spec = ownSpec();
  const url = "https://a.example/x";
  const other = "https://a.example/y";
  const changes = (past: HistoryBuilder) => past.updates("w1", { url: other }, { name: "c", url: other });
  const past = changes(new HistoryBuilder(spec).creates("w1", { name: "a", url }));
  const [made, update] = past.entries;
  const check = exampleCheck("kept", { verdict: () => ({ outcome: "held", times: 1, evidence: [] }) });
  const resending = servedAgain(past, (again) => ({ operation }) => {
    if (operation.kind === "create") again.creates("w1", { name: "a", url });
    else changes(again);
    return 200;
  });
  const violation = (difference?: "changed"): Violation => ({
    certainty: "suspected",
    expected: "still name a",
    actual: "name c",
    shownBy: [made, update].flatMap((entry) =>
      entry ? [entry === update ? { entry, offending: "/result/name" } : { entry }] : [],
    ),
    ...(difference ? { difference } : {}),
  });
  expect(await shortestHistory(check, violation("changed"), resending, { isUnsteady: true })).toBeDefined();
  expect(await shortestHistory(check, violation(), resending, { isUnsteady: true })).toBeUndefined();
});

describe("a read that was rejected beside an update", () => {
  const unsteady = { isUnsteady: true };

  test("is a finding if it is rejected in two more races", async () => {
    let races = 0;
    const { check, violation, resending } = rejectedBeside(() => ++races > 3);
    const shown = await shortestHistory(check, violation, resending, unsteady);
    expect(shown?.entries.map(({ request }) => request.method).toSorted()).toEqual([
      "GET",
      "GET",
      "GET",
      "PATCH",
    ]);
    expect(races).toBe(5);
  });

  test("is no finding if it is rejected in one more race", async () => {
    let races = 0;
    const { check, violation, resending } = rejectedBeside(() => ++races === 2);
    expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
  });
});

/**
 * A history in which a read gets 404 while an update is in flight. When the requests are sent again, a read during
 * the update gets 404 if `isRejected` returns true.
 */
function rejectedBeside(isRejected: () => boolean) {
  const spec = ownSpec();
  const READ = "GET /payouts/{id}";
  const shown = { success: true, messages: [], result: { id: "p1" } };
  const read = (past: HistoryBuilder, status: number, beside = false) =>
    past.answers(READ, status === 200 ? shown : {}, { path: "p1", status, beside });
  const update = (past: HistoryBuilder) =>
    past.answers("PATCH /payouts/{id}", shown, { path: "p1", sent: { metadata: {} } });
  const past = read(update(read(new HistoryBuilder(spec), 200)), 404, true);
  const violationIn = (entries: readonly Entry[]): Violation => ({
    certainty: "suspected",
    expected: "the resource, as before",
    actual: "status 404",
    shownBy: entries.filter(isMissing).map((entry) => ({ entry, offending: "status" })),
  });
  const isMissing = ({ response }: Entry) => "status" in response && response.status === 404;
  const check = violatedBy("missing", isMissing, violationIn);
  const resending = servedAgain(past, (again) => {
    let isBusy = false;
    return async ({ operation }) => {
      if (operation.kind === "read") {
        const status = isBusy && isRejected() ? 404 : 200;
        read(again, status, isBusy);
        return status;
      }
      update(again);
      isBusy = true;
      await Promise.resolve();
      isBusy = false;
      return 200;
    };
  });
  return { check, violation: violationIn(past.entries), resending };
}

describe("one rejected update of a fixture", () => {
  const unsteady = { isUnsteady: true };

  test("is a finding if the same body is rejected each time, and another one accepted", async () => {
    const { check, violation, resending } = rejectedBody((body) => body.includes('"d"'));
    const shown = await shortestHistory(check, violation, resending, unsteady);
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["PATCH", "PATCH"]);
  });

  test("is no finding if the same body is accepted once", async () => {
    let times = 0;
    const { check, violation, resending } = rejectedBody((body) => body.includes('"d"') && ++times < 4);
    expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
  });

  const soonAfter = (other: string, status?: number) => {
    let before = "";
    return rejectedBody((body) => {
      const isSoon = body.includes('"d"') && before.includes(other);
      before = body;
      return isSoon;
    }, status);
  };

  test("is no finding if it is rejected soon after another one with a status of busy services", async () => {
    for (const other of ['"b"', '"c"']) {
      const { check, violation, resending } = soonAfter(other);
      expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
    }
  });

  test("is a finding if it is rejected as wrong after one other update, and else accepted", async () => {
    const { check, violation, resending } = soonAfter('"c"', 400);
    const shown = await shortestHistory(check, violation, resending, unsteady);
    expect(shown?.entries.map(({ request }) => request.body?.text)).toEqual([
      '{"name":"b"}',
      '{"name":"c"}',
      '{"name":"d"}',
    ]);
  });

  test("is no finding if the resource takes no update any more", async () => {
    const { check, violation, resending } = rejectedBody(() => true);
    expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
  });
});

/**
 * A history with an accepted and a rejected update of a fixture. When updates are sent again, the service rejects a
 * body if `isRejected` returns true for it.
 */
function rejectedBody(isRejected: (body: string) => boolean, status = 404) {
  const spec = ownSpec();
  const past = new HistoryBuilder(spec)
    .updates("w1", { name: "c" })
    .updates("w1", { name: "b" })
    .rejects("w1", { name: "d" }, { status });
  const isOffending = ({ request, response }: Entry) =>
    "status" in response && response.status === status && request.body?.text.includes('"d"') === true;
  const violationIn = (entries: readonly Entry[]): Violation => ({
    certainty: "suspected",
    expected: "acceptance",
    actual: "status 404",
    shownBy: entries.filter(isOffending).map((entry) => ({ entry, offending: "status" })),
  });
  const check = violatedBy("rejected", isOffending, violationIn);
  const resending = servedAgain(past, (again) => (plan) => {
    const body = objectSent(plan) ?? {};
    const isRefused = isRejected(JSON.stringify(body));
    if (isRefused) again.rejects("w1", body, { status });
    else again.updates("w1", body);
    return isRefused ? status : 200;
  });
  return { check, violation: violationIn(past.entries), resending };
}

/**
 * A history in which an update is rejected after an update of another resource. When it is sent again, the service
 * rejects it if `isRejected` returns true for the requests before it. With `needsRest`, a pause removes all but the
 * create from these. Both updates send the `note`.
 */
function rejectedUpdate(isRejected: (before: string[]) => boolean, { needsRest = false, note = "" } = {}) {
  const spec = ownSpec();
  const url = "https://a.example/x";
  const past = new HistoryBuilder(spec)
    .creates("w1", { name: "a", url })
    .updates("w1", { name: "b", url })
    .updates("other", { name: "c", url, metadata: { note } })
    .rejects("w1", { name: "d", url, metadata: { note } }, { status: 409 });
  const violationIn = (entries: readonly Entry[]): Violation => {
    const own = entries.filter(({ path }) => path.id === "w1");
    return {
      certainty: "suspected",
      expected: "acceptance",
      actual: "status 409",
      shownBy: own
        .slice(-2)
        .map((entry, index) => (index === 1 ? { entry, offending: "status" } : { entry })),
    };
  };
  const isConflict = ({ response }: Entry) => "status" in response && response.status === 409;
  const check = exampleCheck("rejected", {
    verdict: ({ entries }) => {
      const held: RuleResult = { outcome: "held", times: 1, evidence: [] };
      if (!entries.some(isConflict)) return held;
      return { outcome: "excused", violation: violationIn(entries), otherwise: held };
    },
  });
  const resending: Resending = {
    history: new History(spec, HEAD, past.entries),
    target: () => {
      const again = new HistoryBuilder(spec);
      let sent: string[] = [];
      const send = async (plan: RequestPlan): Promise<Answer> => {
        const isUpdate = plan.operation.kind === "update";
        const isOffending = isUpdate && JSON.stringify(plan.body).includes('"d"');
        const id = plan.path === "" ? "w1" : "other";
        const status = isOffending && isRejected(sent) ? 409 : 200;
        if (!isUpdate) again.creates("w1", { name: "a", url });
        else if (status === 409) again.rejects("w1", { name: "d", url }, { status });
        else again.updates(id, { name: "b", url });
        sent.push(isUpdate ? `PATCH ${id}` : "POST");
        return { plan, exchange: exchange(), status, headers: {}, text: "", json: { result: { id: "w1" } } };
      };
      const pause = async () => {
        if (needsRest) sent = ["POST"];
      };
      const settings = exampleSettings({});
      const target = { spec, settings, send, unique: () => "pc-00000000-0001", pause };
      return { target, entries: () => again.entries };
    },
    planOf: ({ operation, path, request }) => ({
      ...requestTo(operation ?? operationById(spec, "createWebhook"), null),
      path: path.id === "other" ? "other" : "",
      ...(request.body ? { body: { kind: "json", value: JSON.parse(request.body.text) } } : {}),
    }),
    known: [],
  };
  return { check, violation: violationIn(past.entries), resending };
}

/**
 * A history in which a list is refused after a request with a page size of 0. When it is sent again, the service
 * refuses it if `isRefused` returns true for the queries before it. `faultyStatus` answers the page size of 0.
 */
function refusedRead(isRefused: (before: string[]) => boolean, faultyStatus = 400, refusal = 403) {
  const spec = ownSpec();
  const LIST = "GET /webhooks";
  const query: [string, string][] = [["limit", "0"]];
  const past = new HistoryBuilder(spec)
    .answers(LIST, {}, { status: 400, query })
    .answers(LIST, {}, { status: refusal });
  const isForbidden = ({ response }: Entry) => "status" in response && response.status === refusal;
  const violationIn = (entries: readonly Entry[]): Violation => ({
    certainty: "suspected",
    expected: "acceptance",
    actual: `status ${refusal}`,
    shownBy: entries
      .filter(isForbidden)
      .slice(0, 1)
      .map((entry) => ({ entry, offending: "status" })),
  });
  const check = violatedBy("refused", isForbidden, violationIn);
  const resending = servedAgain(past, (again) => {
    const queries: string[] = [];
    return (plan) => {
      const isFaulty = plan.query.length > 0;
      const status = isFaulty ? faultyStatus : isRefused(queries) ? refusal : 200;
      queries.push(isFaulty ? "?limit=0" : "");
      again.answers(LIST, {}, { status, query: plan.query });
      return status;
    };
  });
  return { check, violation: violationIn(past.entries), resending };
}

/**
 * A history in which a read shows the name "a" after an update to "b". The resource is a fixture unless `isOwn`. In
 * later rounds, the reads show `names` in turn. After the last name, the request budget is used up.
 */
function lostUpdate(names: readonly string[], { isOwn = true } = {}) {
  const spec = ownSpec();
  const url = "https://a.example/x";
  const past = new HistoryBuilder(spec);
  if (isOwn) past.creates("w1", { name: "a", url });
  past.updates("w1", { name: "b", url }).reads("w1", { name: "a", url });
  const lost = (entries: readonly Entry[]): Violation => ({
    certainty: "proven",
    expected: "b",
    actual: "a",
    shownBy: entries.slice(-2).map((entry) => ({ entry })),
  });
  const check = exampleCheck("lost", {
    verdict: ({ entries }) =>
      JSON.stringify(entries.at(-1)?.response).includes('\\"name\\":\\"a\\"')
        ? { outcome: "violated", violations: [lost(entries)] }
        : { outcome: "held", times: 1, evidence: [] },
  });
  let rounds = 0;
  let pauses = 0;
  const resending: Resending = {
    history: new History(spec, HEAD, past.entries),
    target: () => {
      const name = names[rounds++];
      const again = new HistoryBuilder(spec);
      const send = async (plan: RequestPlan): Promise<Answer> => {
        if (name === undefined) throw new NotTested("budget", "the run has used up its requests");
        if (plan.operation.kind === "create") again.creates("w2", { name: "a", url });
        else if (plan.operation.kind === "update") again.updates("w2", { name: "b", url });
        else again.reads("w2", { name, url });
        return {
          plan,
          exchange: exchange(),
          status: 200,
          headers: {},
          text: "",
          json: { result: { id: "w2" } },
        };
      };
      const settings = exampleSettings({});
      const unique = () => "pc-00000000-0001";
      const pause = async () => {
        pauses++;
      };
      const target = { spec, settings, send, unique, pause };
      return { target, entries: () => again.entries };
    },
    planOf: ({ operation }) => requestTo(operation ?? operationById(spec, "createWebhook"), null),
    known: [],
  };
  return { check, violation: lost(past.entries), resending, pauses: () => pauses };
}

describe("a request that is sent again for another resource", () => {
  const operation = operationById(ownSpec(), "updateWebhook");

  test("names the other resource in its path and body", () => {
    const plan = replacedIn(
      {
        operation,
        version: null,
        path: "whk_1",
        query: [["after", "whk_1"]],
        headers: { "idempotency-key": "key-1", "x-left-out": null },
        body: { kind: "json", value: { items: ["whk_1", 1, null], note: { text: "of whk_1" } } },
      },
      new Map([
        ["whk_1", "whk_2"],
        ["key-1", "key-2"],
      ]),
    );
    expect(plan).toMatchObject({
      path: "whk_2",
      query: [["after", "whk_2"]],
      headers: { "idempotency-key": "key-2", "x-left-out": null },
      body: { kind: "json", value: { items: ["whk_2", 1, null], note: { text: "of whk_2" } } },
    });
  });
});

describe("the requests of a finding, sent again", () => {
  test("show the violation on a service that still has the defect", async () => {
    const { check, resending } = lostUpdate(["a"]);
    const shown = await sendAllAgain(check, resending);
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["POST", "PATCH", "GET"]);
    expect(shown?.violation.actual).toBe("a");
  });

  test("show nothing on a repaired service", async () => {
    const { check, resending } = lostUpdate(["b"]);
    expect(await sendAllAgain(check, resending)).toBeUndefined();
  });

  test("show nothing once the request budget is used up", async () => {
    const { check, resending } = lostUpdate([]);
    expect(await sendAllAgain(check, resending)).toBeUndefined();
  });

  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const orchard = loadSpec(file("test/editions/orchard/openapi.yaml"), file("spec/requirements.yaml"));
  /** The new ids of a grove 7, and of a row and a tool 43. */
  const ids = new NewIds();
  for (const [maker, old, next] of [
    ["plantGrove", "7", "8"],
    ["buyTool", "43", "99"],
    ["addRow", "43", "47"],
  ] as const)
    ids.add(operationById(orchard, maker), old, next);

  test("have a short id replaced only where a whole parameter names a resource of its kind", () => {
    const plan = {
      operation: operationById(orchard, "relayRow"),
      version: null,
      path: "43",
      outer: { grove: "7" },
      query: [],
      headers: {},
      body: { kind: "json" as const, value: { note: "43" } },
    };
    expect(replacedIn(plan, new Map(), ids)).toMatchObject({
      path: "47",
      outer: { grove: "8" },
      body: { value: { note: "43" } },
    });
    const ofOthers = { ...plan, operation: operationById(ownSpec(), "updatePayout") };
    expect(replacedIn(ofOthers, new Map(), ids)).toMatchObject({ path: "43" });
  });

  test("keep their page size, even if it is an id", () => {
    const plan = requestTo(operationById(orchard, "listRows"), null);
    const query: RequestPlan["query"] = [
      ["after", "7"],
      ["size", "7"],
    ];
    expect(replacedIn({ ...plan, query }, new Map(), ids).query).toEqual([
      ["after", "8"],
      ["size", "7"],
    ]);
  });
});

describe("a create that was answered with a server error once", () => {
  const unsteady = { isUnsteady: true };

  test("is a finding if the error comes each time after a list, and never without the list", async () => {
    const { check, violation, resending } = crashedCreate((before) => before.at(-1) === "GET");
    const shown = await shortestHistory(check, violation, resending, unsteady);
    expect(shown?.entries.map(({ request }) => request.method)).toEqual(["GET", "POST"]);
  });

  test("is no finding if the error comes now and then", async () => {
    let asked = 0;
    const { check, violation, resending } = crashedCreate(() => ++asked % 3 === 1);
    expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
    expect(asked).toBeGreaterThan(1);
  });

  test("is no finding if the error comes without the list, too", async () => {
    const { check, violation, resending } = crashedCreate(() => true);
    expect(await shortestHistory(check, violation, resending, unsteady)).toBeUndefined();
  });
});

/**
 * A history in which a create after a list is answered with 500. When both are sent again, `isCrash` decides about the
 * create: it gets the methods of the requests before it.
 */
function crashedCreate(isCrash: (before: string[]) => boolean) {
  const spec = ownSpec();
  const sent = { name: "a", url: "https://a.example/x", events: null };
  const past = new HistoryBuilder(spec).lists([]).creates("w1", sent, { status: 500 });
  const isCrashed = ({ response }: Entry) => "status" in response && response.status === 500;
  const violationIn = (entries: readonly Entry[]): Violation => ({
    certainty: "suspected",
    expected: "no server error",
    actual: "status 500",
    shownBy: entries
      .filter(isCrashed)
      .map((entry) => ({ entry, offending: "status" })) as Violation["shownBy"],
  });
  const check = violatedBy("crashed", isCrashed, violationIn);
  const resending = servedAgain(past, (again) => ({ operation }) => {
    if (operation.kind === "list") {
      again.lists([]);
      return 200;
    }
    const status = isCrash(again.entries.map(({ request }) => request.method)) ? 500 : 200;
    again.creates("w1", sent, { status });
    return status;
  });
  return { check, violation: violationIn(past.entries), resending };
}
