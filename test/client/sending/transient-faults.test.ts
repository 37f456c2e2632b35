import { beforeEach, describe, expect, test, vi } from "vitest";
import { Load } from "../../../client/sending/load-limits.ts";
import { overTransientFaults } from "../../../client/sending/transient-faults.ts";
import { SIMULTANEOUS } from "../../../client/target.ts";
import { answer, answering, outgoing, USE } from "./answers.ts";

// Sleeping takes no time and is recorded.
const slept: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => void slept.push(milliseconds),
}));
beforeEach(() => void slept.splice(0));

const never = new AbortController().signal;

function over(...statuses: number[]) {
  const { next, asked } = answering(...statuses);
  const send = overTransientFaults(next, new Load({ concurrency: 8 }), never);
  return { send, asked };
}

describe("a server error", () => {
  test.each([500, 501, 505, 599])(
    "%i that an equal request does not get is answered by what came instead",
    async (status) => {
      const { send, asked } = over(status, 200);
      expect((await send(outgoing(), USE)).status).toBe(200);
      expect(asked()).toBe(2);
    },
  );

  test("that stays is what the service answers, after one more try", async () => {
    const { send, asked } = over(500);
    expect((await send(outgoing(), USE)).status).toBe(500);
    expect(asked()).toBe(2);
  });

  test.each([502, 503, 504])("%i is waited out, longer each time", async (status) => {
    const { send, asked } = over(status, status, status, 201);
    expect((await send(outgoing(), USE)).status).toBe(201);
    expect(asked()).toBe(4);
    expect(slept).toEqual([100, 200, 400]);
  });

  test("that outlasted the patience is not waited for again at that operation", async () => {
    const { send, asked } = over(503);
    expect((await send(outgoing(), USE)).status).toBe(503);
    expect(asked()).toBe(5);
    await send(outgoing(), USE);
    expect(asked()).toBe(7);
    await send(outgoing("GET /banks"), USE);
    expect(asked()).toBe(12);
  });

  test("with Retry-After holds all requests back for as long", async () => {
    const load = new Load({ concurrency: 8 });
    const pause = vi.spyOn(load, "pause");
    let first = true;
    const send = overTransientFaults(
      async (request) => {
        const status = first ? 503 : 200;
        first = false;
        return answer(request, status, { headers: { "retry-after": "3" } });
      },
      load,
      never,
    );
    expect((await send(outgoing(), USE)).status).toBe(200);
    expect(pause).toHaveBeenCalledWith(3_000);
  });

  test("with a Retry-After far ahead is waited for only by a service that was available before", async () => {
    const load = new Load({ concurrency: 8 });
    const pause = vi.spyOn(load, "pause");
    const later = { headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() } };
    const statuses = [503, 503, 200, 503, 200];
    let asked = 0;
    const send = overTransientFaults(
      async (request) => {
        const status = statuses[asked++] ?? 200;
        return answer(request, status, status === 503 ? later : {});
      },
      load,
      never,
    );
    expect((await send(outgoing(), USE)).status).toBe(503);
    expect((await send(outgoing("GET /banks"), USE)).status).toBe(503);
    expect([asked, pause.mock.calls]).toEqual([2, []]);
    expect((await send(outgoing("GET /momos"), USE)).status).toBe(200);
    expect((await send(outgoing("GET /momos"), USE)).status).toBe(200);
    expect(pause).toHaveBeenCalledWith(load.longestWait);
  });

  test("in a race is not asked again by itself", async () => {
    const { send, asked } = over(500, 200);
    expect((await send(outgoing("POST /webhooks"), { ...USE, role: SIMULTANEOUS })).status).toBe(500);
    expect(asked()).toBe(1);
  });

  test("501 of an operation that is only named is its word", async () => {
    const { send, asked } = over(501);
    await send(outgoing("GET /v1/financial-transactions"), USE);
    expect(asked()).toBe(1);
  });
});

test("a rejection is not asked again", async () => {
  const { send, asked } = over(422);
  expect((await send(outgoing(), USE)).status).toBe(422);
  expect(asked()).toBe(1);
});

test.each([200, 408])(
  "a 408 is asked for once more, and what comes then, %i, is the answer",
  async (status) => {
    const { send, asked } = over(408, status);
    expect((await send(outgoing(), USE)).status).toBe(status);
    expect(asked()).toBe(2);
  },
);

test("a 408 in the midst of simultaneous calls is not asked for again", async () => {
  const { send, asked } = over(408, 200);
  expect((await send(outgoing(), { ...USE, role: SIMULTANEOUS })).status).toBe(408);
  expect(asked()).toBe(1);
});
