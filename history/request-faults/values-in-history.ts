import { fixtureValues } from "../../spec/fixture-values.ts";
import { addTo } from "../../spec/grouped.ts";
import { identityOf, idText } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson, valueAt } from "../../spec/json.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Operation, Parameter, Schema, Spec, ValuesFrom } from "../../spec/model/spec.ts";
import { mayAct } from "../../spec/operations.ts";
import { type Deletion, deletionsIn, isAtOrBelow, namesLast, pathOf } from "../creates/deletions.ts";
import {
  type Entry,
  haveSameIds,
  idempotencyKeyIn,
  isAccepted,
  objectSent,
  responseJson,
  shownId,
} from "../entry.ts";
import { acceptedMembersOf, memberKey } from "../values/accepted-members.ts";
import { GOOD, type Known, open, type Validity, WRONG } from "./known.ts";
import { type Answered, isAfter, type SentRequest } from "./sent-request.ts";
import { TakenValues } from "./taken-values.ts";

export interface UserFacts {
  spaces: { space: string; token: string }[];
  runTag: string | null;
  fixtures: Record<string, string>;
}

/** Values by the beginning of the path that ends with their parameter. */
type ParentPath = ReadonlyMap<string, string | undefined>;

export class ValuesInHistory implements Known {
  readonly #ids = new Map<string, Map<string, ParentPath[]>>();
  readonly #cursors = new Set<string>();
  readonly #keys = new Map<string, Answered[]>();
  readonly #taken: TakenValues;
  readonly #oneWayChanges = new Map<string, Answered[]>();
  readonly #actions = new Map<string, Answered[]>();
  readonly #members = new Set<string>();
  readonly #deletions: Deletion[] = [];

  constructor(
    private readonly spec: Spec,
    private readonly facts: UserFacts,
    entries: readonly Entry[],
  ) {
    this.#taken = new TakenValues(spec, this.#isOfOthers);
    this.add(entries);
  }

  /** Adds what entries after the known ones sent and showed. */
  add(entries: readonly Entry[]): void {
    this.#deletions.push(...deletionsIn(entries));
    for (const entry of entries) if (entry.operation) this.#see({ ...entry, operation: entry.operation });
  }

  space({ space, credential }: SentRequest): Validity {
    const known = this.facts.spaces.filter((each) => each.space === space);
    const isTheirs = credential.kind !== "token" || known.some(({ token }) => token === credential.token);
    if (known.length > 0) return isTheirs ? GOOD : open(null);
    // The user names all spaces of a run, but a recording may have others.
    return this.#isOfOthers ? open("longUnknownSpace") : WRONG;
  }

