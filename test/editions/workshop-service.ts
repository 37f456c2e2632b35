/** The service of a workshop, with its data in memory. It does not load the file in test/editions/workshop. */

import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { demand, parsed, refusingServer } from "../suites/refusing-server.ts";
import type { Asked, TinyAnswer, TinyServer } from "../suites/tiny-server.ts";

export const TOKEN = "workshop-token-3x9d";

/** The bugs that can be switched on. Each changes one place in the code below. */
export const BUGS = [
  "a part may be named by anything",
  "a page may have three jobs",
  "a change without any field is taken",
  "a made field named as an inherited one is lost",
  "calls of nobody are answered",
  "the plan has no ticket",
  "a change of a billed job opens it again",
  "a job can't be made for the second bench",
  "a job that was changed while it was paused stays paused",
] as const;
export type Bug = (typeof BUGS)[number];

/** If `rejectsRepeats`, a paused job can't be paused, and only a paused one resumed. */
export async function startWorkshop(bug?: Bug, rejectsRepeats = false): Promise<TinyServer> {
  const workshop = new Workshop(bug, rejectsRepeats);
  return refusingServer((asked) => workshop.answer(asked));
}

const isText = (value: unknown, least: number, most: number) =>
  typeof value === "string" && [...value].length >= least && [...value].length <= most;
const isBench = (value: unknown) => value === "b1" || value === "b2";
const isOptionalText = (value: unknown) => value === undefined || isText(value, 1, 20);
const GRADES: unknown[] = [1, 2, "top"];

class Workshop {
  readonly #bug: Bug | undefined;
  readonly #rejectsRepeats: boolean;
  #jobs: JsonObject[] = [];
  readonly #keys = new Map<string, { body: string; job: JsonObject }>();
  #made = 100;
  readonly #changedWhilePaused = new Set<JsonObject>();

  constructor(bug: Bug | undefined, rejectsRepeats: boolean) {
    this.#bug = bug;
    this.#rejectsRepeats = rejectsRepeats;
    for (let n = 0; n < 11; n++)
      this.#add({ title: `job ${n}`, bench: n % 2 ? "b2" : "b1", grade: GRADES[n % 3] });
  }

  answer(asked: Asked): TinyAnswer {
    const { method, path, query, headers } = asked;
    const [, token] = /^bearer +(.*)$/i.exec(headers.authorization ?? "") ?? [];
    demand(token === TOKEN, 401);
    const named = isText(headers["x-client"], 4, 1000);
    demand(named || this.#bug === "calls of nobody are answered");
    const [, first, id, last, ...rest] = path.split("/").map(decodeURIComponent);
    demand(rest.length === 0, 404);
    if (first === "benches" && last === "jobs" && method === "GET")
      return this.#page(this.#jobs.filter(({ bench }) => bench === id).slice(0, 3), null);
    demand(first === "jobs", 404);
    if (id === undefined) return method === "GET" ? this.#list(query) : this.#create(asked);
    const job = this.#jobs.find((each) => String(each.no) === id);
    demand(job !== undefined, 404);
    if (last === "cost" && method === "GET") return one({ euros: 7 });
    if (last === "plan" && method === "GET")
      return this.#bug === "the plan has no ticket" ? { status: 200, body: { result: {} } } : one({});
    if (last === "bill" && method === "POST") return this.#once(asked, (sent) => this.#bill(job, sent));
    if (last === "move" && method === "POST") return this.#once(asked, (sent) => this.#move(job, sent));
    if (last === "pause" && method === "POST") return this.#once(asked, (sent) => this.#pause(job, sent));
    if (last === "resume" && method === "POST") return this.#once(asked, (sent) => this.#resume(job, sent));
    demand(last === undefined, 404);
    if (method === "DELETE") {
      this.#jobs = this.#jobs.filter((each) => each !== job);
      return { status: 204 };
    }
    if (method === "GET") {
      demand(["mm", "inch"].includes(query.get("units") ?? ""));
      return one(job);
    }
    demand(method === "PATCH", 405);
    const sent = parsed(asked);
    const changes = pick(sent, ["title", "constructor"]);
    demand(Object.keys(sent).length > 0 || this.#bug === "a change without any field is taken");
    this.#check(changes);
    if (this.#bug === "a change of a billed job opens it again") changes.state = "open";
    if (job.paused) this.#changedWhilePaused.add(job);
    return one(Object.assign(job, changes));
  }

  #list(query: URLSearchParams): TinyAnswer {
    const [bench, grade, size, from] = ["bench", "grade", "size", "from"].map((name) => query.get(name));
    demand(bench === null || isBench(bench));
    demand(grade === null || GRADES.some((each) => String(each) === grade));
    const sizes = this.#bug === "a page may have three jobs" ? ["2", "3", "4", "8"] : ["2", "4", "8"];
    demand(size === null || sizes.includes(String(size)));
    const jobs = this.#jobs.filter(
      (job) => (bench === null || job.bench === bench) && (grade === null || String(job.grade) === grade),
    );
    const at = from === null ? -1 : jobs.findIndex(({ no }) => String(no) === from);
    demand(from === null || at >= 0);
    const page = jobs.slice(at + 1, at + 1 + Number(size ?? 4));
    const more = at + 1 + page.length < jobs.length;
    return this.#page(page, more ? String(page.at(-1)?.no) : null);
  }

  #page(result: JsonObject[], next: string | null): TinyAnswer {
    return {
      status: 200,
      body: { ticket: randomUUID(), result, pagination: { count: result.length, next } },
    };
  }

