import { describe, expect, test } from "vitest";
import { NotTested } from "../../../client/check.ts";
import { NoAnswer } from "../../../client/sending/dispatch.ts";
import { Ending } from "../../../client/sending/ending.ts";
import { Load } from "../../../client/sending/load-limits.ts";
import { overLostConnections } from "../../../client/sending/lost-connections.ts";
import { answering, outgoing, USE } from "./answers.ts";

const closed = new NoAnswer("closed", "the connection was closed");

describe("a connection that is closed without an answer", () => {
  test.each([
    ["GET /webhooks", 2],
    ["POST /webhooks", 1],
    ["PATCH /webhooks/{id}", 1],
  ])("is tried again: %s, %i more", async (key, more) => {
    const { next, asked } = answering(...Array.from({ length: more }, () => closed), 200);
    expect(
      (await overLostConnections(next, new Load({ concurrency: 8 }), new Ending())(outgoing(key), USE))
        .status,
    ).toBe(200);
    expect(asked()).toBe(more + 1);
  });

  test("ends in no answer if all attempts fail, with the lost request as evidence", async () => {
    const { next, asked } = answering(closed);
    const lost = overLostConnections(next, new Load({ concurrency: 8 }), new Ending())(outgoing(), USE);
    await expect(lost).rejects.toMatchObject({ reason: "no-answer" });
    await expect(lost).rejects.toBeInstanceOf(NotTested);
    const { evidence } = (await lost.catch((error: unknown) => error)) as NotTested;
    expect(evidence).toMatchObject([{ fault: "the connection was closed", request: { method: "GET" } }]);
    expect(asked()).toBe(3);
  });
});

test("a wait that timed out is not repeated", async () => {
  const { next, asked } = answering(new NoAnswer("timeout", "no answer within 1 ms"));
  await expect(
    overLostConnections(next, new Load({ concurrency: 8 }), new Ending())(outgoing(), USE),
  ).rejects.toThrow("no answer");
  expect(asked()).toBe(1);
});

test("a service that is silent for long is gone; one that answers in between is not", async () => {
  const late = new NoAnswer("timeout", "no answer");
  const silences = Array.from({ length: 11 }, () => late);
  const ending = new Ending();
  const { next } = answering(...silences, 200, ...silences, late);
  const send = overLostConnections(next, new Load({ concurrency: 8 }), ending);
  const ask = () => send(outgoing(), USE).catch(() => undefined);
  for (let n = 0; n < 23; n++) await ask();
  expect(ending.isOver).toBe(false);
  await ask();
  expect(ending.endedBecause).toContain("stopped answering");
  expect(ending.whyNotSent()?.reason).toBe("no-answer");
});

describe("a service that restarts", () => {
  const away = new NoAnswer("unreachable", "the connection was refused");

  test("is waited for if it has answered before", async () => {
    const { next, asked } = answering(200, away, away, away, away, 200);
    const send = overLostConnections(next, new Load({ concurrency: 8 }), new Ending());
    for (let n = 0; n < 2; n++) expect((await send(outgoing(), USE)).status).toBe(200);
    expect(asked()).toBe(6);
  });

  test("is not waited for if it never answered", async () => {
    const { next, asked } = answering(away);
    await expect(
      overLostConnections(next, new Load({ concurrency: 8 }), new Ending())(outgoing(), USE),
    ).rejects.toThrow("refused");
    expect(asked()).toBe(1);
  });

  test("is waited for while nobody gets an answer, even if connections close", async () => {
    const { next, asked } = answering(...Array.from({ length: 5 }, () => closed), 200);
    const send = overLostConnections(next, new Load({ concurrency: 8 }), new Ending());
    await expect(send(outgoing(), USE)).rejects.toThrow("closed");
    expect((await send(outgoing(), USE)).status).toBe(200);
    expect(asked()).toBe(6);
  });
});
