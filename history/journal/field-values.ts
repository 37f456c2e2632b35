import { isDateTime } from "../../spec/formats.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { allowsNull } from "../../spec/schema.ts";
import { UNDOCUMENTED } from "../../spec/schema-index.ts";
import type { Entry } from "../entry.ts";
import { memberKey } from "../values/accepted-members.ts";
import {
  echoDifferences,
  headerFields,
  isSameBehindMasks,
  sameFieldValue,
  withoutCase,
} from "../values/differences.ts";
import { holdsRunTag } from "../values/tags.ts";
import { hasFreeMembers, schemaOfMember, schemaOfValue } from "../values/value-schemas.ts";
import { memberOf } from "./moving-members.ts";
import type { Candidate } from "./sightings.ts";

export class FieldValues {
  readonly #resource: Schema;
  readonly #headers: ReadonlySet<string>;

  constructor(
    private readonly spec: Spec,
    private readonly updates: Operation[],
    private readonly names: (value: string) => string,
    private readonly members: ReadonlySet<string>,
    /** Members of maps that another client writes. */
    private readonly moving: ReadonlySet<string>,
  ) {
    this.#resource = updates[0]?.resource ?? {};
    this.#headers = new Set(updates.flatMap(({ body }) => [...headerFields(spec.schemas, body)]));
  }

  /** Returns the key of a field's shown values. Each operation and version may mask a secret differently. */
  keyOf(field: string, { operation, version }: Entry): string {
    return this.isSecret(field) ? `${field} ${operation?.id} ${version}` : field;
  }

  fits(field: string, { value, form }: Candidate, shown: unknown): boolean {
    if (form === "shown") return value === shown || this.#isSame(field, value, shown);
    return this.updates.some(
      ({ body = {} }) =>
        echoDifferences(
          { [field]: value },
          { [field]: shown },
          {
            schemas: this.spec.schemas,
            sentSchema: body,
            shownSchema: this.#resource,
            resolveReference: this.names,
          },
        ).length === 0,
    );
  }

  #isSame(field: string, one: unknown, other: unknown): boolean {
    // Another rule judges if a service trims texts.
    if (typeof one === "string" && typeof other === "string" && one.trim() === other.trim()) return true;
    const schema = this.#shown(field);
    const plain = (value: unknown, beside?: unknown) =>
      this.#headers.has(field) && isObject(value)
        ? withoutCase(value)
        : this.#documented(schema, value, beside);
    if (Array.isArray(one) && Array.isArray(other) && this.#isReference(field))
      return sameFieldValue(one.map(this.#named), other.map(this.#named));
    return sameFieldValue(plain(one, other), plain(other));
  }

  /** True if the values differ only in members that another client writes. */
  differsOnlyInMoving(field: string, { value }: Candidate, shown: unknown): boolean {
    const lasting = (map: unknown) => this.#withoutMoving(field, map);
    return this.moving.size > 0 && isObject(shown) && sameFieldValue(lasting(value), lasting(shown));
  }

  #withoutMoving(field: string, value: unknown): unknown {
    if (!isObject(value)) return value;
    const isLasting = ([name]: [string, unknown]) => !this.moving.has(memberOf(field, name));
    return Object.fromEntries(Object.entries(value).filter(isLasting));
  }

  /**
   * Removes undocumented members, because not every answer shows them. Texts that differ from those of `beside` in masks
   * alone become equal to them.
   */
  #documented(schema: Schema, value: unknown, beside?: unknown): unknown {
    const flat = schemaOfValue(this.spec.schemas, schema, value);
    const { items = {}, additionalProperties } = flat;
    if (typeof value === "string" && typeof beside === "string")
      return flat["x-maskable"] && isSameBehindMasks(value, beside) ? beside : value;
    if (Array.isArray(value)) {
      const others = Array.isArray(beside) ? beside : [];
      return value.map((item, index) => this.#documented(items, item, others[index]));
    }
    if (!isObject(value) || (hasFreeMembers(flat) && !isObject(additionalProperties))) return value;
    const others = isObject(beside) ? beside : {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) => {
        const child = schemaOfMember(flat, name);
        return child === undefined ? [] : [[name, this.#documented(child, part, others[name])]];
      }),
    );
  }

  #named = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? this.names(String(value)) : value;

  #isReference(field: string): boolean {
    return this.updates.some(
      ({ body }) => this.spec.schemas.field(body, field)["x-references"] !== undefined,
    );
  }

