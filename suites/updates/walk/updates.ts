import { type JsonObject, omit } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { halvesOf } from "../../../spec/ordered.ts";
import { acceptsEmptyBody, emptiableMaps, requiredAnd } from "../../shared/update-fields.ts";
import {
  closeValues,
  otherBody,
  otherValues,
  requiredAsShown,
  unlessUndone,
  withShortLists,
} from "../bodies.ts";
import { firstValues, isSendable } from "../shown-values.ts";
import { nulledAtOnce } from "./order.ts";
import { namedFirst } from "./other-requests.ts";
import { bothEffects, type Effect } from "./requests.ts";
import type { RoundRobin } from "./round-robin.ts";
import { SpecialValues } from "./special-values.ts";
import type { WalkedResource } from "./walked-resource.ts";

/** A faulty service may restore an emptied map (metadata) when the next update omits it. */
export class EmptiedMaps {
  readonly #maps: string[];
  #emptied: string[] = [];

  constructor(
    spec: Spec,
    operation: Operation,
    private readonly roundRobin: RoundRobin,
  ) {
    this.#maps = emptiableMaps(spec, operation);
  }

  /** Returns the body with its maps emptied, or without the maps emptied last. */
  shaped(body: JsonObject | undefined, isHalf = false): JsonObject | undefined {
    if (!body) return undefined;
    const isAlone = Object.keys(body).length < 2;
    const others = isAlone ? body : omit(body, this.#emptied);
    this.#emptied = this.#emptied.filter((name) => !(name in body));
    if (!isHalf || isAlone) return others;
    const [isEmptying] = this.roundRobin.next("emptied maps", [true, false]);
    if (!isEmptying) return others;
    this.#emptied = this.#maps.filter((name) => name in others);
    return { ...others, ...Object.fromEntries(this.#emptied.map((name) => [name, {}])) };
  }
}

/** `required as shown` keeps required fields, `first` sends the first values, `close` ones differ little. */
type NewValues = "new" | "required as shown" | "first" | "close";

interface UpdateOptions {
  values?: NewValues;
  version?: string | null;
  /** The new values differ from these, by default the shown ones. */
  before?: JsonObject;
  hasLongLists?: boolean;
  /** One field is sent as it is shown. A faulty service may take the others for unchanged, too. */
  keepsOne?: boolean;
}

/** Updates return their effect, or undefined if nothing was accepted. */
export class WalkUpdates {
  /** True for the last updates with null. */
  isAtEnd = false;
  readonly #maps: EmptiedMaps;
  readonly #specialValues: SpecialValues;
  readonly #seed: number;
  readonly #sendsAll: boolean;
  readonly #kept = new Set<string>();
  #halves: readonly [string[], string[]] = [[], []];

  constructor(
    private readonly resource: WalkedResource,
    private readonly roundRobin: RoundRobin,
  ) {
    const { target, operation } = resource.call;
    this.#maps = new EmptiedMaps(target.spec, operation, roundRobin);
    this.#specialValues = new SpecialValues(resource.call, roundRobin);
    this.#seed = target.settings.seed;
    this.#sendsAll = resource.call.sendsAll;
  }

  get specialCount(): number {
    return this.#specialValues.count;
  }

  /** True if null would have no visible effect on a boolean field. */
  get hasSwitchAtDefault(): boolean {
    const { call, fields, shown } = this.resource;
    const { body } = call.operation;
    const defaultOf = (name: string) => call.target.spec.schemas.field(body, name).default;
    return fields.nullableSwitches.some((name) => shown[name] === defaultOf(name));
  }

  /** Splits the fields into two halves. Each number splits the fields in another way. */
  split(number: number): void {
    this.#halves = halvesOf(this.resource.fields.optional, this.#seed, number);
  }

  /** Updates the first half of the fields: required ones may decide if old values are restored. */
  firstHalf(): Promise<Effect | undefined> {
    const [values = "new"] = this.roundRobin.next("as shown", ["required as shown", "new"] as const);
    return this.update(this.#halves[0], { values, keepsOne: values === "required as shown" });
  }

  otherHalf(): Promise<Effect | undefined> {
    const [keepsOne = false] = this.roundRobin.next("other as shown", [false, this.#sendsAll]);
    return this.update(this.#halves[1], { keepsOne });
  }

  /** Prefers fields that are still null, so that each gets a value again. */
  oneField(isLast: boolean): Promise<Effect | undefined> {
    const { fields, nulled } = this.resource;
    const due = nulled.due(fields.plain, isLast);
    return this.update(due.length > 0 ? due : this.roundRobin.next("one field", fields.plain));
  }

  async sameAgain(): Promise<Effect | undefined> {
    const { fields, lastAccepted, shown } = this.resource;
    const body = unlessUndone(fields.switches, lastAccepted, shown);
    return body && this.resource.update(body);
  }

  /** Sends the first accepted values again. A faulty service may ignore values that it showed before. */
  async firstValuesAgain(): Promise<Effect | undefined> {
    const { plain } = this.resource.fields;
    const body = this.#maps.shaped(this.resource.firstAccepted(plain));
    return body && this.resource.update(body);
  }

  /** Sends one boolean changed, or as it is shown: a faulty service may toggle it, or reset it the second time. */
  async switched(to: "changed" | "as shown"): Promise<Effect | undefined> {
    const { fields, nulled, shown } = this.resource;
    const names = this.roundRobin.next("switch", fields.switches);
    // After null, a repetition would hide that the first change was undone.
    const isOnce = this.isAtEnd || nulled.isDue(names);
    // An update sends the opposite of `before`.
    const opposite = Object.fromEntries(names.map((name) => [name, shown[name] !== true]));
    const before = to === "as shown" ? { ...shown, ...opposite } : shown;
    const effect = await this.update(names, { values: "required as shown", before });
    const { lastAccepted } = this.resource;
    return effect && lastAccepted && !isOnce ? this.resource.update(lastAccepted) : effect;
  }

  setToNull(names = this.#nextToNull()): Promise<Effect | undefined> {
    return this.#sendWithRequired(Object.fromEntries(names.map((name) => [name, null])));
  }

  specialValue(): Promise<Effect | undefined> {
    return this.#sendWithRequired(this.#specialValues.one(this.resource.shown));
  }

  specialValues(): Promise<Effect | undefined> {
    return this.#sendWithRequired(this.#specialValues.ofHalf(this.resource.shown, this.#seed));
  }

  /**
   * Updates both halves of the fields under another version. A faulty service may lose values of the update
   * before, or cut lists that are not sent under another version.
   */
  async underAnotherVersion(): Promise<Effect | undefined> {
    const { call, fields } = this.resource;
    const others = namedFirst(call.allowed.filter((version) => version !== call.version));
    const [version = null] = this.#sendsAll ? this.roundRobin.next("another version", others) : others;
    if (fields.plain.length < 2) {
      // A faulty service may reject an update without a read before it.
      await this.update(fields.optional);
      return this.update(fields.optional, { version });
    }
    const [toggle = ""] = fields.switches;
    const half = this.#halves.find((names) => !names.includes(toggle)) ?? [];
    const rest = fields.plain.filter((name) => !half.includes(name));
    const effects: Effect[] = [];
    for (const names of [rest, half, rest]) {
      const effect = await this.update(names, { version, hasLongLists: true });
      if (effect) effects.push(effect);
    }
    return effects.reduce<Effect | undefined>(
      (one, other) => (one ? bothEffects(call, one, other) : other),
      undefined,
    );
  }

  /** Sends the named fields and the required ones. */
  async update(names: string[], options: UpdateOptions = {}): Promise<Effect | undefined> {
    const { call, id, nulled, shown } = this.resource;
    const { values = "new", version = call.version, before = shown, hasLongLists = false } = options;
    const kept = options.keepsOne ? this.#nextToKeep(names) : {};
    const { target, operation } = call;
    const other = await otherBody(call, nulled.over(before), {
      shaped: hasLongLists ? undefined : this.#shapeFor(names),
      hasLongLists,
    });
    const body = requiredAnd(target.spec, operation, other, names);
    if (!names.every((name) => name in body)) return undefined;
    if (values === "required as shown") Object.assign(body, requiredAsShown(call, shown));
    if (values === "close") Object.assign(body, closeValues(call, shown, Object.keys(body)));
    if (values === "first") Object.assign(body, firstValues(call, id, names, body));
    Object.assign(body, kept);
    if (Object.keys(body).length === 0 && !acceptsEmptyBody(target.spec, operation)) return undefined;
    const sent = this.#maps.shaped(body, this.#halves.includes(names));
    return sent && this.resource.update(sent, version);
  }

  /** Returns the change of lists for this update, or `undefined`. Short lists show if a longer end stays. */
  #shapeFor(names: readonly string[]): ((body: JsonObject) => JsonObject) | undefined {
    const [isShort] = this.roundRobin.next("list length", [true, false]);
    return isShort || this.resource.nulled.isDue(names) ? withShortLists : undefined;
  }

  /** Returns the shown value of a field that no update kept before. */
  #nextToKeep(names: readonly string[]): JsonObject {
    const { call, shown } = this.resource;
    const [name] = names.filter((each) => !this.#kept.has(each) && isSendable(call, each, shown[each]));
    if (name === undefined || names.length < 2) return {};
    this.#kept.add(name);
    return { [name]: shown[name] };
  }

  #nextToNull(): string[] {
    const { nullable, switches } = this.resource.fields;
    if (!this.#sendsAll) return nulledAtOnce(nullable, switches, this.isAtEnd, this.#seed);
    return this.isAtEnd ? nullable : this.roundRobin.next("null", nullable);
  }

  async #sendWithRequired(values: JsonObject): Promise<Effect | undefined> {
    if (Object.keys(values).length === 0) return undefined;
    const { call, shown } = this.resource;
    return this.resource.update({ ...(await otherValues(call, shown, [])), ...values });
  }
}
