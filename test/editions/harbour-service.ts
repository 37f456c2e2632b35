/**
 * The service of a harbour's office, with its data in memory. It was written from the sentences in
 * test/editions/harbour alone, and shares no code with the suite. It may be started with one fault or habit
 * of harbour-faults.ts.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import * as at from "./harbour-bodies.ts";
import * as calls from "./harbour-calls.ts";
import { Desk, type Kind, OTHER_PORT, PORT, type Port } from "./harbour-desk.ts";
import * as ships from "./harbour-ships.ts";
import { answerWith } from "./register.ts";
import {
  type Answer,
  answered,
  type Call,
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
  type Served,
  write,
} from "./serving.ts";

export { OTHER_PORT, PORT } from "./harbour-desk.ts";
export const TOKEN = "Harbour.Pass-7Qz1";

const KNOWN: ReadonlySet<string> = new Set(Object.values(at).filter((each) => typeof each === "string"));

export async function startHarbour(departure?: Departure): Promise<Served> {
  return listen(new Harbour(departure));
}

class Harbour {
  asked = 0;
  readonly #desk: Desk;
  readonly #departure: Departure | undefined;

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    this.#desk = new Desk(departure);
    for (const [name, prefix] of [
      [PORT, "Elbe"],
      [OTHER_PORT, "Fjord"],
    ] as const) {
      const port = this.#desk.spaces.get(name);
      for (let n = 0; port && n < 8; n++)
        ships.newShip(this.#desk, port, {
          ...{ title: `${prefix} ${n}`, class: at.CLASSES[n % 3] ?? "tug", flag: n % 2 ? "DE" : "NO" },
          ...{ built: 1990 + (n % 4), keel: `19${80 + (n % 4)}-02-03`, armed: n === 3 },
          engines: [{ make: `Make ${n}`, kw: 500 * (n + 1), fuels: ["diesel"] }],
          power: n % 2 ? { type: "motor", screws: 2 } : { type: "sail", masts: 3 },
        });
    }
    this.#desk.age("ships", "insurances");
  }

  async serve(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    this.asked++;
    const answer = answered(
      () => this.#answer(request, body),
      (status) => this.#refusal(status),
    );
    const chunked = this.#desk.has("answers are chunked");
    await write(answer, response, { chunked, wide: this.#desk.has("numbers are written as 12.0") });
  }

  #refusal(status: number): Answer {
    if (this.#desk.has("rejections are problems"))
      return {
        status,
        body: { type: "about:blank", status },
        headers: { "content-type": "application/problem+json" },
      };
    if (this.#desk.has("rejections are 422 and 403") && status !== 415)
      return { status: status === 401 ? 403 : 422, body: { state: "no" } };
    return {
      status,
      body: { state: "refused", served: new Date().toISOString(), warnings: [{ code: "W1" }] },
    };
  }

  #answer(request: IncomingMessage, body: Buffer): Answer {
    const parameters = (collection: string) => [
      "",
      "",
      collection === "berths" ? "{berth}" : "{ship}",
      "",
      "{call}",
      "",
      "{crate}",
    ];
    const call = callOf(request, body, parameters, this.#desk.has("a slash at the end is ignored"));
    const { operation } = call;
    demand(KNOWN.has(operation), 404);
    if (operation !== at.LIST_TIDES) this.#authenticate(call);
    if (this.#desk.has("every 90th call has to wait") && this.asked % 90 === 0)
      return { status: 429, body: {}, headers: { "retry-after": "1" } };
    this.#edition(call);
    return this.#finished(call, this.#dispatch(call));
  }

  #authenticate(call: Call): void {
    const { operation, headers } = call;
    const header = headers.authorization ?? "";
    const [, scheme = "", token = ""] = /^(\S+) +(.*)$/.exec(header) ?? [];
    if (this.#desk.isFree(call) && header === "") return;
    if (this.#desk.has("insurances are shown to any token") && operation === at.SHOW_INSURANCE && token)
      return;
    if (this.#desk.has("crates are listed for Basic") && operation === at.LIST_CRATES && scheme === "Basic")
      return;
    const isCut = this.#desk.has("a longer token replans calls") && operation === at.REPLAN_CALL;
    demand(scheme.toLowerCase() === "bearer" && (token === TOKEN || (isCut && token.startsWith(TOKEN))), 401);
  }

  #edition({ operation, headers }: Call): void {
    const edition = headers["harbour-edition"];
    if (operation === at.LIST_TIDES) return;
    if (this.#desk.has("any edition insures a ship") && operation === at.INSURE_SHIP) return;
    if (this.#desk.has("crates need no edition") && operation === at.SHOW_CRATE && edition === undefined)
      return;
    if (this.#desk.has("crates are adjusted under 1.9") && operation === at.ADJUST_CRATE && edition === "1.9")
      return;
    const isLater = operation.includes("/crates");
    const isKnown = (isLater ? ["2.4", "3.0"] : ["1.9", "2.4", "3.0"]).includes(String(edition));
    demand(edition === undefined ? !isLater : isKnown, 400);
    demand(
      !(this.#desk.has("2.4 is refused for crews") && operation === at.LIST_CREW && edition === "2.4"),
      400,
    );
  }

  /** Adds the envelope to an answer, and applies the faults and habits that alter answers. */
  #finished({ operation, headers }: Call, answer: Answer): Answer {
    const has = (name: string, where: string) => this.#desk.has(name) && operation === where;
    if (!isMap(answer.body)) return answer;
    let result: Json = answer.body.result ?? null;
    const alter = (path: string, to: (value: Json) => Json | undefined) => {
      result = change(result, path.split("/"), to) ?? null;
    };
    const { show } = this.#departure ?? {};
    const edition = headers["harbour-edition"];
    if (show && show[0] === operation) alter(show[1], show[2]);
    if (has("2.4 shows no draught", at.SHOW_SHIP) && edition === "2.4") alter("draught", () => undefined);
    if (has("3.0 lists a text for armed", at.FIND_SHIPS) && edition === "3.0") alter("*/armed", String);
    if (this.#desk.has("more fields are shown")) result = withMore(result);
    const envelope: Fields = {
      state: "ok",
      served: new Date().toISOString(),
      warnings: this.#warnings(operation),
    };
    const body: Fields = { ...answer.body, result, ...envelope };
    if (has("a hired mate has a pagination", at.HIRE_MATE)) body.pagination = { count: 1, next: null };
    if (has("a replanned call is in data", at.REPLAN_CALL)) {
      body.data = result;
      delete body.result;
    }
    if (has("an adjustment says that it is done", at.ADJUST_CRATE)) body.state = "done";
    if (has("tides are served at no time", at.LIST_TIDES)) delete body.served;
    const status = has("a planned call is answered 201", at.PLAN_CALL) ? 201 : answer.status;
    const type = has("a berth is text/xml", at.SHOW_BERTH) ? { "content-type": "text/xml" } : {};
    return { ...answer, status, body, headers: { ...answer.headers, ...type } };
  }

  #warnings(operation: string): Json {
    if (this.#desk.has("warnings of a crew are texts") && operation === at.LIST_CREW) return ["W1"];
    if (this.#desk.has("warnings are null or there"))
      return this.asked % 2 ? null : [{ code: "W7", text: "Fog" }];
    return [];
  }

  #dispatch(call: Call): Answer {
    const { operation, ids, headers } = call;
    const desk = this.#desk;
    if (operation === at.LIST_TIDES) return calls.listTides(desk, call);
    if (operation === at.LIST_BERTHS) return calls.listBerths(desk, call);
    if (operation === at.SHOW_BERTH) return calls.showBerth(desk, ids);
    const name = String(headers["x-port"] ?? "");
    const isLoose = desk.has("any port name shows the insurance") && operation === at.SHOW_INSURANCE;
    demand(/^[A-Z]{2} [A-Z0-9]{3}$/.test(name) || isLoose, 400);
    const port = desk.spaces.get(name) ?? (isLoose ? desk.spaces.get(PORT) : undefined);
    demand(port !== undefined, 403);
    if (operation === at.FIND_SHIPS) return ships.findShips(desk, call, port);
    if (operation === at.ENTER_SHIP) return ships.enterShip(desk, call, port);
    return this.#ofShip(call, port, this.#ship(call, port));
  }

  #ofShip(call: Call, port: Port, ship: Item): Answer {
    const { operation, ids } = call;
    const desk = this.#desk;
    if (operation === at.SHOW_SHIP) return answerWith(now(ship));
    if (operation === at.REPLACE_SHIP) return ships.replaceShip(desk, call, port, ship);
    if (operation === at.CORRECT_SHIP) return ships.correctShip(desk, call, port, ship);
    if (operation === at.RETIRE_SHIP) return ships.retireShip(desk, port, ship);
    if (operation === at.DROP_SHIP) {
      port.ships = port.ships.filter((each) => each !== ship);
      return { status: 204 };
    }
    if (operation === at.LIST_CREW) return ships.listCrew(desk, call, port, ship);
    if (operation === at.HIRE_MATE) return ships.hireMate(desk, call, port, ship);
    if (operation === at.LIST_CALLS) return calls.listCalls(desk, call, port, ship);
    if (operation === at.PLAN_CALL) return calls.planCall(desk, call, port, ship);
    if (operation === at.SHOW_INSURANCE || operation === at.INSURE_SHIP) {
      const insurance = ships.insuranceOf(desk, port, ship, operation);
      demand(insurance !== undefined, 404);
      if (operation === at.SHOW_INSURANCE) return ships.showInsurance(desk, insurance);
      return ships.insureShip(desk, call, port, insurance);
    }
    const isAnyShip = this.#isAnyShip(operation);
    const item = this.#below(port, "calls", ids[1], (each) => isAnyShip || each.within[0] === ship.id);
    if (operation === at.SHOW_CALL) return calls.showCall(desk, call, item);
    if (operation === at.REPLAN_CALL) return calls.replanCall(desk, call, item);
    if (operation === at.CLEAR_CALL) return calls.clearCall(desk, call, item);
    if (operation === at.LIST_CRATES) return calls.listCrates(desk, call, port, ship, item);
    if (operation === at.LAND_CRATE) return calls.landCrate(desk, call, port, ship, item);
    const isAnyCall =
      (desk.has("a crate is shown below any call") && operation === at.SHOW_CRATE) ||
      calls.isAnywhere(desk, operation, "crate");
    const code = desk.has("codes of crates have any casing") ? ids[2]?.toUpperCase() : ids[2];
    const crate = this.#below(port, "crates", code, (each) => isAnyCall || each.within.at(-1) === item.id);
    if (operation === at.SHOW_CRATE) return calls.showCrate(desk, crate);
    return calls.adjustCrate(desk, call, port, crate);
  }

  #isAnyShip(operation: string): boolean {
    return (
      (this.#desk.has("a call is shown below any ship") && operation === at.SHOW_CALL) ||
      (this.#desk.has("a call is replanned below any ship") && operation === at.REPLAN_CALL) ||
      (this.#desk.has("crates are listed below any ship") && operation === at.LIST_CRATES) ||
      (this.#desk.has("a crate is landed below any ship") && operation === at.LAND_CRATE) ||
      calls.isAnywhere(this.#desk, operation, "call")
    );
  }

  #ship({ operation, ids }: Call, port: Port): Item {
    const [given = ""] = ids;
    const isPadded = this.#desk.has("zeros before a number are ignored");
    const id = isPadded && /^\d+$/.test(given) ? String(Number(given)) : given;
    const isCut =
      this.#desk.has("a ship is read by the digits at the beginning") && operation === at.SHOW_SHIP;
    const wanted = isCut ? String(Number.parseInt(id, 10)) : id;
    const own = port.ships.find((each) => each.id === wanted);
    if (own) return own;
    const isAnyPort =
      (this.#desk.has("ships of other ports are corrected") && operation === at.CORRECT_SHIP) ||
      (this.#desk.has("ships of other ports are retired") && operation === at.RETIRE_SHIP) ||
      (this.#desk.has("insurances of other ports are shown") && operation === at.SHOW_INSURANCE) ||
      (this.#desk.has("ships of other ports are insured") && operation === at.INSURE_SHIP) ||
      (this.#desk.has("crews of other ports are listed") && operation === at.LIST_CREW);
    const stray = isAnyPort ? this.#desk.all("ships").find((each) => each.id === wanted) : undefined;
    const isUnknown =
      (this.#desk.has("a mate is hired for an unknown ship") && operation === at.HIRE_MATE) ||
      (this.#desk.has("an unknown ship is retired") && operation === at.RETIRE_SHIP);
    const found = stray ?? (isUnknown ? port.ships[0] : undefined);
    demand(found !== undefined, 404);
    return found;
  }

  #below(port: Port, kind: Kind, id: string | undefined, isBelow: (item: Item) => boolean): Item {
    const found = port[kind].find((each) => each.id === id && isBelow(each));
    demand(found !== undefined, 404);
    return found;
  }
}

function withMore(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMore);
  return isMap(value) ? { ...value, "@self": "/x", _rank: 7 } : value;
}
