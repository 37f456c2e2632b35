/** Entries, and all that rules derive from them when a rule first needs it. */

import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { Answers } from "./answers.ts";
import { type Delivery, type Entry, fixtureIds, type Head, header, isOrdinary } from "./entry.ts";
import { isOfOrdinarySize, isOpenValue } from "./field-values.ts";
import { type Journal, journalOf } from "./journal.ts";
import { type Creates, createsOf } from "./keys.ts";
import { Lists } from "./lists.ts";
import { type Stray, type Strays, sendersByMark, straysIn } from "./marks.ts";
import { listedNames, referenceNames } from "./references.ts";
import { pathId, placeOf } from "./resource-kinds.ts";
import { type Duty, type Sighting, sightingsByDuty } from "./sightings.ts";
import { type SeenUpdate, updatesSeen } from "./updates-seen.ts";

export class History {
  readonly spec: Spec;
  readonly head: Head;
  readonly entries: readonly Entry[];
  /** Of the whole run: the meaning of ids and codes does not depend on the round. */
  readonly context: readonly Entry[];
  readonly deliveries: readonly Delivery[];
  #round: ReadonlySet<Entry> | undefined;
  #journal: Journal | undefined;
  #sightings: ReadonlyMap<string, Sighting[]> | undefined;
  #strays: Strays | undefined;
  #senders: ReadonlyMap<string, readonly Entry[]> | undefined;
  readonly #updates = new Map<Operation, SeenUpdate[]>();
  readonly #creates = new Map<Operation, Creates>();
  readonly #references = new Map<Schema, (value: string) => string>();
  readonly #listed = new Map<Schema, ReadonlyMap<string, string>>();
  readonly #ordinary = new Map<Entry, boolean>();
  #answers: Answers | undefined;
  #lists: Lists | undefined;

  constructor(
    spec: Spec,
    head: Head,
    entries: readonly Entry[],
    context: readonly Entry[] = entries,
    deliveries: readonly Delivery[] = [],
  ) {
    this.spec = spec;
    this.head = head;
    this.entries = entries;
    this.context = context;
    this.deliveries = deliveries;
  }

  isOfRound(entry: Entry): boolean {
    if (this.entries.length === this.context.length) return true;
    this.#round ??= new Set(this.entries);
    return this.#round.has(entry);
  }

  isOrdinary(entry: Entry): boolean {
    const known = this.#ordinary.get(entry) ?? this.#hasOrdinaryHeaders(entry);
    this.#ordinary.set(entry, known);
    return known;
  }

  #hasOrdinaryHeaders(entry: Entry): boolean {
    const { version, operation, request } = entry;
    const isAllowed = version === null || (operation?.version?.schema.enum ?? [version]).includes(version);
    const isJson = request.body === null || header(request.headers, "content-type") === "application/json";
    // The scheme in another casing should be accepted, but need not be.
    const scheme = header(request.headers, "authorization")?.split(" ")[0] ?? "Bearer";
    return isOrdinary(entry, this.head) && isAllowed && isJson && scheme === "Bearer";
  }

  updates(update: Operation): SeenUpdate[] {
    const known = this.#updates.get(update) ?? updatesSeen(this.spec, update, this.entries);
    this.#updates.set(update, known);
    return known;
  }

  creates(create: Operation): Creates {
    const known = this.#creates.get(create) ?? createsOf(this.spec, create, this.head, this.entries);
    this.#creates.set(create, known);
    return known;
  }

  references(body: Schema): (value: string) => string {
    const known = this.#references.get(body) ?? referenceNames(this.spec, [body], this.context);
    this.#references.set(body, known);
    return known;
  }

  isOfOwn(entry: Entry): boolean {
    const id = pathId(entry);
    if (fixtureIds(this.head).includes(id ?? "")) return entry.space === this.head.spaces[0];
    const place = placeOf(entry, id ?? "");
    return this.journal.resources.some(
      (own) => own.id === place && own.space === entry.space && !own.consumed,
    );
  }

  /**
   * True if the body breaks no rule, names each known record at most once, and holds nothing that a service
   * may decline.
   */
  isPlainlyValid({ body = {} }: Operation, sent: JsonObject): boolean {
    return (
      this.spec.schemas.validate(body, sent).length === 0 &&
      this.knowsReferences(body, sent) &&
      !Object.values(sent).some(namesTwice) &&
      !Object.entries(sent).some(([field, value]) => isOpenValue(this.spec, body, field, value))
    );
  }

  mustBeTaken(operation: Operation, sent: JsonObject): boolean {
    return this.isPlainlyValid(operation, sent) && Object.values(sent).every(isOfOrdinarySize);
  }

  knowsReferences(body: Schema, sent: JsonObject): boolean {
    const fields = this.spec.schemas.fields(body).filter(([, schema]) => schema["x-references"]);
    const named = fields.flatMap(([name]) => sent[name] ?? []);
    if (named.length === 0) return true;
    this.#listed.set(body, this.#listed.get(body) ?? listedNames(this.spec, [body], this.context));
    const fixtures = fixtureIds(this.head);
    const isKnown = (value: unknown) =>
      this.#listed.get(body)?.has(String(value)) || fixtures.includes(String(value));
    return named.every(isKnown);
  }

  /** Of the whole run: one answer is evidence in any round. */
  get answers(): Answers {
    this.#answers ??= new Answers(this.spec, this.head, this.context);
    return this.#answers;
  }

  get lists(): Lists {
    this.#lists ??= new Lists(this);
    return this.#lists;
  }

  get journal(): Journal {
    this.#journal ??= this.#ownPart(journalOf(this.spec, this.head, this.context));
    return this.#journal;
  }

  sightings(duty: Duty, field?: string): readonly Sighting[] {
    this.#sightings ??= sightingsByDuty(this.journal.sightings);
    return this.#sightings.get(field === undefined ? duty : `${duty} ${field}`) ?? [];
  }

  get oneWaySightings(): readonly Sighting[] {
    return this.journal.sightings.filter(({ oneWay }) => oneWay);
  }

  get strays(): Strays {
    if (!this.#strays) {
      const { spills, leaks } = straysIn(this.spec, this.head, this.context);
      const isOfRound = ({ shownBy }: Stray) => this.isOfRound(shownBy);
      this.#strays = { spills: spills.filter(isOfRound), leaks: leaks.filter(isOfRound) };
    }
    return this.#strays;
  }

  senders(mark: string): readonly Entry[] {
    this.#senders ??= sendersByMark(this.head, this.context);
    return this.#senders.get(mark) ?? [];
  }

  /** The part about the judged round. The journal follows all rounds, since each may write to fixtures. */
  #ownPart(journal: Journal): Journal {
    if (this.entries.length === this.context.length) return journal;
    return {
      ...journal,
      sightings: journal.sightings.filter(({ by }) => this.isOfRound(by)),
      wrongIds: journal.wrongIds.filter(({ entry }) => this.isOfRound(entry)),
    };
  }
}

function namesTwice(value: unknown): boolean {
  return Array.isArray(value) && new Set(value).size < value.length;
}
