/**
 * The reference service keeps the profile that a run on it suggests. If it breaks a promise, a run finds that
 * at the operation concerned.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import { answersOf } from "../../profiles/behaviour.ts";
import { behaviourOf } from "../../profiles/behaviours.ts";
import { type ByPlace, type Profile, type Promised, withProfile } from "../../profiles/promises.ts";
import { readProfile } from "../../profiles/read-profile.ts";
import { type RunningService, startReference } from "../../reference/index.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { allChecks } from "../../suites/index.ts";
import { inFolder } from "../command/command.ts";
import { commitShare, isTurn } from "../commit-seed.ts";
import { spec } from "../spec/package-spec.ts";
import { withProxy } from "../suites/altering-proxy.ts";
import { type Ran, runChecks } from "../suites/run-checks.ts";
import { isConcerned, isPromise } from "./kept.ts";

const SLOW = 300_000;
/**
 * The outcomes of the checks in `results` that `others`, too, did not skip, without checks of promises. One run may
 * skip fewer, because its first page may show other resources.
 */
const outcomes = (results: CheckResult[], others = results) => {
  const isTested = ({ outcome }: CheckResult) => outcome !== "skip";
  const known = new Set(others.filter(isTested).map(({ id }) => id));
  const compared = results.filter((one) => !isPromise(one) && isTested(one) && known.has(one.id));
  return Object.fromEntries(compared.map(({ id, outcome }) => [id, outcome]));
};
const failing = (results: CheckResult[]) =>
  results.filter(({ outcome }) => outcome === "fail").map(({ id }) => id);

/** The settings of a run against a service, without the fixture that a run uses up. */
/** As `--suggest-profile` sets them. */
const SUGGESTING = { depth: "full", suggestProfile: true } as const;

function settingsFor(service: RunningService): Partial<Settings> {
  const { baseUrl, token, space, secondSpace, secondToken } = service;
  // The first run would cancel this payment code, so the second run would differ.
  const { cancellablePaymentCode: _, ...fixtures } = service.fixtures;
  const own = { token, space, secondSpace, secondToken, fixtures };
  return { baseUrl, ...own, visibilityDelay: 500, runs: 2, depth: "quick" };
}

function run(change: Partial<Settings>, profile?: Profile, pick: (check: Check) => boolean = isConcerned) {
  return runChecks(withProfile(spec, profile), { ...change, ...(profile ? { profile } : {}) }, pick);
}

function parsed(text: string): Promise<Profile> {
  return inFolder(async (folder) => {
    const file = join(folder, "profile.yaml");
    writeFileSync(file, text);
    return readProfile(file, spec, allChecks(spec));
  });
}

