import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { makerOf } from "../../client/relations.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
import { AcceptedBodies } from "./accepted-bodies.ts";
import { EmptiedMaps } from "./emptied-maps.ts";
import {
  acceptsEmptyBody,
  altered,
  isDefault,
  isOffDefault,
  omit,
  requiredAsShown,
  textsInOtherCase,
  unlessUndone,
  withShortLists,
} from "./fields.ts";
import { NulledFields } from "./nulled-fields.ts";
import { namedFirst } from "./other-requests.ts";
import { readBack } from "./read-back.ts";
import type { Refusal } from "./refusals.ts";
import { type RejectedUpdates, rejectedUpdates } from "./refused-updates.ts";
import { RoundRobin } from "./round-robin.ts";
import { withLockedResource } from "./settled-reads.ts";
import { firstValues } from "./shown-values.ts";
import { SpecialValues } from "./special-values.ts";
import { otherBody, otherValues, type UpdatedFields, updatedFields } from "./update.ts";
import { pick, requiredAnd, updateRequest } from "./updating.ts";
import { type EventName, orderFor } from "./walk-events.ts";
import { halvesOf, nulledAtOnce } from "./walk-order.ts";
import { HALVES, WalkReads } from "./walk-reads.ts";
import {
  besideUnrelated,
  type Effect,
  effectOf,
  type NewValues,
  readAfter,
  sendCreationAgain,
  sendListsAgain,
  sendOtherViews,
  sendRefusal,
  sendUntaken,
  updateAnother,
} from "./walk-requests.ts";

/**
 * Takes one resource through many events, and reads it after most of them, so that rules can compare its values.
 *
 * @throws NotTested if no resource may be updated, or no update is accepted
 */
export async function walk(call: Call): Promise<void> {
  await withLockedResource(call, async (id) => {
    const walker = new Walker(call, id);
    await walker.begin();
    const order = walker.order();
    for (const [index, name] of order.entries()) await walker.sendEvent(name, order[index + 1]);
    await walker.end();
  });
}

class Walker {
  readonly #call: Call;
  readonly #id: string;
  readonly #fields: UpdatedFields;
  /** The values that the last read showed, without those that an event since may have changed. */
  #shown: JsonObject = {};
  readonly #reads = new WalkReads();
  readonly #accepted = new AcceptedBodies();
  #rejected: RejectedUpdates = { bodies: [], references: [], credentials: [], spaces: [], otherSpaces: [] };
  readonly #isDeep: boolean;
  readonly #seed: number;
  #isEnd = false;
  #isLastEvent = false;
  readonly #nulled = new NulledFields();
  #halves: readonly [string[], string[]] = [[], []];
  readonly #maps: EmptiedMaps;
  readonly #roundRobin: RoundRobin;
  readonly #specials: SpecialValues;
  /** This list is read again at the end of the walk, because a service may cache its answer. */
  #list: RequestPlan | undefined;

  constructor(call: Call, id: string) {
    const { target, operation } = call;
    this.#call = call;
    this.#id = id;
    this.#seed = target.settings.seed;
    this.#roundRobin = new RoundRobin(this.#seed);
    this.#maps = new EmptiedMaps(target.spec, operation, this.#roundRobin);
    this.#isDeep = target.settings.depth === "full";
    this.#fields = updatedFields(target.spec, operation);
    this.#specials = new SpecialValues(call, this.#roundRobin);
  }

