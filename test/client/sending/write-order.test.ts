import { expect, test } from "vitest";
import { WriteOrder } from "../../../client/sending/write-order.ts";

/** Work that runs until the test ends it. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = false;
  return {
    do: async () => {
      begun = true;
      await ended;
      return "done";
    },
    end: () => end(),
    begun: () => begun,
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a write that overlaps no other is reported as alone", async () => {
  const turns = new WriteOrder();
  expect(await turns.concurrently(async () => 1)).toEqual({ value: 1, wasConcurrent: false });
  expect(await turns.concurrently(async () => 2)).toEqual({ value: 2, wasConcurrent: false });
});

test("two overlapping writes both learn of the overlap", async () => {
  const turns = new WriteOrder();
  const [first, second] = [work(), work()];
  const both = [turns.concurrently(first.do), turns.concurrently(second.do)];
  first.end();
  second.end();
  expect((await Promise.all(both)).map(({ wasConcurrent }) => wasConcurrent)).toEqual([true, true]);
});

test("a write that must be alone waits for all others, and later ones wait for it", async () => {
  const turns = new WriteOrder();
  const [before, single, after] = [work(), work(), work()];
  const started = turns.concurrently(before.do);
  const alone = turns.alone(single.do);
  await settle();
  const later = turns.concurrently(after.do);
  await settle();
  expect([before.begun(), single.begun(), after.begun()]).toEqual([true, false, false]);
  before.end();
  await started;
  await settle();
  expect([single.begun(), after.begun()]).toEqual([true, false]);
  single.end();
  expect(await alone).toBe("done");
  after.end();
  expect(await later).toEqual({ value: "done", wasConcurrent: false });
});

test("several that must be alone run one by one, and a failed one blocks nobody", async () => {
  const turns = new WriteOrder();
  const order: string[] = [];
  const failing = turns.alone(async () => {
    order.push("first");
    throw new Error("broken");
  });
  const next = turns.alone(async () => {
    order.push("second");
  });
  await expect(failing).rejects.toThrow("broken");
  await next;
  await turns.concurrently(async () => order.push("third"));
  expect(order).toEqual(["first", "second", "third"]);
});
