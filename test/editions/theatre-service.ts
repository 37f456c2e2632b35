/**
 * The service of a theatre's desk, with its data in memory. It was written from the sentences in
 * test/editions/theatre alone, and shares no code with the suite. It may be started with one fault or habit
 * of theatre-faults.ts.
 */

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Answer,
  answered,
  callOf,
  change,
  type Departure,
  demand,
  type Fields,
  type Item,
  isMap,
  type Json,
  listen,
  now,
  pause,
  type Served,
  withMore,
  write,
} from "./serving.ts";
import * as at from "./theatre-bodies.ts";
import * as facts from "./theatre-facts.ts";
import * as halls from "./theatre-halls.ts";
import * as nights from "./theatre-nights.ts";
import * as patrons from "./theatre-patrons.ts";
import * as plays from "./theatre-plays.ts";
import { OTHER_VENUE, type Request, Store, VENUE, type Venue } from "./theatre-store.ts";
import * as tickets from "./theatre-tickets.ts";

export { OTHER_VENUE, VENUE } from "./theatre-store.ts";
export const TOKEN = "Theatre~Desk.9xQ2";

const KNOWN: ReadonlySet<string> = new Set(Object.values(at).filter((each) => typeof each === "string"));

export async function startTheatre(departure?: Departure): Promise<Served> {
  return listen(new Theatre(departure));
}

