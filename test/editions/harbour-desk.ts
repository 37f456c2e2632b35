/** Stores the resources and idempotency keys of the harbour office, reads requests, and pages lists. */

import { randomUUID } from "node:crypto";
import { canonical } from "./body-rules.ts";
import {
  BODIES,
  CORRECT_SHIP,
  ENTER_SHIP,
  FIND_SHIPS,
  HIRE_MATE,
  LIST_CREW,
  RETIRE_SHIP,
} from "./harbour-bodies.ts";
import { answerWith, mediaTypeOf, parsed, Register, type Space } from "./register.ts";
import {
  type Answer,
  type Call,
  type Departure,
  demand,
  type Fields,
  type Item,
  isMap,
  now,
  Refused,
} from "./serving.ts";

export const PORT = "DE HAM";
export const OTHER_PORT = "NO BGO";

export type Kind = "ships" | "mates" | "calls" | "crates" | "insurances";
export type Port = Space<Kind>;

function newPort(name: string): Port {
  return { name, ships: [], mates: [], calls: [], crates: [], insurances: [], keys: new Map() };
}

export class Desk extends Register<Kind> {
  readonly #marks = new Map<string, { of: string; from: number }>();
  #made = 0;

  constructor(departure: Departure | undefined) {
    super(departure, new Map([PORT, OTHER_PORT].map((name) => [name, newPort(name)])), BODIES);
  }

  quota(): void {
    this.#made++;
    demand(!this.has("forty resources are allowed") || this.#made <= 40, 403);
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  sent(call: Call): Fields {
    const { operation } = call;
    const isLax = this.has("a correction may be a form") && operation === CORRECT_SHIP;
    demand(isLax || mediaTypeOf(call) === "application/json", 415);
    const sent = parsed(call);
    if (sent === undefined && isLax) return {};
    demand(isMap(sent), 400);
    if (this.has("text is taken for a tonnage") && /^\d+$/.test(String(sent.tonnage)))
      sent.tonnage = Number(sent.tonnage);
    return this.documented(operation, sent);
  }

  /** Returns the resource that an earlier request with the same key created. Creates it if the key is new. */
  once(call: Call, port: Port, make: (sent: Fields) => Item): Answer {
    const { operation, headers, ids } = call;
    const key = headers["request-ref"];
    const isShip = operation === ENTER_SHIP;
    if (isShip)
      demand(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(key ?? "")) ||
          (this.has("a key of ships is any text") && key !== undefined && key !== ""),
        400,
      );
    else if (key !== undefined)
      demand(key !== "" && (key.length <= 60 || this.has("a key of mates may be long")), 400);
    const sent = this.sent(call);
    if (key === undefined) return answerWith(now(make(sent)));
    const keys = this.has("keys are known in all ports")
      ? (this.spaces.get(PORT)?.keys ?? port.keys)
      : port.keys;
    const cut = this.has("keys are cut at 20 characters") ? String(key).slice(0, 20) : String(key);
    const scoped = `${operation} ${ids.join(" ")} ${cut}`;
    const known = keys.get(scoped);
    const forgets = this.has("a key of mates is not kept") && !isShip;
    if (known && !forgets) {
      const isOther = canonical(sent) !== known.body;
      demand(!isOther || (this.has("a key of mates takes another body") && !isShip), 409);
      if (this.has("a replay lists a mate once more") && !isShip) port.mates.push(known.item);
      if (this.has("a replay undoes corrections") && isShip) this.set(known.item, known.first);
      return answerWith(now(known.item));
    }
    const item = make(sent);
    keys.set(scoped, { body: canonical(sent), item, first: now(item) });
    return answerWith(now(item));
  }

  // ---- Lists ----

  size(call: Call, name: string, allowed: (size: number) => boolean, plain: number): number {
    const asked = this.one(call.query, name);
    if (asked === null) return plain;
    const isShips = call.operation === FIND_SHIPS;
    if (this.has("fifty rows are refused") && isShips && asked === "50") throw new Refused(400);
    if (this.has("any number of rows is taken") && isShips && /^[1-9]\d*$/.test(asked))
      return Math.min(Number(asked), 50);
    if (this.has("a page of ships may have more than fifty") && isShips && Number(asked) > 50)
      return Number(asked);
    if (this.has("a page of three mates is given") && call.operation === LIST_CREW && asked === "3") return 3;
    demand(/^[1-9]\d*$/.test(asked) && allowed(Number(asked)), 400);
    return Number(asked);
  }

  /** Returns a page. @throws Refused if this list did not issue the cursor */
  page(
    call: Call,
    found: Item[],
    of: string,
    size: number,
    cursor: string,
    bounds: [number, number],
  ): Answer {
    const mark = this.one(call.query, cursor);
    const [shortest, longest] = bounds;
    demand(mark === null || (mark.length >= shortest && mark.length <= longest), 400);
    const known = mark === null ? { of, from: 0 } : this.#marks.get(mark);
    const isFree = this.has("unknown marks begin anew") && call.operation !== FIND_SHIPS;
    demand((known !== undefined && known.of === of) || isFree, 400);
    const from = known?.from ?? 0;
    const page = found.slice(from, from + size);
    const isShips = call.operation === FIND_SHIPS;
    // The longest allowed cursor shows which list is read: 100 characters for crates, 60 for calls.
    const [isCrates, isCalls] = [longest === 100, longest === 60];
    const isRepeating =
      (this.has("a resumed page repeats a ship") && isShips && size > 1) ||
      (this.has("a page of crates repeats one") && isCrates);
    const isLeavingOut = this.has("a page of calls leaves one out") && isCalls;
    const step = isRepeating ? size - 1 : isLeavingOut ? size + 1 : size;
    const isMore = this.has("an empty page ends a list") ? page.length === size : found.length > from + step;
    let next: string | null = null;
    if (isMore && !(this.has("a list of crates has one page") && isCrates)) {
      const end = this.has("marks of calls are long") && isCalls ? "-".repeat(50) : "";
      next = `${randomUUID().slice(0, 13)}${end}`;
      this.#marks.set(next, { of, from: from + step });
    }
    if (this.has("the last page of ships has a next one") && isShips && page.length > 0 && !next) {
      next = randomUUID();
      this.#marks.set(next, { of, from: 0 });
    }
    const count = this.has("the count of ships is the page size") && isShips ? size : page.length;
    return { status: 200, body: { result: page.map(now), pagination: { count, next } } };
  }

  isFree(call: Call): boolean {
    return (
      (this.has("a ship is retired without a token") && call.operation === RETIRE_SHIP) ||
      (this.has("a mate is hired without a token") && call.operation === HIRE_MATE)
    );
  }
}
