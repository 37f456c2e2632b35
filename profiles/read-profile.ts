/** Refuses unknown words in profiles, so that no typing error leaves a promise untested. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { globMatcher } from "../spec/glob.ts";
import { isObject, type JsonObject, pointerTokens } from "../spec/json.ts";
import { readText, readYaml } from "../spec/loading/read-file.ts";
import type { YamlSource } from "../spec/loading/source.ts";
import type { CheckFacts } from "../spec/model/check.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { didYouMean } from "../spec/nearest.ts";
import { UsageError } from "../spec/usage-error.ts";
import { type Behaviour, sentenceOf } from "./behaviour.ts";
import { BEHAVIOURS } from "./behaviours.ts";
import { faultOfSchema } from "./error-schema.ts";
import { profileSchema } from "./profile-schema.ts";
import {
  type ByPlace,
  openFields,
  type Profile,
  type Promised,
  promiseId,
  REJECTION_CAUSES,
  type RejectionCause,
  SILENT_ON,
} from "./promises.ts";
import { behaviourSources, rejectionSources } from "./sources.ts";

type Path = readonly (string | number)[];

/**
 * Returns the promises of a profile. `checks` are the checks without any profile.
 * @throws UsageError with file and line for a promise that can't be tested, or another edition
 */
export function readProfile(file: string, spec: Spec, checks: readonly CheckFacts[]): Profile {
  const source = readYaml(file, "profile");
  const value = checkedProfile(source, spec);
  const edition = value.spec;
  if (typeof edition === "string" && !spec.sha256.startsWith(edition)) {
    throw mistakeAt(
      source,
      ["spec"],
      `the profile is for the edition ${edition}, and this is ${spec.sha256.slice(0, 12)}`,
    );
  }
  const reader = new ProfileReader(source, spec, checks);
  const promised = reader.read(value);
  const offers = Array.isArray(value.offers) ? { offers: value.offers.map(String) } : {};
  if (promised.length === 0 && value.offers === undefined)
    throw mistakeAt(source, [], `${basename(file)} promises nothing; state something or leave --profile out`);
  const sha256 = createHash("sha256").update(readText(file, "profile")).digest("hex");
  return { name: String(value.name), sha256, promised, ...offers };
}

/**
 * Checks the reading of paths.
 * @throws UsageError if the profile promises another one
 */
export function checkPaths(profile: Profile, paths: string): void {
  for (const promise of profile.promised) {
    if (promise.kind !== "practice" || promise.practice !== "paths") continue;
    const other = Object.values(promise.answers).find((answer) => answer !== "both" && answer !== paths);
    if (other !== undefined) {
      throw new UsageError(
        `the profile ${profile.name} promises the paths ${other}, and the run asks ${paths}: give --paths ${other}`,
      );
    }
  }
}

function mistakeAt(source: YamlSource, path: Path, message: string): UsageError {
  return new UsageError(source.error(path, message).message);
}

/**
 * Returns the profile as an object.
 * @throws UsageError with the line of the first mistake.
 */
function checkedProfile(source: YamlSource, spec: Spec): JsonObject {
  const matches = new Ajv2020({
    strict: true,
    allErrors: true,
    verbose: true,
    strictRequired: false,
  }).compile(profileSchema(spec));
  if (!matches(source.value)) throw firstMistake(source, matches.errors ?? []);
  return source.value as JsonObject;
}

/** Returns the deepest mistake, because Ajv also reports every alternative that was not meant. */
function firstMistake(source: YamlSource, errors: readonly ErrorObject[]): UsageError {
  const depth = (error: ErrorObject) => pointerTokens(error.instancePath).length;
  const telling = errors.filter(({ keyword }) => !["anyOf", "propertyNames"].includes(keyword));
  const deepest = Math.max(...telling.map(depth));
  const [first] = telling
    .filter((error) => depth(error) === deepest)
    .sort((a, b) => rankOfError(a) - rankOfError(b));
  if (!first) return mistakeAt(source, [], "a profile is a map of promises");
  const path = pointerTokens(first.instancePath).map((token) =>
    /^\d+$/.test(token) ? Number(token) : token,
  );
  const extra = first.params.additionalProperty;
  if (typeof extra === "string") {
    const known = Object.keys((first.parentSchema?.properties as object | undefined) ?? {});
    const where = path.length === 0 ? "a profile" : path.join(".");
    return mistakeAt(source, [...path, extra], `${where} has no ${extra}${didYouMean(extra, known)}`);
  }
  const name = path.length === 0 ? "a profile" : path.join(".");
  const missing = first.params.missingProperty;
  if (typeof missing === "string") return mistakeAt(source, path, `${name} needs a ${missing}`);
  return mistakeAt(source, path, `${name} ${expectedBy(first, errors)}`);
}

