/**
 * A walk: one resource meets many events one after the other, in an order in which many ordered pairs of events occur.
 * After each event the resource is read. The walk judges nothing; the journal compares what was shown.
 */

import type { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { identityOf, makerOf } from "../../client/relations.ts";
import { sendBody } from "../../client/subjects.ts";
import { isAccepted } from "../../client/target.ts";
import { requestTo, withBody, withHeaders } from "../../generators/request.ts";
import { type Entry, header, requestJson, resourceIn } from "../../history/entry.ts";
import type { JsonObject } from "../../spec/json.ts";
import { onNeighbour } from "../../trials/neighbour.ts";
import { readBack } from "../../trials/read-back.ts";
import type { Refusal } from "../../trials/refusals.ts";
import { rejectedUpdates } from "../../trials/refused-updates.ts";
import { onSubject, readSettled } from "../../trials/settled-reads.ts";
import { otherBody, switchesOf } from "../../trials/update.ts";
import { pick, requiredAnd, updateRequest } from "../../trials/updating.ts";
import { altered, nullableFields, optionalFields, requiredFields, untakenFields } from "./fields.ts";
import { otherViews } from "./other-views.ts";
import { type EventKind, UNPAIRED, walkOrder } from "./walk-order.ts";

/** What an event did to the resource: the values that it must show, and all fields that may be others than before. */
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
    const { seed, depth } = call.target.settings;
    for (const name of walkOrder(walker.kinds(), seed, depth === "full" && walker.hasManyStates))
      await walker.take(name);
    await walker.end();
  });
}

