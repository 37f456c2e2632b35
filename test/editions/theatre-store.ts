/** Stores the resources and slips of the theatre desk, reads requests, and pages lists. */

import { randomBytes } from "node:crypto";
import { canonical, isUuid } from "./body-rules.ts";
import { answerWith, type Known, mediaTypeOf, parsed, Register, type Space } from "./register.ts";
import {
  type Answer,
  type Call,
  type Departure,
  demand,
  type Fields,
  type Item,
  isMap,
  type Json,
  now,
} from "./serving.ts";
import * as at from "./theatre-bodies.ts";

export const VENUE = "5f0c1d2e-77aa-4b1c-9d3e-0a1b2c3d4e5f";
export const OTHER_VENUE = "c3a9e7b1-1234-4cde-8f01-ab23cd45ef67";

export type Kind = "plays" | "nights" | "tickets" | "halls" | "patrons";
export type Venue = Space<Kind>;

function newVenue(name: string): Venue {
  return { name, plays: [], nights: [], tickets: [], halls: [], patrons: [], keys: new Map() };
}

/** The state when a request arrived. Faults of simultaneous requests use it in place of the present state. */
interface Early {
  old?: Fields | undefined;
  isSlipNew?: boolean;
  isCodeFree?: boolean;
}
export interface Request extends Call {
  early?: Early;
}

/** For each operation that takes a slip: whether it needs one, and which slips are good. */
const SLIPS: Record<string, [isNeeded: boolean, fits: (slip: string) => boolean]> = {
  [at.STAGE_PLAY]: [true, (slip) => /^[0-9]{10,18}$/.test(slip)],
  [at.SELL_TICKET]: [false, isUuid],
  [at.BUILD_HALL]: [true, (slip) => slip.length >= 4 && slip.length <= 30],
  [at.ENROL_PATRON]: [false, (slip) => slip.length >= 1 && slip.length <= 30],
};

/** Which slips a fault takes too. */
const LOOSE_SLIPS: Record<string, [operation: string, fits: (slip: string) => boolean]> = {
  "a slip of a play may hold letters": [at.STAGE_PLAY, (slip) => /^\w{10,18}$/.test(slip)],
  "a slip of a ticket is any text": [at.SELL_TICKET, (slip) => slip !== ""],
  "a slip of a hall may be longer": [at.BUILD_HALL, (slip) => slip.length >= 4],
};

export interface Paging {
  /** A text that names the list, with its parents and filters. */
  of: string;
  size: number;
  cursor: string;
  fits: (cursor: string) => boolean;
}

export class Store extends Register<Kind> {
  readonly #marks = new Map<string, { of: string; from: number; found: Item[] }>();
  #made = 0;
  #numbers = 0;

  constructor(departure: Departure | undefined) {
    super(departure, new Map([VENUE, OTHER_VENUE].map((name) => [name, newVenue(name)])), at.BODIES);
  }

  /** Returns a number that it has not returned before. */
  next(): number {
    return ++this.#numbers;
  }

  quota(): void {
    this.#made++;
    demand(!this.has("seventy resources are allowed") || this.#made <= 70, 403);
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  sent(call: Call): Fields {
    const { operation } = call;
    if (operation === at.SHUT_HALL && call.body.length === 0) return {};
    const has = (fault: string, where: string) => this.has(fault) && operation === where;
    const isCharset = /charset/i.test(call.headers["content-type"] ?? "");
    demand(!(has("a rebuilding with a charset is refused", at.REBUILD_HALL) && isCharset), 415);
    const isPlain =
      has("a night is opened by plain text", at.OPEN_NIGHT) && mediaTypeOf(call) === "text/plain";
    demand(isPlain || mediaTypeOf(call) === "application/json", 415);
    const sent = parsed(call);
    if (sent === null && has("an amendment of null breaks the desk", at.AMEND_TICKET)) demand(false, 500);
    demand(isMap(sent), 400);
    return this.documented(operation, sent);
  }

  // ---- Slips ----

  #scoped({ operation, headers, ids }: Call): string {
    return `${operation} ${ids.join(" ")} ${String(headers.slip)}`;
  }

  isKnown(call: Call, venue: Venue): boolean {
    return venue.keys.has(this.#scoped(call));
  }

  /** Returns the resource that an earlier request with the same slip created. Creates it if the slip is new. */
  once(call: Request, venue: Venue, make: (sent: Fields) => Item): Answer {
    const { operation } = call;
    const { slip } = call.headers;
    this.#demandSlip(operation, slip);
    const scoped = this.#scoped(call);
    const isHall = operation === at.BUILD_HALL;
    const isShared = this.has("slips of halls are those of all houses") && isHall;
    const keys = isShared ? (this.spaces.get(VENUE)?.keys ?? venue.keys) : venue.keys;
    const isSpending = this.has("a slip of a refused request is spent") && slip !== undefined;
    demand(!isSpending || !keys.has(`spent ${scoped}`), 409);
    if (isSpending && !keys.has(scoped))
      keys.set(`spent ${scoped}`, { body: "", item: { id: "", within: [], past: [] }, first: {} });
    const sent = this.sent(call);
    if (slip === undefined) return answerWith(now(make(sent)));
    const known = call.early?.isSlipNew ? undefined : keys.get(scoped);
    const isOther = known !== undefined && canonical(sent) !== known.body;
    if (known && !this.#isForgotten(operation, known)) {
      demand(
        !isOther || (this.has("a slip of patrons takes another body") && operation === at.ENROL_PATRON),
        409,
      );
      demand(!this.has("replays are refused"), 409);
      return this.#replayed(operation, venue, known);
    }
    const body = canonical(sent);
    const item = make(sent);
    keys.delete(`spent ${scoped}`);
    keys.set(scoped, { body, item, first: now(item) });
    return answerWith(now(item));
  }

  #isForgotten(operation: string, { item }: Known): boolean {
    const shown = now(item);
    return (
      (this.has("a slip is forgotten once its play is closed") && shown.phase === "closed") ||
      (this.has("a slip is forgotten once its ticket is amended") &&
        operation === at.SELL_TICKET &&
        item.past.length > 1)
    );
  }

  #demandSlip(operation: string, slip: string | string[] | undefined): void {
    const [isNeeded, fits] = SLIPS[operation] ?? [false, () => true];
    if (slip === undefined) {
      demand(!isNeeded || (this.has("a play needs no slip") && operation === at.STAGE_PLAY), 400);
      return;
    }
    const loose = Object.entries(LOOSE_SLIPS).find(([name]) => this.has(name))?.[1];
    demand(fits(String(slip)) || (loose?.[0] === operation && loose[1](String(slip))), 400);
  }

