/** Validates the bodies of requests to the services of test/editions, without any code of the suite. */

import { type Fields, isMap, type Json } from "./serving.ts";

export interface Rule {
  type: "text" | "whole" | "number" | "switch" | "list" | "map" | "choice" | "any";
  nullable?: boolean;
  least?: number;
  most?: number;
  above?: number;
  below?: number;
  step?: number;
  pattern?: RegExp;
  format?: (text: string) => boolean;
  values?: readonly (string | number)[];
  distinct?: boolean;
  of?: Rule;
  fields?: Record<string, Rule>;
  needs?: readonly string[];
  /** If the object has the name, it must have the other names too. */
  together?: Readonly<Record<string, readonly string[]>>;
  closed?: boolean;
  names?: RegExp;
  named?: readonly [least: number, most: number];
  /** The value must satisfy at least one of these rules. */
  either?: readonly Rule[];
  /** For the type `choice`: the value of the field `by` selects the rule of the object. */
  branches?: Record<string, Rule>;
  by?: string;
}

export const isDate = (text: string) => {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === "" || Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return false;
  const isLeap = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) <= days;
};
export const isInstant = (text: string) => {
  const parts = /^(.{10})[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))$/.exec(text);
  if (!parts || !isDate(parts[1] ?? "")) return false;
  const [hour, minute, second, hours, minutes] = [2, 3, 4, 7, 8].map((n) => Number(parts[n] ?? 0));
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(hours) < 24 &&
    Number(minutes) < 60
  );
};
export const isTime = (text: string) => isInstant(`2024-02-29T${text}`);
export const isIp = (text: string) =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) &&
  text.split(".").every((part) => Number(part) < 256 && String(Number(part)) === part);
export const isHost = (text: string) =>
  text.length < 254 &&
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text);
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
export const isMail = (text: string) =>
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(
    text,
  ) && !/^\.|\.\.|\.@/.test(text);
export const isAddress = (text: string) =>
  /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);

export const text = (least: number, most: number, more: Partial<Rule> = {}): Rule => ({
  type: "text",
  least,
  most,
  ...more,
});
export const one = (...values: string[]): Rule => ({ type: "text", values });
export const shaped = (pattern: RegExp, more: Partial<Rule> = {}): Rule => ({
  type: "text",
  pattern,
  ...more,
});
export const whole = (least: number, most: number): Rule => ({ type: "whole", least, most });
export const list = (of: Rule, most: number, more: Partial<Rule> = {}): Rule => ({
  type: "list",
  of,
  most,
  ...more,
});
export const map = (fields: Record<string, Rule>, needs: string[], more: Partial<Rule> = {}): Rule => ({
  type: "map",
  fields,
  needs,
  ...more,
});
export const SWITCH: Rule = { type: "switch" };

const isWrong: Record<Rule["type"], (value: Json) => boolean> = {
  text: (value) => typeof value !== "string",
  whole: (value) => !Number.isInteger(value),
  number: (value) => typeof value !== "number",
  switch: (value) => typeof value !== "boolean",
  list: (value) => !Array.isArray(value),
  map: (value) => !isMap(value),
  choice: (value) => !isMap(value),
  any: () => false,
};
/** Returns JSON with sorted names, so that equal values have equal texts. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isMap(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

type Broken = (path: string, keyword: string) => void;

/** Calls `broken` with the path and keyword of each rule that the value breaks. */
export function check(rule: Rule, value: Json, path: string, broken: Broken): void {
  if (value === null) {
    if (!rule.nullable) broken(path, "null");
    return;
  }
  if (rule.either && !rule.either.some((each) => keeps(each, value))) broken(path, "anyOf");
  if (isWrong[rule.type](value)) broken(path, "type");
  else if (typeof value === "string") checkText(rule, value, path, broken);
  else if (typeof value === "number") checkNumber(rule, value, path, broken);
  else if (Array.isArray(value)) checkList(rule, value, path, broken);
  else if (isMap(value) && rule.type === "choice") checkChoice(rule, value, path, broken);
  else if (isMap(value)) checkMap(rule, value, path, broken);
}

