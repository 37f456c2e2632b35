import type { JsonObject } from "../spec/json.ts";
import { memoized } from "../spec/memoized.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { type Answer, Answers } from "./answers/answers.ts";
import { createsOf } from "./creates/keys.ts";
import { listedNames, referenceNames } from "./creates/references.ts";
import { type Delivery, type Entry, fixtureIds, type Head, header, isOrdinary, pathId } from "./entry.ts";
import { hasLimitOfUnique, hasRepeats, isOfOrdinarySize, isOpenValue } from "./journal/field-values.ts";
import { type Journal, journalOf } from "./journal/journal.ts";
import { type Duty, type Sighting, sightingsByDuty } from "./journal/sightings.ts";
import { idInSpace } from "./journal/tracked-resource.ts";
import { type SeenUpdate, updatesSeen } from "./journal/updates-seen.ts";
import { Lists } from "./lists/lists.ts";
import { kindOfUpdate, placeOf } from "./resource-kinds.ts";
import { acceptedMembersIn } from "./values/accepted-members.ts";
import { type Stray, type Strays, sendersByTag, straysIn } from "./values/tags.ts";

const fixturesOf = memoized(({ head }: History): ReadonlySet<string> => new Set(fixtureIds(head)));
const roundOf = memoized(({ entries }: History): ReadonlySet<Entry> => new Set(entries));
const membersIn = memoized(({ spec, context }: History) => acceptedMembersIn(spec, context));
const answersIn = memoized(({ spec, head, context }: History) => new Answers(spec, head, context));
const listsIn = memoized((history: History) => new Lists(history));
const journalIn = memoized((history: History) => {
  const { spec, head, context, acceptedMembers } = history;
  return ofRound(history, journalOf(spec, head, context, acceptedMembers));
});
const sightingsIn = memoized(({ journal }: History) => sightingsByDuty(journal.sightings));
const straysOf = memoized((history: History): Strays => {
  const { spills, leaks } = straysIn(history.spec, history.head, history.context);
  const isOfRound = ({ shownBy }: Stray) => history.isOfRound(shownBy);
  return { spills: spills.filter(isOfRound), leaks: leaks.filter(isOfRound) };
});
const sendersIn = memoized(({ head, context }: History) => sendersByTag(head, context));

export class History {
  readonly isOrdinary = memoized((entry: Entry) => hasOrdinaryHeaders(this, entry));
  readonly updates = memoized((update: Operation) => updatesSeen(this.spec, update, this.entries));
  readonly creates = memoized((create: Operation) => createsOf(this.spec, create, this.head, this.entries));
  readonly references = memoized((body: Schema) => referenceNames(this.spec, [body], this.context));
  readonly #listed = memoized((body: Schema) => listedNames(this.spec, [body], this.context));

  constructor(
    readonly spec: Spec,
    readonly head: Head,
    readonly entries: readonly Entry[],
    /** The entries of all rounds, because resources outlive their round. */
    readonly context: readonly Entry[] = entries,
    readonly deliveries: readonly Delivery[] = [],
  ) {}

  isOfRound(entry: Entry): boolean {
    return this.entries.length === this.context.length || roundOf(this).has(entry);
  }

  isOfOwn(entry: Entry): boolean {
    const id = pathId(entry);
    if (fixturesOf(this).has(id ?? ""))
      return entry.operation?.space === undefined || entry.space === this.head.spaces[0];
    const kind = entry.operation ? kindOfUpdate(this.spec, entry.operation) : undefined;
    const place = kind && placeOf(kind, entry, id ?? "");
    const ids = place === undefined ? [] : [place, idInSpace(place, entry.space)];
    return this.journal.resources.some(
      (own) => ids.includes(own.id) && own.isInSpaceOf(entry) && !own.consumed,
    );
  }

  /** True for a valid body with known references, and without repeats and unusual values. */
  isPlainlyValid({ body = {} }: Operation, sent: JsonObject): boolean {
    return (
      this.spec.schemas.validate(body, sent).length === 0 &&
      this.knowsReferences(body, sent) &&
      !Object.values(sent).some(hasRepeats) &&
      !Object.entries(sent).some(([field, value]) =>
        isOpenValue(this.spec, body, field, value, this.acceptedMembers),
      )
    );
  }

  mustAcceptBody(operation: Operation, sent: JsonObject): boolean {
    return (
      this.isPlainlyValid(operation, sent) &&
      Object.values(sent).every(isOfOrdinarySize) &&
      !hasLimitOfUnique(this.spec, operation.body ?? {}, sent)
    );
  }

  mustAccept(update: Operation, { entry, sent }: SeenUpdate): boolean {
    return (
      this.isOrdinary(entry) &&
      this.isOfOwn(entry) &&
      !this.answers.wasSentAgain(entry) &&
      this.answers.isValid(entry) &&
      this.mustAcceptBody(update, sent)
    );
  }

  knowsReferences(body: Schema, sent: JsonObject): boolean {
    const fields = this.spec.schemas.fields(body).filter(([, schema]) => schema["x-references"]);
    const named = fields.flatMap(([name]) => sent[name] ?? []);
    if (named.length === 0) return true;
    const listed = this.#listed(body);
    return named.every((value) => listed.has(String(value)) || fixturesOf(this).has(String(value)));
  }

  get acceptedMembers(): ReadonlySet<string> {
    return membersIn(this);
  }

  get answers(): Answers {
    return answersIn(this);
  }

  /** Returns the answers of this round, in all spaces and to all credentials. */
  answersOfRound(operation: Operation): Answer[] {
    return this.answers.to(operation).filter(({ entry }) => this.isOfRound(entry));
  }

  /** Returns the answers of this round in the first space to the run's own token. */
  ownAnswers(operation: Operation): Answer[] {
    const [first = null] = this.head.spaces;
    return this.answersOfRound(operation).filter(
      ({ entry }) => this.isOrdinary(entry) && (entry.space ?? first) === first,
    );
  }

  get lists(): Lists {
    return listsIn(this);
  }

  get journal(): Journal {
    return journalIn(this);
  }

  sightings(duty: Duty, field?: string): readonly Sighting[] {
    return sightingsIn(this).get(field === undefined ? duty : `${duty} ${field}`) ?? [];
  }

  get oneWaySightings(): readonly Sighting[] {
    return this.journal.sightings.filter(({ oneWay }) => oneWay);
  }

  get strays(): Strays {
    return straysOf(this);
  }

  senders(tag: string): readonly Entry[] {
    return sendersIn(this).get(tag) ?? [];
  }
}

function hasOrdinaryHeaders({ head }: History, entry: Entry): boolean {
  const { version, operation, request } = entry;
  const isAllowed = version === null || (operation?.version?.schema.enum ?? [version]).includes(version);
  const isJson = request.body === null || header(request.headers, "content-type") === "application/json";
  // A service need not accept `bearer` in another letter case.
  const scheme = header(request.headers, "authorization")?.split(" ")[0] ?? "Bearer";
  return isOrdinary(entry, head) && isAllowed && isJson && scheme === "Bearer";
}

/** Returns the journal, which follows all rounds, with the sightings of the last round only. */
function ofRound(history: History, journal: Journal): Journal {
  return {
    ...journal,
    sightings: journal.sightings.filter(({ by }) => history.isOfRound(by)),
    wrongIds: journal.wrongIds.filter(({ entry }) => history.isOfRound(entry)),
  };
}
