import { expect, test } from "vitest";
import type { Target } from "../../client/target.ts";
import { Cleanups } from "../../runner/cleanups.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleCheck, exampleResult } from "./example.ts";

const target = { spec } as Target;

/** A refusal of a call with a body, by an operation. */
function refused(operation: string, body: unknown, status = 403) {
  const result = exampleResult(exampleCheck("a", { operation }), { outcome: "fail" });
  const exchange = {
    request: { method: "PATCH", url: "http://127.0.0.1/", headers: {}, body: JSON.stringify(body) ?? null },
    response: { status, headers: {}, body: "" },
    offending: "status",
    startedAt: "2025-08-23T10:00:00.000Z",
    durationMs: 1,
  };
  return { ...result, evidence: [exchange] };
}

function cleanups() {
  const done: string[] = [];
  const all = new Cleanups();
  all.add(async () => void done.push("early"), false);
  all.add(async () => void done.push("needed"), true);
  return { all, done };
}

test.each([
  ["an update", "PATCH /webhooks/{id}"],
  ["a create", "POST /webhooks"],
])("room is made for %s that was to be active, but for what is needed to the end", async (_, operation) => {
  const { all, done } = cleanups();
  expect(await all.makeRoom(target, refused(operation, { isActive: true }))).toBe(true);
  expect(done).toEqual(["early"]);
  // There still is room.
  expect(await all.makeRoom(target, refused(operation, { isActive: true }))).toBe(true);
  await all.finish();
  expect(done).toEqual(["early", "needed"]);
});

test.each([
  ["what was not to be active", refused("PATCH /webhooks/{id}", { isActive: false })],
  ["what has no body that can be read", refused("PATCH /webhooks/{id}", undefined)],
  ["what was accepted", refused("PATCH /webhooks/{id}", { isActive: true }, 200)],
  ["what nothing is delivered to", refused("PATCH /payment-codes/{id}", { isActive: true })],
])("no room is made for %s", async (_, result) => {
  const { all, done } = cleanups();
  expect(await all.makeRoom(target, result)).toBe(false);
  expect(done).toEqual([]);
});

test("what fails at the end keeps nothing else from being done", async () => {
  const { all, done } = cleanups();
  all.add(() => Promise.reject(new Error("gone")), true);
  await all.finish();
  expect(done).toEqual(["early", "needed"]);
});
