import type { Context } from "./context.ts";
import { isCurrency, isDateTime, isWebUrl } from "./iso.ts";
import { characters, isObject, type Json } from "./json.ts";
import type { Problem, Rule } from "./problems.ts";

export interface Presence {
  readonly required?: boolean;
  readonly nullable?: boolean;
}

/** A size in code points of a text, or elements of a list. */
export interface Size {
  readonly min?: number;
  readonly max?: number;
}

const formats = {
  currency: { holds: isCurrency, name: "an ISO 4217 code" },
  "date-time": { holds: isDateTime, name: "an RFC 3339 date-time" },
  url: { holds: isWebUrl, name: "an http or https URL" },
} as const;

export class BodyRules {
  readonly problems: Problem[] = [];

  constructor(private readonly ctx: Context) {}

  text(name: string, rules: Presence & Size & { readonly format?: keyof typeof formats } = {}): void {
    const value = this.#value(name, rules);
    if (value === undefined) return;
    if (typeof value !== "string") {
      this.#wrong(name, "type", "is not a string");
      return;
    }
    this.#size(name, characters(value), rules, "minLength", "maxLength", "characters");
    if (rules.format && !formats[rules.format].holds(value))
      this.#wrong(name, "format", `is not ${formats[rules.format].name}`);
  }

  flag(name: string, rules: Presence = {}): void {
    const value = this.#value(name, rules);
    if (value !== undefined && typeof value !== "boolean") this.#wrong(name, "type", "is not a boolean");
  }

  texts(name: string, rules: Presence & Size = {}): void {
    const value = this.#value(name, rules);
    if (value === undefined) return;
    if (!Array.isArray(value)) {
      this.#wrong(name, "type", "is not a list");
      return;
    }
    this.#size(name, value.length, rules, "minItems", "maxItems", "elements");
    if (value.some((element) => typeof element !== "string"))
      this.#wrong(`${name}[]`, "type", "is not a string");
  }

  attributes(
    name: string,
    rules: Presence & {
      readonly texts?: boolean;
      readonly maxProperties?: number;
      readonly max?: number;
    } = {},
  ): void {
    const value = this.#value(name, rules);
    if (value === undefined) return;
    if (!isObject(value)) {
      this.#wrong(name, "type", "is not an object");
      return;
    }
    const values = Object.values(value);
    if (rules.maxProperties !== undefined) {
      const most = this.#limit(name, rules.maxProperties, "maxProperties");
      if (values.length > most) this.#wrong(name, "maxProperties", `has more than ${most} properties`);
    }
    for (const entry of rules.texts ? values : []) {
      if (typeof entry !== "string") this.#wrong(`${name}.*`, "type", "is not a string");
      else
        this.#size(
          `${name}.*`,
          characters(entry),
          { max: rules.max ?? Infinity },
          "minLength",
          "maxLength",
          "characters",
        );
    }
  }

  choice(name: string, choices: readonly string[], rules: Presence = {}): void {
    const value = this.#value(name, rules);
    if (value === undefined) return;
    if (typeof value !== "string") this.#wrong(name, "type", "is not a string");
    else if (!choices.includes(value)) this.#wrong(name, "enum", `is none of ${choices.join(", ")}`);
  }

  verification(name: string): void {
    this.attributes(name);
    const value = this.ctx.body[name];
    if (!isObject(value) || value.hmac256 === undefined) return;
    if (!isObject(value.hmac256)) this.#wrong(`${name}.hmac256`, "type", "is not an object");
    else if (value.hmac256.secret !== undefined && typeof value.hmac256.secret !== "string")
      this.#wrong(`${name}.hmac256.secret`, "type", "is not a string");
  }

  #value(name: string, { required = false, nullable = false }: Presence): Json | undefined {
    const value = Object.hasOwn(this.ctx.body, name) ? this.ctx.body[name] : undefined;
    if (value === undefined && required) this.#wrong(name, "required", "is required");
    if (value !== null) return value;
    if (!nullable) this.#wrong(name, "null", "must not be null");
    return undefined;
  }

  #size(name: string, size: number, { min, max }: Size, least: Rule, most: Rule, unit: string): void {
    if (min !== undefined) {
      const low = this.#limit(name, min, least);
      if (size < low) this.#wrong(name, least, `has fewer than ${low} ${unit}`);
    }
    if (max !== undefined) {
      const high = this.#limit(name, max, most);
      if (size > high) this.#wrong(name, most, `has more than ${high} ${unit}`);
    }
  }

  #limit(name: string, limit: number, rule: Rule): number {
    return this.ctx.service.hooks.limit(limit, this.ctx, { at: `body.${name}`, rule });
  }

  #wrong(name: string, rule: Rule, message: string): void {
    this.problems.push({ at: `body.${name}`, rule, message: `${name} ${message}` });
  }
}
