import { describe, expect, test } from "vitest";
import { CreatedResources, withinCreations } from "../../../client/sending/created-resources.ts";
import type { Outgoing, Sender } from "../../../client/sending/sender.ts";
import { spec } from "../../spec/package-spec.ts";
import { answer, outgoing, USE } from "./answers.ts";

/** A request that creates a webhook under an idempotency key. */
function create(key: string): Outgoing {
  return outgoing("POST /webhooks", { "idempotency-key": key, "service-space-id": "spc-1" });
}

let made = 0;
const making: Sender = async (request) =>
  answer(request, 200, { json: { success: true, result: { id: `whk_${++made}`, name: "pc-1" } } });
const refusing: Sender = async (request) => answer(request, 422);

function within(next: Sender, most?: number) {
  const reported: number[] = [];
  const creations = new CreatedResources(most, (all) => reported.push(all.length));
  return { send: withinCreations(next, creations, spec, most), creations, reported };
}

describe("a created resource", () => {
  test("is remembered with its kind, name and space, and reported when it is made", async () => {
    const { send, creations, reported } = within(making);
    await send(create("a"), USE);
    await send(create("b"), USE);
    expect(creations.all).toMatchObject([
      { kind: "webhook", name: "pc-1", space: "spc-1" },
      { kind: "webhook", name: "pc-1", space: "spc-1" },
    ]);
    expect(reported).toEqual([1, 2]);
  });

  test("is counted once if the same key gives it again", async () => {
    const { send, creations } = within(async (request) =>
      answer(request, 200, { json: { result: { id: "whk_same" } } }),
    );
    await send(create("a"), USE);
    await send(create("a"), USE);
    expect(creations.all).toHaveLength(1);
  });

  test("is remembered if an undocumented POST made it, and a read adds none", async () => {
    const { send, creations } = within(making);
    await send(outgoing("POST /v1/payments", {}), USE);
    await send(outgoing("GET /webhooks"), USE);
    expect(creations.all.map(({ kind }) => kind)).toEqual(["payments"]);
  });
});

describe("the limit of created resources", () => {
  test("is never exceeded, even by simultaneous calls", async () => {
    const { send, creations } = within(making, 3);
    const all = await Promise.allSettled(["a", "b", "c", "d", "e"].map((key) => send(create(key), USE)));
    expect(creations.all).toHaveLength(3);
    expect(all.filter(({ status }) => status === "rejected")).toHaveLength(2);
    await expect(send(create("f"), USE)).rejects.toMatchObject({ reason: "budget" });
  });

  test("does not count rejected creates", async () => {
    const { send, creations } = within(refusing, 1);
    for (const key of ["a", "b", "c"]) expect((await send(create(key), USE)).status).toBe(422);
    expect(creations.all).toHaveLength(0);
  });

  test("counts creates without a known outcome", async () => {
    const { send } = within(async () => Promise.reject(new Error("lost")), 1);
    await expect(send(create("a"), USE)).rejects.toThrow("lost");
    await expect(send(create("b"), USE)).rejects.toMatchObject({ reason: "budget" });
  });

  test("does not hold back reads", async () => {
    const { send } = within(making, 0);
    expect((await send(outgoing("GET /webhooks"), USE)).status).toBe(200);
  });
});
