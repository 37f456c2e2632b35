import { beforeEach, describe, expect, test, vi } from "vitest";
import { Load } from "../../../client/sending/load-limits.ts";
import { overTransientFaults } from "../../../client/sending/transient-faults.ts";
import { SIMULTANEOUS } from "../../../client/target.ts";
import { answer, answering, outgoing, USE } from "./answers.ts";

// Sleeping takes no time, and is recorded.
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
    "%i that an equal request does not get is replaced by the other answer",
    async (status) => {
      const { send, asked } = over(status, 200);
      expect((await send(outgoing(), USE)).status).toBe(200);
      expect(asked()).toBe(2);
    },
  );

  test("that stays after one more try is the service's answer", async () => {
    const { send, asked } = over(500);
    expect((await send(outgoing(), USE)).status).toBe(500);
    expect(asked()).toBe(2);
  });

  test.each([502, 503, 504])("%i is waited for, longer each time", async (status) => {
    const { send, asked } = over(status, status, status, 201);
    expect((await send(outgoing(), USE)).status).toBe(201);
    expect(asked()).toBe(4);
    expect(slept.map((milliseconds, index) => milliseconds / (100 * 2 ** index))).toSatisfy(
      (times: number[]) => times.every((time) => time >= 1 && time < 1.5),
    );
  });

  test("of requests that fail together is not waited for equally long", async () => {
    const { send } = over(503, 503, 200);
    await Promise.all([send(outgoing(), USE), send(outgoing("GET /banks"), USE)]);
    expect(new Set(slept).size).toBe(slept.length);
  });

  test("is waited for as long as before if the operation has worked since", async () => {
    const { send, asked } = over(503, 503, 503, 503, 503, 200, 503, 503, 503, 200);
    await send(outgoing(), USE);
    await send(outgoing(), USE);
    expect((await send(outgoing(), USE)).status).toBe(200);
    expect(asked()).toBe(10);
  });

  test("that lasted too long is not waited for again at that operation", async () => {
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

  test("with a distant Retry-After is waited for only if the service was available before", async () => {
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

  test("among simultaneous requests is not repeated", async () => {
    const { send, asked } = over(500, 200);
    expect((await send(outgoing("POST /webhooks"), { ...USE, role: SIMULTANEOUS })).status).toBe(500);
    expect(asked()).toBe(1);
  });

  test("501 of an undocumented operation is not repeated", async () => {
    const { send, asked } = over(501);
    await send(outgoing("GET /v1/financial-transactions"), USE);
    expect(asked()).toBe(1);
  });
});

test("a rejection is not repeated", async () => {
  const { send, asked } = over(422);
  expect((await send(outgoing(), USE)).status).toBe(422);
  expect(asked()).toBe(1);
});

test.each([200, 408])("a 408 is repeated once, and the second answer, %i, counts", async (status) => {
  const { send, asked } = over(408, status);
  expect((await send(outgoing(), USE)).status).toBe(status);
  expect(asked()).toBe(2);
});

test("a 408 among simultaneous calls is not repeated", async () => {
  const { send, asked } = over(408, 200);
  expect((await send(outgoing(), { ...USE, role: SIMULTANEOUS })).status).toBe(408);
  expect(asked()).toBe(1);
});
