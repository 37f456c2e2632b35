/** Values that only the service knows are tried in creates if the user names none. */

import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { validObject } from "../generators/values.ts";
import { inventedNames, isInvented } from "../history/invented-names.ts";
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
  /** The user should name this fixture, because the service rejects a made-up value. */
  blocked?: string;
}

interface Doubted {
  name: string;
  fixture: string;
  required: boolean;
  several: boolean;
  /** The likeliest come first. A list field gets several elements at a time. */
  candidates: string[][];
}

const MOST_CANDIDATES = 12;
const MOST_ELEMENTS = 3;

export function takerOf(target: Target, fixture: string): Operation | undefined {
  return target.spec.operations.find(
    (operation) =>
      operation.kind === "create" &&
      target.spec.schemas
        .fields(operation.body)
        .some(([, schema]) => schema["x-values-from"]?.fixture === fixture),
  );
}

export function triedValuesOf(target: Target, create: Operation): Promise<TriedValues> {
  return target.memoize(`tried ${create.id}`, async () => {
    const { body } = create;
    const doubted = body && !target.settings.readOnly ? await doubtedFields(target, create, body) : [];
    const invented = body && inventedField(target, create, body);
    if (!body || target.settings.readOnly || (doubted.length === 0 && invented === undefined))
      return { values: new Map() };
    const values = new Map(doubted.map(({ fixture, candidates }) => [fixture, candidates[0] ?? []]));
    const valuesOf = async (from: ValuesFrom) => {
      const given = givenValues(target, from);
      if (given.length > 0) return given;
      return takerOf(target, from.fixture) ? (values.get(from.fixture) ?? []) : listedValues(target, from);
    };
    const byDefault = defaultVersion(target, create);
    const send = async (extent: "minimal" | "full", with_: string[] = [], version = byDefault) => {
      const sent = validObject(body, await valueSourceWith(target, body, valuesOf), extent, 1);
      const whole =
        extent === "full"
          ? sent
          : validObject(body, await valueSourceWith(target, body, valuesOf), "full", 1);
      const beside = Object.fromEntries(with_.map((name) => [name, whole[name]]));
      const plan = withBody(requestTo(create, version), { ...sent, ...beside });
      const key = create.idempotencyKey;
      const keyed =
        key && extent === "full" && version === byDefault
          ? withHeaders(plan, { [key.name]: await firstKey(target, create) })
          : plan;
      const answer = await target.send(keyed, { role: "trial", valid: true });
      return { plan: keyed, answer };
    };
    // A second value reveals faults that concern only some values.
    const addAnother = async ({ name, fixture, several, candidates: [one = [], other] }: Doubted) => {
      if (several || other === undefined) return;
      values.set(fixture, other);
      const { answer } = await send("minimal", [name]);
      values.set(fixture, isAccepted(answer) ? [...one, ...other] : one);
    };
    const first = await send("full");
    if (isAccepted(first.answer)) {
      for (const field of doubted) await addAnother(field);
      return { values, full: first };
    }
    for (const version of allowedOf(target, create).filter((other) => other !== byDefault))
      if (isAccepted((await send("full", [], version)).answer)) return { values };
    const accepts = async (field: Doubted) => {
      for (const candidate of field.candidates) {
        values.set(field.fixture, candidate);
        if (isAccepted((await send("minimal", [field.name])).answer)) return;
      }
      values.set(field.fixture, []);
    };
    for (const { fixture } of doubted.filter(({ required }) => !required)) values.set(fixture, []);
    for (const field of doubted.filter(({ required }) => required)) await accepts(field);
    const lacking = doubted.find(({ required, fixture }) => required && values.get(fixture)?.length === 0);
    if (lacking) return { values, blocked: lacking.fixture };
    if (invented !== undefined && !isAccepted((await send("minimal")).answer))
      return { values, blocked: invented };
    for (const field of doubted.filter(({ required }) => !required)) await accepts(field);
    return { values };
  });
}

/** The service may try to reach a made-up value (a webhook's URL). */
function inventedField(target: Target, create: Operation, body: Schema): string | undefined {
  const required = new Set(target.spec.schemas.flatten(body).required ?? []);
  const from = target.spec.schemas
    .fields(create.body)
    .filter(([name]) => required.has(name))
    .map(([, schema]) => schema["x-values-from"])
    .find((each) => each && each.list === undefined && givenValues(target, each).length === 0);
  return from?.fixture;
}

async function doubtedFields(target: Target, create: Operation, body: Schema): Promise<Doubted[]> {
  const required = new Set(target.spec.schemas.flatten(body).required ?? []);
  const found: Doubted[] = [];
  for (const [name, schema] of target.spec.schemas.fields(create.body)) {
    const from = schema["x-values-from"];
    if (!from || givenValues(target, from).length > 0) continue;
    const candidates = await candidatesFor(target, create, name, schema, from);
    if (candidates.length > 0)
      found.push({
        name,
        fixture: from.fixture,
        required: required.has(name) && !allowsNull(schema),
        several: typesOf(schema).includes("array"),
        candidates,
      });
  }
  return found;
}

async function candidatesFor(
  target: Target,
  create: Operation,
  name: string,
  schema: Schema,
  from: ValuesFrom,
): Promise<string[][]> {
  const isLikely = (value: unknown): value is string => typeof value === "string" && !isInvented(value);
  const listed = (await listedValues(target, from)).filter(isLikely).slice(0, MOST_CANDIDATES);
  if (!typesOf(schema).includes("array")) return listed.map((value) => [value]);
  const list = listOf(target.spec, create);
  const items = list ? await sampleItems(target, list).catch(() => []) : [];
  const shown = [...new Set(items.flatMap((item) => item[name]).filter(isLikely))];
  const own = schema["x-send"]?.items?.enum?.filter((value) => typeof value === "string");
  return [listed, shown, own ?? inventedNames()]
    .map((values) => values.slice(0, Math.min(schema.maxItems ?? MOST_ELEMENTS, MOST_ELEMENTS)))
    .filter((values) => values.length >= Math.max(schema.minItems ?? 0, 1));
}