const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);

function checkText(rule: Rule, value: string, path: string, broken: Broken): void {
  const length = [...value].length;
  if (length < (rule.least ?? 0)) broken(path, "minLength");
  if (length > (rule.most ?? Number.POSITIVE_INFINITY)) broken(path, "maxLength");
  if (rule.pattern && !rule.pattern.test(value)) broken(path, "pattern");
  if (rule.format && !rule.format(value)) broken(path, "format");
  if (rule.values && !rule.values.includes(value)) broken(path, "enum");
}

function checkNumber(rule: Rule, value: number, path: string, broken: Broken): void {
  if (value < (rule.least ?? Number.NEGATIVE_INFINITY)) broken(path, "minimum");
  if (value > (rule.most ?? Number.POSITIVE_INFINITY)) broken(path, "maximum");
  if (rule.above !== undefined && value <= rule.above) broken(path, "exclusiveMinimum");
  if (rule.below !== undefined && value >= rule.below) broken(path, "exclusiveMaximum");
  if (rule.step !== undefined && !isMultiple(value, rule.step)) broken(path, "multipleOf");
  if (rule.values && !rule.values.includes(value)) broken(path, "enum");
}

function checkList(rule: Rule, value: Json[], path: string, broken: Broken): void {
  if (value.length < (rule.least ?? 0)) broken(path, "minItems");
  if (value.length > (rule.most ?? Number.POSITIVE_INFINITY)) broken(path, "maxItems");
  if (rule.distinct && new Set(value.map(canonical)).size < value.length) broken(path, "uniqueItems");
  if (rule.of) for (const each of value) check(rule.of, each, below(path, "*"), broken);
}

function checkMap(rule: Rule, value: Fields, path: string, broken: Broken): void {
  for (const name of rule.needs ?? []) if (!Object.hasOwn(value, name)) broken(below(path, name), "required");
  for (const [name, others] of Object.entries(rule.together ?? {}))
    if (Object.hasOwn(value, name) && !others.every((other) => Object.hasOwn(value, other)))
      broken(path, "dependentRequired");
  if (Object.keys(value).length < (rule.least ?? 0)) broken(path, "minProperties");
  if (Object.keys(value).length > (rule.most ?? Number.POSITIVE_INFINITY)) broken(path, "maxProperties");
  for (const [name, each] of Object.entries(value)) {
    const known = rule.fields && Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
    if (rule.closed && !known) broken(path, "additionalProperties");
    const [least, most] = rule.named ?? [0, Number.POSITIVE_INFINITY];
    const isNamed = (!rule.names || rule.names.test(name)) && name.length >= least && name.length <= most;
    if (!isNamed) broken(path, "propertyNames");
    if (known) check(known, each, below(path, name), broken);
    else if (rule.of) check(rule.of, each, below(path, "*"), broken);
  }
}

/** Returns true if the value is a multiple of the step, apart from rounding errors of binary fractions. */
const isMultiple = (value: number, step: number) =>
  Math.abs(value / step - Math.round(value / step)) < 1e-9 * Math.max(1, Math.abs(value / step));

const keeps = (rule: Rule, value: Json) => {
  let isKept = true;
  check(rule, value, "", () => (isKept = false));
  return isKept;
};

function checkChoice(rule: Rule, value: Fields, path: string, broken: Broken): void {
  const by = rule.by ?? "";
  const chosen = value[by];
  const branch =
    typeof chosen === "string" && Object.hasOwn(rule.branches ?? {}, chosen)
      ? rule.branches?.[chosen]
      : undefined;
  if (branch) check(branch, value, `${path}.${String(chosen)}`, broken);
  else broken(`${path}/${by}`, chosen === undefined ? "required" : "const");
}
