/**
 * The reference service accepts the requests that the classifier calls valid, and rejects those that it calls
 * faulty.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Classification, RequestFault } from "../../history/classification.ts";
import type { Entry } from "../../history/entry.ts";
import { classify } from "../../history/request-faults/classify.ts";
import { ValuesInHistory } from "../../history/request-faults/values-in-history.ts";
import { type RunningService, startReference } from "../../reference/index.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { allChecks } from "../../suites/index.ts";
import { settingsFor } from "../prove/run.ts";
import { spec } from "../spec/package-spec.ts";

interface Judged {
  entry: Entry;
  found: Classification;
}

let service: RunningService;
let judged: Judged[];

beforeAll(async () => {
  service = await startReference({});
  const settings = settingsFor(
    service,
    Number(process.env.SEED ?? 1),
    process.env.DEPTH === "full" ? { depth: "full" } : {},
  );
  const entries: Entry[] = [];
  const session = new Session(spec, settings, { recorded: (entry) => entries.push(entry) });
  await runLoop(session, planChecks(spec, settings), {});
  const { space, secondSpace = "" } = settings;
  const shown = new ValuesInHistory(
    spec,
    {
      spaces: [
        { space, token: "token 1" },
        { space: secondSpace, token: "token 2" },
      ],
      runTag: session.histories.head.runTag,
      fixtures: settings.fixtures,
    },
    entries,
  );
  judged = entries.map((entry) => ({ entry, found: classify(spec, entry, shown) }));
}, 120_000);

afterAll(() => service.close());

function statusOf({ response }: Entry): number {
  return "status" in response ? response.status : 0;
}

function faultsOf({ found }: Judged): RequestFault[] {
  return "faults" in found ? found.faults : [];
}

/** Describes a request, its classification and the status of the answer. */
function described(one: Judged): string {
  const { probe, request } = one.entry;
  const faults = faultsOf(one).map(
    ({ requirement, place, constraint }) => `${requirement} ${place} ${constraint}`,
  );
  const sent = `${request.method} ${request.url} ${request.body?.text.slice(0, 300) ?? ""}`;
  return `${statusOf(one.entry)} to a ${one.found.kind} request (${faults.join(", ")}) of ${probe}: ${sent}`;
}

test("a valid request is accepted", () => {
  // The suite hangs up on some requests on purpose.
  const isAnswered = ({ entry }: Judged) => "status" in entry.response;
  const valid = judged.filter((one) => one.found.kind === "valid" && isAnswered(one));
  expect(valid.length).toBeGreaterThan(500);
  expect(valid.filter(({ entry }) => statusOf(entry) !== 200).map(described)).toEqual([]);
});

test("a faulty request is rejected, whatever else it leaves open", () => {
  const faulty = judged.filter((one) => faultsOf(one).length > 0);
  expect(faulty.length).toBeGreaterThan(500);
  const accepted = faulty.filter(({ entry }) => statusOf(entry) < 400 || statusOf(entry) >= 500);
  expect(accepted.map(described)).toEqual([]);
});

test("no request of the suite has two faults", () => {
  expect(judged.filter((one) => faultsOf(one).length > 1).map(described)).toEqual([]);
});

test("checks about a fault send requests that have it", () => {
  const tested = new Set(judged.flatMap((one) => faultsOf(one).map(({ requirement }) => requirement)));
  expect(tested.size).toBeGreaterThan(50);
  const asked = new Map<string, Judged[]>();
  for (const { id, requirements, probes = [] } of allChecks(spec)) {
    const askers = new Set([id, ...probes.map((probe) => probe.id)]);
    // A request that several checks share is recorded only under the check that sent it.
    const own = judged.filter(({ entry }) => askers.has(entry.probe ?? ""));
    for (const requirement of requirements)
      if (tested.has(requirement)) asked.set(requirement, [...(asked.get(requirement) ?? []), ...own]);
  }
  const exercised = [...asked].filter(([, own]) => own.length > 0);
  const lacksIt = ([meant, own]: [string, Judged[]]) =>
    !own.some((one) => faultsOf(one).some(({ requirement }) => requirement === meant));
  expect(exercised.filter(lacksIt).map(([requirement]) => requirement)).toEqual([]);
  expect(exercised.length).toBeGreaterThan(40);
});

test("no read waits in vain: the service shows each update at once", () => {
  const reads = new Map<string, { url: string; times: number }>();
  const most = { times: 0, described: "" };
  for (const one of judged) {
    const { probe = "", request, version } = one.entry;
    const url = `${request.method} ${request.url} ${version}`;
    const before = reads.get(probe);
    const times = before?.url === url ? before.times + 1 : 1;
    reads.set(probe, { url, times });
    if (probe.startsWith("walk ") && request.method === "GET" && times > most.times)
      Object.assign(most, { times, described: described(one) });
  }
  expect(most.times).toBeGreaterThan(0);
  expect(most.times, most.described).toBeLessThanOrEqual(3);
});

test("a second page is read again directly after another request to its list", () => {
  const ofList = judged
    .map(({ entry }) => entry)
    .filter(({ operation }) => operation?.key === "GET /v1/ussd-otps");
  const between = ofList.filter((entry, index) => {
    const [before, after] = [ofList[index - 1], ofList[index + 1]];
    const isSecondPage = before?.request.query.some(([name]) => name === "after");
    const isOther = entry.request.url !== before?.request.url;
    return isOther && isSecondPage && before?.request.url === after?.request.url;
  });
  expect(between.length).toBeGreaterThan(0);
});

test("most requests are not doubtful", () => {
  const doubtful = judged.filter(({ found }) => found.kind === "doubtful");
  expect(doubtful.length / judged.length).toBeLessThan(0.2);
});