  #shown(field: string): Schema {
    return this.spec.schemas.field(this.#resource, field);
  }

  isOpen(
    { body = {}, resource = {} }: Operation,
    field: string,
    value: unknown,
    runTag: string | null,
  ): boolean {
    const shown = this.spec.schemas.field(resource, field);
    // The specification leaves open what null means in an update.
    if (value === null && shown !== UNDOCUMENTED && allowsNull(shown)) return true;
    const isOpen = isOpenValue(this.spec, body, field, value, this.members);
    return isOpen || this.isSecret(field) || this.#isMadeUp(field, value, runTag);
  }

  /** True for an invented reference, which a service may show in any form. */
  #isMadeUp(field: string, value: unknown, runTag: string | null): boolean {
    return this.#isReference(field) && holdsRunTag(value, runTag);
  }

  isMap(field: string): boolean {
    return hasFreeMembers(this.#shown(field));
  }

  isSecret(field: string): boolean {
    return this.spec.schemas.holdsSecret(this.#shown(field));
  }
}

/** True if a service may reject or change the value (an unusual URL). */
export function isOpenValue(
  spec: Spec,
  body: Schema,
  field: string,
  value: unknown,
  acceptedMembers: ReadonlySet<string> = new Set(),
): boolean {
  const child = spec.schemas.field(body, field);
  if (child === UNDOCUMENTED || spec.schemas.validate(child, value).length > 0) return true;
  const { "x-send": plain, "x-values-from": from } = child;
  const isAcceptedBefore =
    from &&
    Array.isArray(value) &&
    value.every((member) => acceptedMembers.has(memberKey(from.fixture, member)));
  if (plain && value !== null && !isAcceptedBefore && spec.schemas.validate(plain, value).length > 0)
    return true;
  const isHeader = plain?.propertyNames !== undefined;
  return namesAndTextsIn(value).some((text) => isOpenText(text, isHeader));
}

const ORDINARY_MEMBERS = 5;
const ORDINARY_LENGTH = 255;

/** True for a list with an element twice. */
export function hasRepeats(value: unknown): boolean {
  return Array.isArray(value) && new Set(value).size < value.length;
}

/** False for maps with many or long members, which a service may reject for their size. */
export function isOfOrdinarySize(value: unknown): boolean {
  if (!isObject(value)) return true;
  const isShort = (text: string) => text.length <= ORDINARY_LENGTH;
  return Object.keys(value).length <= ORDINARY_MEMBERS && namesAndTextsIn(value).every(isShort);
}

/**
 * True if a unique number is the least or the greatest allowed one. Runs choose other unique values at random, but
 * these two may be taken.
 */
export function hasLimitOfUnique(spec: Spec, body: Schema, sent: JsonObject): boolean {
  return spec.schemas.fields(body).some(([name, { "x-unique": unique, minimum, maximum }]) => {
    const value = sent[name];
    return unique !== undefined && typeof value === "number" && (value === minimum || value === maximum);
  });
}

function namesAndTextsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(namesAndTextsIn);
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(namesAndTextsIn)] : [];
}

function isOpenText(text: string, isHeader: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  if (/^\s|\s$|[\u0000-\u001f\u007f]/.test(text)) return true;
  if (isHeader && /[^ -~]/.test(text)) return true;
  if (isDateTime(text)) return !/T\d\d:\d\d:[0-5]\d(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return /^https?:/i.test(text) && URL.canParse(text) && new URL(text).href !== text;
}

/** False for values that an unset field may show (booleans, null, empty ones). */
export function isDistinctive(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean" || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value as JsonObject).length > 0 : true;
}

/** Returns the value that can't be taken back (`x-consumes`), such as `cancelled`. */
export function oneWayValue(spec: Spec, schema: Schema = {}): unknown {
  const { "x-consumes": consumes, enum: values } = spec.schemas.flatten(schema);
  return consumes && values?.find((value) => value !== null);
}