/** Keywords of the schema whose errors are most helpful, the best first. */
const TELLING_KEYWORDS = ["additionalProperties", "required", "enum", "pattern"];

function rankOfError({ keyword }: ErrorObject): number {
  const rank = TELLING_KEYWORDS.indexOf(keyword);
  return rank === -1 ? TELLING_KEYWORDS.length : rank;
}

/** Describes the values that the profile may have at this place. */
function expectedBy(error: ErrorObject, errors: readonly ErrorObject[]): string {
  const described = errors
    .filter(({ keyword, instancePath }) => keyword === "anyOf" && instancePath === error.instancePath)
    .map(({ parentSchema }) => parentSchema?.$comment)
    .find((comment) => typeof comment === "string");
  const words = error.params.allowedValues;
  const near =
    Array.isArray(words) && typeof error.data === "string" ? didYouMean(error.data, words.map(String)) : "";
  if (described !== undefined) return `must be ${described}${near}`;
  if (Array.isArray(words)) return `must be one of ${words.join(", ")}${near}`;
  return error.message ?? "is not valid";
}

class ProfileReader {
  constructor(
    private readonly source: YamlSource,
    private readonly spec: Spec,
    private readonly checks: readonly CheckFacts[],
  ) {}

  /** Returns the promises in the profile. @throws UsageError with the line of one that can't be tested */
  read(value: JsonObject): Promised[] {
    const rejections = isObject(value.rejections) ? value.rejections : {};
    return [
      ...Object.keys(REJECTION_CAUSES).flatMap((cause) =>
        rejections[cause] === undefined ? [] : [this.#rejection(cause as RejectionCause, rejections[cause])],
      ),
      ...this.#errorBody(isObject(value.errorBody) ? value.errorBody : {}),
      ...this.#challenge(value.challenge),
      ...this.#values(isObject(value.values) ? value.values : {}),
      ...BEHAVIOURS.flatMap((behaviour) =>
        value[behaviour.key] === undefined ? [] : [this.#behaviour(behaviour, value[behaviour.key])],
      ),
    ];
  }

  #rejection(cause: RejectionCause, value: unknown): Promised {
    const operations = this.spec.operations.filter(
      (operation) => rejectionSources(this.checks, cause, operation).length > 0,
    );
    const parts = this.#places(["rejections", cause], value, operations, false);
    const statuses = (part: PromisedPart) => [part.value].flat().map(Number);
    return {
      kind: "rejection",
      id: promiseId("rejection", cause),
      fills: SILENT_ON.rejections,
      statement: `${REJECTION_CAUSES[cause]} is rejected with ${parts
        .map((part) => `${statuses(part).join(" or ")}${placeInWords(part)}`)
        .join("; ")}.`,
      cause,
      statuses: valuesByPlace(parts, statuses),
    };
  }

  #behaviour(behaviour: Behaviour, value: unknown): Promised {
    const operations = this.spec.operations.filter(
      (operation) => behaviourSources(this.checks, behaviour, operation).length > 0,
    );
    const parts = this.#places([behaviour.key], value, operations, true);
    const answer = (part: PromisedPart) => String(part.value);
    return {
      kind: "practice",
      id: promiseId(behaviour.key),
      fills: behaviour.fills,
      statement: parts
        .map((part) => {
          const sentence = sentenceOf(behaviour, answer(part), this.spec);
          return isEverywhere(part) ? sentence : `At ${part.pattern}: ${sentence}`;
        })
        .join(" "),
      practice: behaviour.key,
      answers: valuesByPlace(parts, answer),
    };
  }

