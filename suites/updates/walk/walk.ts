import type { Call } from "../../../client/call.ts";
import { NotTested } from "../../../client/check.ts";
import type { RequestPlan } from "../../../generators/request.ts";
import { omit } from "../../../spec/json.ts";
import { withOneFault } from "../../cancellation/rejected-changes.ts";
import { alteredBody } from "../bodies.ts";
import { withLockedResource } from "../read-back.ts";
import type { RejectedUpdate } from "../rejected-between-reads.ts";
import { type RejectedUpdatesByFault, rejectedUpdates } from "../rejected-updates.ts";
import { type EventName, orderFor } from "./events.ts";
import { HALVES, WalkReads } from "./reads.ts";
import {
  besideUnrelated,
  bothEffects,
  type Effect,
  readListSettled,
  sendCreationAgain,
  sendListsAgain,
  sendOtherViews,
  sendPageBehind,
  sendRejected,
  sendUntaken,
  updateAnother,
  updateByOthers,
} from "./requests.ts";
import { RoundRobin } from "./round-robin.ts";
import { WalkUpdates } from "./updates.ts";
import { WalkedResource } from "./walked-resource.ts";

/**
 * Takes one resource through many events, with reads between.
 *
 * @throws NotTested if no resource may be updated, or no update is accepted
 */
export async function walk(call: Call): Promise<void> {
  await withLockedResource(call, async (id) => {
    const resource = new WalkedResource(call, id);
    await resource.readAtStart();
    const walker = new Walker(resource, await rejectedUpdates(call));
    await walker.begin();
    await walker.sendEvents();
    await walker.end();
  });
}

const REJECTIONS_IN_A_ROW = 3;

/** Returns undefined if the event must change nothing. `isLast` is true if no next event is known. */
type Send = (isLast: boolean) => Promise<Effect | undefined>;

class Walker {
  readonly #roundRobin: RoundRobin;
  readonly #updates: WalkUpdates;
  readonly #reads = new WalkReads();
  /** The effect of the events that no read followed yet. */
  #unread: Effect = {};
  /** The list that the walk reads at its end, because a service may cache it. */
  #list: RequestPlan | undefined;

  constructor(
    private readonly resource: WalkedResource,
    private readonly rejected: RejectedUpdatesByFault,
  ) {
    this.#roundRobin = new RoundRobin(resource.call.target.settings.seed);
    this.#updates = new WalkUpdates(resource, this.#roundRobin);
  }

