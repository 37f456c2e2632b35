import { describe, expect, test } from "vitest";
import { SUBSCRIBING } from "../../client/resources.ts";
import type { Answer, Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { Cleanups } from "../../runner/cleanups.ts";
import type { JsonObject } from "../../spec/json.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { listOf, samples, single } from "../spec/samples.ts";
import { exampleCheck, exampleResult } from "./example.ts";
import { exampleSettings } from "./settings.ts";

/** A failed check: the service rejected a request with this body. */
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

const POST = operation("POST /webhooks");
const PATCH = operation("PATCH /webhooks/{id}");

/** A fake service that stores webhooks and records requests, and the `Cleanups` of a run on it (`all`). */
function service() {
  const asked: RequestPlan[] = [];
  const all = new Cleanups();
  const hooks = new Map<string, JsonObject>();
  const answerTo = async (plan: RequestPlan): Promise<Answer> => {
    asked.push(plan);
    const body = plan.body?.kind === "json" ? (plan.body.value as JsonObject) : {};
    if (plan.operation.kind === "list") return answerWith(plan, { ...listOf([...hooks.values()]) });
    const id = plan.path ?? `wh_${hooks.size}`;
    const hook = { ...samples.Webhook, ...hooks.get(id), ...body, id };
    hooks.set(id, hook);
    return answerWith(plan, single(hook));
  };
  const target = {
    spec,
    settings: exampleSettings(),
    runId: "run-7",
    pause: async () => undefined,
    send: (plan: RequestPlan, use: { role?: string } = {}) =>
      all.active.watch(target, plan, () => answerTo(plan), use.role),
  } as unknown as Target;
  const create = (isActive: boolean, role?: string) =>
    target.send(withBody(requestTo(POST, null), { name: "pc-run-7-1", isActive }), role ? { role } : {});
  const update = (id: string, body: JsonObject) =>
    target.send(withBody({ ...requestTo(PATCH, null), path: id }, body));
  const active = () => [...hooks.values()].filter(({ isActive }) => isActive === true).map(({ id }) => id);
  return { all, target, asked, hooks, answerTo, create, update, active };
}

function answerWith(plan: RequestPlan, json: unknown): Answer {
  return { plan, status: 200, headers: {}, text: "", json } as Answer;
}

const NONE_LOST = () => false;

test.each([
  ["an update", "PATCH /webhooks/{id}"],
  ["a create", "POST /webhooks"],
])(
  "a place is freed for %s that activates a resource, but a resource that is needed to the end stays active",
  async (_, key) => {
    const { all, target, create, active } = service();
    await create(true);
    await create(true, SUBSCRIBING);
    expect(await all.freeActiveQuota(target, refused(key, { isActive: true }))).toBe(true);
    expect(active()).toEqual(["wh_1"]);
    // Only the webhook that is needed to the end is active now, so none is made inactive.
    expect(await all.freeActiveQuota(target, refused(key, { isActive: true }))).toBe(true);
    await all.finish(target, NONE_LOST);
    expect(active()).toEqual([]);
  },
);

describe("at the end of a run", () => {
  test("resources that an update made active are made inactive, at their current address", async () => {
    const { all, target, create, update, active, asked } = service();
    await create(false);
    await update("wh_0", { url: "https://example.com/later", isActive: true });
    await all.finish(target, NONE_LOST);
    expect(active()).toEqual([]);
    expect(asked.at(-1)).toMatchObject({
      path: "wh_0",
      body: { value: { url: "https://example.com/later", isActive: false } },
    });
  });

  test("resources that unanswered updates may have made active are made inactive", async () => {
    const { all, target, create, hooks, active } = service();
    await create(false);
    const plan = withBody({ ...requestTo(PATCH, null), path: "wh_0" }, { isActive: true });
    const lost = all.active.watch(
      target,
      plan,
      () => {
        hooks.set("wh_0", { ...hooks.get("wh_0"), isActive: true });
        return Promise.reject(new Error("gone"));
      },
      undefined,
    );
    await expect(lost).rejects.toThrow("gone");
    await all.finish(target, NONE_LOST);
    expect(active()).toEqual([]);
  });

  test("listed resources of unanswered creates are made inactive, but no resource of others", async () => {
    const { all, target, hooks, active } = service();
    hooks.set("lost", { ...samples.Webhook, id: "lost", name: "pc-run-7-9", isActive: true });
    hooks.set("other", { ...samples.Webhook, id: "other", name: "pc-run-8-9", isActive: true });
    await all.finish(target, () => true);
    expect(active()).toEqual(["other"]);
  });

  test("no request is sent if nothing is active", async () => {
    const { all, target, create, update, asked } = service();
    await create(true);
    await update("wh_0", { isActive: false });
    await all.finish(target, NONE_LOST);
    expect(asked).toHaveLength(2);
  });
});

test.each([
  ["what was not to be active", refused("PATCH /webhooks/{id}", { isActive: false })],
  ["what has no body that can be read", refused("PATCH /webhooks/{id}", undefined)],
  ["what was accepted", refused("PATCH /webhooks/{id}", { isActive: true }, 200)],
  ["what nothing is delivered to", refused("PATCH /payment-codes/{id}", { isActive: true })],
])("no place is freed for %s", async (_, result) => {
  const { all, target, create, active } = service();
  await create(true);
  expect(await all.freeActiveQuota(target, result)).toBe(false);
  expect(active()).toEqual(["wh_0"]);
});

test("a failure at the end does not stop the other cleanups", async () => {
  const { all, target } = service();
  const done: string[] = [];
  all.add(() => Promise.reject(new Error("gone")));
  all.add(async () => void done.push("last"));
  await all.finish(target, NONE_LOST);
  expect(done).toEqual(["last"]);
});