  #create(asked: Asked): TinyAnswer {
    return this.#once(asked, (sent) => {
      demand("title" in sent);
      this.#check(sent);
      const fields = ["title", "bench", "constructor", "serial", "grade", "parts", "colours"];
      const lost = this.#bug === "a made field named as an inherited one is lost" ? "constructor" : "";
      const kept = fields.filter((name) => name !== lost);
      return this.#add({ bench: "b1", ...pick(sent, kept) });
    });
  }

  /** Returns the first answer again if the key is known. Calls `make` if it is new. */
  #once(asked: Asked, make: (sent: JsonObject) => JsonObject): TinyAnswer {
    const key = `${asked.path} ${asked.headers.once}`;
    demand(isText(asked.headers.once, 1, 40));
    const sent = parsed(asked);
    const known = this.#keys.get(key);
    if (known) demand(sameJson(JSON.parse(known.body), sent), 409);
    const job = known?.job ?? { ...make(sent) };
    this.#keys.set(key, { body: asked.body, job });
    return one(job);
  }

  #bill(job: JsonObject, { euros }: JsonObject): JsonObject {
    demand(Number.isInteger(euros) && Number(euros) > 0);
    job.state = "billed";
    return { bill: this.#made++, euros };
  }

  #move(job: JsonObject, { bench }: JsonObject): JsonObject {
    demand(isBench(bench));
    return Object.assign(job, { bench });
  }

  #pause(job: JsonObject, sent: JsonObject): JsonObject {
    demand(isOptionalText(sent.reason));
    demand(!(job.paused && this.#rejectsRepeats), 409);
    return Object.assign(job, pick(sent, ["reason"]), { paused: true });
  }

  #resume(job: JsonObject, sent: JsonObject): JsonObject {
    demand(isOptionalText(sent.hurry));
    demand(job.paused === true || !this.#rejectsRepeats, 409);
    const resumed = { ...pick(sent, ["hurry"]), paused: false };
    const isKept = this.#bug === "a job that was changed while it was paused stays paused";
    if (isKept && this.#changedWhilePaused.has(job)) return { ...job, ...resumed };
    return Object.assign(job, resumed);
  }

  #add(fields: JsonObject): JsonObject {
    const job = { no: this.#made++, state: "open", paused: false, ...fields };
    this.#jobs.push(job);
    return job;
  }

  #check(sent: JsonObject): void {
    const has = (name: string) => Object.hasOwn(sent, name);
    if (has("title")) demand(isText(sent.title, 1, 10));
    if (has("bench")) demand(isBench(sent.bench));
    demand(sent.bench !== "b2" || this.#bug !== "a job can't be made for the second bench");
    if (has("constructor")) demand(isText(sent.constructor, 0, 40));
    if (has("serial")) demand(isText(sent.serial, 6, 6) && /^(?=.*\d)[A-Z\d]+$/.test(String(sent.serial)));
    if (has("grade")) demand(GRADES.includes(sent.grade));
    if (has("parts")) this.#checkParts(sent.parts);
    if (has("colours")) {
      demand(Array.isArray(sent.colours) && new Set(sent.colours).size === sent.colours.length);
      demand(sent.colours.every((colour: unknown) => colour === "red" || colour === "blue"));
    }
  }

  #checkParts(parts: unknown): void {
    demand(Array.isArray(parts) && parts.length <= 2);
    for (const part of parts as unknown[]) {
      demand(isObject(part));
      const named = part.name !== undefined && this.#bug === "a part may be named by anything";
      demand(named || isText(part.name, 0, 20));
      demand(part.count === undefined || (Number.isInteger(part.count) && Number(part.count) >= 1));
    }
  }
}

function pick(from: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  );
}

function one(result: JsonObject): TinyAnswer {
  return { status: 200, body: { ticket: randomUUID(), result } };
}
