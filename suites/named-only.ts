/** Operations without a documented shape (section 4.17): whether they exist, and the rules for their answers. */

import type { Call } from "../client/call.ts";
import { offending, Untestable, Violation } from "../client/check.ts";
import { type Answer, isAccepted } from "../client/target.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../spec/json.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { namedRequest } from "../trials/credentials.ts";
import { judges, type Place, rule, type StoryRule, suiteOf } from "../trials/rule.ts";

function named(spec: Spec, method?: string): Place[] {
  return spec.operations
    .filter((operation) => operation.kind === "named" && (method ?? operation.method) === operation.method)
    .map((operation) => ({ operation }));
}

/** A plain request with valid credentials. Reads are shared; a write is sent once, and only if the user asks for it. */
async function answerOf(call: Call): Promise<Answer> {
  const { target, operation, version } = call;
  const plan = async () => namedRequest(target, await call.valid());
  if (operation.method === "GET") return call.ask(await plan());
  if (!target.settings.postNamedOnly)
    throw new Untestable("not-shown", "it may do anything, so it is sent only with --post-named-only");
  return target.once(`named ${operation.id} ${version}`, async () => call.send(await plan(), "named only"));
}

/** A success. @throws Untestable otherwise, since nothing promises one */
async function answered(call: Call): Promise<Answer> {
  const answer = await answerOf(call);
  if (isAccepted(answer)) return answer;
  throw new Untestable("not-shown", `answered ${answer.status}; no request to it is known to be valid`, [
    answer,
  ]);
}

/** A violation that a single answer proves. */
function fault(answer: Answer, expected: string, actual: string, place: string): Violation {
  return new Violation(expected, actual, [offending(answer, place)], { certain: true });
}

const answers = {
  over: (spec) => named(spec),
  versions: "rotated",
  draw: "named",
  story: answered,
} as const satisfies Partial<StoryRule<Place, Answer>>;

const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json$/i;

export const namedChecks = suiteOf(
  "named-only",
  rule({
    requirement: "NAMED-EXISTS",
    notes: "namedOperations",
    over: (spec) => named(spec),
    title: ({ operation }) => `whether ${operation.key} exists, and its answer`,
    async run(call) {
      const { status } = await answerOf(call);
      call.note("NAMED-EXISTS", "namedOperations", { status });
    },
  }),
  judges({
    ...answers,
    requirement: "NAMED-SUCCESS",
    title: ({ operation }) => `a success of ${operation.key} is 200, and JSON`,
    look(answer) {
      if (answer.status !== 200) throw fault(answer, "status 200", `status ${answer.status}`, "status");
      const type = answer.headers["content-type"] ?? "none";
      if (!JSON_TYPE.test(type.split(";")[0]?.trim() ?? ""))
        throw fault(answer, "a JSON content type", type, "header:content-type");
      if (answer.json === undefined)
        throw fault(answer, "a body that is JSON", describeValue(answer.text, 60), "");
    },
  }),
  judges({
    ...answers,
    requirement: "NAMED-ENVELOPE",
    title: ({ operation }) => `a success of ${operation.key} has the envelope`,
    look(answer, _, call) {
      const { json } = answer;
      if (!isObject(json)) throw fault(answer, "an object", describeValue(json ?? answer.text, 60), "");
      const { schemas } = call.target.spec;
      for (const [name, schema] of sharedEnvelope(call.target.spec)) {
        if (!Object.hasOwn(json, name)) throw fault(answer, `the field ${name}`, "absent", `/${name}`);
        const [wrong] = schemas.validate(schema, json[name]);
        if (wrong)
          throw fault(answer, `${name}: ${wrong.expected}`, wrong.actual, `/${name}${wrong.pointer}`);
      }
      const { result } = json;
      if (!isObject(result) && !Array.isArray(result) && result !== null)
        throw fault(answer, "result, an object, a list or null", describeValue(result), "/result");
    },
  }),
  judges({
    ...answers,
    requirement: "NAMED-LIST",
    title: ({ operation }) => `a success of ${operation.key} has pagination if it is a list, and only then`,
    look(answer) {
      if (!isObject(answer.json)) throw new Untestable("control-rejected", "the answer has no envelope");
      const { result, pagination } = answer.json;
      if (isObject(result) && pagination !== undefined)
        throw fault(answer, "no pagination beside a single result", describeValue(pagination), "/pagination");
      if (Array.isArray(result)) mustBePage(answer, result, pagination);
      else if (!isObject(result)) throw nothingShown(answer);
    },
  }),
  rule({
    requirement: "NAMED-STABLE",
    over: (spec) => named(spec, "GET"),
    title: ({ operation }) => `${operation.key} answers the same when called twice`,
    versions: "rotated",
    draw: "named",
    async run(call) {
      let first = await answered(call);
      if (!showsResult(first)) throw nothingShown(first);
      for (let look = 1; ; look++) {
        const second = await call.send(namedRequest(call.target, await call.valid()), "again");
        const difference = differenceOf(first, second);
        if (!difference) return;
        // Others may have changed it in between. It counts only if every look differs.
        if (look === LOOKS) throw difference;
        first = second;
      }
    },
  }),
);

