/**
 * The service of an orchard's record book, with its data in memory. It was written from the sentences in
 * test/editions/orchard alone, and shares no code with the suite. It may be started with one fault or habit
 * of orchard-faults.ts.
 */

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as at from "./orchard-bodies.ts";
import * as facts from "./orchard-facts.ts";
import * as groves from "./orchard-groves.ts";
import * as rows from "./orchard-rows.ts";
import { ESTATE, type Estate, OTHER_ESTATE, type Request, Store } from "./orchard-store.ts";
import * as tools from "./orchard-tools.ts";
import {
  type Answer,
  answered,
  callOf,
  change,
  type Departure,
  demand,
  type Fields,
  isMap,
  type Json,
  listen,
  now,
  pause,
  type Served,
  withMore,
  write,
} from "./serving.ts";

export { ESTATE, OTHER_ESTATE } from "./orchard-store.ts";
export const TOKEN = "Orchard.Key-4Tb9";

const KNOWN: ReadonlySet<string> = new Set(Object.values(at).filter((each) => typeof each === "string"));
const FREE: ReadonlySet<string> = new Set([at.LIST_CULTIVARS, at.GET_CULTIVAR, at.LIST_FROSTS]);

export async function startOrchard(departure?: Departure): Promise<Served> {
  return listen(new Orchard(departure));
}