/** The suggested profile of a run, changed so that only the observed values of a field are allowed. */
function completedBy(ran: Ran): Promise<Profile> {
  return parsed(
    (ran.suggestedProfile ?? "")
      .replace(/^# values:$/m, "values:")
      .replace(/^ {2}# (\S+): \(seen: (\[.*\]); list all that there are\)$/gm, "  $1: $2"),
  );
}

let service: RunningService;
let plain: Ran;
const isInTurn = isTurn(0, 3);
let suggested: Profile;
let kept: Ran;

beforeAll(async () => {
  service = await startReference();
  plain = await run({ ...settingsFor(service), ...SUGGESTING });
  suggested = await completedBy(plain);
  // Runs that suggest a profile send all probes, so that every promise is tested.
  kept = await run({ ...settingsFor(service), ...SUGGESTING }, suggested);
}, SLOW);
afterAll(() => service.close());

// Other commits run kept.test.ts instead, which is as slow.
describe.runIf(isInTurn)("the profile that a run suggests", () => {
  test("promises something of every kind except values: no run can show that no others exist", async () => {
    const own = (await parsed(plain.suggestedProfile ?? "")).promised;
    const kinds = new Set(own.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(["challenge", "error-body", "error-type", "practice", "rejection"]);
    expect(suggested.promised.map(({ kind }) => kind)).toContain("values");
    expect(plain.suggestedProfile).toMatch(/# Payout\/status: \(seen: \[.*"processing".*\]; list all/);
    expect(own.length).toBeGreaterThan(40);
  });

  test("is kept by the same service", () => {
    expect(failing(kept.results)).toEqual([]);
    for (const { id } of suggested.promised) {
      const own = kept.results.filter(({ requirements }) => requirements.includes(id));
      expect(
        own.some(({ outcome }) => outcome === "pass"),
        id,
      ).toBe(true);
    }
  });

  test("changes nothing for other checks", () => {
    expect(outcomes(kept.results, plain.results)).toEqual(outcomes(plain.results, kept.results));
  });
});

/**
 * Changes a promise so that the service breaks it at the operation `at`. A promise about errors or values names no
 * operation, so the service breaks it at every one.
 */
function broken(promise: Promised, at: string): Promised {
  const exceptHere = <T>(by: ByPlace<T>, other: (value: T) => T) =>
    Object.fromEntries(
      Object.entries(by).map(([place, value]) => [
        place,
        place === at || place.startsWith(`${at} `) ? other(value) : value,
      ]),
    );
  switch (promise.kind) {
    case "rejection":
      return { ...promise, statuses: exceptHere(promise.statuses, () => [418]) };
    case "practice": {
      const behaviour = behaviourOf(promise.practice);
      const words = behaviour && !behaviour.pattern ? Object.keys(answersOf(behaviour, spec)) : [];
      const other = (answer: string) => words.find((word) => word !== answer) ?? "another";
      return { ...promise, answers: exceptHere(promise.answers, other) };
    }
    case "values":
      return { ...promise, allowed: ["another"] };
    case "error-body":
      return { ...promise, schema: { type: "object", required: ["another"] } };
    case "error-type":
      return { ...promise, types: ["text/another"] };
    case "challenge":
      return { ...promise, scheme: "another" };
  }
}

/**
 * Each run breaks half of the promises: the time for confirming is limited, and might not suffice for all. Each commit
 * breaks one half.
 */
test.runIf(isInTurn).each(commitShare([0, 1], 2))(
  "each promise, broken at one operation, fails at that operation only (half %i)",
  async (half) => {
    const expected: string[] = [];
    const promised = suggested.promised.map((promise, index) => {
      if (index % 2 !== half) return promise;
      const passing = kept.results.filter(
        ({ requirements, outcome }) => requirements.includes(promise.id) && outcome === "pass",
      );
      const everywhere = !["rejection", "practice"].includes(promise.kind);
      const chosen = everywhere ? passing : passing.slice(-1);
      expected.push(...chosen.map(({ id }) => id));
      return broken(promise, chosen[0]?.operation ?? "");
    });
    const ran = await run({ ...settingsFor(service), ...SUGGESTING }, { ...suggested, promised });
    expect(failing(ran.results).sort()).toEqual(expected.sort());
    expect(outcomes(ran.results, plain.results)).toEqual(outcomes(plain.results, ran.results));
    for (const result of ran.results.filter(({ outcome }) => outcome === "fail")) {
      expect(result.expected, result.id).toMatch(/\w/);
      expect(result.reproduce?.with?.length, result.id).toBeGreaterThan(0);
    }
  },
  SLOW,
);

describe.runIf(isTurn(0, 6))("a service that breaks its promises at one operation", () => {
  let ran: Ran;

  beforeAll(async () => {
    ran = await withProxy(
      service.baseUrl,
      (method, path, answer) => {
        if (method !== "GET") return undefined;
        if (path === "/countries" && answer.status >= 400) {
          return { status: answer.status, headers: { "content-type": "text/plain" }, body: "no" };
        }
        if (/^\/banks\/./.test(path) && answer.status === 404) return { ...answer, status: 410 };
        if (/^\/payouts\/./.test(path) && answer.status === 200)
          return { ...answer, body: answer.body.replace(/"status":\s*"[a-z]+"/, '"status":"lost"') };
        return undefined;
      },
      (baseUrl) => run({ ...settingsFor(service), baseUrl }, suggested, isPromise),
    );
  }, SLOW);

  test("is found at that operation, even if the observing checks were left out", () => {
    expect(failing(ran.results).sort()).toEqual(
      [
        "profile/PROFILE-CHALLENGE GET /countries",
        "profile/PROFILE-ERROR-BODY GET /countries",
        "profile/PROFILE-ERROR-CONTENT-TYPE GET /countries",
        "profile/PROFILE-REJECTION-UNKNOWN-ID GET /banks/{idOrCode}",
        "profile/PROFILE-VALUES-PAYOUT-STATUS GET /payouts/{id}",
      ].sort(),
    );
  });

  test("is reported with the exchange and the command that show it", () => {
    const unknown = ran.results.find(({ id }) => id.endsWith("UNKNOWN-ID GET /banks/{idOrCode}"));
    expect(unknown?.expected).toMatch(/^status 404 /);
    expect(unknown?.actual).toMatch(/^status 410 /);
    expect(unknown?.evidence[0]?.response?.status).toBe(410);
    expect(unknown?.evidence[0]?.offending).toBe("status");
    expect(unknown?.reproduce?.with?.join()).toContain("reads/READ-UNKNOWN GET /banks/{idOrCode}");
  });
});

test.runIf(isInTurn)(
  "a promise whose requests the run may not send causes no request",
  async () => {
    const readOnly = await run({ ...settingsFor(service), readOnly: true }, suggested, isPromise);
    expect(failing(readOnly.results)).toEqual([]);
    const writing = readOnly.results.filter(({ operation }) => !operation.startsWith("GET "));
    expect(new Set(writing.map(({ reason }) => reason))).toEqual(new Set(["read-only"]));
    expect(readOnly.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(50);
    const skipped = await run(
      { ...settingsFor(service), skip: ["READ-UNKNOWN*", "UPDATE-UNKNOWN*"] },
      suggested,
      (check) => check.requirements.includes("PROFILE-REJECTION-UNKNOWN-ID"),
    );
    expect(new Set(skipped.results.map(({ reason }) => reason))).toEqual(new Set(["not-selected"]));
    expect(skipped.requests).toBe(0);
  },
  SLOW,
);
