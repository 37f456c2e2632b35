import { isObject, type Json } from "../json.ts";
import { hashOf, spelled } from "./tools.ts";
import type { Variant } from "./variant.ts";

interface Spelling {
  readonly text?: (text: string) => string;
  readonly number?: (value: number) => string;
  readonly order?: (names: readonly string[]) => readonly string[];
  readonly colon?: string;
  readonly comma?: string;
  readonly open?: string;
  readonly close?: string;
}

function write(value: Json, spelling: Spelling): string {
  const { text = JSON.stringify, number = String, order = (names) => names } = spelling;
  const { colon = ":", comma = ",", open = "", close = "" } = spelling;
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value))
    return `[${open}${value.map((element) => write(element, spelling)).join(comma)}${close}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = order(Object.keys(value)).map(
    (name) => `${text(name)}${colon}${write(value[name] ?? null, spelling)}`,
  );
  return `{${open}${members.join(comma)}${close}}`;
}

function escaped(text: string): string {
  let spelled = "";
  for (let at = 0; at < text.length; at += 1) {
    const hex = text.charCodeAt(at).toString(16).padStart(4, "0");
    spelled += `\\u${at % 2 === 0 ? hex : hex.toUpperCase()}`;
  }
  return `"${spelled}"`;
}

function oddInteger(value: number): string {
  if (!Number.isSafeInteger(value)) return String(value);
  const sign = value < 0 ? "-" : "";
  const digits = String(Math.abs(value));
  const forms = [
    `${value}.0`,
    `${sign}${digits[0]}.${digits.slice(1) || "0"}e${digits.length - 1}`,
    `${value}00E-2`,
    `${value}e+0`,
    String(value),
  ];
  return forms[hashOf(digits) % forms.length] ?? digits;
}

const odd = "Section 4: bodies are JSON, and RFC 8259 leaves the spelling open";

export const jsonTextVariants: readonly Variant[] = [
  {
    name: "json-all-escaped",
    description: "Every character of every text and name is a unicode escape.",
    why: `${odd}: any character may be escaped.`,
    hooks: spelled((value) => write(value, { text: escaped })),
  },
  {
    name: "json-odd-integers",
    description: "Integers are spelled 12.0, 1.2e1 or 1200E-2.",
    why: "Row 10: integers are judged by value.",
    hooks: spelled((value) => write(value, { number: oddInteger })),
  },
  {
    name: "json-names-in-any-order",
    description: "The members of objects are in another order at every answer.",
    why: `${odd}: an object is an unordered collection.`,
    hooks: spelled((value, { number }) =>
      write(value, {
        order: (names) => names.toSorted((a, b) => hashOf(`${number}${a}`) - hashOf(`${number}${b}`)),
      }),
    ),
  },
  {
    name: "json-with-much-space",
    description: "JSON is spread over lines with tabs, carriage returns and spaces, also around the value.",
    why: `${odd}: white space is insignificant.`,
    hooks: spelled(
      (value) =>
        `\r\n\t ${write(value, { colon: "\t: \r\n", comma: " ,\n\n", open: "\r\n\t", close: "  \n" })}\n\n `,
    ),
  },
];
