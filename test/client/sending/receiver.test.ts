import { afterEach, describe, expect, test } from "vitest";
import { startReceiver } from "../../../client/sending/receiver.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function receiver(url = "http://127.0.0.1:1/in?x=1", port = 0) {
  const started = await startReceiver(url, port);
  open.push(started);
  return started;
}

const deliver = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers }).then(({ status }) => status);

describe("a delivery", () => {
  test("is received whole, and answered", async () => {
    const { url, first } = await receiver();
    expect(await deliver(url, '{"é":1}', { "X-Custom": "v" })).toBe(204);
    expect(await first(5_000)).toMatchObject({
      method: "POST",
      body: '{"é":1}',
      headers: { "x-custom": "v" },
    });
  });

  test("is waited for, in the order they arrive", async () => {
    const { url, first } = await receiver();
    const waiting = [first(5_000), first(5_000)];
    await deliver(url, "one");
    await deliver(url, "two");
    expect((await Promise.all(waiting)).map((one) => one?.body)).toEqual(["one", "two"]);
  });

  test("that does not come is none", async () => {
    const { first } = await receiver();
    expect(await first(10)).toBeUndefined();
  });

  test("that comes after the patience of one is for the next who waits", async () => {
    const { url, first } = await receiver();
    expect(await first(10)).toBeUndefined();
    await deliver(url, "late");
    expect((await first(5_000))?.body).toBe("late");
  });
});

test("the address is the user's own, but for a port that was left to chance", async () => {
  expect(new URL((await receiver()).url)).toMatchObject({
    hostname: "127.0.0.1",
    pathname: "/in",
    search: "?x=1",
  });
  expect((await receiver()).url).not.toContain(":1/");
});

test("a port that is taken is an error", async () => {
  const { url } = await receiver();
  await expect(startReceiver(url, Number(new URL(url).port))).rejects.toMatchObject({ code: "EADDRINUSE" });
});