  /** Returns whether a resource with this id exists. */
  id(sent: SentRequest, parameter: Parameter, value: string): Validity {
    if (!this.#isOwnSpace(sent)) return GOOD;
    const path = pathOf(sent);
    if (this.#deletions.some((deletion) => isAtOrBelow(path, deletion) && !isAfter(deletion.entry, sent)))
      return open(null);
    const collection = collectionNamedBy(sent.operation, parameter);
    // After a one-way change, a read must still find the resource.
    const isRead = sent.request.method === "GET";
    const changes = isRead ? [] : (this.#oneWayChanges.get(`${collection} ${value}`) ?? []);
    if (changes.some((change) => isAccepted(change) && isAfter(sent, change)))
      return open("changesAfterCancel");
    // A one-way change that overlaps or got no answer may have come first.
    if (changes.some((change) => change.begun !== sent.begun && !isAfter(change, sent))) return open(null);
    // After an action, a service may refuse to change the resource, or to create others below it.
    const actions = isRead ? [] : (this.#actions.get(`${collection} ${value}`) ?? []);
    const isOther = ({ operation }: Answered) => operation !== sent.operation;
    if (actions.some((action) => isOther(action) && !isAfter(action, sent))) return open(null);
    const all = [...this.#placesOfIds(sent, parameter)].flatMap((place) => this.#ids.get(place) ?? []);
    const parent = parentPathOf(sent.operation.path.split(`/{${parameter.name}}`)[0] ?? "", sent.path);
    const isHere = all.some((ids) => ids.get(value)?.some((other) => mayBeSame(other, parent)));
    if (isHere || this.#isFixture(sent, parameter, value)) return GOOD;
    const folded = value.toLowerCase();
    if (all.some((ids) => [...ids.keys()].some((id) => id !== value && id.toLowerCase() === folded)))
      return open("idsInOtherCasing");
    return this.#neverShown;
  }

  /** Returns whether the list gave this cursor out. */
  cursor(sent: SentRequest, parameter: Parameter, value: string): Validity {
    if (!this.#isOwnSpace(sent)) return GOOD;
    if (this.#deletions.some((deletion) => namesLast(deletion, value) && !isAfter(deletion.entry, sent)))
      return open(null);
    // A list with ids as cursors may issue others, too.
    const ids = parameter.cursor === "item" ? this.#ids.get(this.#collectionIn(sent)) : undefined;
    return ids?.has(value) || this.#cursors.has(cursorOf(sent, value)) ? GOOD : this.#neverShown;
  }

  /** Returns whether the idempotency key may be used with this body. */
  key(sent: SentRequest, value: string): Validity {
    const uses = (this.#keys.get(value) ?? []).filter(({ begun }) => begun !== sent.begun);
    const isInSpace = (use: Answered) => use.operation === sent.operation && use.space === sent.space;
    const here = uses.filter((use) => isInSpace(use) && haveSameIds(use, sent));
    const earlier = here.filter((use) => isAfter(sent, use));
    const accepted = earlier.filter((use) => isAccepted(use));
    const hasSameBody = ({ request }: Answered) => sameJson(request.body?.json(), sent.request.body?.json());
    if (accepted.length > 0) return accepted.some(hasSameBody) ? open("idempotencyReplay") : WRONG;
    if (earlier.length > 0) return open("keysAfterRejection");
    if (here.some((use) => mayOverlap(sent, use))) return open("idempotencyReplay");
    const other = uses.find((use) => !here.includes(use) && !isAfter(use, sent));
    if (!other) return GOOD;
    if (isInSpace(other)) return open(null);
    return open(other.operation === sent.operation ? "keysInAnotherSpace" : "keysOnAnotherOperation");
  }

  uniqueValue(sent: SentRequest, field: string, value: unknown): Validity {
    return this.#taken.validity(sent, field, value);
  }

  serviceValue(fixture: string, value: unknown): Validity {
    const known = fixtureValues(this.facts.fixtures[fixture]);
    const isAcceptedMember = this.#members.has(memberKey(fixture, value));
    return isAcceptedMember || known.includes(String(value)) ? GOOD : open("unheardOfValues");
  }

  isListedInOtherSpace({ operation, space }: SentRequest, from: ValuesFrom | undefined): boolean {
    const list = this.spec.operations.find(({ id }) => id === from?.list);
    return Boolean(list?.space && operation.space) && space !== this.facts.spaces[0]?.space;
  }

  get #isOfOthers(): boolean {
    return this.facts.runTag === null;
  }

  /** Returns how valid a value is that no answer shows. A recording may lack the answer that showed it. */
  get #neverShown(): Validity {
    return this.#isOfOthers ? open(null) : WRONG;
  }

  #see(entry: Answered): void {
    const key = idempotencyKeyIn(entry);
    if (key !== undefined) addTo(this.#keys, key, entry);
    this.#taken.release(entry);
    if (mayHaveHappened(entry)) {
      this.#seeOneWayChange(entry);
      this.#seeAction(entry);
    }
    if (!isAccepted(entry)) return;
    for (const name of acceptedMembersOf(this.spec, entry)) this.#members.add(name);
    const sent = objectSent(entry);
    if (sent) this.#seeSent(entry, sent);
    const answer = responseJson(entry);
    if (!isObject(answer) || !entry.operation.response) return;
    // A service may even accept the update of an unknown id.
    if (entry.operation.kind === "update" && !this.#isOfOthers) return;
    this.#seeIds(entry, Array.isArray(answer.result) ? answer.result : [answer.result]);
    const next = idText(valueAt(answer, "/pagination/next"));
    if (next !== undefined) this.#cursors.add(cursorOf(entry, next));
  }

  #seeIds(entry: Answered, items: unknown[]): void {
    const place = this.#collectionIn(entry);
    const ids = keptIn(this.#ids, place, () => new Map<string, ParentPath[]>());
    const parent = parentPathOf(entry.operation.path.replace(/(\/\{[^}]+\})+$/, ""), entry.path);
    const { pathParameter } = entry.operation;
    const idInPath = pathParameter && entry.path[pathParameter.name];
    const names = namesOf(this.spec, entry.operation);
    for (const item of items.filter(isObject))
      for (const field of names) {
        const id = String(item[field]);
        // Repeating the id of the path proves no resource under this parent.
        if (id !== idInPath || !ids.has(id)) addParentPath(ids, id, parent);
      }
  }

  #seeSent(entry: Answered, sent: JsonObject): void {
    const isReplay = this.#isReplay(entry);
    for (const [name, field] of this.spec.schemas.fields(entry.operation.body)) {
      const value = sent[name];
      if (value === undefined || value === null) continue;
      if (field["x-unique"]?.scope === "space" && !isReplay) this.#taken.add(entry, `/${name}`, value);
    }
  }

  #isReplay(entry: Answered): boolean {
    const made = shownId(this.spec, entry);
    const uses = this.#keys.get(idempotencyKeyIn(entry) ?? "") ?? [];
    return uses.some(
      (use) =>
        use !== entry &&
        use.operation === entry.operation &&
        use.space === entry.space &&
        made !== undefined &&
        shownId(this.spec, use) === made,
    );
  }

  #seeOneWayChange(entry: Answered): void {
    const { operation, path } = entry;
    const { pathParameter, body } = operation;
    const sent = objectSent(entry);
    if (!pathParameter || !sent) return;
    const isSent = ([name, field]: [string, Schema]) =>
      field["x-consumes"] !== undefined && sent[name] !== undefined && sent[name] !== null;
    if (this.spec.schemas.fields(body).some(isSent))
      addTo(
        this.#oneWayChanges,
        `${collectionNamedBy(operation, pathParameter)} ${path[pathParameter.name]}`,
        entry,
      );
  }

  /** Notes an action, after which a service may reject updates. */
  #seeAction(entry: Answered): void {
    const named = entry.operation.outer.at(-1);
    if (named && mayAct(this.spec, entry.operation))
      addTo(this.#actions, `${collectionNamedBy(entry.operation, named)} ${entry.path[named.name]}`, entry);
  }

  #isOwnSpace({ operation, space }: SentRequest): boolean {
    return !operation.space || this.facts.spaces.some((each) => each.space === space);
  }

  #isFixture({ operation, space }: SentRequest, { fixture = {} }: Parameter, value: string): boolean {
    if (operation.space && space !== this.facts.spaces[0]?.space) return false;
    return [fixture.read, fixture.write].some((name) => name && this.serviceValue(name, value) === GOOD);
  }

  #collectionIn(
    { operation, space }: Pick<SentRequest, "operation" | "space">,
    collection = collectionOf(operation),
  ): string {
    return `${collection} ${operation.space ? space : ""}`;
  }

  /** Returns where answers show ids of this parameter. Their create or list may have another path, and no space. */
  #placesOfIds(sent: SentRequest, parameter: Parameter): Set<string> {
    const { operation } = sent;
    const { sameRecord, pathParameter } = operation;
    const list = parameter === pathParameter ? sameRecord?.list : undefined;
    const sources = this.spec.operations.filter(({ id }) => id === parameter.madeBy || id === list);
    const places = sources.flatMap((source) => {
      const isAnywhere = source.space !== undefined && operation.space === undefined;
      const spaces = isAnywhere ? this.facts.spaces.map(({ space }) => space) : [sent.space];
      return spaces.map((space) => this.#collectionIn({ operation: source, space }));
    });
    return new Set([this.#collectionIn(sent, collectionNamedBy(operation, parameter)), ...places]);
  }
}

/** Returns the fields that name the resources of the operation (id, code). */
const namesOf = memoized((spec: Spec, operation: Operation): string[] => {
  const { operations } = spec;
  const all = operations.filter((each) => each.resource && collectionOf(each) === collectionOf(operation));
  const reads = operations.filter((each) => all.includes(each) || each.sameRecord?.list === operation.id);
  const by = reads.flatMap(({ sameRecord }) => sameRecord?.by ?? []);
  return [...new Set([...by, ...all.map((each) => identityOf(spec, each))])];
});

function collectionNamedBy(operation: Operation, { name }: Pick<Parameter, "name">): string {
  const [before = ""] = operation.path.split(`{${name}}`);
  return collectionOf({ path: before });
}

function collectionOf({ path }: Pick<Operation, "path">): string {
  return path.split("/").findLast((part) => part !== "" && !part.startsWith("{")) ?? path;
}

function parentPathOf(route: string, path: Entry["path"]): ParentPath {
  const found = [...route.matchAll(/\{([^}]+)\}/g)];
  return new Map(
    found.map(({ 0: text, 1: name = "", index }) => [route.slice(0, index + text.length), path[name]]),
  );
}

function mayBeSame(one: ParentPath, other: ParentPath): boolean {
  return [...one].every(([place, value]) => !other.has(place) || other.get(place) === value);
}

function addParentPath(ids: Map<string, ParentPath[]>, id: string, parent: ParentPath): void {
  const known = keptIn(ids, id, () => []);
  if (!known.some((other) => other.size === parent.size && mayBeSame(other, parent))) known.push(parent);
}

function cursorOf({ operation, space }: Pick<SentRequest, "operation" | "space">, cursor: string): string {
  return `${operation.key} ${space} ${cursor}`;
}

function mayHaveHappened({ response }: Entry): boolean {
  return !("status" in response) || response.status < 300 || response.status >= 500;
}

function mayOverlap(one: { begun?: number; ended?: number }, other: Entry): boolean {
  return !isAfter(one, other) && (one.ended === undefined || !isAfter(other, one));
}
