import { unlessNotTested } from "../../client/check.ts";
import { plainSource } from "../../client/samples.ts";
import { asText, nextOf, resourceOf, type Target } from "../../client/target.ts";
import { objectSent, type RequestPlan, withBody, withHeaders } from "../../generators/request.ts";
import { inOtherCaseAfter } from "../../generators/text.ts";
import { headerText, validValue } from "../../generators/values.ts";
import {
  type Entry,
  idempotencyKeyIn,
  isAccepted,
  resourceIn,
  responseJson,
  sentIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { NewIds, replacedIn } from "./replaced.ts";

/** Ids this long equal no other text by chance, so they are replaced everywhere. */
const LONG_ID = 8;

/** The most pages that a list may have got since it was read to its end. */
const MOST_NEW_PAGES = 8;

/** Matches run tags. A service may accept a value with a run tag only once. */
const RUN_TAG = /pc-[0-9a-f]{8}-[0-9a-zA-Z]{4}/g;
const PREFIX = "pc-";

export type Sender = Pick<Target, "spec" | "settings" | "send" | "unique" | "pause">;

export interface Recorded {
  history: History;
  planOf(entry: Entry): RequestPlan;
}

/** Returns texts of the run in a request, which must be new when it is sent again. */
export function ownTexts(entry: Entry): string[] {
  const key = idempotencyKeyIn(entry);
  return [...(entry.request.body?.text.match(RUN_TAG) ?? []), ...(key === undefined ? [] : [key])];
}

export class Resender {
  static #count = 0;
  /** A faulty service may treat the second read on a connection differently, so each history has a new one. */
  readonly #sequence = `again ${Resender.#count++}`;
  readonly #instead = new Map<string, string>();
  /** New unique numbers by field and recorded number. */
  readonly #numbers = new Map<string, number>();
  readonly #ids = new NewIds();
  /** New cursors by the recorded ones. */
  readonly #cursors = new Map<string, string>();

  constructor(
    private readonly target: Sender,
    private readonly recorded: Recorded,
  ) {}

  async repeat(entry: Entry): Promise<void> {
    const isUpdate = entry.operation?.kind === "update";
    if (isUpdate || isFirstOfItsResource(entry, this.recorded.history)) await this.send(entry);
    else await this.#sendPlain(this.recorded.planOf(entry), entry);
  }

  /**
   * Sends the request of the entry again, with new ids, keys and texts. After the last page of a list, it also reads
   * the pages that the list has got since.
   */
  async send(entry: Entry): Promise<void> {
    const plan = this.recorded.planOf(entry);
    this.#renewTags(plan, entry);
    this.#renewUniqueValues(plan, entry);
    if (plan.operation.kind !== "create") {
      await this.#sendPlain(plan, entry);
      return;
    }
    const renewed = this.#replaced(this.#renewed(plan, entry));
    const send = () => this.target.send(renewed, { role: "again" });
    const answer = plan.hangsUp ? await unlessNotTested(send) : await send();
    if (!answer) return;
    const identity = identityOf(this.target.spec, plan.operation);
    const before = asText(resourceIn(entry)?.[identity]);
    const made = asText(resourceOf(answer)?.[identity]);
    // An action answers with a resource whose new id is known from its create.
    if (before === undefined || made === undefined || this.#ids.has(plan.operation, before)) return;
    this.#ids.add(plan.operation, before, made);
    if (before.length >= LONG_ID) this.#instead.set(before, made);
  }

  async #sendPlain(plan: RequestPlan, entry: Entry): Promise<void> {
    const again = this.#replaced(this.#withNewCursors(plan, entry));
    const answer = await this.target.send(again, { role: "again" });
    const before = nextOf({ json: responseJson(entry) });
    const now = nextOf(answer);
    if (now === null) return;
    if (before === null && isAccepted(entry)) await this.#readOn(again, now);
    // A service may give one cursor out twice, for two pages.
    if (before !== null && !this.#cursors.has(before)) this.#cursors.set(before, now);
  }

  async #readOn(plan: RequestPlan, cursor: string): Promise<void> {
    const name = plan.operation.list?.after?.name;
    if (name === undefined) return;
    const others = plan.query.filter(([other]) => other !== name);
    let next: string | null = cursor;
    for (let pages = 0; next !== null && pages < MOST_NEW_PAGES; pages++) {
      const page: RequestPlan = { ...plan, query: [...others, [name, next]] };
      next = nextOf(await this.target.send(page, { role: "again" }));
    }
  }

  /** Returns the request with the cursors that the service gave out in place of the recorded ones. */
  #withNewCursors(plan: RequestPlan, { request }: Entry): RequestPlan {
    const { after, before } = plan.operation.list ?? {};
    const names = [after?.name, before?.name];
    const recorded = new Map(request.query);
    const renewed = (name: string, value: string) =>
      (names.includes(name) ? this.#cursors.get(recorded.get(name) ?? value) : undefined) ?? value;
    return { ...plan, query: plan.query.map(([name, value]) => [name, renewed(name, value)]) };
  }

  #replaced(plan: RequestPlan): RequestPlan {
    const replaced = replacedIn(plan, this.#instead, this.#ids);
    return { ...this.#withNewNumbers(replaced), sequence: this.#sequence };
  }

  /** Numbers may be equal by chance, so they are replaced only in the unique fields that sent them. */
  #withNewNumbers(plan: RequestPlan): RequestPlan {
    const sent = objectSent(plan);
    if (!sent || this.#numbers.size === 0) return plan;
    const renewed = Object.entries(sent).map(([name, value]) => [
      name,
      this.#numbers.get(numberKey(name, value)) ?? value,
    ]);
    return withBody(plan, Object.fromEntries(renewed));
  }

  #renewed(plan: RequestPlan, entry: Entry): RequestPlan {
    const { idempotencyKey } = plan.operation;
    const key = idempotencyKeyIn(entry);
    const { unique } = this.target;
    if (!idempotencyKey || key === undefined) return plan;
    if (!this.#instead.has(key)) this.#instead.set(key, headerText(idempotencyKey.schema, unique()));
    return withHeaders(plan, { [idempotencyKey.name]: key });
  }

  #renewTags({ operation, body }: RequestPlan, entry: Entry): void {
    for (const tag of JSON.stringify(body ?? null).match(RUN_TAG) ?? []) {
      if (operation.kind !== "create" && !this.#isSentOnlyTo(entry.request.url, tag)) continue;
      const lower = tag.toLowerCase();
      const renewed = this.#instead.get(lower) ?? this.target.unique();
      this.#instead.set(lower, renewed);
      // An update that changes only the letter case must still do so.
      if (tag !== lower) this.#instead.set(tag, inOtherCaseAfter(renewed, runTagOf(renewed)));
    }
  }

  /** Renews unique values without room for a run tag, unless an update sends that of another resource. */
  #renewUniqueValues(plan: RequestPlan, { request }: Entry): void {
    const { entries } = this.recorded.history;
    const isOfOther = (other: Entry) => other.request.url !== request.url && isAccepted(other);
    const isOwn = (name: string, value: unknown) =>
      plan.operation.kind === "create" ||
      !entries.some((other) => sentIn(other, name) === value && isOfOther(other));
    for (const { name, value, schema } of uniqueValues(this.target.spec, plan)) {
      const number = numberKey(name, value);
      if (this.#instead.has(String(value)) || this.#numbers.has(number) || !isOwn(name, value)) continue;
      const another = validValue(schema, plainSource(this.target));
      if (typeof value === "number" && typeof another === "number") this.#numbers.set(number, another);
      if (typeof value === "string" && typeof another === "string") this.#instead.set(value, another);
    }
  }

  /** False for a text of another resource, which may be the reason for the violation. */
  #isSentOnlyTo(url: string, tag: string): boolean {
    const senders = this.recorded.history.senders(tag.slice(PREFIX.length));
    return senders.every(({ request }) => request.url === url);
  }
}

const runTagOf = (text: string) => text.slice(0, text.lastIndexOf("-"));

const numberKey = (field: string, value: unknown) => `${field} ${String(value)}`;

interface UniqueValue {
  name: string;
  value: string | number;
  schema: Schema;
}

/** Returns unique numbers, and unique texts without room for a run tag. */
function uniqueValues({ schemas }: Spec, plan: RequestPlan): UniqueValue[] {
  const sent = objectSent(plan) ?? {};
  return schemas.fields(plan.operation.body).flatMap(([name, schema]): UniqueValue[] => {
    const value = sent[name];
    if (schemas.flatten(schema)["x-unique"] === undefined) return [];
    const isRenewed = typeof value === "number" || (typeof value === "string" && !value.match(RUN_TAG));
    return isRenewed ? [{ name, value, schema }] : [];
  });
}

/** False if the create repeats an idempotency key, so it shows an earlier resource. */
export function isFirstOfItsResource(entry: Entry, { spec, entries }: History): boolean {
  if (!isCreation(entry)) return false;
  const id = resourceIn(entry)?.[identityOf(spec, entry.operation)];
  return !entries.some(
    (other) =>
      other.index < entry.index &&
      other.operation === entry.operation &&
      resourceIn(other)?.[identityOf(spec, entry.operation)] === id,
  );
}

export function isCreation(entry: Entry): entry is Entry & { operation: Operation } {
  return entry.operation?.kind === "create" && isAccepted(entry);
}