class Orchard {
  asked = 0;
  readonly #store: Store;
  readonly #departure: Departure | undefined;

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    this.#store = new Store(departure);
    for (const [name, prefix] of [
      [ESTATE, "North"],
      [OTHER_ESTATE, "Lake"],
    ] as const) {
      const estate = this.#store.spaces.get(name);
      for (let n = 0; estate && n < 7; n++) {
        groves.newGrove(this.#store, estate, {
          ...{ label: `${prefix} ${n}`, species: at.SPECIES[n % 3] ?? "plum", hectares: 1.25 + n },
          ...{ planted: `200${n % 3}-04-05`, organic: n % 2 === 0, slope: n - 3 },
          corners: [0, 1, 2].map((each) => ({ lat: 47 + each, lon: 8 + n })),
          water:
            n % 2 ? { source: "well", depth: 20 + n } : { source: "river", permit: "R1234", months: [5] },
        });
        tools.newTool(this.#store, estate, {
          ...{ plate: `${prefix.slice(0, 2).toUpperCase()}-10${n}`, kind: at.KINDS[n % 3] ?? "press" },
          ...{ parts: [{ code: "P001", count: n + 1 }], rented: n === 2, bought: `2020-05-0${(n % 3) + 1}` },
        });
      }
    }
    this.#store.age("groves", "tools");
  }

  async serve(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    this.asked++;
    const has = (name: string) => this.#store.has(name);
    const call = this.#read(request, body);
    if (has("every answer takes its time")) await pause();
    if (this.#storesEarlyState(call)) await pause();
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
    const first: Record<string, string> = { groves: "{grove}", tools: "{plate}", cultivars: "{slug}" };
    const parameters = (collection: string) => ["", "", first[collection] ?? "", "", "{row}", "", "{tag}"];
    return callOf(request, body, parameters, this.#store.has("a slash at the end is ignored"));
  }

  /** If a fault of simultaneous requests is on, stores the present state in `call.early` and returns true. */
  #storesEarlyState(call: Request): boolean {
    const { operation, headers, ids } = call;
    const estate = this.#store.spaces.get(String(headers.estate));
    const has = (name: string, where: string) => this.#store.has(name) && operation === where;
    if (!estate) return false;
    if (has("one of two simultaneous changes of a grove is lost", at.CHANGE_GROVE)) {
      const grove = estate.groves.find(({ id }) => id === ids[0]);
      call.early = { old: grove && now(grove) };
    } else if (has("simultaneous keys make two trees", at.SET_TREE))
      call.early = { isKeyNew: !this.#store.isKnown(call, estate) };
    else if (has("simultaneous tools get one plate", at.BUY_TOOL)) {
      const text = call.body.toString("utf8");
      call.early = { isPlateFree: !estate.tools.some(({ id }) => text.includes(`"${id}"`)) };
    }
    return call.early !== undefined;
  }

  #refusal(status: number): Answer {
    const has = (name: string) => this.#store.has(name);
    if (has("rejections have no body")) return { status, text: "" };
    if (has("rejections are problems"))
      return { status, body: { status }, headers: { "content-type": "application/problem+json" } };
    if (has("whatever is not found is forbidden") && status === 404) return { status: 403, body: {} };
    if (has("whatever is refused is not found") && (status === 403 || status === 409))
      return { status: 404, body: { why: "no" } };
    return { status, body: { meta: this.#meta(), error: { code: `E${status}` } } };
  }

  #meta(): Fields {
    const hints: Fields = this.#store.has("hints come and go") && this.asked % 2 ? { hints: ["prune"] } : {};
    return { request: randomUUID(), seconds: 0.25, ...hints };
  }

  #answer(call: Request): Answer {
    const { operation } = call;
    demand(KNOWN.has(operation), 404);
    try {
      this.#authenticate(call);
    } catch (error) {
      if (this.#store.has("a relaying without a token is done") && operation === at.RELAY_ROW)
        this.#finished(call, this.#dispatch(call));
      throw error;
    }
    if (this.#store.has("every 70th call has to wait") && this.asked % 70 === 0)
      return { status: 429, body: {}, headers: { "retry-after": "1" } };
    if (this.#store.has("every 80th call finds no service") && this.asked % 80 === 0)
      return { status: 503, body: {}, headers: { "retry-after": "1" } };
    this.#level(call);
    return this.#finished(call, this.#dispatch(call));
  }

  #authenticate({ operation, headers }: Request): void {
    const has = (name: string, where: string) => this.#store.has(name) && operation === where;
    const header = headers.authorization ?? "";
    const [, scheme = "", token = ""] = /^(\S+) +(.*)$/.exec(header) ?? [];
    if (header === "" && has("a row is added without a token", at.ADD_ROW)) return;
    if (header === "" && has("a tree is pulled without a token", at.PULL_TREE)) return;
    if (scheme === "Basic" && has("Basic locks a tool", at.LOCK_TOOL)) return;
    if (token && has("cultivars are listed for any token", at.LIST_CULTIVARS)) return;
    const isLower = has("tokens of bookings have any casing", at.LIST_BOOKINGS);
    const isToken = token === TOKEN || (isLower && token.toLowerCase() === TOKEN.toLowerCase());
    demand(scheme.toLowerCase() === "bearer" && isToken, 401);
  }

  #level({ operation, headers }: Request): void {
    const level = headers["api-level"];
    if (this.#store.has("any level replaces a tool") && operation === at.REPLACE_TOOL) return;
    demand(level === undefined || level === "7" || level === "8", 400);
    demand(
      !(this.#store.has("7 is refused for frosts") && operation === at.LIST_FROSTS && level === "7"),
      400,
    );
  }

  /** Adds the envelope to an answer, and applies the faults and habits that alter answers. */
  #finished({ operation, headers }: Request, answer: Answer): Answer {
    const has = (name: string, where = operation) => this.#store.has(name) && operation === where;
    if (!isMap(answer.body)) return answer;
    let result: Json = answer.body.result ?? null;
    const alter = (path: string, to: (value: Json) => Json | undefined) => {
      result = change(result, path.split("/"), to) ?? null;
    };
    const { show } = this.#departure ?? {};
    if (show && show[0] === operation) alter(show[1], show[2]);
    if (has("8 lists one graft of a tree", at.LIST_TREES) && headers["api-level"] === "8")
      alter("*/grafts", (grafts) => (Array.isArray(grafts) ? grafts.slice(0, 1) : grafts));
    if (has("more fields are shown")) result = withMore(result, { _link: "/y", zz9: [1, null] });
    const body: Fields = { ...answer.body, result, meta: this.#meta() };
    if (has("a felled grove is told without meta", at.FELL_GROVE)) delete body.meta;
    if (has("frosts take a text of seconds", at.LIST_FROSTS)) body.meta = { request: "x", seconds: "0.1" };
    if (has("a set tree has a pagination", at.SET_TREE)) body.pagination = { count: 1, next: null };
    const status = has("a felled grove is answered 201", at.FELL_GROVE) ? 201 : answer.status;
    const type = has("a tool is text/html", at.GET_TOOL) ? { "content-type": "text/html" } : {};
    return { ...answer, status, body, headers: { ...answer.headers, ...type } };
  }

  #dispatch(call: Request): Answer {
    const { operation, headers, ids } = call;
    const store = this.#store;
    if (operation === at.LIST_CULTIVARS) return facts.listCultivars(store, call);
    if (operation === at.GET_CULTIVAR) return facts.getCultivar(store, ids);
    if (FREE.has(operation)) return facts.listFrosts(store, call);
    const name = String(headers.estate ?? "");
    const isLoose = store.has("bookings need no estate") && operation === at.LIST_BOOKINGS && name === "";
    demand(isLoose || /^est_[a-z0-9]{1,20}$/.test(name), 400);
    const estate = store.spaces.get(isLoose ? ESTATE : name);
    demand(estate !== undefined, 403);
    if (operation === at.LIST_GROVES) return groves.listGroves(store, call, estate);
    if (operation === at.PLANT_GROVE) return groves.plantGrove(store, call, estate);
    if (operation === at.LIST_TOOLS) return tools.listTools(store, call, estate);
    if (operation === at.BUY_TOOL) return tools.buyTool(store, call, estate);
    return operation.includes("/tools") ? this.#ofTool(call, estate) : this.#ofGrove(call, estate);
  }

  #ofTool(call: Request, estate: Estate): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    const isAny = store.has("tools of other estates are booked") && operation === at.BOOK_TOOL;
    const tool = store.find(estate, "tools", ids[0], () => true, isAny);
    if (operation === at.GET_TOOL) return tools.getTool(store, call, tool);
    if (operation === at.REPLACE_TOOL) return tools.replaceTool(store, call, estate, tool);
    if (operation === at.LOCK_TOOL) return tools.lockTool(store, estate, tool);
    if (operation === at.LIST_BOOKINGS) return tools.listBookings(store, call, estate, tool);
    return tools.bookTool(store, call, estate, tool);
  }

  #ofGrove(call: Request, estate: Estate): Answer {
    const { operation, ids } = call;
    const store = this.#store;
    const has = (name: string, where: string) => store.has(name) && operation === where;
    const isAny = has("groves of other estates are felled", at.FELL_GROVE);
    const isForeign = has("a change from another estate is refused and done", at.CHANGE_GROVE);
    const grove = store.find(estate, "groves", ids[0], () => true, isAny || isForeign);
    if (operation === at.GET_GROVE) return groves.getGrove(store, grove);
    if (operation === at.CHANGE_GROVE) {
      const answer = groves.changeGrove(store, call, estate, grove);
      demand(!isForeign || estate.groves.includes(grove), 404);
      return answer;
    }
    if (operation === at.FELL_GROVE) return groves.fellGrove(store, call, estate, grove);
    if (operation === at.LIST_ROWS) return rows.listRows(store, call, estate, grove);
    if (operation === at.ADD_ROW) return rows.addRow(store, call, estate, grove);
    const isAnyGrove =
      has("a row is read below any grove", at.GET_ROW) ||
      has("trees are set below any grove", at.SET_TREE) ||
      has("a tree is tended below any grove", at.TEND_TREE);
    const row = store.find(estate, "rows", ids[1], ({ within }) => isAnyGrove || within[0] === grove.id);
    if (operation === at.GET_ROW) return { status: 200, body: { result: now(row) } };
    if (operation === at.RELAY_ROW) return rows.relayRow(store, call, estate, row);
    if (operation === at.LIST_TREES) return rows.listTrees(store, call, estate, row);
    if (operation === at.SET_TREE) return rows.setTree(store, call, estate, grove, row);
    const isAnyRow = has("a tree is read below any row", at.GET_TREE);
    const tag = has("a tree is read by the beginning of its tag", at.GET_TREE) ? ids[2]?.slice(0, 9) : ids[2];
    const tree = store.find(
      estate,
      "trees",
      tag,
      ({ within }) => isAnyRow || (within[0] === row.within[0] && within[1] === row.id),
    );
    if (operation === at.GET_TREE) return rows.getTree(store, tree);
    if (operation === at.TEND_TREE) return rows.tendTree(store, call, estate, tree);
    return rows.pullTree(store, estate, tree);
  }
}
