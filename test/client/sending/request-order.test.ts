import { expect, test } from "vitest";
import { kindOf, type RequestKind, RequestOrder } from "../../../client/sending/request-order.ts";
import type { RequestFault } from "../../../history/classification.ts";

const CREATE = "POST /webhooks";

const OF_CREATE = { resource: "webhook", operation: CREATE, version: "v1", isAgain: false };

const valid = kindOf({ ...OF_CREATE, faults: [] });

function faulty(place: string): RequestKind {
  const fault: RequestFault = {
    requirement: "CREATE-TYPE",
    cause: "invalid-body",
    place,
    constraint: "type",
    basis: "request",
  };
  return kindOf({ ...OF_CREATE, faults: [fault] });
}

/** Returns the names of the requests in the order in which they are sent, one after the other. */
function orderOf(waiting: Record<string, RequestKind | undefined>, seed = 1): string[] {
  const order = new RequestOrder(seed);
  const left = Object.entries(waiting);
  const names: string[] = [];
  while (left.length > 0) {
    const [name, kind] = left.splice(order.nextOf(left.map(([, each]) => each)), 1)[0] ?? ["", undefined];
    order.sent(kind);
    names.push(name);
  }
  return names;
}

test.each([1, 2, 3, 4])("a valid create waits until a rejected one was sent (seed %i)", (seed) => {
  const names = orderOf(
    { first: valid, second: valid, url: faulty("body/url"), name: faulty("body/name") },
    seed,
  );
  const before = (name: string) => names[names.indexOf(name) - 1] ?? "nothing";
  const followed = ["first", "second"].map(before);
  expect(followed.some((name) => ["url", "name"].includes(name))).toBe(true);
});

test("a repetition counts as another event than the create with the key", () => {
  const again = kindOf({ ...OF_CREATE, faults: [], isAgain: true });
  expect(again).toMatchObject({ event: "again", isValid: false });
  expect(valid.isValid).toBe(true);
});

test("a rule is tested after different events", () => {
  const order = new RequestOrder(1);
  order.sent(valid);
  order.sent(faulty("body/url"));
  order.sent(valid);
  // The fault of the url was sent after a valid request, so that of the name shows more.
  expect(order.nextOf([faulty("body/url"), faulty("body/name")])).toBe(1);
});

test("each waiting request is sent, whether its kind is known or not", () => {
  const names = orderOf({ a: undefined, b: valid, c: undefined, d: faulty("body/url") });
  expect(names.toSorted()).toEqual(["a", "b", "c", "d"]);
});

test("another seed gives another order of equal requests", () => {
  const equal = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}`, undefined]));
  expect(orderOf(equal, 1)).not.toEqual(orderOf(equal, 2));
});
