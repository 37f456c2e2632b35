/** Runs the suite on a workshop, whose API describes lists, creates and bodies in unusual but valid ways. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Report } from "../../reports/report.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { allChecks } from "../../suites/index.ts";
import { requirements } from "../spec/package-spec.ts";
import { runChecks } from "../suites/run-checks.ts";
import { BUGS, type Bug, startWorkshop, TOKEN } from "./workshop-service.ts";

const name = new URL("./workshop/openapi.yaml", import.meta.url);
const workshop = loadSpec({ name: "openapi.yaml", text: readFileSync(name, "utf8") }, requirements);

const described = ({ id, outcome, reason, message }: Report["checks"][number]) =>
  `${outcome} ${reason ?? ""} ${id}: ${message ?? ""}`;

test("if no operation takes a space, no second space is used", () => {
  const all = allChecks(workshop).flatMap((check) => check.requirements);
  expect(all.filter((id) => /^ISOLATION|^SPACE/.test(id))).toEqual([]);
});

test.each(["quick", "full"] as const)(
  "a workshop without faults fails nothing at depth %s",
  async (depth) => {
    const server = await startWorkshop();
    const settings = { baseUrl: server.baseUrl, token: TOKEN, fixtures: { bench: "b1" }, depth };
    const { results } = await runChecks(workshop, settings, () => true).finally(() => server.close());
    const open = results
      .filter(({ outcome }) => !["pass", "note"].includes(outcome))
      // At depth quick, the steps of a walk may leave no update of a listed job.
      .filter(({ requirements: [id] }) => depth === "full" || id !== "FILTER-COMPLETE");
    expect(open.map(described).sort()).toEqual(
      [
        // The ids of jobs are numbers, which have no casing.
        `skip no-data reads/READ-SPELLING ${depth === "quick" ? "casing" : "GET /jobs/{job}"}: no id or code was sent in other casing`,
        // Only one bench is known, so no move shows a change.
        ...["AUTH-NO-EFFECT", "UPDATE-NO-EFFECT"].map(
          (id) =>
            `skip no-data updates/${id} POST /jobs/{job}/move action: nothing was read around a rejected action`,
        ),
        // The key of an action belongs to its path, and the seed picks an action.
        "skip no-data idempotency/KEY-REUSE reuse: no valid create had such a key",
        // At depth quick, the seed picks the unusual texts.
        ...(depth === "quick"
          ? [
              ...["NUL", "control character", "zero-width characters"].map(
                (text) =>
                  `skip not-sampled creates/CREATE-ECHO POST /jobs declinable constructor: ${text}: the seed left constructor: ${text} out`,
              ),
              "skip not-sampled creates/CREATE-ECHO-DETAILS POST /jobs declinable constructor: blanks at the ends: the seed left constructor: blanks at the ends out",
              ...["pause declinable reason", "resume declinable hurry"].flatMap((at) =>
                ["NUL", "zero-width characters"].map((text) => {
                  const value = `${at.split(" ").at(-1)}: ${text}`;
                  return `skip not-sampled creates/CREATE-ECHO POST /jobs/{job}/${at}: ${text}: the seed left ${value} out`;
                }),
              ),
              "skip not-sampled updates/UPDATE-ECHO PATCH /jobs/{job} markup: the seed left markup out",
              "skip not-sampled updates/UPDATE-STORED PATCH /jobs/{job} markup: the seed left markup out",
              "skip not-sampled updates/UPDATE-ECHO PATCH /jobs/{job} declinable constructor: line break and tab: the seed left constructor: line break and tab out",
              "skip not-sampled updates/UPDATE-ECHO PATCH /jobs/{job} declinable constructor: control character: the seed left constructor: control character out",
              "skip not-sampled updates/UPDATE-ECHO-DETAILS PATCH /jobs/{job} declinable constructor: blanks only: the seed left constructor: blanks only out",
            ]
          : []),
      ].sort(),
    );
  },
);

test("a workshop that rejects an action in the state after it fails nothing", async () => {
  const server = await startWorkshop(undefined, true);
  const settings = { baseUrl: server.baseUrl, token: TOKEN, depth: "full" } as const;
  const { results } = await runChecks(workshop, settings, () => true).finally(() => server.close());
  const wrong = results.filter(({ outcome }) => !["pass", "note", "skip"].includes(outcome));
  expect(wrong.map(described)).toEqual([]);
  const ofResume = results.filter(({ operation }) => operation === "POST /jobs/{job}/resume");
  expect(ofResume.map(({ message }) => message)).toContain("the state of the resource may be the reason");
});

describe("a bug of the workshop is found", () => {
  const bugs: [bug: Bug, requirement: string, operation: string, suite: string][] = [
    ["a part may be named by anything", "CREATE-TYPE", "POST /jobs", "bodies"],
    ["a page may have three jobs", "LIST-LIMIT-REJECTED", "GET /jobs", "limits"],
    ["a change without any field is taken", "UPDATE-TOO-FEW", "PATCH /jobs/{job}", "bodies"],
    ["a made field named as an inherited one is lost", "CREATE-ECHO", "POST /jobs", "creates"],
    ["a job can't be made for the second bench", "CREATE-EDGES", "POST /jobs", "bodies"],
    ["calls of nobody are answered", "PARAMETER-REQUIRED", "GET /jobs", "limits"],
    ["calls of nobody are answered", "PARAMETER-REQUIRED", "PATCH /jobs/{job}", "limits"],
    ["a change of a billed job opens it again", "UPDATE-KEEPS-REST", "PATCH /jobs/{job}", "updates"],
    [
      "a job that was changed while it was paused stays paused",
      "CREATE-ECHO",
      "POST /jobs/{job}/resume",
      "updates",
    ],
    ["the plan has no ticket", "NAMED-ENVELOPE", "GET /jobs/{job}/plan", "named-only"],
  ];

  test.each(bugs)("%s: it breaks %s at %s", async (bug, requirement, operation, suite) => {
    const server = await startWorkshop(bug);
    const settings = { baseUrl: server.baseUrl, token: TOKEN, depth: "quick" } as const;
    const pick = (check: { suite: string }) => check.suite === suite;
    const { results } = await runChecks(workshop, settings, pick).finally(() => server.close());
    const found = results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    const named = found.filter(
      (result) => result.requirements.includes(requirement) && result.operation === operation,
    );
    expect(named.length, found.map(described).join("\n")).toBeGreaterThan(0);
  });

  test("every bug of the workshop is tested above", () => {
    expect(new Set(bugs.map(([bug]) => bug))).toEqual(new Set(BUGS));
  });
});