  async begin(): Promise<void> {
    // Two reads in a row show which fields of a fixture change by themselves.
    if (!makerOf(this.#call.target.spec, this.#call.operation)) await readBack(this.#call, this.#id);
    this.#shown = (await readBack(this.#call, this.#id)).resource;
    this.#accepted.begin(requiredAsShown(this.#call, this.#shown));
    this.#rejected = await rejectedUpdates(this.#call);
    // The first update sends one field, so that all others are compared with their initial values.
    await this.sendEvent(this.#fields.plain.length > 0 ? "one field" : "every field");
    await this.#read();
    // Each update is sent twice, because a faulty service may treat an unchanged value as not sent.
    await this.sendEvent("same again", "every field");
    if (this.#fields.optional.length > 1) {
      await this.sendEvent("every field");
      await this.sendEvent("same again");
    }
    if (this.#accepted.last === undefined)
      throw new NotTested("control-rejected", `no valid ${this.#call.operation.key} was accepted`);
  }

  /** Updates to first values, special values and null come last, because fields may lose their values. */
  async end(): Promise<void> {
    if (this.#fields.optional.length === 1) await this.#endWithNull();
    await this.sendEvent("first values again");
    await this.sendEvent("special values");
    if (this.#fields.optional.length > 1) await this.#endWithNull();
    if (!this.#list) return;
    // A list may show values of a rejected update.
    await this.events["rejected body"]();
    await sendListsAgain(this.#call, this.#id, this.#list, this.#shown);
  }

  async #endWithNull(): Promise<void> {
    if (this.#fields.nullable.length === 0) return;
    const switches = this.#fields.nullableSwitches;
    // On a boolean field with its default value, null has no visible effect.
    if (switches.some((name) => isDefault(this.#call, name, this.#shown[name])))
      await this.sendEvent("switch");
    this.#isEnd = true;
    await this.sendEvent("null");
    if (switches.length === 0) return;
    // After null, a faulty service may undo the next change.
    if (this.#isDeep) await this.sendEvent("switch as shown");
    await this.sendEvent("switch");
  }

  order(): EventName[] {
    const specialCount = this.#specials.count;
    return orderFor({ call: this.#call, fields: this.#fields, rejected: this.#rejected, specialCount });
  }

  readonly events = {
    "one field": () => this.#updateOneField(),
    "every field": () =>
      this.#update(this.#fields.optional, this.#fields.optional.length === 1 ? "first" : "new"),
    "every plain field": () => this.#update(this.#fields.plain, "first"),
    // The required fields change only sometimes: a faulty service may restore old values only if they change.
    "half of the fields": () => {
      const [values] = this.#roundRobin.next("as shown", ["required as shown", "new"] as const);
      return this.#update(this.#halves[0], values);
    },
    "the other half": () => this.#update(this.#halves[1]),
    // A faulty service may ignore an update that changes only the letter case.
    "required fields": () => this.#update([], "in other case"),
    "same again": () => this.#send(unlessUndone(this.#fields.switches, this.#accepted.last, this.#shown)),
    // A faulty service may ignore an update to values that it showed before.
    "first values again": () => this.#send(this.#maps.shaped(this.#accepted.first(this.#fields.plain))),
    switch: () => this.#updateSwitch("changed"),
    "switch as shown": () => this.#updateSwitch("as shown"),
    null: async () => {
      const effect = await this.#setToNull();
      if (this.#list && !this.#isEnd)
        await this.#call.target.send(this.#list, { role: "read back", valid: true });
      return effect;
    },
    "special value": async () => {
      await this.sendEvent("every field");
      return this.#sendWithRequired(this.#specials.one(this.#shown));
    },
    "special values": () => this.#sendWithRequired(this.#specials.ofHalf(this.#shown, this.#seed)),
    "null switch": () => this.#setToNull(this.#fields.nullableSwitches),
    "rejected body": () => this.#sendRejected("body", this.#rejected.bodies),
    "rejected reference": () => this.#sendRejected("reference", this.#rejected.references),
    // A faulty service may not check a body right after it rejects a token.
    "rejected credential": async () => {
      await this.#sendRejected("credential", this.#rejected.credentials);
      return this.#sendRejected("body", this.#rejected.bodies);
    },
    "rejected space": () => this.#sendRejected("space", this.#rejected.spaces),
    "rejected in another space": () => this.#sendRejected("in another space", this.#rejected.otherSpaces),
    "another version": () => this.#underAnotherVersion(),
    "untaken fields": () =>
      sendUntaken(this.#call, this.#id, this.#shown, this.#roundRobin.next("one field", this.#fields.plain)),
    "another resource": () => updateAnother(this.#call, this.#shown, this.#accepted.last),
    "unrelated resource": () =>
      besideUnrelated(this.#call, this.#id, () => this.#update(this.#fields.optional)),
    "replay of the creation": () => sendCreationAgain(this.#call, this.#id),
    "another body for the key": () =>
      sendCreationAgain(this.#call, this.#id, (body) => altered(body) as JsonObject),
    "other views": async () => {
      this.#list = await sendOtherViews(this.#call, this.#id, this.#shown, this.#roundRobin);
      return undefined;
    },
  } satisfies Record<EventName, () => Promise<Effect | undefined>>;

  async sendEvent(name: EventName, next?: EventName): Promise<void> {
    this.#isLastEvent = next === undefined;
    // Both halves use the same split, so that together they send all fields.
    const split = Object.keys(this.events).indexOf(name);
    if (!HALVES.has(name)) this.#halves = halvesOf(this.#fields.optional, this.#seed, split);
    const expected = await this.events[name]();
    // A service may spell values differently, so sent fields are unknown until they are read.
    const unread = omit(this.#shown, expected?.touched ?? []);
    const isOff = isOffDefault(this.#call, expected?.sent);
    const isLeft = next !== undefined && !this.#reads.isDue(name, next, isOff);
    this.#shown = (isLeft ? undefined : await this.#read(expected)) ?? unread;
  }

  #read(effect: Effect = {}): Promise<JsonObject | undefined> {
    return readAfter(this.#call, this.#id, effect, pick(this.#shown, new Set(this.#fields.optional)));
  }

  /** Prefers a field that is still null, so that each field gets a value again. */
  #updateOneField(): Promise<Effect | undefined> {
    const due = this.#nulled.due(this.#fields.plain, this.#isLastEvent);
    return this.#update(due.length > 0 ? due : this.#roundRobin.next("one field", this.#fields.plain));
  }

  /** Updates the fields and the required ones. Returns undefined if the service accepted nothing. */
  async #update(
    names: string[],
    values: NewValues = "new",
    version = this.#call.version,
  ): Promise<Effect | undefined> {
    const { target, operation } = this.#call;
    const other = await otherBody(this.#call, this.#nulled.over(this.#shown), this.#shapeFor(names));
    const body = requiredAnd(target.spec, operation, other, names);
    if (!names.every((name) => name in body)) return undefined;
    if (values === "required as shown") Object.assign(body, requiredAsShown(this.#call, this.#shown));
    if (values === "in other case")
      Object.assign(body, textsInOtherCase(this.#call, this.#shown, Object.keys(body)));
    if (values === "first") Object.assign(body, firstValues(this.#call, this.#id, names, body));
    if (Object.keys(body).length === 0 && !acceptsEmptyBody(target.spec, operation)) return undefined;
    return this.#send(this.#maps.shaped(body, this.#halves.includes(names)), version);
  }

  /** Sends a boolean field twice. A faulty service may toggle it, or reset it the second time. */
  async #updateSwitch(to: "changed" | "as shown"): Promise<Effect | undefined> {
    const names = this.#roundRobin.next("switch", this.#fields.switches);
    // After null, a repetition would hide that the service undid the first change.
    const isOnce = this.#isEnd || this.#nulled.isDue(names);
    const shown = this.#shown;
    // An update sends the opposite of the values that it takes for the present ones.
    const opposite = Object.fromEntries(names.map((name) => [name, shown[name] !== true]));
    if (to === "as shown") this.#shown = { ...shown, ...opposite };
    const effect = await this.#update(names, "required as shown");
    this.#shown = shown;
    return effect && this.#accepted.last && !isOnce ? this.#send(this.#accepted.last) : effect;
  }

  /** A faulty service may keep the end of a longer list, so some lists are short. */
  #shapeFor(names: readonly string[]): ((body: JsonObject) => JsonObject) | undefined {
    const [isShort] = this.#roundRobin.next("list length", [true, false]);
    return isShort || this.#nulled.isDue(names) ? withShortLists : undefined;
  }

  async #send(body?: JsonObject, version = this.#call.version): Promise<Effect | undefined> {
    if (!body) return undefined;
    const { target, operation } = this.#call;
    const answer = await sendBody(target, updateRequest(operation, this.#id, version, body), "update", true);
    if (!isAccepted(answer)) return undefined;
    this.#accepted.add(body);
    this.#nulled.see(body, this.#shown);
    return effectOf(this.#call, body);
  }

  #nextToNull(): string[] {
    const { nullable, switches } = this.#fields;
    if (!this.#isDeep) return nulledAtOnce(nullable, switches, this.#isEnd, this.#seed);
    return this.#isEnd ? nullable : this.#roundRobin.next("null", nullable);
  }

  #setToNull(names = this.#nextToNull()): Promise<Effect | undefined> {
    return this.#sendWithRequired(Object.fromEntries(names.map((name) => [name, null])));
  }

  async #sendWithRequired(values: JsonObject): Promise<Effect | undefined> {
    if (Object.keys(values).length === 0) return undefined;
    return this.#send({ ...(await otherValues(this.#call, this.#shown, [])), ...values });
  }

  #sendRejected(purpose: string, refusals: Refusal[]): Promise<Effect | undefined> {
    const [refusal] = this.#roundRobin.next(`rejected ${purpose}`, refusals);
    return sendRefusal(this.#call, refusal, this.#fields);
  }

  async #underAnotherVersion(): Promise<Effect | undefined> {
    const others = namedFirst(this.#call.allowed.filter((version) => version !== this.#call.version));
    const [version = null] = this.#isDeep ? this.#roundRobin.next("another version", others) : others;
    const [first] = this.#fields.switches;
    const half = this.#halves.find((names) => !names.includes(first ?? "")) ?? [];
    return this.#update(this.#fields.plain.length > 1 ? half : this.#fields.optional, "new", version);
  }
}