class Theatre {
  asked = 0;
  readonly #store: Store;
  readonly #departure: Departure | undefined;

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    this.#store = new Store(departure);
    for (const [name, prefix] of [
      [VENUE, "Opera"],
      [OTHER_VENUE, "Cellar"],
    ] as const) {
      const venue = this.#store.spaces.get(name);
      for (let n = 0; venue && n < 6; n++) this.#fill(venue, prefix, n);
    }
    this.#store.age("plays", "halls", "patrons");
  }

  #fill(venue: Venue, prefix: string, n: number): void {
    plays.newPlay(this.#store, venue, {
      ...{ title: `${prefix} ${n}`, genre: n % 2 ? "opera" : "comedy", minutes: 90 + 5 * (n % 3) },
      ...{ acts: [[20, 25], [45]], matinee: n % 2 === 0, opens: `2026-0${1 + (n % 3)}-15` },
      staging: n % 2 ? { form: "proscenium", wings: n } : { form: "arena", sectors: { N: 100, SW: 20 } },
    });
    halls.newHall(this.#store, venue, {
      ...{ code: `${prefix.toLowerCase()}-${n}`, name: `${prefix} hall ${n}`, floor: (n % 3) - 1 },
      ...{ plan: [["seat", "aisle"], ["wheel"]], wired: n !== 2 },
    });
    patrons.newPatron(this.#store, venue, {
      ...{
        name: `${prefix} friend ${n}`,
        nick: `${prefix.toLowerCase()}${n}`,
        level: n % 2 ? "guest" : "donor",
      },
      ...{ mail: `friend${n % 4}@theatre.example`, born: `197${n % 3}-06-07` },
    });
  }

  async serve(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    this.asked++;
    const has = (name: string) => this.#store.has(name);
    const call = this.#read(request, body);
    if (has("every answer takes its time") || this.#storesEarlyState(call)) await pause();
    const answer = answered(
      () => this.#answer(call),
      (status) => this.#refusal(status),
    );
    await write(answer, response, {
      chunked: has("answers are chunked"),
      wide: has("numbers are written as 12.0"),
    });
  }

  #read(request: IncomingMessage, body: Buffer): Request {
    const first: Record<string, string> = {
      plays: "{play}",
      halls: "{code}",
      patrons: "{number}",
      genres: "{genre}",
    };
    const parameters = (collection: string) => [
      "",
      "",
      first[collection] ?? "",
      "",
      "{slot}",
      "",
      "{ticket}",
    ];
    return callOf(request, body, parameters, this.#store.has("a slash at the end is ignored"));
  }

  /** If a fault of simultaneous requests is on, stores the present state in `call.early` and returns true. */
  #storesEarlyState(call: Request): boolean {
    const { operation, headers, ids } = call;
    const venue = this.#store.spaces.get(String(headers.playhouse));
    const has = (name: string, where: string) => this.#store.has(name) && operation === where;
    if (!venue) return false;
    if (has("one of two simultaneous revisions is lost", at.REVISE_PLAY)) {
      const play = venue.plays.find(({ id }) => id === ids[0]);
      call.early = { old: play && now(play) };
    } else if (has("simultaneous slips sell two tickets", at.SELL_TICKET))
      call.early = { isSlipNew: !this.#store.isKnown(call, venue) };
    else if (has("simultaneous halls get one code", at.BUILD_HALL)) {
      const text = call.body.toString("utf8");
      call.early = { isCodeFree: !venue.halls.some(({ id }) => text.includes(`"${id}"`)) };
    }
    return call.early !== undefined;
  }

  #refusal(status: number): Answer {
    const has = (name: string) => this.#store.has(name);
    if (has("rejections have no body")) return { status, text: "" };
    if (has("rejections are pages"))
      return { status, text: "<h1>No</h1>", headers: { "content-type": "text/html" } };
    if (has("whatever is refused is not found") && (status === 403 || status === 409))
      return { status: 404, body: { why: "no" } };
    if (has("faulty bodies are a conflict") && status === 422) return { status: 409, body: {} };
    return { status, body: { ok: false, trace: randomUUID(), problem: { code: status } } };
  }

  #answer(call: Request): Answer {
    const { operation } = call;
    demand(KNOWN.has(operation), 404);
    try {
      this.#authenticate(call);
    } catch (error) {
      if (this.#store.has("a replanning without a token is done") && operation === at.REPLAN_NIGHT)
        this.#finished(call, this.#dispatch(call));
      throw error;
    }
    if (this.#store.has("every 60th call has to wait") && this.asked % 60 === 0)
      return { status: 429, body: {}, headers: { "retry-after": "1" } };
    if (this.#store.has("every 75th call finds a bad gateway") && this.asked % 75 === 0)
      return { status: 502, text: "<h1>Bad gateway</h1>", headers: { "content-type": "text/html" } };
    return this.#finished(call, this.#dispatch(call));
  }

  #authenticate({ operation, headers }: Request): void {
    const has = (name: string, where: string) => this.#store.has(name) && operation === where;
    const header = headers.authorization ?? "";
    const [, scheme = "", token = ""] = /^(\S+) +(.*)$/.exec(header) ?? [];
    if (header === "" && has("a night is opened without a token", at.OPEN_NIGHT)) return;
    if (header === "" && has("a ticket is void without a token", at.VOID_TICKET)) return;
    if (header === "" && has("reviews are shown without a token", at.LIST_REVIEWS)) return;
    if (scheme === "Basic" && has("Basic admits a ticket", at.ADMIT_TICKET)) return;
    if (token && has("holidays are listed for any token", at.LIST_HOLIDAYS)) return;
    const isBegun = has("a longer token reads a patron", at.GET_PATRON) && token.startsWith(TOKEN);
    const isLower =
      has("tokens of halls have any casing", at.LIST_HALLS) && token.toLowerCase() === TOKEN.toLowerCase();
    demand(scheme.toLowerCase() === "bearer" && (token === TOKEN || isBegun || isLower), 401);
  }

  /** Adds the envelope to an answer, and applies the faults and habits that alter answers. */
  #finished({ operation }: Request, answer: Answer): Answer {
    if (!isMap(answer.body)) return answer;
    const has = (name: string, where = operation) => this.#store.has(name) && operation === where;
    let result: Json = answer.body.result ?? null;
    const { show } = this.#departure ?? {};
    if (show && show[0] === operation) result = change(result, show[1].split("/"), show[2]) ?? null;
    if (has("more fields are shown")) result = withMore(result, { _self: "/x", "Not-Known": [null, 2] });
    const body: Fields = { ok: true, trace: randomUUID(), ...answer.body, result };
    if (has("fields of the envelope come last")) delete body.ok;
    body.ok = !has("a closed play is not ok", at.CLOSE_PLAY);
    if (has("the trace of holidays is a number", at.LIST_HOLIDAYS)) body.trace = "17";
    if (has("a sold ticket has a pagination", at.SELL_TICKET)) body.pagination = { count: 1, next: null };
    const status = has("an admitted ticket is answered 202", at.ADMIT_TICKET) ? 202 : answer.status;
    const isHtml = has("a hall is text/html", at.GET_HALL);
    const type: Record<string, string> = isHtml
      ? { "content-type": "text/html" }
      : this.#store.has("answers are vendor JSON")
        ? { "content-type": 'application/vnd.desk+json; profile="a b"' }
        : {};
    return { ...answer, status, body, headers: { ...answer.headers, ...type } };
  }

  #dispatch(call: Request): Answer {
    const { operation, headers, ids } = call;
    const store = this.#store;
    if (operation === at.LIST_GENRES) return facts.listGenres(store, call);
    if (operation === at.GET_GENRE) return facts.getGenre(store, ids);
    if (operation === at.LIST_HOLIDAYS) return facts.listHolidays(store, call);
    if (operation === at.LIST_REVIEWS) return facts.listReviews(store);
    const given = String(headers.playhouse ?? "");
    const name = store.has("a house is named in any casing") ? given.toLowerCase() : given;
    const isLoose = store.has("tickets need no house") && operation === at.LIST_TICKETS && name === "";
    const venue = store.spaces.get(isLoose ? VENUE : name);
    demand(venue !== undefined, 403);
    if (operation === at.LIST_PLAYS) return plays.listPlays(store, call, venue);
    if (operation === at.STAGE_PLAY) return plays.stagePlay(store, call, venue);
    if (operation.includes("/halls")) return this.#ofHall(call, venue);
    if (operation.includes("/patrons")) return this.#ofPatron(call, venue);
    return this.#ofPlay(call, venue);
  }

  #ofHall(call: Request, venue: Venue): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    if (operation === at.LIST_HALLS) return halls.listHalls(store, call, venue);
    if (operation === at.BUILD_HALL) return halls.buildHall(store, call, venue);
    const isAny = store.has("halls of other houses are shut") && operation === at.SHUT_HALL;
    const hall = store.find(venue, "halls", ids[0], () => true, isAny);
    if (operation === at.GET_HALL) return halls.getHall(store, hall);
    if (operation === at.REBUILD_HALL) return halls.rebuildHall(store, call, venue, hall);
    return halls.shutHall(store, call, venue, hall);
  }

  #ofPatron(call: Request, venue: Venue): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    if (operation === at.LIST_PATRONS) return patrons.listPatrons(store, call, venue);
    if (operation === at.ENROL_PATRON) return patrons.enrolPatron(store, call, venue);
    const has = (name: string, where: string) => store.has(name) && operation === where;
    const id = has("a patron is read by the beginning of a text", at.GET_PATRON)
      ? String(Number.parseInt(ids[0] ?? "", 10))
      : ids[0];
    const isAny = has("patrons of other houses are read", at.GET_PATRON);
    const patron = store.find(venue, "patrons", id, () => true, isAny);
    if (operation === at.GET_PATRON) return { status: 200, body: { result: now(patron) } };
    if (operation === at.RENAME_PATRON) return patrons.renamePatron(store, call, venue, patron);
    return patrons.correctPatron(store, call, venue, patron);
  }

  #ofPlay(call: Request, venue: Venue): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    const has = (name: string, where: string) => store.has(name) && operation === where;
    const isForeign = has("a revision from another house is refused and done", at.REVISE_PLAY);
    const isOpen = has("nights are opened in plays of other houses", at.OPEN_NIGHT);
    const wanted = store.has("a play is read in any casing") ? ids[0]?.toLowerCase() : ids[0];
    const play = store.find(venue, "plays", wanted, () => true, isForeign || isOpen);
    if (operation === at.GET_PLAY) return plays.getPlay(store, play);
    if (operation === at.REVISE_PLAY) {
      const answer = plays.revisePlay(store, call, venue, play);
      demand(!isForeign || venue.plays.includes(play), 404);
      return answer;
    }
    if (operation === at.CLOSE_PLAY) return plays.closePlay(store, call, venue, play);
    if (operation === at.LIST_NIGHTS) return nights.listNights(store, call, venue, play);
    if (operation === at.OPEN_NIGHT) return nights.openNight(store, call, venue, play);
    const isAnyPlay =
      has("a night is read below any play", at.GET_NIGHT) ||
      has("tickets are sold below any play", at.SELL_TICKET) ||
      has("a night is replanned below any play", at.REPLAN_NIGHT);
    const night = store.find(venue, "nights", ids[1], ({ within }) => isAnyPlay || within[0] === play.id);
    if (operation === at.GET_NIGHT) return nights.getNight(store, night);
    if (operation === at.REPLAN_NIGHT) return nights.replanNight(store, call, venue, night);
    return this.#ofNight(call, venue, play, night);
  }

  #ofNight(call: Request, venue: Venue, play: Item, night: Item): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    if (operation === at.LIST_TICKETS) return tickets.listTickets(store, call, venue, night);
    if (operation === at.SELL_TICKET) return tickets.sellTicket(store, call, venue, play, night);
    const has = (name: string, where: string) => store.has(name) && operation === where;
    const isAny =
      has("a ticket is read below any night", at.GET_TICKET) ||
      has("a ticket is admitted below any night", at.ADMIT_TICKET);
    const ticket = store.find(venue, "tickets", ids[2], ({ within }) => isAny || within[1] === night.id);
    if (operation === at.GET_TICKET) return { status: 200, body: { result: now(ticket) } };
    if (operation === at.AMEND_TICKET) return tickets.amendTicket(store, call, venue, ticket);
    if (operation === at.ADMIT_TICKET) return tickets.admitTicket(store, venue, ticket);
    return tickets.voidTicket(store, venue, ticket);
  }
}
