/**
 * The service of a clinic, with its data in memory. It was written from the sentences in test/editions/clinic
 * alone, and shares no code with the suite. It may be started with one fault or habit of clinic-faults.ts.
 */

import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  canonical,
  check,
  isAddress,
  isDate,
  isInstant,
  isMail,
  isUuid,
  list,
  map,
  one,
  type Rule,
  SWITCH,
  shaped,
  text,
  whole,
} from "./body-rules.ts";
import {
  type Answer,
  answered,
  type Call,
  change,
  type Departure,
  decoded,
  demand,
  type Fields,
  type Item,
  isMap,
  type Json,
  LATE,
  listen,
  now,
  Refused,
  type Served,
  write,
} from "./serving.ts";

export const TOKEN = "clinic-token-3x9d";
export const PRACTICE = "prc.north01";
export const OTHER_PRACTICE = "prc.south02";

export const LIST_PATIENTS = "GET /patients";
export const CREATE_PATIENT = "POST /patients";
export const GET_PATIENT = "GET /patients/{patient}";
export const REPLACE_PATIENT = "PUT /patients/{patient}";
export const LIST_VISITS = "GET /patients/{patient}/visits";
export const CREATE_VISIT = "POST /patients/{patient}/visits";
export const GET_VISIT = "GET /patients/{patient}/visits/{visit}";
export const AMEND_VISIT = "PATCH /patients/{patient}/visits/{visit}";
export const CLOSE_VISIT = "POST /patients/{patient}/visits/{visit}/close";
export const LIST_DOSES = "GET /patients/{patient}/visits/{visit}/doses";
export const CREATE_DOSE = "POST /patients/{patient}/visits/{visit}/doses";
export const GET_DOSE = "GET /patients/{patient}/visits/{visit}/doses/{dose}";
export const LIST_DRUGS = "GET /drugs";
export const GET_DRUG = "GET /drugs/{drug}";
const SPECIES = ["cat", "dog", "hare", "parrot"];
const KINDS = ["checkup", "surgery", "emergency"];
const WEIGHT: Rule = { type: "number", above: 0, below: 500, step: 0.25 };
const OWNER = map(
  {
    name: text(1, 60),
    mail: text(0, 80, { format: isMail }),
    site: { type: "text", nullable: true, format: isAddress },
    phones: list(
      map({ kind: one("home", "work", "mobile"), number: shaped(/^\+[1-9][0-9]{6,13}$/) }, [
        "kind",
        "number",
      ]),
      3,
    ),
    address: map(
      { street: text(1, 60), zip: shaped(/^[0-9]{5}$/), floor: whole(-2, 80) },
      ["street", "zip"],
      {
        closed: true,
      },
    ),
  },
  ["name"],
);
const VACCINATIONS = list(
  map(
    {
      vaccine: text(2, 30),
      on: { type: "text", format: isDate },
      batch: map({ lot: shaped(/^L-[A-Z0-9]{4}$/), dose: whole(1, 5) }, ["lot"]),
    },
    ["vaccine", "on"],
  ),
  4,
);
const HABITAT: Rule = {
  type: "choice",
  by: "kind",
  branches: {
    indoor: map({ rooms: whole(1, 40) }, ["rooms"]),
    outdoor: map({ area: { type: "number", above: 0 }, fenced: SWITCH }, ["area"]),
    stray: map({}, []),
  },
};
const NOTES: Rule = { type: "map", most: 5, names: /^[a-z_]{1,20}$/, of: text(0, 60) };
const REPLACEMENT = {
  name: text(1, 40),
  species: one(...SPECIES),
  weight: WEIGHT,
  insured: SWITCH,
  owner: OWNER,
  vaccinations: VACCINATIONS,
  habitat: HABITAT,
  notes: NOTES,
};
const AMENDMENT = {
  reason: text(3, 80),
  planned: { type: "text", format: isInstant } satisfies Rule as Rule,
  fee: map(
    {
      amount: whole(0, 1_000_000),
      currency: one("EUR", "CHF", "GBP"),
      discount: { type: "number", nullable: true, least: 0, below: 1 },
    },
    ["amount", "currency"],
  ),
  vet: text(0, 60, { format: isMail, nullable: true }),
  flags: { type: "map", most: 6, names: /^[a-z]{2,12}$/, of: SWITCH } satisfies Rule as Rule,
  steps: list(
    map(
      {
        no: whole(1, 50),
        text: text(1, 50),
        parts: list(
          map(
            {
              code: shaped(/^[A-Z][0-9]{2}$/),
              share: { type: "number", least: 0, most: 1, step: 0.125 },
            },
            ["code", "share"],
          ),
          3,
        ),
      },
      ["no", "text"],
    ),
    4,
    { least: 1 },
  ),
  fasting: SWITCH,
};
const needing = ["name", "species", "owner"];
const BODIES: Record<string, Rule> = {
  [CREATE_PATIENT]: map(
    {
      ...REPLACEMENT,
      chip: shaped(/^[A-Z]{2}[0-9]{9}$/, { nullable: true }),
      file: { type: "text", format: isUuid, nullable: true },
      born: { type: "text", format: isDate },
      allergies: list(text(2, 30), 5, { distinct: true }),
      limits: { type: "map", of: whole(0, 99) },
    },
    needing,
  ),
  [REPLACE_PATIENT]: map(REPLACEMENT, needing),
  [CREATE_VISIT]: map({ ...AMENDMENT, kind: one(...KINDS) }, ["reason", "kind", "planned"]),
  [AMEND_VISIT]: map(AMENDMENT, []),
  [CLOSE_VISIT]: map(
    { outcome: one("healed", "referred", "given-up"), remark: text(0, 50, { nullable: true }) },
    ["outcome"],
  ),
  [CREATE_DOSE]: map(
    {
      drug: { type: "text" },
      amount: { type: "number", above: 0, most: 100, step: 0.5 },
      label: text(4, 16),
      every: {
        type: "choice",
        by: "unit",
        branches: {
          hours: map({ n: whole(1, 24) }, ["n"]),
          days: map(
            {
              n: whole(1, 30),
              weekdays: list(one("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 7, { distinct: true }),
            },
            ["n"],
          ),
        },
      },
      hints: { type: "map", most: 3, of: text(0, 30, { nullable: true }) },
    },
    ["drug", "amount", "every"],
  ),
};
// ---- The service ----

interface Known {
  body: string;
  item: Item;
  first: Fields;
}

interface Practice {
  name: string;
  patients: Item[];
  visits: Item[];
  doses: Item[];
  keys: Map<string, Known>;
  chips: Map<string, string>;
}

const DRUGS: Fields[] = [
  ["AMX", "Amoxivet", "antibiotic", true, [50, 250], "https://amoxi.example/vet"],
  ["DOX", "Doxyvet", "antibiotic", true, [20.5], ""],
  ["MEL", "Melopaw", "painkiller", true, [0.5, 1.5, 5], "https://paws.example/Melo?lang=en"],
  ["FLE", "Fleastop", "parasite", false, [1], ""],
  ["WRM", "Wormaway", "parasite", false, [12.5, 100], "https://paws.example/"],
].map(([code, name, group, prescription, strengths, site], n) => ({
  ...{ id: `drug-${n + 1}7`, code, name, group, prescription, strengths },
  maker: { name: `Maker ${n % 2}`, ...(site === "" ? {} : { site }) },
})) as Fields[];

export async function startClinic(departure?: Departure): Promise<Served> {
  return listen(new Service(departure));
}

class Service {
  asked = 0;
  readonly #departure: Departure | undefined;
  readonly #practices = new Map<string, Practice>();
  readonly #marks = new Map<string, { of: string; from: number }>();
  #doses = 4000;
  #created = 0;
  /** The first state of each resource, by its id. */
  readonly #firstOf = new Map<string, Fields>();

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    for (const name of [PRACTICE, OTHER_PRACTICE]) {
      const practice: Practice = {
        ...{ name, patients: [], visits: [], doses: [] },
        ...{ keys: new Map<string, Known>(), chips: new Map<string, string>() },
      };
      this.#practices.set(name, practice);
      for (let n = 0; n < 11; n++) {
        const patient = this.#add(practice, "patients", [], {
          id: `pt-${name.slice(4, 6)}${randomBytes(5).toString("hex")}`,
          name: `Patient ${n}`,
          species: SPECIES[n % 3] ?? "cat",
          insured: n % 4 !== 1,
          chip: n % 2 ? null : `${name.slice(4, 6).toUpperCase()}${String(100000000 + n * 7)}`,
          owner: { name: `Owner ${n % 3}`, phones: [{ kind: "home", number: `+4930100${n}00` }] },
          weight: 3.25 + n,
          registered: new Date(Date.now() - 86_400_000 + n).toISOString(),
        });
        if (n < 2)
          for (let m = 0; m < 7; m++)
            this.#add(practice, "visits", [patient.id], {
              id: randomUUID(),
              patient: patient.id,
              state: "open",
              reason: `Reason ${m}`,
              kind: KINDS[m % 3] ?? "checkup",
              planned: "2027-01-02T10:00:00Z",
              fee: { amount: 100 * m, currency: "EUR" },
              fasting: true,
              opened: new Date(Date.now() - 80_000_000 + m).toISOString(),
            });
      }
      for (const each of [...practice.patients, ...practice.visits])
        for (const state of each.past) state.at = 0;
    }
  }

  #has(...names: string[]): boolean {
    return this.#departure !== undefined && names.includes(this.#departure.name);
  }

  async serve(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    this.asked++;
    const answer = answered(
      () => this.#answer(request, body),
      (status) => this.#refusal(status),
    );
    const chunked = this.#has("answers are chunked");
    await write(answer, response, { chunked, wide: this.#has("numbers are written as 12.0") });
  }

  #refusal(status: number): Answer {
    if (this.#has("rejections are text")) return { status, text: "No." };
    if (this.#has("rejections are empty")) return { status, headers: { "content-length": "0" } };
    if (this.#has("all rejections are 400") && status !== 401) return { status: 400, body: { error: 400 } };
    if (this.#has("rejections are 403 and 410") && status === 404) return { status: 410, body: {} };
    if (this.#has("rejections are 403 and 410") && status === 401) return { status: 403, body: {} };
    return { status, body: { error: status } };
  }

  #answer(request: IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url ?? "/", "http://clinic.invalid");
    const segments = url.pathname.split("/").slice(1);
    if (segments.at(-1) === "" && this.#has("a slash at the end is ignored")) segments.pop();
    const [first, a, second, b, third, c, ...more] = segments;
    demand(more.length === 0 && segments.every((each) => each !== ""), 404);
    const path = [
      first,
      a === undefined ? undefined : first === "drugs" ? "{drug}" : "{patient}",
      second,
      b === undefined ? undefined : "{visit}",
      third,
      c === undefined ? undefined : "{dose}",
    ];
    const operation = `${request.method} /${path.filter((each) => each !== undefined).join("/")}`;
    const ids = [a, b, c].filter((each) => each !== undefined).map(decoded);
    const call: Call = { operation, query: url.searchParams, headers: request.headers, body, ids };
    const known = [LIST_DRUGS, GET_DRUG, ...Object.keys(BODIES), LIST_PATIENTS, GET_PATIENT, LIST_VISITS];
    demand([...known, GET_VISIT, LIST_DOSES, GET_DOSE].includes(operation), 404);
    this.#authenticate(call);
    if (this.#has("every 150th call has to wait") && this.asked % 150 === 0)
      return { status: 429, body: { error: 429 }, headers: { "retry-after": "1" } };
    const release = call.headers["clinic-release"];
    const isNewest = operation.includes("/doses");
    const releases = isNewest ? ["autumn-25"] : ["spring-24", "autumn-25"];
    const isLaxRelease = this.#has("any release is taken for a close") && operation === CLOSE_VISIT;
    demand(isLaxRelease || (release === undefined ? !isNewest : releases.includes(String(release))), 400);
    demand(
      !(
        this.#has("spring-24 is refused when amending") &&
        operation === AMEND_VISIT &&
        release === "spring-24"
      ),
      400,
    );
    if (this.#has("a visit of autumn-25 lacks its fee") && operation === GET_VISIT && release === "autumn-25")
      return this.#finished(
        call,
        this.#dispatch(call),
        (shown) => change(shown, ["fee"], () => undefined) ?? null,
      );
    if (
      this.#has("a weight is text in lists of autumn-25") &&
      operation === LIST_PATIENTS &&
      release === "autumn-25"
    )
      return this.#finished(
        call,
        this.#dispatch(call),
        (shown) => change(shown, ["*", "weight"], String) ?? null,
      );
    if (this.#has("autumn-25 lists no closed visits") && operation === LIST_VISITS && release === "autumn-25")
      return this.#finished(call, this.#dispatch({ ...call, query: withState(call.query) }));
    return this.#finished(call, this.#dispatch(call));
  }

  #authenticate({ operation, headers }: Call): void {
    const header = headers.authorization ?? "";
    const [, scheme = "", token = ""] = /^(\S+) +(.*)$/.exec(header) ?? [];
    if (this.#has("a visit is closed without a token") && operation === CLOSE_VISIT && header === "") return;
    if (this.#has("drugs are shown to any token") && operation === GET_DRUG && token !== "") return;
    if (
      this.#has("a token may be cut short for doses") &&
      operation === GET_DOSE &&
      TOKEN.startsWith(token) &&
      token
    )
      return;
    const isFolded = this.#has("tokens of patients have any casing") && operation === REPLACE_PATIENT;
    if (this.#has("basic credentials list doses") && operation === LIST_DOSES && scheme === "Basic") return;
    demand(scheme.toLowerCase() === "bearer" && (isFolded ? token.toLowerCase() : token) === TOKEN, 401);
  }

  /** Adds the envelope to an answer, and applies the faults and habits that alter answers. */
  #finished({ operation }: Call, answer: Answer, then?: (shown: Json) => Json): Answer {
    let body = answer.body;
    if (isMap(body) && answer.status === 200) {
      const shows = this.#departure?.show;
      let result = body.result ?? null;
      if (then) result = then(result);
      if (shows && (shows[0] === operation || shows[0] === "*"))
        result = change(result, shows[1].split("/"), shows[2]) ?? null;
      if (this.#has("more fields are shown")) result = change(result, [], withMore) ?? null;
      body = { ...body, result, trace: randomUUID() };
      if (this.#has("a dose has a pagination") && operation === GET_DOSE)
        body.pagination = { count: 1, next: null };
      if (this.#has("a list of doses has no trace") && operation === LIST_DOSES) delete body.trace;
      if (this.#has("drugs have a count of text") && operation === LIST_DRUGS)
        body.pagination = { count: String(DRUGS.length), next: null, total: DRUGS.length };
      if (this.#has("a closed visit is in data") && operation === CLOSE_VISIT)
        body = { data: result, trace: randomUUID() };
    }
    const status = this.#has("a new dose is answered 201") && operation === CREATE_DOSE ? 201 : answer.status;
    const headers =
      this.#has("a visit is text/html") && operation === GET_VISIT ? { "content-type": "text/html" } : {};
    return {
      ...answer,
      status,
      ...(body === undefined ? {} : { body }),
      headers: { ...answer.headers, ...headers },
    };
  }

  #dispatch(call: Call): Answer {
    const { operation, ids, headers } = call;
    if (operation === LIST_DRUGS) return this.#listDrugs(call);
    if (operation === GET_DRUG) {
      const drug = DRUGS.find(({ id, code }) => ids[0] === id || ids[0] === code);
      const begins = this.#has("a drug is read by the beginning of its code")
        ? DRUGS.find(
            ({ code }) => ids[0] !== undefined && ids[0] !== "" && String(ids[0]).startsWith(String(code)),
          )
        : undefined;
      const found = drug ?? begins;
      demand(found !== undefined, 404);
      return result(found);
    }
    const name = String(headers.practice ?? "");
    const loose = this.#has("any practice name will do for a dose") && operation === GET_DOSE;
    demand(/^prc\.[a-z]{3,8}[0-9]{2}$/.test(name) || loose, 400);
    const practice = this.#practices.get(name) ?? (loose ? this.#practices.get(PRACTICE) : undefined);
    demand(practice !== undefined, 403);
    if (operation === LIST_PATIENTS) return this.#listPatients(call, practice);
    if (operation === CREATE_PATIENT) return this.#createPatient(call, practice);
    const patient = this.#patient(call, practice);
    if (operation === GET_PATIENT) return this.#showPatient(call, patient);
    if (operation === REPLACE_PATIENT) return this.#replacePatient(call, practice, patient);
    if (operation === LIST_VISITS) return this.#listVisits(call, practice, patient);
    if (operation === CREATE_VISIT) return this.#createVisit(call, practice, patient);
    const visit = this.#visit(call, practice, patient);
    if (operation === GET_VISIT) return this.#showVisit(visit);
    if (operation === AMEND_VISIT) return this.#amendVisit(call, practice, visit);
    if (operation === CLOSE_VISIT) return this.#closeVisit(call, practice, visit);
    if (operation === LIST_DOSES) return this.#listDoses(call, practice, visit);
    if (operation === CREATE_DOSE) return this.#createDose(call, practice, patient, visit);
    const anyVisit = this.#has("a dose is read with any visit");
    const dose = practice.doses.find(
      (each) => each.id === ids[2] && (anyVisit || each.within.at(-1) === visit.id),
    );
    demand(dose !== undefined, 404);
    return result(now(dose));
  }

  // ---- Finding resources ----

  #patient({ operation, ids }: Call, practice: Practice): Item {
    const [id] = ids;
    const others = [...this.#practices.values()].flatMap(({ patients }) => patients);
    const isRead = operation === GET_PATIENT;
    const found =
      practice.patients.find((each) => each.id === id) ??
      (isRead ? practice.patients.find((each) => now(each).chip === id) : undefined);
    if (found) return found;
    const unbound =
      (this.#has("a patient of another practice is read by its chip") && isRead
        ? others.find((each) => now(each).chip === id)
        : undefined) ??
      (this.#has("a patient of another practice is replaced") && operation === REPLACE_PATIENT
        ? others.find((each) => each.id === id)
        : undefined) ??
      (this.#has("a visit is made for a patient that is not there") && operation === CREATE_VISIT
        ? practice.patients[0]
        : undefined);
    demand(unbound !== undefined, 404);
    return unbound;
  }

  #visit({ operation, ids }: Call, practice: Practice, patient: Item): Item {
    const free =
      (this.#has("a visit is read with any patient") && operation === GET_VISIT) ||
      (this.#has("a visit is closed with any patient") && operation === CLOSE_VISIT) ||
      (this.#has("doses are listed with any patient") && operation === LIST_DOSES) ||
      (this.#has("a dose is read with any patient") && operation === GET_DOSE) ||
      (this.#has("a visit is amended with any patient") && operation === AMEND_VISIT) ||
      (this.#has("a dose is given with any patient") && operation === CREATE_DOSE);
    const pool =
      this.#has("visits of all practices are amended") && operation === AMEND_VISIT
        ? [...this.#practices.values()].flatMap(({ visits }) => visits)
        : practice.visits;
    const own = pool.find(
      (each) =>
        each.id === ids[1]?.toLowerCase() &&
        (free || each.within[0] === patient.id || pool !== practice.visits),
    );
    demand(own !== undefined, 404);
    return own;
  }

  #add(practice: Practice, kind: "patients" | "visits" | "doses", within: string[], fields: Fields): Item {
    const item: Item = { id: String(fields.id), within, past: [{ at: Date.now(), fields }] };
    practice[kind].push(item);
    this.#firstOf.set(item.id, fields);
    return item;
  }

  #set(item: Item, fields: Fields): Fields {
    item.past.push({ at: Date.now(), fields });
    return fields;
  }

  /** Returns the items that a list shows. With the habit "lists are late", returns their earlier states. */
  #seen(items: Item[]): Item[] {
    if (!this.#has("lists are late")) return items;
    return items.flatMap((item) => {
      const past = item.past.filter(({ at }) => at <= Date.now() - LATE);
      return past.length > 0 ? [{ ...item, past }] : [];
    });
  }

  #sent({ operation, headers, body }: Call): Fields {
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    const isLax = this.#has("an amendment may be plain text") && operation === AMEND_VISIT;
    demand(isLax || type.trim().toLowerCase() === "application/json", 415);
    let sent: Json;
    try {
      sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
    } catch {
      throw new Refused(400);
    }
    if (this.#has("a list is an amendment") && operation === AMEND_VISIT && Array.isArray(sent)) sent = {};
    demand(isMap(sent), 400);
    if (
      this.#has("numbers as text are taken for weights") &&
      typeof sent.weight === "string" &&
      sent.weight.trim()
    )
      sent.weight = Number(sent.weight);
    this.#check(operation, sent);
    const rule = BODIES[operation];
    const known = Object.entries(sent).filter(([name]) => Object.hasOwn(rule?.fields ?? {}, name));
    const stores = this.#departure?.store;
    const kept = Object.fromEntries(known);
    if (!stores || stores[0] !== operation) return kept;
    return (change(kept, stores[1].split("/"), stores[2]) ?? {}) as Fields;
  }

  #check(operation: string, sent: Fields): void {
    const rule = BODIES[operation];
    const lax = this.#departure?.lax;
    if (rule)
      check(rule, sent, "", (path, keyword) => {
        demand(lax?.[0] === operation && lax[1] === path && lax[2] === keyword);
      });
  }

  /** Returns the resource that an earlier request with the same key created. Creates it if the key is new. */
  #once(call: Call, practice: Practice, make: (sent: Fields) => Item): Answer {
    const key = String(call.headers["x-once"] ?? "");
    const isLong = this.#has("keys of any length make doses") && call.operation === CREATE_DOSE;
    const isShort = this.#has("short keys make patients") && call.operation === CREATE_PATIENT;
    demand(/^[A-Za-z0-9-]+$/.test(key) && (key.length >= 8 || isShort) && (key.length <= 40 || isLong), 400);
    const [, ...parents] = call.ids;
    const folded = this.#has("the casing of keys is ignored") ? key.toLowerCase() : key;
    const cut = this.#has("keys are cut at 16 characters") ? folded.slice(0, 16) : folded;
    const scoped = `${call.operation} ${call.ids[0]} ${parents.join(" ")} ${cut}`;
    const keys = this.#has("keys are shared by practices") ? this.#shared : practice.keys;
    const known = keys.get(scoped);
    const forgets =
      (this.#has("a key of doses is not kept") && call.operation === CREATE_DOSE) ||
      (this.#has("a key is known until the next one") && [...keys.keys()].at(-1) !== scoped);
    if (known && !forgets) {
      const sent = this.#sent(call);
      const isOther = canonical(sent) !== known.body;
      demand(!isOther || (this.#has("a key takes another body") && call.operation === CREATE_PATIENT), 409);
      if (this.#has("a replay brings back the first state")) this.#set(known.item, known.first);
      if (this.#has("a replay is listed once more")) practice.patients.push(known.item);
      return result(now(known.item));
    }
    const sent = this.#sent(call);
    const item = make(sent);
    keys.set(scoped, { body: canonical(sent), item, first: now(item) });
    return result(now(item));
  }

  readonly #shared = new Map<string, Known>();

  #quota(): void {
    this.#created++;
    demand(!this.#has("thirty resources are allowed") || this.#created <= 30, 403);
  }

  // ---- Patients ----

  #createPatient(call: Call, practice: Practice): Answer {
    return this.#once(call, practice, (sent) => {
      const chip = typeof sent.chip === "string" ? sent.chip : undefined;
      const others = this.#has("a chip is taken in all practices")
        ? [...this.#practices.values()]
        : [practice];
      if (chip !== undefined) {
        const all = others.flatMap(({ patients }) => patients);
        const isTaken = all.some((each) => now(each).chip === chip) && !this.#has("a chip may be used twice");
        demand(
          !isTaken || (this.#has("a chip may be used again in lower order") && all.length % 2 === 0),
          409,
        );
        demand(!practice.chips.has(chip), 409);
      }
      this.#quota();
      const insured = !this.#has("patients are not insured by default");
      const patient = this.#add(practice, "patients", [], {
        id: this.#patientId(),
        insured,
        ...sent,
        registered: new Date().toISOString(),
      });
      const before = practice.patients.at(-2);
      if (this.#has("a new patient takes over the notes of the one before") && before && now(before).notes)
        this.#set(before, { ...now(before), notes: {} });
      return patient;
    });
  }

  #patientId(): string {
    if (this.#has("ids are numbers in text")) return String(700_000 + ++this.#doses);
    if (this.#has("ids are long")) return `P.${randomBytes(10).toString("hex")}~`;
    return `pt-${randomBytes(6).toString("hex")}`;
  }

  #showPatient({ ids }: Call, patient: Item): Answer {
    const isByChip = ids[0] !== patient.id;
    if (isByChip && this.#has("a patient read by its chip is as it was at first"))
      return result(this.#firstOf.get(patient.id) ?? {});
    if (this.#has("reading a patient drops its last note") && now(patient).notes) {
      const entries = Object.entries(now(patient).notes as Fields);
      const shown = now(patient);
      this.#set(patient, { ...shown, notes: Object.fromEntries(entries.slice(0, -1)) });
      return result(shown);
    }
    return result(now(patient));
  }

  #replacePatient(call: Call, practice: Practice, patient: Item): Answer {
    const old = now(patient);
    let sent: Fields;
    try {
      sent = this.#sent(call);
    } catch (error) {
      if (this.#has("a rejected replacement drops the notes") && old.notes) {
        const { notes: _, ...rest } = old;
        this.#set(patient, rest);
      }
      throw error;
    }
    const kept: Fields = {};
    for (const name of ["id", "chip", "file", "born", "allergies", "limits", "registered"])
      if (old[name] !== undefined) kept[name] = old[name];
    if (this.#has("a replacement frees the chip")) delete kept.chip;
    if (this.#has("a replacement loses the birthday")) delete kept.born;
    if (this.#has("a replacement loses what the body does not take"))
      for (const name of ["allergies", "limits"]) delete kept[name];
    if (this.#has("a replacement registers anew"))
      kept.registered = new Date(Date.now() + 1000).toISOString();
    if (this.#has("a replacement keeps what is not sent"))
      for (const [name, value] of Object.entries(old)) kept[name] ??= value;
    const replaced: Fields = { ...kept, insured: true, ...sent };
    const stored: Fields = { ...replaced };
    if (this.#has("a replaced habitat is not stored")) {
      delete stored.habitat;
      if (old.habitat !== undefined) stored.habitat = old.habitat;
    }
    if (this.#has("phones of a replacement are added to the old ones")) {
      const phones = ({ owner }: Fields) => (isMap(owner) && Array.isArray(owner.phones) ? owner.phones : []);
      const all = [...phones(old), ...phones(replaced)].slice(0, 3);
      if (all.length > 0 && isMap(stored.owner)) stored.owner = { ...stored.owner, phones: all };
    }
    if (this.#has("a second replacement keeps the name of the first") && patient.past.length > 1)
      stored.name = old.name ?? "";
    this.#set(patient, stored);
    if (this.#has("a replacement is stored for the patient before too")) {
      const before = practice.patients[practice.patients.indexOf(patient) - 1];
      if (before) this.#set(before, { ...now(before), weight: 1.25 });
    }
    return result(replaced);
  }

  #listPatients(call: Call, practice: Practice): Answer {
    const { query } = call;
    const per = this.#size(
      query,
      "per",
      1,
      30,
      this.#has("a page has nine patients by default") ? 9 : 8,
      call,
    );
    const species = this.#one(query, "species");
    const insured = this.#one(query, "insured");
    const ownerName = this.#one(query, "owner_name");
    demand(species === null || SPECIES.includes(species) || this.#has("any species may be asked for"), 400);
    demand(insured === null || insured === "true" || insured === "false", 400);
    demand(ownerName === null || (ownerName.length >= 1 && [...ownerName].length <= 60), 400);
    const everyone =
      this.#has("patients of all practices are listed under a species") && species !== null
        ? [...this.#practices.values()].flatMap(({ patients }) => patients)
        : practice.patients;
    let found = this.#seen(everyone);
    if (this.#has("patients are sorted by name"))
      found = [...found].sort((a, b) => (String(now(a).name) + a.id < String(now(b).name) + b.id ? -1 : 1));
    if (this.#has("the newest come first")) found = [...found].reverse();
    found = found.filter((each) => {
      const shown = now(each);
      const filed = this.#has("the species of a replaced patient is not filed")
        ? this.#firstOf.get(each.id)
        : shown;
      const owner = isMap(shown.owner) ? String(shown.owner.name) : "";
      const isOwned = this.#has("owners are found by a part of the name")
        ? owner.includes(ownerName ?? "")
        : owner === ownerName;
      const isFree = this.#has("a species is ignored beside insured") && insured !== null;
      return (
        (species === null || filed?.species === species || isFree) &&
        (insured === null ||
          shown.insured === (insured === "true") ||
          (this.#has("insured=false is ignored") && insured === "false")) &&
        (ownerName === null || isOwned)
      );
    });
    if (this.#has("a filter by insured finds all but the last") && insured === "true")
      found = found.slice(0, -1);
    const [from, until] = [this.#one(query, "from"), this.#one(query, "until")];
    demand((from ?? "").length <= 24 && (until ?? "").length <= 24, 400);
    let rest = found;
    let isBefore = false;
    const beforeWins = this.#has("until wins over from") && until !== null;
    if (from !== null && !beforeWins) {
      const at = found.findIndex(({ id }) => id === from);
      demand(at >= 0, 400);
      rest = found.slice(this.#has("a page from a patient begins with it") ? at : at + 1);
      if (this.#has("every page after the first leaves out a patient") && at % per === per - 1)
        rest = rest.slice(1);
    } else if (until !== null) {
      const at = found.findIndex(({ id }) => id === until);
      demand(at >= 0, 400);
      isBefore = true;
      rest = found.slice(0, this.#has("a page until a patient ends with it") ? at + 1 : at).slice(-per);
    }
    const page = rest.slice(0, per);
    const isLast = this.#has("the last page names a next one") ? page.length === 0 : rest.length <= per;
    const more = this.#has("an empty page ends a list") ? page.length === per : !isLast;
    const total = this.#has("the total is that of the page") ? page.length : found.length;
    return {
      status: 200,
      body: {
        result: page.map(now),
        pagination: {
          count: this.#has("the count of patients is the total") ? found.length : page.length,
          next: more && !isBefore ? (page.at(-1)?.id ?? null) : null,
          total: this.#has("the total of the second practice is counted in") ? total + 1 : total,
        },
      },
    };
  }

  // ---- Visits ----

  #createVisit(call: Call, practice: Practice, patient: Item): Answer {
    const sent = this.#sent(call);
    this.#quota();
    const fasting = !this.#has("visits are not fasting by default");
    const visit = this.#add(practice, "visits", [patient.id], {
      id: randomUUID(),
      patient: patient.id,
      state: "open",
      fasting,
      ...sent,
      opened: new Date().toISOString(),
    });
    if (this.#has("a visit resets the insurance of the patient"))
      this.#set(patient, { ...now(patient), insured: true });
    if (this.#has("a visit empties the notes of the patient") && now(patient).notes)
      this.#set(patient, { ...now(patient), notes: {} });
    if (this.#has("a third visit replaces the first")) {
      const own = practice.visits.filter(({ within }) => within[0] === patient.id);
      if (own.length === 3) practice.visits = practice.visits.filter((each) => each !== own[0]);
    }
    return result(now(visit));
  }

  #showVisit(visit: Item): Answer {
    if (this.#has("a visit is read as it was one amendment ago"))
      return result((visit.past.at(-2) ?? visit.past.at(-1))?.fields ?? {});
    return result(now(visit));
  }

  #amendVisit(call: Call, practice: Practice, visit: Item): Answer {
    const old = now(visit);
    let sent: Fields;
    try {
      sent = this.#sent(call);
    } catch (error) {
      if (this.#has("a rejected amendment stores its valid part")) this.#storeValid(call, visit);
      throw error;
    }
    demand(!(this.#has("an empty amendment is refused") && Object.keys(sent).length === 0));
    demand(!(this.#has("null for the vet is refused") && sent.vet === null));
    const amended: Fields = { ...old, ...sent };
    if (this.#has("an amendment resets fasting") && sent.fasting === undefined) amended.fasting = true;
    if (this.#has("an amendment drops the vet") && sent.vet === undefined) delete amended.vet;
    if (this.#has("an amendment drops the steps") && sent.steps === undefined) delete amended.steps;
    if (this.#has("an amendment opens a closed visit")) amended.state = "open";
    if (
      this.#has("an amendment drops the discount of the fee") &&
      sent.fee === undefined &&
      isMap(amended.fee)
    ) {
      const { discount: _, ...rest } = amended.fee;
      amended.fee = rest;
    }
    if (this.#has("a second amendment undoes the first") && visit.past.length === 2) {
      const [first] = visit.past;
      return result(this.#set(visit, { ...old, ...(first?.fields ?? {}), ...sent }));
    }
    this.#set(
      visit,
      this.#has("an amended flag is not stored")
        ? { ...amended, ...(old.flags === undefined ? {} : { flags: old.flags }) }
        : amended,
    );
    if (this.#has("an amendment is stored for all visits of the patient"))
      for (const each of practice.visits)
        if (each !== visit && each.within[0] === visit.within[0]) this.#set(each, { ...now(each), ...sent });
    if (this.#has("an amendment opens the visit anew"))
      this.#set(visit, { ...amended, opened: new Date().toISOString() });
    return result(amended);
  }

  #storeValid({ operation, body }: Call, visit: Item): void {
    try {
      const sent = JSON.parse(body.toString("utf8")) as Json;
      if (!isMap(sent)) return;
      for (const [name, value] of Object.entries(sent)) {
        const rule = BODIES[operation]?.fields?.[name];
        let isValid = rule !== undefined;
        if (rule) check(rule, value, name, () => (isValid = false));
        if (isValid) this.#set(visit, { ...now(visit), [name]: value });
      }
    } catch {
      // The body is not JSON, so there is nothing to store.
    }
  }

  #closeVisit(call: Call, practice: Practice, visit: Item): Answer {
    demand(!(this.#has("a closed visit is not closed again") && now(visit).state === "closed"), 409);
    const sent = this.#sent(call);
    const closed: Fields = { ...now(visit), ...sent, state: "closed" };
    if (this.#has("a closed visit is still open")) closed.state = "open";
    if (this.#has("closing drops the fee")) delete closed.fee;
    if (this.#has("closing takes the vet off")) closed.vet = null;
    if (this.#has("closing ends the fast and empties the flags")) {
      closed.fasting = false;
      closed.flags = {};
    }
    if (this.#has("closing cuts the reason")) closed.reason = String(closed.reason).slice(0, 3);
    if (this.#has("closing closes all visits of the patient"))
      for (const each of practice.visits)
        if (each.within[0] === visit.within[0]) this.#set(each, { ...now(each), state: "closed" });
    if (this.#has("a closing is not stored")) return result(closed);
    if (this.#has("closing makes another visit")) {
      const copy = { ...closed, id: randomUUID() };
      this.#add(practice, "visits", visit.within, copy);
      return result(copy);
    }
    return result(this.#set(visit, closed));
  }

  #listVisits(call: Call, practice: Practice, patient: Item): Answer {
    const { query } = call;
    const size = this.#size(query, "size", 2, 12, 5, call);
    const kind = this.#one(query, "kind");
    const state = this.#one(query, "state");
    demand(kind === null || KINDS.includes(kind), 400);
    demand(state === null || state === "open" || state === "closed", 400);
    const isOfAll = this.#has("a patient lists the visits of all");
    let found = this.#seen(practice.visits).filter(({ within }) => isOfAll || within[0] === patient.id);
    if (this.#has("a closed visit is not listed"))
      found = found.filter((each) => now(each).state !== "closed");
    if (this.#has("a patient with one visit lists none") && found.length === 1) found = [];
    const isLost = this.#has("a replaced patient loses its first visit") && patient.past.length > 1;
    if (isLost) found = found.slice(1);
    if (!this.#has("visits are sorted differently")) found = [...found].reverse();
    found = found.filter(
      (each) =>
        (kind === null || now(each).kind === kind) &&
        (state === null || now(each).state === state || this.#has("the state is no filter of visits")),
    );
    return this.#page(call, found, `visits ${practice.name} ${patient.id} ${kind} ${state}`, size, "visits");
  }

  // ---- Doses ----

  #createDose(call: Call, practice: Practice, patient: Item, visit: Item): Answer {
    return this.#once(call, practice, (sent) => {
      demand(DRUGS.some(({ code }) => code === sent.drug));
      if (typeof sent.label === "string") {
        const isTaken = practice.doses.some(
          (each) =>
            now(each).label === sent.label &&
            !(this.#has("a label is unique for its visit alone") && each.within.at(-1) !== visit.id) &&
            !(
              this.#has("a label is free after three others") &&
              practice.doses.indexOf(each) < practice.doses.length - 3
            ),
        );
        demand(!isTaken, 409);
      }
      this.#quota();
      const dose = this.#add(practice, "doses", [patient.id, visit.id], {
        id: ++this.#doses,
        visit: visit.id,
        ...sent,
        given: new Date().toISOString(),
      });
      if (this.#has("a dose changes the fee of its visit"))
        this.#set(visit, { ...now(visit), fee: { amount: 1, currency: "EUR" } });
      if (this.#has("a dose closes its visit")) this.#set(visit, { ...now(visit), state: "closed" });
      const [before] = practice.doses.filter(({ within }) => within.at(-1) === visit.id).slice(-2);
      if (this.#has("a dose takes the amount of the one before") && before && before !== dose)
        this.#set(dose, { ...now(dose), amount: now(before).amount ?? 1 });
      if (this.#has("a dose halves the one before") && before && before !== dose)
        this.#set(before, { ...now(before), amount: 0.5 });
      return dose;
    });
  }

  #listDoses(call: Call, practice: Practice, visit: Item): Answer {
    const size = this.#size(call.query, "size", 1, 20, 4, call);
    const found = this.#seen(practice.doses).filter(
      ({ within }) =>
        within.at(-1) === visit.id ||
        (this.#has("a visit lists the doses of all visits of the patient") && within[0] === visit.within[0]),
    );
    const shown = this.#has("the newest dose is not listed") ? found.slice(0, -1) : found;
    return this.#page(call, shown, `doses ${practice.name} ${visit.id}`, size, "doses");
  }

  #listDrugs({ query }: Call): Answer {
    const group = this.#one(query, "group");
    const prescription = this.#one(query, "prescription");
    demand(prescription === null || prescription === "true" || prescription === "false", 400);
    const found = DRUGS.filter(
      (drug) =>
        (group === null ||
          drug.group === group ||
          (this.#has("a group of drugs has others too") && drug.code === "WRM")) &&
        (prescription === null || drug.prescription === (prescription === "true")),
    );
    return {
      status: 200,
      body: { result: found, pagination: { count: found.length, next: null, total: found.length } },
    };
  }

  // ---- Pages ----

  #one(query: URLSearchParams, name: string): string | null {
    return (
      (this.#has("the last of repeated parameters wins") ? query.getAll(name).at(-1) : query.get(name)) ??
      null
    );
  }

  #size(
    query: URLSearchParams,
    name: string,
    least: number,
    most: number,
    plain: number,
    { operation }: Call,
  ): number {
    const asked = this.#one(query, name);
    if (asked === null) return plain;
    if (this.#has("a page of visits is as large as is asked for") && operation === LIST_VISITS)
      return Number(asked) || plain;
    if (this.#has("a page of twenty doses is refused") && operation === LIST_DOSES && asked === "20")
      throw new Refused(400);
    demand(/^[1-9]\d*$/.test(asked) && Number(asked) >= least && Number(asked) <= most, 400);
    return Number(asked);
  }

  #page(
    { query, operation }: Call,
    found: Item[],
    of: string,
    size: number,
    kind: "visits" | "doses",
  ): Answer {
    const mark = this.#one(query, "mark");
    demand((mark ?? "").length <= 80, 400);
    const cursor = mark === null ? { of, from: 0 } : this.#marks.get(mark);
    const isFree = this.#has("unknown marks begin anew") && operation === LIST_DOSES;
    demand((cursor !== undefined && cursor.of === of) || isFree, 400);
    const from = cursor?.from ?? 0;
    const page = found.slice(from, from + size);
    let next: string | null = null;
    const isVisits = kind === "visits";
    const step =
      this.#has("each page of doses leaves out one") && !isVisits
        ? size + 1
        : this.#has("each page of visits repeats one") && isVisits && size > 1
          ? size - 1
          : size;
    const isMore = this.#has("an empty page ends a list") ? page.length === size : found.length > from + step;
    if (isMore) {
      const long =
        this.#has("marks of doses are too long") && !isVisits ? randomBytes(60).toString("hex") : "";
      next = `m.${randomUUID()}${long}`;
      this.#marks.set(next, { of, from: from + step });
    }
    const count =
      this.#has("the count of visits is one more on later pages") && isVisits && mark !== null
        ? page.length + 1
        : page.length;
    return { status: 200, body: { result: page.map(now), pagination: { count, next } } };
  }
}

function result(fields: Fields): Answer {
  return { status: 200, body: { result: fields } };
}

function withMore(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMore);
  return isMap(value) ? { ...value, _links: { self: "/x" }, revision: "r1" } : value;
}

function withState(query: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(query);
  if (!copy.has("state")) copy.set("state", "open");
  return copy;
}
