import type { Call } from "../../../client/call.ts";
import { NotTested } from "../../../client/check.ts";
import { isOffDefault } from "../bodies.ts";
import { type RejectedUpdatesByFault, rejectedUpdates } from "../rejected-updates.ts";
import { withLockedResource } from "../settled-reads.ts";
import { EventSenders } from "./event-senders.ts";
import { type EventName, orderFor } from "./events.ts";
import { WalkReads } from "./reads.ts";
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

class Walker {
  readonly #resource: WalkedResource;
  readonly #rejected: RejectedUpdatesByFault;
  readonly #updates: WalkUpdates;
  readonly #senders: EventSenders;
  readonly #reads = new WalkReads();

  constructor(resource: WalkedResource, rejected: RejectedUpdatesByFault) {
    const roundRobin = new RoundRobin(resource.call.target.settings.seed);
    this.#resource = resource;
    this.#rejected = rejected;
    this.#updates = new WalkUpdates(resource, roundRobin);
    this.#senders = new EventSenders(resource, this.#updates, rejected, roundRobin);
  }

  /** Sends the events with which a walk begins. */
  async begin(): Promise<void> {
    const { call, fields } = this.#resource;
    // One field is sent first, so that the others show their initial values.
    await this.#sendEvent(fields.plain.length > 0 ? "one field" : "every field");
    await this.#resource.readAgain();
    // Each is sent twice: a faulty service may treat unchanged values as not sent.
    await this.#sendEvent("same again", "every field");
    if (fields.optional.length > 1) {
      await this.#sendEvent("every field");
      await this.#sendEvent("same again");
    }
    if (this.#resource.lastAccepted === undefined)
      throw new NotTested("control-rejected", `no valid ${call.operation.key} was accepted`);
  }

  async sendEvents(): Promise<void> {
    const { call, fields } = this.#resource;
    const { specialCount } = this.#updates;
    const order = orderFor({ call, fields, rejected: this.#rejected, specialCount });
    for (const [index, name] of order.entries()) await this.#sendEvent(name, order[index + 1]);
  }

  /** Sends the last events of the walk. These events come last, because fields may lose their values. */
  async end(): Promise<void> {
    const { optional } = this.#resource.fields;
    if (optional.length === 1) await this.#endWithNull();
    await this.#sendEvent("first values again");
    await this.#sendEvent("special values");
    if (optional.length > 1) await this.#endWithNull();
    await this.#senders.readListAgain();
  }

  /** Sends null in each field that may have it. */
  async #endWithNull(): Promise<void> {
    const { call, fields } = this.#resource;
    if (fields.nullable.length === 0) return;
    if (this.#updates.hasSwitchAtDefault) await this.#sendEvent("switch");
    this.#updates.isAtEnd = true;
    await this.#sendEvent("null");
    if (fields.nullableSwitches.length === 0) return;
    // After null, a faulty service may undo the next change.
    if (call.sendsAll) await this.#sendEvent("switch as shown");
    await this.#sendEvent("switch");
  }

  /**
   * Sends the event, and reads the resource after it. The read after the event may wait until after `next`.
   */
  async #sendEvent(name: EventName, next?: EventName): Promise<void> {
    // A PUT before may have left out the field that becomes null.
    const isReset = name === "null" && this.#resource.call.operation.method === "PUT";
    if (name === "special value" || isReset) await this.#sendEvent("every field");
    const effect = (await this.#senders.send(name, next === undefined)) ?? {};
    this.#resource.forget(effect);
    const isOff = isOffDefault(this.#resource.call, effect.sent);
    if (next === undefined || this.#reads.isDue(name, next, isOff)) await this.#resource.read(effect);
  }
}