  #replayed(operation: string, venue: Venue, { item, first }: Known): Answer {
    if (this.has("a replay undoes the rebuilding of a hall") && operation === at.BUILD_HALL)
      this.set(item, first);
    if (this.has("a replay enrols a second patron unseen") && operation === at.ENROL_PATRON)
      this.add(venue, "patrons", [], String(9_000_000 + venue.patrons.length), {
        ...first,
        number: 9_000_000 + venue.patrons.length,
      });
    return answerWith(this.has("a replay shows the first answer") ? first : now(item));
  }

  // ---- Lists ----

  size({ query, operation }: Call, name: string, rule: readonly [number, number, number, number]): number {
    const has = (fault: string, where: string) => this.has(fault) && operation === where;
    const [low, high, by, plain] = rule;
    const asked = this.one(query, name);
    if (asked === null) return has("a page has ten plays by default", at.LIST_PLAYS) ? 10 : plain;
    const size = Number(asked);
    const isLoose =
      has("a page of one play may be asked for", at.LIST_PLAYS) ||
      has("a page of sixteen patrons may be asked for", at.LIST_PATRONS);
    demand(/^[1-9]\d*$/.test(asked) && size >= (isLoose ? 1 : low) && size <= (isLoose ? 24 : high), 400);
    demand(size % by === 0 || has("a page of halls may have any size", at.LIST_HALLS), 400);
    demand(!(has("twelve nights may not be asked for", at.LIST_NIGHTS) && size === 12), 400);
    return has("a page of plays has one more", at.LIST_PLAYS) ? size + 1 : size;
  }

  flag(query: URLSearchParams, name: string): boolean | null {
    const given = this.among(query, name, ["true", "false"]);
    return given === null ? null : given === "true";
  }

  /** Returns a page of items. @throws Refused if this list did not issue the cursor */
  page(call: Call, all: Item[], { of, size, cursor, fits }: Paging): Answer {
    const has = (fault: string, where: string) => this.has(fault) && call.operation === where;
    const mark = this.one(call.query, cursor);
    demand(mark === null || fits(mark), 400);
    const known = mark === null ? undefined : this.#marks.get(mark);
    const isStray = has("a leaf is good in any house", at.LIST_PLAYS);
    const isAny =
      has("an unknown bookmark is the beginning", at.LIST_TICKETS) ||
      (has("a leaf that is too long is the beginning", at.LIST_PLAYS) && String(mark).length > 50);
    demand(mark === null || isAny || (known !== undefined && (known.of === of || isStray)), 400);
    const isKept =
      this.has("a cursor remembers the items of its first page") || (isStray && known?.of !== of);
    const found = isKept && known ? known.found : all;
    const from = known?.from ?? 0;
    const page = found.slice(from, from + size);
    const isRepeating = has("the second page of tickets repeats an item", at.LIST_TICKETS) && from === 0;
    const step = isRepeating && size > 1 ? size - 1 : size;
    const isFull = page.length === size;
    const isMore = this.has("an empty page ends a list") ? isFull : found.length > from + step;
    let next: string | null = has("an empty text ends the patrons", at.LIST_PATRONS) ? "" : null;
    if (isMore) {
      next = randomBytes(6).toString("hex");
      this.#marks.set(next, { of, from: from + step, found });
    }
    const isGrown = has("the count of tickets is that of all", at.LIST_TICKETS);
    const count = isGrown ? found.length : page.length;
    return { status: 200, body: { result: page.map(now), pagination: { count, next } } };
  }

  /** Returns the page after or before an item. `isLoose` lets an unknown item mean the beginning. */
  around(
    call: Call,
    found: Item[],
    [afterName, beforeName]: readonly [string, string],
    size: number,
    faults: { isLoose: boolean; isBeforeFirst: boolean; isInclusive: boolean; total?: number },
  ): Answer {
    const [after, before] = [afterName, beforeName].map((name) => this.one(call.query, name));
    const where = (id: string) => {
      const place = found.findIndex((each) => each.id === id);
      demand(place >= 0 || faults.isLoose, 400);
      return place;
    };
    let from = 0;
    if (before && (!after || faults.isBeforeFirst)) {
      const till = where(before) + (faults.isInclusive ? 1 : 0);
      from = Math.max(0, till - size);
      const page = found.slice(from, till);
      return this.#shown(page, page.at(-1)?.id ?? null, faults.total ?? found.length);
    }
    if (after) from = where(after) + 1;
    const page = found.slice(from, from + size);
    const next = found.length > from + size ? (page.at(-1)?.id ?? null) : null;
    return this.#shown(page, next, faults.total ?? found.length);
  }

  #shown(page: Item[], next: Json, total: number): Answer {
    return { status: 200, body: { result: page.map(now), pagination: { count: page.length, next, total } } };
  }
}