/** Number of reads before a difference counts. */
const LOOKS = 4;

/** How an answer differs from the one before it; undefined if it does not, or only has new items at its beginning. */
function differenceOf(first: Answer, second: Answer): Violation | undefined {
  const evidence = [first, second];
  if (second.status !== first.status)
    return new Violation(`status ${first.status} again`, `status ${second.status}`, evidence);
  const [before, after] = [idsIn(first), idsIn(second)];
  const known = after.filter((id) => before.includes(id));
  const isGrown = after.length >= before.length && known.length > after.length / 2;
  if (!sameJson(before.slice(0, isGrown ? known.length : undefined), isGrown ? known : after))
    return new Violation(`the same items: ${before.join(", ")}`, after.join(", ") || "none", evidence);
  const lost = lostPlaces(first, second);
  if (lost.length === 0) return undefined;
  return new Violation("the same fields again", `${lost.join(", ")} otherwise`, evidence);
}

/** The fields beside result in every documented answer, and so in undocumented ones. */
function sharedEnvelope({ operations, schemas }: Spec): [name: string, schema: Schema][] {
  const shown = operations.flatMap(({ response }) => (response ? [schemas.flatten(response)] : []));
  const [first, ...others] = shown;
  return Object.entries(first?.properties ?? {}).filter(([name, schema]) => {
    if (name === "result" || name === "pagination" || !first?.required?.includes(name)) return false;
    const own = schemas.flatten(schema);
    return others.every(({ required, properties }) => {
      const other = properties?.[name];
      return other && required?.includes(name) && sameJson(schemas.flatten(other), own);
    });
  });
}

function showsResult({ json }: Answer): boolean {
  return isObject(json) && (isObject(json.result) || Array.isArray(json.result));
}

function nothingShown(answer: Answer): Untestable {
  return new Untestable("not-shown", "it shows neither a list nor a single result", [answer]);
}

function mustBePage(answer: Answer, items: unknown[], pagination: unknown): void {
  const strange = items.findIndex((item) => !isObject(item));
  if (strange !== -1)
    throw fault(answer, "a list of objects", describeValue(items[strange]), `/result/${strange}`);
  const ids = idsIn(answer);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw fault(answer, "each id once", `${repeated} twice`, "/result");
  if (!isObject(pagination))
    throw fault(answer, "pagination beside a list", describeValue(pagination), "/pagination");
  const { count, next, total } = pagination;
  if (count !== items.length)
    throw fault(answer, `count ${items.length}`, describeValue(count), "/pagination/count");
  if (next !== undefined && next !== null && typeof next !== "string")
    throw fault(answer, "next, a text or null", describeValue(next), "/pagination/next");
  if (total !== undefined && !Number.isInteger(total))
    throw fault(answer, "total, an integer", describeValue(total), "/pagination/total");
}

function resultsOf({ json }: Answer): JsonObject[] {
  const result = isObject(json) ? json.result : undefined;
  return (Array.isArray(result) ? result : [result]).filter(isObject);
}

/** The ids of the items of an answer, if they have any. */
function idsIn(answer: Answer): string[] {
  return resultsOf(answer).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}

/** Fields of records in both answers that the second one lacks, or has with another type. */
function lostPlaces(before: Answer, after: Answer): string[] {
  const ids = idsIn(after);
  const others = resultsOf(after);
  const lost = resultsOf(before).flatMap((record) => {
    const other = typeof record.id === "string" ? others[ids.indexOf(record.id)] : others[0];
    return other ? lostFields(record, other, "") : [];
  });
  return [...new Set(lost)];
}

function lostFields(before: JsonObject, after: JsonObject, path: string): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = after[name];
    if (isObject(value) && isObject(other)) return lostFields(value, other, `${path}/${name}`);
    // Null stands for a value of any type.
    const same =
      other !== undefined && (value === null || other === null || jsonType(value) === jsonType(other));
    return same ? [] : [`${path}/${name}`];
  });
}
