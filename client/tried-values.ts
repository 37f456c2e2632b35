/** Only the service knows some values (event names), so creates try likely ones. */

import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { type ValueSource, validObject } from "../generators/values.ts";
import { inventedNames, isInvented } from "../history/creates/invented-names.ts";
import type { Operation, Schema, ValuesFrom } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { firstKey } from "./keys.ts";
import { listOf } from "./relations.ts";
import { givenValues, listedValues, sampleItems } from "./samples.ts";
import { type Answer, isAccepted, type Target } from "./target.ts";
import { valueSourceWith } from "./value-source-with.ts";
import { allowedOf, defaultVersion } from "./version-choice.ts";

export interface TriedValues {
  values: Map<string, string[]>;
  full?: { plan: RequestPlan; answer: Answer };
  /** The fixture that the user should name. */
  blocked?: string;
}

interface TriedField {
  name: string;
  fixture: string;
  isRequired: boolean;
  isList: boolean;
  candidates: string[][];
}

const MOST_CANDIDATES = 12;
const MOST_ELEMENTS = 3;

/** Finds out by creates which of the known values the service accepts. */
export function triedValuesOf(target: Target, create: Operation): Promise<TriedValues> {
  return target.memoize(`tried ${create.id}`, async () => {
    const { body } = create;
    if (!body || target.settings.readOnly) return { values: new Map() };
    const fields = await triedFields(target, create, body);
    const invented = inventedFixture(target, create, body);
    if (fields.length === 0 && invented === undefined) return { values: new Map() };
    return tryFields(new Trials(target, create, body, fields), fields, invented);
  });
}

/** Returns values that the service accepts. Sends all candidates together, then tries one field at a time. */
async function tryFields(
  trials: Trials,
  fields: readonly TriedField[],
  invented: string | undefined,
): Promise<TriedValues> {
  const { values } = trials;
  const full = await trials.sendFull();
  if (isAccepted(full.answer)) {
    for (const field of fields) await addAnother(trials, field);
    return { values, full };
  }
  for (const version of trials.otherVersions)
    if (isAccepted((await trials.sendFull(version)).answer)) return { values };
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  for (const { fixture } of optional) values.set(fixture, []);
  for (const field of required) await keepFirstAccepted(trials, field);
  const lacking = required.find(({ fixture }) => values.get(fixture)?.length === 0);
  if (lacking) return { values, blocked: lacking.fixture };
  if (invented !== undefined && !(await trials.acceptsMinimal())) return { values, blocked: invented };
  for (const field of optional) await keepFirstAccepted(trials, field);
  return { values };
}

async function addAnother(trials: Trials, { name, fixture, isList, candidates }: TriedField): Promise<void> {
  const [one = [], other] = candidates;
  if (isList || other === undefined) return;
  trials.values.set(fixture, other);
  trials.values.set(fixture, (await trials.acceptsMinimal(name)) ? [...one, ...other] : one);
}

async function keepFirstAccepted(trials: Trials, { name, fixture, candidates }: TriedField): Promise<void> {
  for (const candidate of candidates) {
    trials.values.set(fixture, candidate);
    if (await trials.acceptsMinimal(name)) return;
  }
  trials.values.set(fixture, []);
}

class Trials {
  readonly values: Map<string, string[]>;
  readonly otherVersions: readonly (string | null)[];
  readonly #version: string | null;

  constructor(
    private readonly target: Target,
    private readonly create: Operation,
    private readonly body: Schema,
    fields: readonly TriedField[],
  ) {
    this.#version = defaultVersion(target, create);
    this.otherVersions = allowedOf(target, create).filter((other) => other !== this.#version);
    this.values = new Map(fields.map(({ fixture, candidates }) => [fixture, candidates[0] ?? []]));
  }

  async sendFull(version = this.#version): Promise<{ plan: RequestPlan; answer: Answer }> {
    const sent = validObject(this.body, await this.#valueSource(), "full", 1);
    const plan = withBody(requestTo(this.create, version), sent);
    const key = this.create.idempotencyKey;
    if (!key || version !== this.#version) return this.#send(plan);
    return this.#send(withHeaders(plan, { [key.name]: await firstKey(this.target, this.create) }));
  }

  /** True if a body with the required and the named fields is accepted. */
  async acceptsMinimal(...names: string[]): Promise<boolean> {
    const source = await this.#valueSource();
    const minimal = validObject(this.body, source, "minimal", 1);
    const full = validObject(this.body, source, "full", 1);
    const named = Object.fromEntries(names.map((name) => [name, full[name]]));
    const plan = withBody(requestTo(this.create, this.#version), { ...minimal, ...named });
    return isAccepted((await this.#send(plan)).answer);
  }

  async #send(plan: RequestPlan): Promise<{ plan: RequestPlan; answer: Answer }> {
    return { plan, answer: await this.target.send(plan, { role: "trial", valid: true }) };
  }

  #valueSource(): Promise<ValueSource> {
    return valueSourceWith(this.target, this.body, () => this.values);
  }
}

/** Returns a required fixture (the URL of a webhook), whose made-up value a service may reject. */
function inventedFixture(target: Target, create: Operation, body: Schema): string | undefined {
  const required = new Set(target.spec.schemas.required(body));
  const from = target.spec.schemas
    .fields(create.body)
    .filter(([name]) => required.has(name))
    .map(([, schema]) => schema["x-values-from"])
    .find((each) => each && each.list === undefined && givenValues(target, each).length === 0);
  return from?.fixture;
}

/** Returns the fields whose values only the service knows and no fixture gives, with the candidates to try. */
async function triedFields(target: Target, create: Operation, body: Schema): Promise<TriedField[]> {
  const required = new Set(target.spec.schemas.required(body));
  const found: TriedField[] = [];
  for (const [name, schema] of target.spec.schemas.fields(create.body)) {
    const from = schema["x-values-from"];
    if (!from || givenValues(target, from).length > 0) continue;
    const isList = typesOf(schema).includes("array");
    const candidates = isList
      ? await listCandidates(target, create, name, { schema, from })
      : (await likelyValues(target, from)).map((value) => [value]);
    const isRequired = required.has(name) && !allowsNull(schema);
    if (candidates.length > 0) found.push({ name, fixture: from.fixture, isRequired, isList, candidates });
  }
  return found;
}

/** Returns lists to try: of likely values, of values that the service shows, and of values that the schema names. */
async function listCandidates(
  target: Target,
  create: Operation,
  name: string,
  { schema, from }: { schema: Schema; from: ValuesFrom },
): Promise<string[][]> {
  const listed = await likelyValues(target, from);
  const list = listOf(target.spec, create);
  const items = list ? await sampleItems(target, list).catch(() => []) : [];
  const shown = [...new Set(items.flatMap((item) => item[name]).filter(isLikely))];
  const own = schema["x-send"]?.items?.enum?.filter((value) => typeof value === "string");
  return [listed, shown, own ?? inventedNames()]
    .map((values) => values.slice(0, Math.min(schema.maxItems ?? MOST_ELEMENTS, MOST_ELEMENTS)))
    .filter((values) => values.length >= Math.max(schema.minItems ?? 0, 1));
}

async function likelyValues(target: Target, from: ValuesFrom): Promise<string[]> {
  return (await listedValues(target, from)).filter(isLikely).slice(0, MOST_CANDIDATES);
}

function isLikely(value: unknown): value is string {
  return typeof value === "string" && !isInvented(value);
}