  #errorBody({ schema, contentType }: JsonObject): Promised[] {
    const promised: Promised[] = [];
    const fills = SILENT_ON.errorBody;
    if (contentType !== undefined) {
      const types = [contentType].flat().map((type) => String(type).trim().toLowerCase());
      const odd = types.find((type) => !/^[^\s/;]+\/[^\s/;]+$/.test(type));
      if (odd !== undefined)
        throw mistakeAt(
          this.source,
          ["errorBody", "contentType"],
          `errorBody.contentType: ${odd} is no media type without parameters, such as application/json`,
        );
      const statement = `Every 4xx answer has the content type ${types.join(" or ")}.`;
      promised.push({ kind: "error-type", id: promiseId("error", "contentType"), fills, statement, types });
    }
    if (isObject(schema)) {
      const fault = faultOfSchema(schema);
      if (fault !== undefined)
        throw mistakeAt(this.source, ["errorBody", "schema"], `errorBody.schema ${fault}`);
      const statement = "Every 4xx body is valid against the error schema of the profile.";
      promised.push({ kind: "error-body", id: promiseId("error", "body"), fills, statement, schema });
    }
    return promised;
  }

  #challenge(value: unknown): Promised[] {
    if (typeof value !== "string") return [];
    const what = value === "none" ? "no WWW-Authenticate" : `WWW-Authenticate with the scheme ${value}`;
    const statement = `Every 401 has ${what}.`;
    const fills = SILENT_ON.challenge;
    return [{ kind: "challenge", id: promiseId("challenge"), fills, statement, scheme: value }];
  }

  #values(value: JsonObject): Promised[] {
    const open = openFields(this.spec);
    return Object.entries(value).flatMap(([field, words]) => {
      const known = open.get(field);
      if (!known) return []; // The JSON Schema refuses unknown fields.
      const allowed = [words].flat().map(String);
      const statement = `${field} is one of ${allowed.join(", ")}.`;
      const fills = known.requirement;
      return [{ kind: "values" as const, id: promiseId("values", field), fills, statement, field, allowed }];
    });
  }

  #places(path: string[], value: unknown, operations: readonly Operation[], fields: boolean): PromisedPart[] {
    if (operations.length === 0)
      throw mistakeAt(this.source, path, `${path.join(".")}: no operation lets this be tested`);
    if (!isObject(value)) return [{ value, places: operations.map(({ key }) => key) }];
    const fieldsOf = (operation: Operation) =>
      fields ? this.#fieldsOf(operation).map((name) => `${operation.key} ${name}`) : [];
    const places = operations.flatMap((operation) => [operation.key, ...fieldsOf(operation)]);
    return Object.entries(value).map(([pattern, each]) => {
      const matches = globMatcher([pattern]);
      // A pattern that fits an operation also covers its fields.
      const fits = operations.flatMap((operation) =>
        matches(operation.key)
          ? [operation.key, ...fieldsOf(operation)]
          : fieldsOf(operation).filter((place) => matches(place)),
      );
      if (fits.length > 0) return { pattern, value: each, places: fits };
      const what = fields ? "operation, or operation and field," : "operation";
      throw mistakeAt(
        this.source,
        [...path, pattern],
        `${path.join(".")}: ${pattern} names no ${what} at which this can be tested${didYouMean(pattern, places)}`,
      );
    });
  }

  #fieldsOf({ body, parameters, sameRecord }: Operation): string[] {
    const sent = body && this.spec.schemas.flatten(body).properties;
    const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    return [...new Set([...Object.keys(sent ?? {}), ...query, ...(sameRecord?.by ?? [])])];
  }
}

interface PromisedPart {
  pattern?: string;
  value: unknown;
  places: string[];
}

function isEverywhere({ pattern = "*" }: PromisedPart): boolean {
  return pattern === "*";
}

function placeInWords(part: PromisedPart): string {
  return isEverywhere(part) ? "" : ` at ${part.pattern}`;
}

/** Returns the promised values by place. If several patterns fit one, the longest counts. */
function valuesByPlace<T>(parts: readonly PromisedPart[], read: (part: PromisedPart) => T): ByPlace<T> {
  const shortestFirst = [...parts].sort((a, b) => (a.pattern?.length ?? 0) - (b.pattern?.length ?? 0));
  return Object.fromEntries(
    shortestFirst.flatMap((part) => part.places.map((place) => [place, read(part)] as const)),
  );
}
