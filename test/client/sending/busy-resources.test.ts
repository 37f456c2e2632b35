import { describe, expect, test } from "vitest";
import { overBusyResources } from "../../../client/sending/write-order.ts";
import { SIMULTANEOUS } from "../../../client/target.ts";
import { answering, outgoing, USE } from "./answers.ts";

const never = new AbortController().signal;
const UPDATE = "PATCH /webhooks/{id}";

describe("an update whose resource is busy", () => {
  test.each([409, 423, 425])("is sent again until it is accepted: %i", async (status) => {
    const { next, asked } = answering(status, status, 200);
    const send = overBusyResources(next, 1_000, never);
    expect((await send(outgoing(UPDATE), USE)).status).toBe(200);
    expect(asked()).toBe(3);
  });

  test("is rejected if the resource is busy for too long, and later updates are rejected at once", async () => {
    const { next, asked } = answering(409);
    const send = overBusyResources(next, 30, never);
    for (let n = 0; n < 2; n++) expect((await send(outgoing(UPDATE), USE)).status).toBe(409);
    const before = asked();
    expect(before).toBeGreaterThan(2);
    expect((await send(outgoing(UPDATE), USE)).status).toBe(409);
    expect(asked()).toBe(before + 1);
  });

  test("is not waited for once the run is to send nothing more", async () => {
    const { next, asked } = answering(409);
    expect((await overBusyResources(next, 1_000, AbortSignal.abort())(outgoing(UPDATE), USE)).status).toBe(
      409,
    );
    expect(asked()).toBe(1);
  });
});

describe("an update of a resource that was just created", () => {
  const sent = async (use: typeof USE, isYoung: boolean) => {
    const { next, asked } = answering(404, 404, 200);
    const send = overBusyResources(next, 1_000, never, () => isYoung);
    return { status: (await send(outgoing(UPDATE), use)).status, asked: asked() };
  };

  test("is sent again until the resource is found", async () => {
    expect(await sent(USE, true)).toEqual({ status: 200, asked: 3 });
  });

  test("is sent once if it must be rejected, or if the resource is older", async () => {
    expect(await sent({ ...USE, valid: false }, true)).toEqual({ status: 404, asked: 1 });
    expect(await sent(USE, false)).toEqual({ status: 404, asked: 1 });
  });
});

test.each([
  ["a create", "POST /webhooks", USE, 409],
  ["what is meant to meet others", UPDATE, { ...USE, role: SIMULTANEOUS }, 409],
  ["what is refused for another reason", UPDATE, USE, 422],
] as const)("%s is sent once", async (_, key, use, status) => {
  const { next, asked } = answering(status, 200);
  expect((await overBusyResources(next, 1_000, never)(outgoing(key), use)).status).toBe(status);
  expect(asked()).toBe(1);
});
