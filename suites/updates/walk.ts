/**
 * A walk sends many events to one resource, in an order with many ordered pairs of events, and reads it after each.
 * It judges nothing: the journal compares the answers.
 */

import type { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { makerOf } from "../../client/relations.ts";
import { sendBody } from "../../client/subjects.ts";
import { isAccepted } from "../../client/target.ts";
import type { JsonObject } from "../../spec/json.ts";
import { onNeighbour } from "../../trials/neighbour.ts";
import { readBack } from "../../trials/read-back.ts";
import type { Refusal } from "../../trials/refusals.ts";
import { type RejectedUpdates, rejectedUpdates } from "../../trials/refused-updates.ts";
import { onSubject, readSettled } from "../../trials/settled-reads.ts";
import { otherBody, switchesOf } from "../../trials/update.ts";
import { pick, requiredAnd, updateRequest } from "../../trials/updating.ts";
import { altered, nullableFields, omit, optionalFields, requiredFields, untakenFields } from "./fields.ts";
import { bystanderOf, creationAgain, otherViews } from "./other-requests.ts";
import { type EventName, orderFor } from "./walk-events.ts";
import { WalkReads } from "./walk-reads.ts";

/** The effect of an event on the resource: expected values, and all fields that may have changed. */
interface Effect {
  sent?: JsonObject;
  touched?: string[];
}

/** One event: sends its requests. */
type Event = () => Promise<Effect | undefined>;

/** Walks over the resource that an update may change. Throws Untestable if there is none, or no update is accepted. */
export async function walk(call: Call): Promise<void> {
  await onSubject(call, async (id) => {
    const walker = new Walker(call, id);
    await walker.begin();
    const order = walker.order();
    for (const [index, name] of order.entries()) await walker.take(name, order[index + 1]);
    await walker.end();
  });
}

class Walker {
  readonly #call: Call;
  readonly #id: string;
  readonly #optional: string[];
  readonly #switches: string[];
  /** Optional fields that are not switches. */
  readonly #plain: string[];
  readonly #nullable: string[];
  /** The resource as the last read showed it. */
  #shown: JsonObject = {};
  readonly #reads = new WalkReads();
  #lastAccepted: JsonObject | undefined;
  #rejected: RejectedUpdates = { bodies: [], references: [], credentials: [], spaces: [], elsewhere: [] };
  #isEnd = false;
  readonly #turns = new Map<string, number>();

  constructor(call: Call, id: string) {
    const { target, operation } = call;
    this.#call = call;
    this.#id = id;
    this.#optional = optionalFields(target.spec, operation);
    this.#switches = switchesOf(target.spec, operation.body ?? {}).filter((name) =>
      this.#optional.includes(name),
    );
    this.#plain = this.#optional.filter((name) => !this.#switches.includes(name));
    this.#nullable = nullableFields(target.spec, operation);
  }

  /** Reads the resource, and gives every field a value. */
  async begin(): Promise<void> {
    // A field that changes between two reads of a fixture changes without our updates.
    const isMade = makerOf(this.#call.target.spec, this.#call.operation) !== undefined;
    if (!isMade) await readBack(this.#call, this.#id);
    this.#shown = (await readBack(this.#call, this.#id)).resource;
    this.#rejected = await rejectedUpdates(this.#call);
    // First one field alone, so that everything else can be compared with the initial state.
    await this.take(this.#plain.length > 0 ? "one field" : "every field");
    await this.take("every field");
    if (this.#lastAccepted === undefined)
      throw new Untestable("control-rejected", `no valid ${this.#call.operation.key} was accepted`);
  }

  /** Sends null for all nullable fields, last, because values may be lost. */
  async end(): Promise<void> {
    if (this.#nullable.length === 0) return;
    // The effect of null on a switch shows only if the switch is not at its default.
    const isUsual = (name: string) => this.#shown[name] === this.#property(name).default;
    if (this.#switches.some((name) => this.#nullable.includes(name) && isUsual(name)))
      await this.take("switch");
    this.#isEnd = true;
    await this.take("null");
  }

  /** The events to come. */
  order(): EventName[] {
    return orderFor({
      call: this.#call,
      plain: this.#plain,
      switches: this.#switches,
      nullable: this.#nullable,
      rejected: this.#rejected,
      takesNothing: this.#takesNothing(),
    });
  }

  readonly events = {
    "one field": () => this.#update(this.#next("one field", this.#plain)),
    "every field": () => this.#update(this.#optional),
    "half of the fields": () => this.#update(this.#half(0)),
    "the other half": () => this.#update(this.#half(1)),
    "required fields": () => this.#update([]),
    "same again": async () => (this.#lastAccepted ? this.#send(this.#lastAccepted) : undefined),
    switch: () => this.#update(this.#next("switch", this.#switches), true),
    null: () => this.#nulls(),
    "rejected body": () => this.#refused("body", this.#rejected.bodies),
    "rejected reference": () => this.#refused("reference", this.#rejected.references),
    "rejected credential": () => this.#refused("credential", this.#rejected.credentials),
    "rejected space": () => this.#refused("space", this.#rejected.spaces),
    "rejected elsewhere": () => this.#refused("elsewhere", this.#rejected.elsewhere),
    "another version": () => this.#underAnotherVersion(),
    "untaken fields": () => this.#untaken(),
    "another resource": () => this.#anotherResource(),
    bystander: () => this.#bystander(),
    "replay of the creation": () => this.#againUnderItsKey(),
    "another body for the key": () => this.#againUnderItsKey((body) => altered(body) as JsonObject),
    "other views": () => this.#otherViews(),
  } satisfies Record<EventName, Event>;

  /**
   * Carries out one event, and reads the resource. No read follows if an update of some fields comes next, unless
   * null was sent: the fields that it keeps still show the effect. The bystander stays the resource that was read
   * last.
   */
  async take(name: EventName, next?: EventName): Promise<void> {
    const expected = await this.events[name]();
    // Only a read shows how a service spells a sent value.
    const unread = omit(this.#shown, expected?.touched ?? []);
    const isLeft = next !== undefined && !this.#reads.isDue(name, next);
    this.#shown = (isLeft ? undefined : await this.#read(expected)) ?? unread;
  }

  /** The resource as a read shows it. Waits for the expected values until the consistency timeout is over. */
  async #read({ sent = {}, touched = [] }: Effect = {}): Promise<JsonObject | undefined> {
    const kept = this.#optional.filter((name) => !touched.includes(name) && name in this.#shown);
    try {
      const seen = await readSettled(this.#call, this.#id, sent, pick(this.#shown, new Set(kept)));
      return seen.resource;
    } catch (error) {
      if (!(error instanceof Untestable)) throw error;
      return undefined;
    }
  }

  /** The next of several, in turn. */
  #next<T>(purpose: string, items: readonly T[]): T[] {
    const turn = this.#turns.get(purpose) ?? Math.abs(this.#call.target.settings.seed);
    this.#turns.set(purpose, turn + 1);
    return items.length === 0 ? [] : [items[turn % items.length] as T];
  }

  /**
   * An update of some fields, each to a value other than the shown one; with `asShown`, required fields keep
   * theirs.
   */
  async #update(names: string[], asShown = false): Promise<Effect | undefined> {
    const { target, operation } = this.#call;
    const other = await otherBody(this.#call, this.#shown);
    const body = requiredAnd(target.spec, operation, this.#resized(other), names);
    if (!names.every((name) => name in body)) return undefined;
    const required = requiredFields(target.spec, operation);
    if (asShown)
      for (const name of required)
        if (target.spec.schemas.validate(this.#property(name), this.#shown[name]).length === 0)
          body[name] = this.#shown[name];
    if (names.length === 0 && required.length === 0 && !this.#takesNothing()) return undefined;
    return this.#send(body);
  }

  /** Every second optional field, from the first or the second one on. The seed changes which half is which. */
  #half(parity: 0 | 1): string[] {
    const { seed } = this.#call.target.settings;
    return this.#optional.filter((_, index) => (index + seed + parity) % 2 === 0);
  }

  #property(name: string): JsonObject {
    return (this.#call.target.spec.schemas.flatten(this.#call.operation.body ?? {}).properties?.[name] ??
      {}) as JsonObject;
  }

  #takesNothing(): boolean {
    const { target, operation } = this.#call;
    return (target.spec.schemas.flatten(operation.body ?? {}).minProperties ?? 0) === 0;
  }

  /** Every second time lists are short: a service may keep the rest of a longer one. */
  #resized(body: JsonObject): JsonObject {
    const [isShort] = this.#next("list length", [true, false]);
    if (!isShort) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        Array.isArray(value) && value.length > 1 ? value.slice(0, 1) : value,
      ]),
    );
  }

  async #send(body: JsonObject, version = this.#call.version): Promise<Effect | undefined> {
    const { target, operation } = this.#call;
    const answer = await sendBody(target, updateRequest(operation, this.#id, version, body), "update", true);
    if (!isAccepted(answer)) return undefined;
    this.#lastAccepted = body;
    const taken = Object.entries(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {});
    const isFree = (name: string) => {
      const child = target.spec.schemas.flatten(this.#property(name));
      return child.default !== undefined || operation.method === "PUT";
    };
    // The effect of null is open, and a field with a default may fall back to it: the walk waits for neither.
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const touched = taken.map(([name]) => name).filter((name) => name in body || isFree(name));
    return { sent: pick(sent, new Set(touched)), touched };
  }

  /** Null beside the required fields: for one nullable field after the other, and at the end for all. */
  async #nulls(): Promise<Effect | undefined> {
    const names = this.#isEnd ? this.#nullable : this.#next("null", this.#nullable);
    const { target, operation } = this.#call;
    const other = await otherBody(this.#call, this.#shown);
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    return this.#send({ ...requiredAnd(target.spec, operation, other, []), ...nulls });
  }

  async #refused(purpose: string, refusals: Refusal[]): Promise<undefined> {
    const [refusal] = this.#next(`rejected ${purpose}`, refusals);
    const plan = await refusal?.make();
    if (plan) await this.#call.target.send(plan, { role: "probe" });
  }

  async #underAnotherVersion(): Promise<Effect | undefined> {
    // Named versions come before none: a request without one mostly means the newest.
    const others = this.#call.allowed.filter((version) => version !== this.#call.version && version !== null);
    if (this.#call.version !== null && this.#call.allowed.includes(null)) others.push(null);
    const isDeep = this.#call.target.settings.depth === "full";
    const [version = null] = isDeep ? this.#next("another version", others) : others;
    return this.#send(this.#resized(await otherBody(this.#call, this.#shown)), version);
  }

  /** Sends fields that the operation does not take. */
  async #untaken(): Promise<Effect | undefined> {
    const { target, operation } = this.#call;
    const names = untakenFields(target.spec, operation).filter((name) => name in this.#shown);
    const untaken = Object.fromEntries(names.map((name) => [name, altered(this.#shown[name])]));
    const body = { ...untaken, ...(await otherBody(this.#call, this.#shown)) };
    const plan = updateRequest(operation, this.#id, this.#call.version, body);
    await target.send(plan, { role: "probe" });
    return { touched: Object.keys(body) };
  }

  async #anotherResource(): Promise<undefined> {
    const { target, operation, version } = this.#call;
    const body = await otherBody(this.#call, this.#shown);
    await onNeighbour(this.#call, (id) =>
      sendBody(target, updateRequest(operation, id, version, body), "update", true),
    );
  }

  /** Reads another resource, which no update may change. */
  async #bystander(): Promise<undefined> {
    const plan = await bystanderOf(this.#call, this.#id);
    if (plan) await this.#call.target.send(plan, { role: "read back", valid: true });
  }

  /** Repeats the create of the resource with its key, and with its body or another one. */
  async #againUnderItsKey(change?: (body: JsonObject) => JsonObject): Promise<undefined> {
    const plan = creationAgain(this.#call, this.#id, change);
    if (plan) await this.#call.target.send(plan, { role: change ? "probe" : "again" });
  }

  async #otherViews(): Promise<undefined> {
    const { versions, lists, foreign } = otherViews(this.#call, this.#id, this.#shown);
    const { depth } = this.#call.target.settings;
    const other =
      depth === "full" ? [...versions, ...foreign] : this.#next("view", [versions[0], foreign[0]]);
    for (const plan of [...this.#next("list", lists), ...other])
      if (plan) await this.#call.target.send(plan, { role: "read back", valid: !foreign.includes(plan) });
  }
}
