import { describe, expect, test } from "vitest";
import { bodyOf } from "../../../history/body.ts";
import type { Delivery } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const checks = allChecks(spec);
const head = { ...HEAD, fixtures: { eventNames: "a.made,b.made" } };
const url = (letters: string) => `https://run.example/mailbox-pc-test-${letters}`;
const customHeaders = { "X-Run": "first" };

/** Builds a history with deliveries. A delivery arrives right after the exchange that was added last. */
class DeliveryHistory {
  readonly #builder = new HistoryBuilder(spec);
  readonly #deliveries: Delivery[] = [];
  #marks = 0;

  makes(id: string, sent: JsonObject): this {
    this.#builder.creates(id, { url: url(id), customHeaders, ...sent });
    return this;
  }

  updates(id: string, sent: JsonObject, more: { beside?: boolean } = {}): this {
    this.#builder.updates(id, sent, sent, more);
    return this;
  }

  /** Adds an update that is answered with 500, so nobody knows if the service stored it. */
  loses(id: string, sent: JsonObject): this {
    this.#builder.updates(id, sent, sent, { status: 500 });
    return this;
  }

  waits(milliseconds: number): this {
    this.#builder.waits(milliseconds);
    return this;
  }

  /** Adds an update of a payout, which is an event. Later deliveries show the text that this update sends. */
  causes(): this {
    this.#marks++;
    this.#builder.answers("PATCH /payouts/{id}", "{}", { sent: { metadata: { note: this.#mark } } });
    return this;
  }

