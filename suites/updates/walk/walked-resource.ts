import type { Call } from "../../../client/call.ts";
import { makerOf } from "../../../client/relations.ts";
import { isAccepted, resourceOf } from "../../../client/target.ts";
import { type JsonObject, omit, pick } from "../../../spec/json.ts";
import { type UpdatedFields, updatedFields } from "../../shared/update-fields.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { requiredAsShown, withoutNulls } from "../bodies.ts";
import { readBack } from "../read-back.ts";
import { type Effect, effectOf, readAfterEvent } from "./requests.ts";

export class WalkedResource {
  readonly fields: UpdatedFields;
  readonly nulled = new NulledFields();
  readonly #accepted: JsonObject[] = [];
  #requiredAtStart: JsonObject = {};
  #shown: JsonObject = {};

  constructor(
    readonly call: Call,
    readonly id: string,
  ) {
    this.fields = updatedFields(call.target.spec, call.operation);
  }

  /** Returns the last values read, except fields that may have changed since. */
  get shown(): JsonObject {
    return this.#shown;
  }

  /** Returns the last body that the service accepted. */
  get lastAccepted(): JsonObject | undefined {
    return this.#accepted.at(-1);
  }

  /** Returns the first accepted values of the fields, or `undefined` if fewer than two bodies set one of them. */
  firstAccepted(names: readonly string[]): JsonObject | undefined {
    const isSet = (body: JsonObject) => names.some((name) => (body[name] ?? null) !== null);
    // One body may be sent twice.
    const [first, second] = [...new Set(this.#accepted)].filter(isSet);
    return first && second && { ...withoutNulls(first), ...this.#requiredAtStart };
  }

  async readAtStart(): Promise<void> {
    const { call, id } = this;
    // Two reads show which fields of a fixture change by themselves.
    if (!makerOf(call.target.spec, call.operation)) await readBack(call, id);
    this.#shown = await readBack(call, id);
    this.#requiredAtStart = requiredAsShown(call, this.#shown);
  }

  async update(body: JsonObject, version = this.call.version): Promise<Effect | undefined> {
    const answer = await sendUpdate(this.call.under(version), this.id, body);
    if (!isAccepted(answer)) return undefined;
    this.#accepted.push(body);
    this.nulled.see(body, this.#shown);
    return effectOf(this.call, body, resourceOf(answer));
  }

  /** Forgets the fields that the update touched until they are read: services may spell values differently. */
  forget({ touched = [] }: Effect): void {
    this.#shown = omit(this.#shown, touched);
  }

  /** Reads the resource, and keeps its values. If the resource can't be read, the known values stay. */
  async read(effect: Effect): Promise<void> {
    this.#shown = (await this.readAgain(effect)) ?? this.#shown;
  }

  /** Reads again, but leaves the known values. */
  readAgain(effect: Effect = {}): Promise<JsonObject | undefined> {
    const { required, optional } = this.fields;
    return readAfterEvent(this.call, this.id, effect, pick(this.#shown, [...required, ...optional]));
  }
}

/** Remembers values before null: a faulty service may merge them with the next. */
export class NulledFields {
  readonly #before = new Map<string, unknown>();

  see(sent: JsonObject, shown: JsonObject): void {
    for (const [name, value] of Object.entries(sent)) {
      if (value !== null) this.#before.delete(name);
      else if (!this.#before.has(name)) this.#before.set(name, shown[name]);
    }
  }

  isDue(names: readonly string[]): boolean {
    return names.some((name) => this.#before.has(name));
  }

  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** Returns the shown values, and for nulled fields the values before null. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
