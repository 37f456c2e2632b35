import type { BodyField } from "../fields/bodies.ts";
import { isObject, type Json } from "../json.ts";
import { mapTexts } from "../write-hook-tools.ts";

export interface Change {
  readonly does: string;
  readonly applies: (field: BodyField) => boolean;
  readonly change: (value: Json, field: BodyField) => Json;
}

const FREE = ["name", "description", "reference"];
const isFreeText = ({ name }: BodyField) => FREE.includes(name) || name === "metadata";
const cut = (length: number) => (value: Json) => mapTexts(value, (text) => text.slice(0, length));
const texts = (change: (text: string) => string) => (value: Json) => mapTexts(value, change);
const longer = (length: number) => (field: BodyField) =>
  field.name === "metadata" || (isFreeText(field) && (field.max ?? 0) > length);

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export const CHANGES: Readonly<Record<string, Change>> = {
  "lower-cased": {
    does: "comes back in lower case",
    applies: (field) => isFreeText(field) || field.name === "url",
    change: texts((text) => text.toLowerCase()),
  },
  "path-lower-cased": {
    does: "comes back with its path in lower case",
    applies: ({ name }) => name === "url",
    change: texts((text) =>
      text.replace(
        /^([a-z]+:\/\/[^/]*)([^?]*)/,
        (_all, host: string, path: string) => host + path.toLowerCase(),
      ),
    ),
  },
  "query-lower-cased": {
    does: "comes back with its query in lower case",
    applies: ({ name }) => name === "url",
    change: texts((text) => text.replace(/\?.*$/, (query) => query.toLowerCase())),
  },
  "query-lost": {
    does: "comes back without its query",
    applies: ({ name }) => name === "url",
    change: texts((text) => text.replace(/\?.*$/, "")),
  },
  "cut-at-50": { does: "is cut after 50 characters", applies: longer(50), change: cut(50) },
  "cut-at-63": { does: "is cut after 63 characters", applies: longer(63), change: cut(63) },
  "cut-at-99": { does: "is cut after 99 characters", applies: longer(99), change: cut(99) },
  escaped: { does: "is escaped as for an HTML page", applies: isFreeText, change: texts(escaped) },
  "tags-lost": {
    does: "loses what stands in angle brackets",
    applies: isFreeText,
    change: texts((text) => text.replaceAll(/<[^>]*>/g, "")),
  },
  "quotes-doubled": {
    does: "comes back with its apostrophes doubled",
    applies: isFreeText,
    change: texts((text) => text.replaceAll("'", "''")),
  },
  "backslashes-lost": {
    does: "loses its backslashes",
    applies: isFreeText,
    change: texts((text) => text.replaceAll("\\", "")),
  },
  normalised: {
    does: "is brought into normalisation form C",
    applies: isFreeText,
    change: texts((text) => text.normalize("NFC")),
  },
  decomposed: {
    does: "is brought into normalisation form D",
    applies: isFreeText,
    change: texts((text) => text.normalize("NFD")),
  },
  "astral-lost": {
    does: "loses characters outside the basic plane",
    applies: isFreeText,
    change: texts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")),
  },
  "ascii-only": {
    does: "loses whatever is not ASCII",
    applies: isFreeText,
    change: texts((text) => text.replaceAll(/[^\0-\x7f]/g, "?")),
  },
  "first-only": {
    does: "comes back with its first element only",
    applies: ({ type }) => type === "list",
    change: (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
  },
  "last-lost": {
    does: "comes back without its last element",
    applies: ({ type }) => type === "list",
    change: (value) => (Array.isArray(value) && value.length > 1 ? value.slice(0, -1) : value),
  },
  "entry-lost": {
    does: "comes back without its last entry",
    applies: ({ name }) => name === "metadata" || name === "customHeaders",
    change: (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value),
  },
  "keys-lower-cased": {
    does: "comes back with its keys in lower case",
    applies: ({ name }) => name === "metadata",
    change: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.toLowerCase(), entry]))
        : value,
  },
  emptied: {
    does: "comes back empty",
    applies: ({ type, name }) => (type === "object" && name !== "verificationMethod") || FREE.includes(name),
    change: (_value, { type }) => (type === "object" ? {} : ""),
  },
  "constant-instead": {
    does: "comes back as a constant",
    applies: ({ name, type }) => name !== "verificationMethod" && type !== "flag" && name !== "status",
    change: (_value, { constant }) => constant,
  },
  negated: {
    does: "comes back as its opposite",
    applies: ({ type }) => type === "flag",
    change: (value) => value !== true,
  },
};
