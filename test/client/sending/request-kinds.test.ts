import { expect, test } from "vitest";
import { kindsBy } from "../../../client/sending/request-order.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";
import { outgoing } from "./answers.ts";

const ACCOUNTS = "POST /v1/financial-accounts";
const BODY = { name: "a", currency: "XAF", reference: "r1" };

/** The events of creates with these bodies, each under a new key. */
function eventsOf(...bodies: JsonObject[]): (string | undefined)[] {
  const past = new HistoryBuilder(spec);
  for (const [index, sent] of bodies.entries()) past.answers(ACCOUNTS, {}, { sent, key: `key-${index}` });
  const entries = past.entries.values();
  const [first] = past.entries;
  const kind = kindsBy(spec, { requestOf: () => entries.next().value ?? first ?? expect.unreachable() });
  return bodies.map(() => kind(outgoing(ACCOUNTS))?.event);
}

test("a create that repeats a unique value counts as sent again", () => {
  const [first, second] = eventsOf(BODY, { ...BODY, name: "b" });
  expect(first).toMatch(/^valid/);
  expect(second).toBe("again");
});

test("a create with another unique value, or none, does not", () => {
  const { reference: _, ...without } = BODY;
  for (const event of eventsOf(BODY, { ...BODY, reference: "r2" }, without, without))
    expect(event).toMatch(/^valid/);
});

test("a rejected create is named by the cause of its rejection", () => {
  expect(eventsOf({ ...BODY, name: 7 })).toEqual(["invalid-body"]);
});
