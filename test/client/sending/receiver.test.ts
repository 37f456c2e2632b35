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
  test("is received whole and answered", async () => {
    const { url, arrived, wait } = (await receiver()).mailbox();
    expect(await deliver(url, '{"é":1}', { "X-Custom": "v" })).toBe(204);
    await wait(5_000);
    expect(arrived).toEqual([
      expect.objectContaining({
        method: "POST",
        body: '{"é":1}',
        headers: expect.objectContaining({ "x-custom": "v" }),
      }),
    ]);
  });

  test("is waited for, and deliveries are kept in the order of their arrival", async () => {
    const { url, arrived, wait } = (await receiver()).mailbox();
    const waiting = wait(5_000, ({ length }) => length === 2);
    await deliver(url, "one");
    await deliver(url, "two");
    await waiting;
    expect(arrived.map(({ body }) => body)).toEqual(["one", "two"]);
  });

  test("that does not come is reported as none", async () => {
    const { arrived, wait } = (await receiver()).mailbox();
    await wait(10);
    expect(arrived).toEqual([]);
  });

  test("to one address of the run does not count for another", async () => {
    const { mailbox } = await receiver();
    const [first, second] = [mailbox(), mailbox()];
    await deliver(second.url, "for the second");
    expect([first.arrived.length, second.arrived.length]).toEqual([0, 1]);
  });
});

describe("a request that is no delivery of this run", () => {
  test("goes to an address that the run did not make", async () => {
    const { mailbox } = await receiver();
    const { url, arrived } = mailbox();
    const other = new URL(url);
    other.pathname = "/in";
    expect(await deliver(other.href, "of an earlier run")).toBe(404);
    expect(arrived).toEqual([]);
  });

  test("only asks whether the address exists", async () => {
    const { url, arrived } = (await receiver()).mailbox();
    expect((await fetch(url)).status).toBe(204);
    expect(await deliver(url, "")).toBe(204);
    expect(arrived).toEqual([]);
  });
});

test("addresses lie below the user's own, and the port may be any free one", async () => {
  const { url } = (await receiver()).mailbox();
  expect(new URL(url)).toMatchObject({
    hostname: "127.0.0.1",
    pathname: expect.stringMatching(/^\/in\/[0-9a-f]{24}$/),
    search: "?x=1",
  });
  expect(url).not.toContain(":1/");
});

test("a port that is in use is an error", async () => {
  const { url } = (await receiver()).mailbox();
  await expect(startReceiver(url, Number(new URL(url).port))).rejects.toMatchObject({ code: "EADDRINUSE" });
});