class Walker {
  readonly #call: Call;
  readonly #id: string;
  readonly #optional: string[];
  readonly #switches: string[];
  /** Optional fields that are no switches. */
  readonly #plain: string[];
  readonly #nullable: string[];
  /** What the last read showed. */
  #shown: JsonObject = {};
  #lastAccepted: JsonObject | undefined;
  #rejected: { bodies: Refusal[]; others: Refusal[] } = { bodies: [], others: [] };
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
    // What moves between two reads of a fixture moves by itself.
    const isMade = makerOf(this.#call.target.spec, this.#call.operation) !== undefined;
    if (!isMade) await readBack(this.#call, this.#id);
    this.#shown = (await readBack(this.#call, this.#id)).resource;
    this.#rejected = await rejectedUpdates(this.#call);
    // Before all else one field alone: everything else can be compared with how the resource was found.
    await this.take(this.#plain.length > 0 ? "one field" : "every field");
    await this.take("every field");
    if (this.#lastAccepted === undefined)
      throw new Untestable("control-rejected", `no valid ${this.#call.operation.key} was accepted`);
  }

  /** Sends null for all that may be null, last, since nothing can be lost any more then. */
  async end(): Promise<void> {
    if (this.#nullable.length === 0) return;
    // What null makes of a switch shows only if the switch is not at its default.
    const isUsual = (name: string) => this.#shown[name] === this.#property(name).default;
    if (this.#switches.some((name) => this.#nullable.includes(name) && isUsual(name)))
      await this.take("switch");
    this.#isEnd = true;
    await this.take("null");
  }

  /** Whether there are enough fields for the order of events to matter much. */
  get hasManyStates(): boolean {
    return this.#optional.length > 2;
  }

  /** The kinds of events that there are for this operation. */
  kinds(): EventKind[] {
    const { target, operation } = this.#call;
    const takesNone = requiredFields(target.spec, operation).length > 0 || this.#takesNothing();
    const some = this.hasManyStates ? 2 : 1;
    const kinds: [name: keyof typeof this.events, times: number, isThere: boolean][] = [
      ["one field", this.#plain.length - 1, this.#plain.length > 1],
      ["required fields", 1, takesNone],
      ["same again", some - 1, true],
      ["switch", some, this.#switches.length > 0],
      ["null", some - 1, this.#nullable.length > 0],
      ["rejected body", 1, this.#rejected.bodies.length > 0],
      ["rejected credential or space", some - 1, this.#rejected.others.length > 0],
      ["another version", this.#call.allowed.length - 1, this.#call.allowed.length > 1],
      ["untaken fields", 1, untakenFields(target.spec, operation).length > 0],
      ["another resource", some, makerOf(target.spec, operation) !== undefined],
      ["replay of the creation", 1, makerOf(target.spec, operation)?.idempotencyKey !== undefined],
      ["other views", 1, true],
    ];
    return kinds.flatMap(([name, times, isThere]) =>
      isThere ? [{ name, times, paired: !UNPAIRED.has(name) }] : [],
    );
  }

  readonly events = {
    "one field": () => this.#update(this.#next("one field", this.#plain)),
    "every field": () => this.#update(this.#optional),
    "required fields": () => this.#update([]),
    "same again": async () => (this.#lastAccepted ? this.#send(this.#lastAccepted) : undefined),
    switch: () => this.#update(this.#next("switch", this.#switches), true),
    null: () => this.#nulls(),
    "rejected body": () => this.#refused(this.#rejected.bodies),
    "rejected credential or space": () => this.#refused(this.#rejected.others),
    "another version": () => this.#underAnotherVersion(),
    "untaken fields": () => this.#untaken(),
    "another resource": () => this.#anotherResource(),
    "replay of the creation": () => this.#replay(),
    "other views": () => this.#otherViews(),
  } satisfies Record<string, Event>;

  /** Lets one event happen, and reads the resource. */
  async take(name: string): Promise<void> {
    const event = this.events[name as keyof typeof this.events];
    const expected = await event();
    this.#shown = (await this.#read(expected)) ?? this.#shown;
  }

  /** The resource as a read shows it; until the consistency timeout is over, what it must show is waited for. */
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

  /** An update of some fields, each to another value than is shown; with `asShown`, required fields stay as they are. */
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

  #property(name: string): JsonObject {
    return (this.#call.target.spec.schemas.flatten(this.#call.operation.body ?? {}).properties?.[name] ??
      {}) as JsonObject;
  }

  #takesNothing(): boolean {
    const { target, operation } = this.#call;
    return (target.spec.schemas.flatten(operation.body ?? {}).minProperties ?? 0) === 0;
  }

  /** Every second time, lists are shorter than they could be: a service may keep the rest of the longer one. */
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
    // Null may mean anything, and a field with a default may fall back to it: neither is waited for.
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const touched = taken.map(([name]) => name).filter((name) => name in body || isFree(name));
    return { sent: pick(sent, new Set(touched)), touched };
  }

  /** Null beside what is required: for one nullable field after the other, and at the end for all. */
  async #nulls(): Promise<Effect | undefined> {
    const names = this.#isEnd ? this.#nullable : this.#next("null", this.#nullable);
    const { target, operation } = this.#call;
    const other = await otherBody(this.#call, this.#shown);
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    return this.#send({ ...requiredAnd(target.spec, operation, other, []), ...nulls });
  }

  async #refused(refusals: Refusal[]): Promise<undefined> {
    const [refusal] = this.#next("rejected", refusals);
    const plan = await refusal?.make();
    if (plan) await this.#call.target.send(plan, { role: "probe" });
  }

  async #underAnotherVersion(): Promise<Effect | undefined> {
    const others = this.#call.allowed.filter((version) => version !== this.#call.version);
    const [version = null] = this.#next("another version", others);
    return this.#send(this.#resized(await otherBody(this.#call, this.#shown)), version);
  }

  /** Fields that the operation does not take, sent all the same. */
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

  /** The call that made the resource, sent again with its key and body. */
  async #replay(): Promise<undefined> {
    const { target, operation } = this.#call;
    const create = makerOf(target.spec, operation);
    const made =
      create &&
      target
        .history()
        .entries.find(
          (entry) => entry.operation === create && shows(entry, identityOf(target.spec, create), this.#id),
        );
    const key = made && create?.idempotencyKey && header(made.request.headers, create.idempotencyKey.name);
    if (!made || !create?.idempotencyKey || key === undefined) return;
    const plan = withHeaders(withBody(requestTo(create, made.version), requestJson(made)), {
      [create.idempotencyKey.name]: key,
    });
    await target.send(plan, { role: "again" });
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

function shows(entry: Entry, identity: string, id: string): boolean {
  return String(resourceIn(entry)?.[identity]) === id;
}