  readonly #events: Record<EventName, Send> = {
    "one field": (isLast) => this.#updates.oneField(isLast),
    "every field": () => {
      const { optional } = this.resource.fields;
      return this.#updates.update(optional, { values: optional.length === 1 ? "first" : "new" });
    },
    "every plain field": () => this.#updates.update(this.resource.fields.plain, { values: "first" }),
    "half of the fields": () => this.#updates.firstHalf(),
    "the other half": () => this.#updates.otherHalf(),
    // A faulty service may ignore a small change.
    "required fields": () => this.#updates.update([], { values: "close" }),
    "same again": () => this.#updates.sameAgain(),
    "first values again": () => this.#updates.firstValuesAgain(),
    switch: async () => {
      const effect = await this.#updates.switched("changed");
      const { fields, lastAccepted } = this.resource;
      const isOff = fields.switches.some((name) => lastAccepted?.[name] === false);
      if (isOff) await sendPageBehind(this.resource);
      return effect;
    },
    "switch as shown": () => this.#updates.switched("as shown"),
    null: async () => {
      const effect = await this.#updates.setToNull();
      const { call, id, shown } = this.resource;
      const known = omit(shown, effect?.touched ?? []);
      if (this.#list && !this.#updates.isAtEnd) await readListSettled({ call, id, shown: known }, this.#list);
      return effect;
    },
    "special value": () => this.#updates.specialValue(),
    "special values": () => this.#updates.specialValues(),
    "null switch": () => this.#updates.setToNull(this.resource.fields.nullableSwitches),
    "rejected body": () => this.#sendRejected("body", this.rejected.bodies),
    // A faulty service may lock a resource after several rejections in a row.
    "rejected reference": async () => {
      const effects: (Effect | undefined)[] = [];
      while (effects.length < REJECTIONS_IN_A_ROW)
        effects.push(await this.#sendRejected("reference", this.rejected.references));
      return effects.find((effect) => effect !== undefined);
    },
    "rejected credential": () =>
      this.#sendRejectedSender("credential", this.rejected.credentials, [true, false]),
    "rejected space": () => this.#sendRejected("space", this.rejected.spaces),
    "rejected in another space": () =>
      this.#sendRejectedSender("in another space", this.rejected.otherSpaces, [false, true]),
    "another version": () => this.#updates.underAnotherVersion(),
    "untaken fields": () =>
      sendUntaken(this.resource, this.#roundRobin.next("one field", this.resource.fields.plain)),
    "another resource": () => updateAnother(this.resource, this.resource.lastAccepted),
    "unrelated resource": () =>
      besideUnrelated(this.resource, () => this.#updates.update(this.resource.fields.optional)),
    "another operation": () => updateByOthers(this.resource),
    "rejected in another operation": () => updateByOthers(this.resource, withOneFault),
    "replay of the creation": () => sendCreationAgain(this.resource),
    "another body for the key": (isLast) => {
      // After a rejected body, a faulty service may answer a repetition of the create otherwise.
      const { spec, settings } = this.resource.call.target;
      const isFaulty = !isLast && settings.seed % 2 === 0;
      return sendCreationAgain(this.resource, (body, create) =>
        isFaulty ? {} : alteredBody(spec, create, body),
      );
    },
    "other views": async () => {
      this.#list = await sendOtherViews(this.resource, this.#roundRobin);
      return undefined;
    },
  };

  /** Sends the events with which a walk begins. */
  async begin(): Promise<void> {
    const { call, fields } = this.resource;
    // One field is sent first, so that the others show their initial values.
    await this.#sendEvent(fields.plain.length > 0 ? "one field" : "every field");
    await this.resource.readAgain();
    // Each is sent twice: a faulty service may treat unchanged values as not sent.
    await this.#sendEvent("same again", "every field");
    if (fields.optional.length > 1) {
      await this.#sendEvent("every field");
      await this.#sendEvent("same again");
    }
    if (this.resource.lastAccepted === undefined)
      throw new NotTested("control-rejected", `no valid ${call.operation.key} was accepted`);
  }

  async sendEvents(): Promise<void> {
    const { call, fields } = this.resource;
    const { specialCount } = this.#updates;
    const order = orderFor({ call, fields, rejected: this.rejected, specialCount });
    for (const [index, name] of order.entries()) await this.#sendEvent(name, order[index + 1]);
  }

  /** Sends the last events of the walk. These events come last, because fields may lose their values. */
  async end(): Promise<void> {
    const { optional } = this.resource.fields;
    if (optional.length === 1) await this.#endWithNull();
    await this.#sendEvent("first values again");
    await this.#sendEvent("special values");
    if (optional.length > 1) await this.#endWithNull();
    // The walk may have made a faulty service forget the body of the key. The repetition is accepted if it has not.
    await this.#send("another body for the key", true);
    await this.#send("replay of the creation", true);
    if (!this.#list) return;
    // After a rejected update, a faulty service may list its values.
    await this.#send("rejected body", true);
    await sendListsAgain(this.resource, this.#list);
  }

  /** Sends null in each field that may have it. */
  async #endWithNull(): Promise<void> {
    const { call, fields } = this.resource;
    if (fields.nullable.length === 0) return;
    if (this.#updates.hasSwitchAtDefault) await this.#sendEvent("switch");
    this.#updates.isAtEnd = true;
    await this.#sendEvent("null");
    if (fields.nullableSwitches.length === 0) return;
    // After null, a faulty service may undo the next change.
    if (call.sendsAll) await this.#sendEvent("switch as shown");
    await this.#sendEvent("switch");
  }

  /** Sends the event, and reads the resource after it, perhaps only after `next`. */
  async #sendEvent(name: EventName, next?: EventName): Promise<void> {
    // A PUT before may have left out the field that becomes null.
    const isReset = name === "null" && this.resource.call.operation.method === "PUT";
    if (name === "special value" || isReset) await this.#sendEvent("every field");
    const { call } = this.resource;
    const effect = (await this.#send(name, next === undefined)) ?? {};
    this.resource.forget(effect);
    this.#unread = bothEffects(call, this.#unread, effect);
    const { schemas } = call.target.spec;
    // A reset of a boolean to its default shows only if it differs from it.
    const isOff = Object.entries(effect.sent ?? {}).some(([field, value]) => {
      const { default: defaultValue } = schemas.field(call.operation.body, field);
      return typeof defaultValue === "boolean" && value !== defaultValue;
    });
    if (next !== undefined && !this.#reads.isDue(name, next, isOff)) return;
    await this.resource.read(this.#unread);
    this.#unread = {};
  }

  #send(name: EventName, isLast: boolean): Promise<Effect | undefined> {
    // Both halves share one split, so together they send all fields.
    if (!HALVES.has(name)) this.#updates.split(Object.keys(this.#events).indexOf(name));
    return this.#events[name](isLast);
  }

  /**
   * Sends an update that must be rejected for its sender, in turn with and without a rejected body behind it. A
   * faulty service may not check that body, or may answer a valid update otherwise.
   */
  async #sendRejectedSender(
    purpose: string,
    updates: RejectedUpdate[],
    turns: readonly boolean[],
  ): Promise<Effect | undefined> {
    const effect = await this.#sendRejected(purpose, updates);
    const [hasBodyBehind] = this.#roundRobin.next(`body behind ${purpose}`, turns);
    const behind = hasBodyBehind ? await this.#sendRejected("body", this.rejected.bodies) : undefined;
    return effect ?? behind;
  }

  #sendRejected(purpose: string, updates: RejectedUpdate[]): Promise<Effect | undefined> {
    const [update] = this.#roundRobin.next(`rejected ${purpose}`, updates);
    return sendRejected(this.resource, update, this.resource.fields);
  }
}