  get #mark(): string {
    return `pc-test-${this.#marks}`;
  }

  delivers(id: string, event: string, sent: Record<string, string> = { "x-run": "first" }): this {
    return this.receives(id, { event, note: this.#mark }, sent);
  }

  receives(id: string, body: JsonObject, sent: Record<string, string> = {}): this {
    const at = (this.#builder.entries.at(-1)?.ended ?? 0) + 0.5;
    const text = JSON.stringify(body);
    const mailbox = `mailbox-pc-test-${id}`;
    this.#deliveries.push({
      at,
      mailbox,
      method: "POST",
      headers: Object.entries(sent),
      body: bodyOf(text),
      signedIn: null,
    });
    return this;
  }

  verdict(place: string): RuleResult | undefined {
    const { entries } = this.#builder;
    const history = new History(spec, head, entries, entries, this.#deliveries);
    return checks.find(({ id }) => id === `deliveries/${place}`)?.verdict(history);
  }
}

const LATE = HEAD.consistencyTimeoutMs;

describe("custom headers", () => {
  const place = "DELIVERY-HEADERS POST /webhooks";
  const updated = "DELIVERY-HEADERS PATCH /webhooks/{id} after an update";
  const made = () => new DeliveryHistory().makes("w", { isActive: true, events: null });

  test("are on each delivery", () => {
    expect(made().causes().delivers("w", "a.made").verdict(place)).toMatchObject({ outcome: "held" });
    const missing = made().causes().delivers("w", "a.made", {}).verdict(place);
    expect(missing).toMatchObject({ violations: [{ certainty: "proven", actual: "none" }] });
    const other = made().causes().delivers("w", "a.made", { "x-run": "FIRST" }).verdict(place);
    expect(other).toMatchObject({ violations: [{ actual: "another value" }] });
  });

  test("need not be on a test of the address, unless it comes long after the webhook was made", () => {
    const tested = made().receives("w", { type: "test" }).causes();
    expect(tested.verdict(place)).toMatchObject({ reason: "not-shown" });
    const late = made().waits(LATE).causes().receives("w", { type: "unknown" });
    expect(late.verdict(place)).toMatchObject({ outcome: "violated" });
  });

  const changed = () => made().updates("w", { customHeaders: { "X-Run": "second" } });

  test("are those of the latest update once an event happens after it", () => {
    const fine = changed().causes().delivers("w", "a.made", { "x-run": "second" });
    expect(fine.verdict(updated)).toMatchObject({ outcome: "held" });
    const old = changed().waits(LATE).causes().delivers("w", "a.made");
    expect(old.verdict(updated)).toMatchObject({ outcome: "violated" });
    expect(old.verdict(place)).toMatchObject({ reason: "not-shown" });
  });

  test("may be older ones right after an update, and on a delivery of an earlier event", () => {
    const soon = changed().causes().delivers("w", "a.made");
    expect(soon.verdict(updated)).toMatchObject({ reason: "not-shown" });
    const before = made()
      .causes()
      .updates("w", { customHeaders: { "X-Run": "second" } })
      .waits(LATE);
    expect(before.delivers("w", "a.made").verdict(updated)).toMatchObject({ reason: "not-shown" });
    const repeated = changed().waits(LATE).receives("w", { event: "a.made" }, { "x-run": "first" });
    expect(repeated.verdict(updated)).toMatchObject({ reason: "not-shown" });
  });

  test("need not be on a late test of the address, if events have them", () => {
    const past = made().waits(LATE).causes().delivers("w", "a.made").receives("w", { type: "test" });
    expect(past.verdict(place)).toMatchObject({ outcome: "held" });
  });

  test("have any value that overlapping settings explain", () => {
    const lost = made().updates("w", { customHeaders: null }).waits(LATE).causes();
    expect(lost.delivers("w", "a.made", {}).verdict(updated)).not.toMatchObject({ outcome: "violated" });
  });
});

describe("an inactive webhook", () => {
  const place = "DELIVERY-INACTIVE POST /webhooks";
  const updated = "DELIVERY-INACTIVE PATCH /webhooks/{id} after an update";
  const made = () =>
    new DeliveryHistory().makes("w", { isActive: true, events: null }).makes("off", { events: null });

  test("gets nothing of what others get", () => {
    const fine = made().causes().delivers("w", "a.made");
    expect(fine.verdict(place)).toMatchObject({ outcome: "held" });
    expect(fine.delivers("off", "a.made").verdict(place)).toMatchObject({ outcome: "violated" });
  });

  test("may be tested", () => {
    const tested = made().receives("off", { type: "test" }, { "x-run": "first" });
    expect(tested.causes().delivers("w", "a.made").verdict(place)).toMatchObject({ outcome: "held" });
    expect(tested.receives("off", { event: "?", note: "?" }).verdict(place)).toMatchObject({
      outcome: "violated",
    });
  });

  test("gets nothing after the update that switched it off", () => {
    const quiet = made().updates("w", { isActive: false }).updates("off", { isActive: true }).waits(LATE);
    expect(quiet.causes().verdict(updated)).toMatchObject({ reason: "not-shown" });
    expect(quiet.delivers("off", "a.made").verdict(updated)).toMatchObject({ outcome: "held" });
    expect(quiet.delivers("w", "a.made").verdict(updated)).toMatchObject({ outcome: "violated" });
  });

  test("may get deliveries if an overlapping update switched it on", () => {
    const past = made().updates("w", { isActive: true }).updates("w", { isActive: false }, { beside: true });
    const delivered = past.waits(LATE).causes().delivers("w", "a.made");
    expect(delivered.verdict(updated)).not.toMatchObject({ outcome: "violated" });
  });

  test("may get late deliveries", () => {
    const late = made().causes().updates("w", { isActive: false }).waits(LATE).delivers("w", "a.made");
    expect(late.verdict(updated)).not.toMatchObject({ outcome: "violated" });
  });
});

describe("a webhook with some events", () => {
  const place = "DELIVERY-SUBSCRIBED POST /webhooks";
  const updated = "DELIVERY-SUBSCRIBED PATCH /webhooks/{id} after an update";
  const made = () =>
    new DeliveryHistory()
      .makes("w", { isActive: true, events: ["a.made", "b.made"] })
      .makes("one", { isActive: true, events: ["a.made"] });

  test("gets no others", () => {
    const fine = made().causes().delivers("w", "b.made");
    expect(fine.verdict(place)).toMatchObject({ outcome: "held" });
    expect(fine.delivers("one", "b.made").verdict(place)).toMatchObject({ outcome: "violated" });
  });

  test("is not tested if no other event is known to have happened", () => {
    expect(made().causes().delivers("w", "a.made").verdict(place)).toMatchObject({ reason: "not-shown" });
  });

  test("gets only those of the latest update, at the latest address", () => {
    const changed = () =>
      made()
        .updates("one", { url: url("two"), events: ["b.made"] })
        .waits(LATE)
        .causes();
    expect(changed().delivers("w", "a.made").verdict(updated)).toMatchObject({ outcome: "held" });
    expect(changed().delivers("two", "a.made").verdict(updated)).toMatchObject({ outcome: "violated" });
    expect(changed().delivers("one", "b.made").verdict(updated)).toMatchObject({ outcome: "violated" });
    expect(changed().delivers("two", "b.made").verdict(updated)).not.toMatchObject({ outcome: "violated" });
  });
});

test("an update without an answer may have any effect", () => {
  const past = new DeliveryHistory().makes("w", { isActive: true, events: ["a.made"] });
  past
    .loses("w", { url: url("two"), events: ["b.made"] })
    .waits(LATE)
    .causes();
  past.delivers("w", "a.made").delivers("w", "b.made");
  expect(past.verdict("DELIVERY-SUBSCRIBED PATCH /webhooks/{id} after an update")).not.toMatchObject({
    outcome: "violated",
  });
});

test("an update may take effect in parts", () => {
  const past = new DeliveryHistory()
    .makes("w", { isActive: true, events: ["a.made"] })
    .updates("w", { url: url("two"), events: ["b.made"] })
    .causes();
  for (const [mailbox, event] of [
    ["two", "a.made"],
    ["w", "b.made"],
  ] as const)
    past.delivers(mailbox, event);
  expect(past.verdict("DELIVERY-SUBSCRIBED POST /webhooks")).not.toMatchObject({ outcome: "violated" });
});

test("deliveries are described, without custom headers", () => {
  const past = new DeliveryHistory()
    .makes("w", { isActive: true, events: null })
    .causes()
    .delivers("w", "a.made");
  expect(past.verdict("DELIVERY-CONTENT POST /webhooks subscribed")).toMatchObject({ outcome: "noted" });
  expect(past.verdict("DELIVERY-CONTENT POST /webhooks")).toMatchObject({
    notes: [
      { behaviour: "deliveryMethod", answer: { names: ["POST"] } },
      { behaviour: "deliveryHeaders", answer: { names: [""] } },
      { behaviour: "deliveryBody", answer: { names: ["JSON {event, note}"] } },
    ],
  });
  expect(past.verdict("DELIVERY-SIGNATURE POST /webhooks")).toMatchObject({
    notes: [{ answer: { names: [""] } }],
  });
});
