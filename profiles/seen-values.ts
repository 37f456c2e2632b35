import type { Answer, Answers } from "../history/answers/answers.ts";
import { mediaType } from "../history/entry.ts";
import { shownParts } from "../history/journal/shown-parts.ts";
import { isObject, jsonType } from "../spec/json.ts";
import { keptIn } from "../spec/memoized.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { answerHeader, challengeSchemes, isErrorAnswer } from "./watch-answers.ts";

/** A field with more values is probably no enumeration. */
const MOST_VALUES = 60;

interface FieldTally {
  count: number;
  types: Set<string>;
  booleans: Set<boolean>;
}

export class SeenValues {
  #errors = 0;
  readonly #types = new Set<string>();
  readonly #bodies = new Set<string>();
  readonly #fields = new Map<string, FieldTally>();
  #challenged = 0;
  readonly #schemes = new Map<string, number>();
  readonly #values = new Map<Schema, Set<string>>();

  constructor(spec: Spec, answers: Answers) {
    for (const operation of spec.operations)
      for (const answer of answers.to(operation)) {
        this.#see(answer);
        for (const { schema, value } of shownParts(spec, answer).open) this.#seeValue(schema, value);
      }
  }

  #see(answer: Answer): void {
    if (answer.status === 401) {
      this.#challenged++;
      const header = answerHeader(answer, "www-authenticate");
      const schemes = header === undefined ? ["none"] : challengeSchemes(header);
      for (const scheme of new Set(schemes)) this.#schemes.set(scheme, (this.#schemes.get(scheme) ?? 0) + 1);
    }
    if (isErrorAnswer(answer)) this.#seeError(answer);
  }

  #seeValue(schema: Schema, value: unknown): void {
    const values = keptIn(this.#values, schema, () => new Set<string>());
    if (values.size <= MOST_VALUES) values.add(String(value));
  }

  errorTypes(): string[] | undefined {
    return this.#errors === 0 || this.#types.has("") ? undefined : [...this.#types].sort();
  }

  /** Returns a JSON Schema that every error body fits, or `undefined` if any was no JSON. */
  errorSchema(): Record<string, unknown> | undefined {
    if (this.#errors === 0 || this.#bodies.has("none")) return undefined;
    if (!this.#bodies.has("object") || this.#bodies.size > 1) return { type: singleOrAll([...this.#bodies]) };
    const fields = [...this.#fields].sort(([a], [b]) => a.localeCompare(b, "en"));
    const required = fields.filter(([, { count }]) => count === this.#errors).map(([name]) => name);
    const properties = fields.map(([name, { types, booleans }]) => {
      const [only] = booleans;
      const constant = types.size === 1 && booleans.size === 1 ? { const: only } : undefined;
      return [name, constant ?? { type: singleOrAll(withoutIntegers(types)) }] as const;
    });
    return { type: "object", required, properties: Object.fromEntries(properties) };
  }

  /** Returns "none" if no challenge came, and undefined if their schemes differ. */
  challenge(): string | undefined {
    return [...this.#schemes].find(([, count]) => count === this.#challenged)?.[0];
  }

  values(schema: Schema): string[] | undefined {
    const values = this.#values.get(schema);
    return values && values.size <= MOST_VALUES ? [...values].sort() : undefined;
  }

  /** Notes the type and the members of an error body. */
  #seeError(answer: Answer): void {
    this.#errors++;
    this.#types.add(mediaType(answerHeader(answer, "content-type")) ?? "");
    const { json } = answer;
    this.#bodies.add(json === undefined ? "none" : jsonType(json));
    if (!isObject(json)) return;
    for (const [name, value] of Object.entries(json)) {
      const field = this.#fields.get(name) ?? { count: 0, types: new Set(), booleans: new Set() };
      this.#fields.set(name, field);
      field.count++;
      field.types.add(jsonType(value));
      if (typeof value === "boolean") field.booleans.add(value);
    }
  }
}

function withoutIntegers(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type !== "integer" || !types.has("number")).sort();
}

export function singleOrAll<T>(list: T[]): T | T[] {
  const [first] = list;
  return list.length === 1 && first !== undefined ? first : list;
}
