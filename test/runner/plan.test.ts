import { describe, expect, test } from "vitest";
import { type Promised, promiseId } from "../../profiles/promises.ts";
import { checksAtDepth, planChecks } from "../../runner/planning/plan.ts";
import { allChecks } from "../../suites/index.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleSettings } from "./settings.ts";

const all = allChecks(spec);
const quick = (seed: number) => checksAtDepth(all, exampleSettings({ depth: "quick", seed }));

describe("depth quick", () => {
  test.each([1, 2, 3])("runs one check of each group, under the group's id (seed %i)", (seed) => {
    const groups = new Set(all.map(({ id, sampledGroup }) => sampledGroup ?? id));
    expect(
      quick(seed)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...groups].toSorted());
  });

  test("runs others with another seed", () => {
    const picked = (seed: number) => quick(seed).map(({ id, ownId }) => ownId ?? id);
    expect(picked(1)).not.toEqual(picked(2));
  });
});

describe("a profile", () => {
  const promise = (practice: string, operation: string): Promised => ({
    id: promiseId(practice),
    fills: "KEY-REUSE",
    statement: practice,
    kind: "practice",
    practice,
    answers: { [operation]: "accepted" },
  });
  const picked = (seed: number, ...promised: Promised[]) => {
    const profile = { name: "", sha256: "", promised };
    return checksAtDepth(all, exampleSettings({ depth: "quick", seed, profile }))
      .map(({ id, ownId }) => ownId ?? id)
      .filter((id) => id.startsWith("idempotency/KEY-REUSE"));
  };
  const rejected = "idempotency/KEY-REUSE POST /webhooks after a rejection";
  const onAnother = "idempotency/KEY-REUSE POST /v1/financial-accounts used on another operation";

  test.each([1, 2, 3, 4])("has the checks that observe what it promises run (seed %i)", (seed) => {
    const one = promise("keysAfterRejection", "POST /webhooks");
    expect(picked(seed, one)).toEqual([rejected]);
    const other = promise("keysOnAnotherOperation", "POST /v1/financial-accounts");
    expect(picked(seed, one, other).toSorted()).toEqual([onAnother, rejected].toSorted());
  });
});

test("depth full runs every check, except in groups that are sampled at both depths", () => {
  const full = checksAtDepth(all, exampleSettings({ depth: "full" }));
  expect(full.filter(({ alwaysSampled }) => !alwaysSampled)).toEqual(
    all.filter(({ alwaysSampled }) => !alwaysSampled),
  );
  const groups = new Set(
    all.flatMap(({ alwaysSampled, sampledGroup }) => (alwaysSampled ? (sampledGroup ?? []) : [])),
  );
  expect(new Set(full.flatMap(({ alwaysSampled, id }) => (alwaysSampled ? id : [])))).toEqual(groups);
});

test("--only accepts the id of a check from the time when each version had its own", () => {
  const former = "updates/UPDATE-ECHO PATCH /webhooks/{id} name @none";
  const planned = planChecks(spec, exampleSettings({ only: [former] }), all).filter(({ skip }) => !skip);
  expect(planned.map(({ check }) => check.id)).toEqual(["updates/UPDATE-ECHO PATCH /webhooks/{id} name"]);
});

describe("creates that must be rejected", () => {
  const stagesOf = (seed: number) => {
    const planned = planChecks(spec, exampleSettings({ seed }), all);
    const probes = planned.flatMap(({ check }) => check.probes ?? []);
    return new Map(
      probes.filter(({ sendsRejectedCreates }) => sendsRejectedCreates).map((each) => [each.id, each.stage]),
    );
  };

  test("are sent beside the first creates or later, as the seed says", () => {
    const [one, two] = [stagesOf(1), stagesOf(2)];
    for (const stages of [one, two]) expect(new Set(stages.values())).toEqual(new Set(["prepare", "write"]));
    expect([...one]).not.toEqual([...two]);
  });

  test("of one probe have one stage, whichever check asks for it", () => {
    const planned = planChecks(spec, exampleSettings({ seed: 1 }), all);
    const stages = new Map<string, Set<string>>();
    for (const { id, stage } of planned.flatMap(({ check }) => check.probes ?? []))
      stages.set(id, (stages.get(id) ?? new Set()).add(stage));
    expect([...stages.values()].every(({ size }) => size === 1)).toBe(true);
  });
});
