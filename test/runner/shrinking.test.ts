import { afterEach, describe, expect, test } from "vitest";
import { Untestable } from "../../client/check.ts";
import { requestTo } from "../../generators/request.ts";
import { History } from "../../history/history.ts";
import type { Violation } from "../../history/result.ts";
import { type RunningService, startReference } from "../../reference/index.ts";
import { replacedIn } from "../../runner/replaced.ts";
import { shrink } from "../../runner/shrinking.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { ownSpec, runSuite, settingsFor } from "../prove/run.ts";
import { exampleCheck } from "./example.ts";
import { exampleSettings } from "./settings.ts";

const services: RunningService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

/** What a run with checks of one requirement finds on the reference with a defect. */
async function findingsOf(defect: string, requirement: string) {
  const service = await startReference({ defects: [defect] });
  services.push(service);
  const settings = settingsFor(service, 1, {});
  const report = await runSuite(settings, {
    chosen: ({ requirements, suite }) => suite === "updates" && requirements.includes(requirement),
  });
  return report.checks.filter(({ outcome }) => outcome === "fail");
}

/** The requests of a finding, each as its method and whether it concerns the resource of the last one. */
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
    expect(found && requestsOf(found).slice(0, 4)).toEqual(["POST", "PATCH", "PATCH another", "PATCH"]);
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

  test("is not looked for if no request is left", async () => {
    const past = new HistoryBuilder(ownSpec()).creates("w1", { name: "a" }).reads("w1", { name: "b" });
    const history = new History(ownSpec(), HEAD, past.entries);
    const violation: Violation = {
      certainty: "proven",
      expected: "a",
      actual: "b",
      shownBy: past.entries.map((entry) => ({ entry })),
    };
    const target = {
      spec: ownSpec(),
      settings: exampleSettings({}),
      send: () => Promise.reject(new Untestable("budget", "the run has used up its requests")),
      unique: () => "pc-00000000-0001",
      pause: () => Promise.resolve(),
    };
    const shrunk = await shrink(exampleCheck("x", {}), violation, {
      history,
      target: () => ({ target, entries: () => [] }),
      planOf: ({ operation }) => requestTo(operation ?? operationById(ownSpec(), "createWebhook"), null),
      isCommonKnowledge: () => false,
    });
    expect(shrunk).toBeUndefined();
  });
});

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
