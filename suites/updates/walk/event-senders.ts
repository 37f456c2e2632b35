import type { RequestPlan } from "../../../generators/request.ts";
import { omit } from "../../../spec/json.ts";
import { alteredBody } from "../bodies.ts";
import type { RejectedUpdate } from "../rejected-between-reads.ts";
import type { RejectedUpdatesByFault } from "../rejected-updates.ts";
import { rejectedByAnother, updateByAnother } from "./another-operation.ts";
import type { EventName } from "./events.ts";
import { HALVES } from "./reads.ts";
import {
  besideUnrelated,
  type Effect,
  readListSettled,
  sendCreationAgain,
  sendListsAgain,
  sendOtherViews,
  sendPageBehind,
  sendRejected,
  sendUntaken,
  updateAnother,
} from "./requests.ts";
import type { RoundRobin } from "./round-robin.ts";
import type { WalkUpdates } from "./updates.ts";
import type { WalkedResource } from "./walked-resource.ts";

const REJECTIONS_IN_A_ROW = 3;

/** Returns undefined if the event must change nothing. */
type Send = (isLast: boolean) => Promise<Effect | undefined>;

export class EventSenders {
  readonly #resource: WalkedResource;
  readonly #updates: WalkUpdates;
  readonly #rejected: RejectedUpdatesByFault;
  readonly #roundRobin: RoundRobin;
  /** The list that the walk reads at its end, because a service may cache it. */
  #list: RequestPlan | undefined;

  constructor(
    resource: WalkedResource,
    updates: WalkUpdates,
    rejected: RejectedUpdatesByFault,
    roundRobin: RoundRobin,
  ) {
    this.#resource = resource;
    this.#updates = updates;
    this.#rejected = rejected;
    this.#roundRobin = roundRobin;
  }

  readonly #events: Record<EventName, Send> = {
    "one field": (isLast) => this.#updates.oneField(isLast),
    "every field": () =>
      this.#updates.everyField(this.#resource.fields.optional.length === 1 ? "first" : "new"),
    "every plain field": () => this.#updates.everyPlainField(),
    "half of the fields": () => this.#updates.firstHalf(),
    "the other half": () => this.#updates.otherHalf(),
    "required fields": () => this.#updates.requiredFields(),
    "same again": () => this.#updates.sameAgain(),
    "first values again": () => this.#updates.firstValuesAgain(),
    switch: async () => {
      const effect = await this.#updates.switched("changed");
      const { fields, lastAccepted } = this.#resource;
      const isOff = fields.switches.some((name) => lastAccepted?.[name] === false);
      if (isOff) await sendPageBehind(this.#resource);
      return effect;
    },
    "switch as shown": () => this.#updates.switched("as shown"),
    null: async () => {
      const effect = await this.#updates.setToNull();
      const { call, id, shown } = this.#resource;
      const known = omit(shown, effect?.touched ?? []);
      if (this.#list && !this.#updates.isAtEnd) await readListSettled({ call, id, shown: known }, this.#list);
      return effect;
    },
    "special value": () => this.#updates.specialValue(),
    "special values": () => this.#updates.specialValues(),
    "null switch": () => this.#updates.setToNull(this.#resource.fields.nullableSwitches),
    "rejected body": () => this.#sendRejected("body", this.#rejected.bodies),
    // A faulty service may lock a resource after several rejections in a row.
    "rejected reference": async () => {
      const effects: (Effect | undefined)[] = [];
      while (effects.length < REJECTIONS_IN_A_ROW)
        effects.push(await this.#sendRejected("reference", this.#rejected.references));
      return effects.find((effect) => effect !== undefined);
    },
    // After a rejected token, a faulty service may not check a body.
    "rejected credential": async () => {
      await this.#sendRejected("credential", this.#rejected.credentials);
      return this.#sendRejected("body", this.#rejected.bodies);
    },
    "rejected space": () => this.#sendRejected("space", this.#rejected.spaces),
    "rejected in another space": () => this.#sendRejected("in another space", this.#rejected.otherSpaces),
    "another version": () => this.#updates.underAnotherVersion(),
    "untaken fields": () =>
      sendUntaken(this.#resource, this.#roundRobin.next("one field", this.#resource.fields.plain)),
    "another resource": () => updateAnother(this.#resource, this.#resource.lastAccepted),
    "unrelated resource": () => besideUnrelated(this.#resource, () => this.#updates.everyField()),
    "another operation": () => updateByAnother(this.#resource),
    "rejected in another operation": () => rejectedByAnother(this.#resource),
    "replay of the creation": () => sendCreationAgain(this.#resource),
    "another body for the key": () => {
      // After a rejected body, a faulty service may answer a repetition of the create otherwise.
      const { spec, settings } = this.#resource.call.target;
      const isFaulty = settings.seed % 2 === 0;
      return sendCreationAgain(this.#resource, (body, create) =>
        isFaulty ? {} : alteredBody(spec, create, body),
      );
    },
    "other views": async () => {
      this.#list = await sendOtherViews(this.#resource, this.#roundRobin);
      return undefined;
    },
  };

  /** Sends the event, and returns its effect. `isLast` is true if no next event is known. */
  send(name: EventName, isLast: boolean): Promise<Effect | undefined> {
    // Both halves share one split, so together they send all fields.
    if (!HALVES.has(name)) this.#updates.split(Object.keys(this.#events).indexOf(name));
    return this.#events[name](isLast);
  }

  /**
   * Reads the list after a rejected update. After a rejected update, a faulty service may list its values.
   */
  async readListAgain(): Promise<void> {
    if (!this.#list) return;
    await this.send("rejected body", true);
    await sendListsAgain(this.#resource, this.#list);
  }

  #sendRejected(purpose: string, updates: RejectedUpdate[]): Promise<Effect | undefined> {
    const [update] = this.#roundRobin.next(`rejected ${purpose}`, updates);
    return sendRejected(this.#resource, update, this.#resource.fields);
  }
}
