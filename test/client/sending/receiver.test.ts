import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { type ReceiverOptions, startReceiver } from "../../../client/sending/receiver.ts";
import type { Delivery } from "../../../history/entry.ts";
import { mailboxIn } from "../../../history/values/mailboxes.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function receiver(options: Partial<ReceiverOptions> = {}) {
  const arrived: Omit<Delivery, "at">[] = [];
  const received = (delivery: Omit<Delivery, "at">) => void arrived.push(delivery);
  const url = "http://127.0.0.1:1/in?x=1";
  const started = await startReceiver({ url, port: 0, runTag: "1a2b", received, ...options });
  open.push(started);
  return { ...started, arrived };
}

const deliver = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body: new Uint8Array(Buffer.from(body)), headers }).then(
    ({ status }) => status,
  );

describe("a delivery", () => {
  test("is received whole and answered", async () => {
    const { address, arrived, wait } = await receiver();
    const url = address();
    expect(await deliver(url, '{"é":1}', { "X-Custom": "v" })).toBe(204);
    await wait(5_000, () => arrived.length > 0);
    expect(arrived).toMatchObject([{ method: "POST", mailbox: mailboxIn("1a2b", url), signedIn: null }]);
    expect(arrived[0]?.body.text).toBe('{"é":1}');
    expect(arrived[0]?.headers).toContainEqual(["x-custom", "v"]);
  });

  test("is waited for, and deliveries are kept in the order of their arrival", async () => {
    const { address, arrived, wait } = await receiver();
    const url = address();
    const waiting = wait(5_000, () => arrived.length === 2);
    await deliver(url, "one");
    await deliver(url, "two");
    await waiting;
    expect(arrived.map(({ body }) => body.text)).toEqual(["one", "two"]);
  });

  test("that does not come is not waited for after the timeout", async () => {
    const { arrived, wait } = await receiver();
    await wait(10, () => false);
    expect(arrived).toEqual([]);
  });

  test("names the header that is the HMAC of its body under the secret of its address", async () => {
    const { address, arrived } = await receiver();
    const signature = createHmac("sha256", "s").update("body").digest("base64");
    await deliver(address("s"), "body", { "X-Signature": `v1=${signature}` });
    await deliver(address("other"), "body", { "X-Signature": `v1=${signature}` });
    expect(arrived.map(({ signedIn }) => signedIn)).toEqual(["x-signature", null]);
  });

  test.each([
    {
      what: "is no UTF-8",
      body: Buffer.from([0x7b, 0xff, 0x7d]),
      kept: { cut: false, unreadable: "not-utf-8" },
    },
    { what: "is longer than what is kept", body: Buffer.alloc(600 * 1024, "é"), kept: { cut: true } },
  ])("names the header that is the HMAC of a body that $what", async ({ body, kept }) => {
    const { address, arrived } = await receiver();
    const signature = createHmac("sha256", "s").update(body).digest("hex");
    await deliver(address("s"), body, { "X-Signature": signature });
    expect(arrived).toMatchObject([{ signedIn: "x-signature", body: kept }]);
  });

  test("is received if a gateway puts another slash before its path", async () => {
    const { address, arrived } = await receiver();
    const url = new URL(address());
    url.pathname = `/${url.pathname.slice("/in".length)}`;
    expect(await deliver(url.href, "body")).toBe(204);
    expect(arrived).toHaveLength(1);
  });
});

describe("a request that is no delivery of this run", () => {
  test("goes to an address that the run did not make", async () => {
    const { address, arrived } = await receiver();
    const other = new URL(address());
    other.pathname = "/in";
    expect(await deliver(other.href, "of an earlier run")).toBe(404);
    expect(arrived).toEqual([]);
  });

  test("has a path that is no part of a URL", async () => {
    const { address, arrived } = await receiver();
    const other = new URL(address());
    other.pathname = "//";
    expect(await deliver(other.href, "of a scanner")).toBe(404);
    expect(arrived).toEqual([]);
  });

  test("only asks whether the address exists", async () => {
    const { address, arrived } = await receiver();
    const url = address();
    expect((await fetch(url)).status).toBe(204);
    expect(await deliver(url, "")).toBe(204);
    expect(arrived).toEqual([]);
  });
});

test("addresses lie below the user's own, and the port may be any free one", async () => {
  const url = (await receiver()).address();
  expect(new URL(url)).toMatchObject({
    hostname: "127.0.0.1",
    pathname: expect.stringMatching(/^\/in\/mailbox-1a2b-[a-p]{24}$/),
    search: "?x=1",
  });
  expect(url).not.toContain(":1/");
});

test("a port that is in use is an error", async () => {
  const url = (await receiver()).address();
  const port = Number(new URL(url).port);
  await expect(receiver({ url, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
