import { type Field, SHAPES, type Shape } from "../fields/answers.ts";
import {
  answerSuccess,
  DOCUMENTED,
  LISTS,
  showEnvelope,
  showItems,
  showPagination,
  type Where,
} from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { inTurn, operator } from "../operators/operator.ts";
import { inOneCase, type Part, parts, placesOf } from "../operators/parts.ts";
import { changeAt } from "../read-hook-tools.ts";
import type { Defect } from "./defect.ts";

const TRANSPORT: Readonly<
  Record<string, readonly [breaks: string, does: string, make: (where: Where) => Hooks]>
> = {
  "status-201": ["STATUS-200", "a success is answered 201", (where) => withStatus(where, 201)],
  "status-202": ["STATUS-200", "a success is answered 202", (where) => withStatus(where, 202)],
  "status-204": [
    "STATUS-200",
    "a success is answered 204 and no body",
    (where) => answerSuccess(where, (response) => ({ ...response, status: 204, body: "" })),
  ],
  "typed-html": [
    "JSON-CONTENT-TYPE",
    "a success is declared text/html",
    (where) => withHeader(where, "Content-Type", "text/html"),
  ],
  "typed-text": [
    "JSON-CONTENT-TYPE",
    "a success is declared text/plain",
    (where) => withHeader(where, "Content-Type", "text/plain"),
  ],
  untyped: [
    "JSON-CONTENT-TYPE",
    "a success has no content type",
    (where) =>
      answerSuccess(where, (response) => {
        const { "Content-Type": _, ...headers } = response.headers;
        return { ...response, headers };
      }),
  ],
  "marked-gzip": [
    "JSON-BODY",
    "the body of a success is marked as gzip, and is none",
    (where) => withHeader(where, "Content-Encoding", "gzip"),
  ],
  "cut-off": [
    "JSON-BODY",
    "the body of a success lacks its last character",
    (where) => text(where, (body) => body.slice(0, -1)),
  ],
  guarded: [
    "JSON-BODY",
    "the body of a success begins with )]}'",
    (where) => text(where, (body) => `)]}'\n${body}`),
  ],
  "twice-in-one": [
    "JSON-BODY",
    "the body of a success is sent twice",
    (where) => text(where, (body) => body + body),
  ],
  "empty-body": ["JSON-BODY", "the body of a success is empty", (where) => text(where, () => "")],
};

function withStatus(where: Where, status: number): Hooks {
  return answerSuccess(where, (response) => ({ ...response, status }));
}

function withHeader(where: Where, name: string, value: string): Hooks {
  return answerSuccess(where, (response) => ({
    ...response,
    headers: { ...response.headers, [name]: value },
  }));
}

function text(where: Where, change: (body: string) => string): Hooks {
  return answerSuccess(where, (response) => ({ ...response, body: change(String(response.body)) }));
}

const SINGLE: Where = DOCUMENTED.filter((operation) => !LISTS.includes(operation));
const ENVELOPE: readonly Part[] = [
  {
    part: "success",
    values: ["missing", "null", "false", "text", "number"],
    where: DOCUMENTED,
    breaks: ["SUCCESS-TRUE"],
  },
  {
    part: "messages",
    values: ["missing", "null", "text", "object"],
    where: DOCUMENTED,
    breaks: ["MESSAGES-ARRAY"],
  },
  { part: "result", values: ["missing", "null", "text", "list"], where: SINGLE, breaks: ["RESULT-OBJECT"] },
  { part: "result", values: ["missing", "text", "object"], where: LISTS, breaks: ["RESULT-LIST"] },
  { part: "pagination", values: ["missing", "null", "list"], where: LISTS, breaks: ["PAGINATION-PRESENT"] },
  { part: "pagination", values: ["object", "null"], where: SINGLE, breaks: ["PAGINATION-ABSENT"] },
];

const LISTED: Readonly<Record<string, readonly [does: string, change: (items: readonly Json[]) => Json]>> = {
  "result-keyed": [
    "the list is an object with positions as keys",
    (items) => Object.fromEntries(items.entries()),
  ],
  "result-ids": [
    "the list holds ids only",
    (items) => items.map((item) => (isObject(item) ? (item.id ?? null) : item)),
  ],
  "result-holed": ["the list ends with null", (items) => [...items, null]],
};

const WITH_TOTAL: Where = ["GET /webhooks", "GET /banks", "GET /momos", "GET /countries"];
const PAGINATION: readonly Part[] = [
  {
    part: "count",
    values: ["missing", "null", "text", "fraction"],
    where: LISTS,
    breaks: ["PAGINATION-FIELDS", "LIST-COUNT"],
  },
  { part: "next", values: ["missing", "number", "object"], where: LISTS, breaks: ["PAGINATION-FIELDS"] },
  { part: "total", values: ["missing", "null", "text"], where: WITH_TOTAL, breaks: ["LIST-TOTAL"] },
];

function transport(): Defect[] {
  return Object.entries(TRANSPORT).flatMap(([name, [breaks, does, make]], from) =>
    operator(
      name,
      inOneCase(placesOf(DOCUMENTED), from).map(([{ operation }, when]) => ({
        operation,
        when,
        breaks: [breaks],
        does,
        hooks: make([operation]),
      })),
    ),
  );
}

function listed(): Defect[] {
  return Object.entries(LISTED).flatMap(([name, [does, change]], from) =>
    operator(
      name,
      inOneCase(placesOf(LISTS), from).map(([{ operation }, when]) => ({
        operation,
        when,
        breaks: ["RESULT-LIST"],
        does,
        hooks: showEnvelope([operation], (body) => ({
          ...body,
          result: change(Array.isArray(body.result) ? body.result : []),
        })),
      })),
    ),
  );
}

interface FieldPlace {
  readonly operation: OperationName;
  readonly shape: Shape;
  readonly field: Field;
}

const FIELD_PLACES: readonly FieldPlace[] = SHAPES.flatMap((shape) =>
  shape.shown.flatMap((operation) => shape.fields.map((field) => ({ operation, shape, field }))),
);

const OUTSIDE: Partial<Record<Field["type"], Json>> = {
  time: "2024-13-45 10:00",
  choice: "unheard_of",
  currency: "QQQ",
  country: "QQ",
  integer: 1.5,
  list: [5],
};

const OTHER_TYPE: Record<Field["type"], Json> = {
  text: 5,
  time: 1_724_400_000,
  flag: "true",
  integer: "12",
  object: "[object Object]",
  list: {},
  choice: 1,
  currency: 952,
  country: { code: "CM" },
};

interface FieldOperator {
  readonly does: string;
  readonly breaks: (field: Field) => readonly string[];
  readonly value: (field: Field) => Json | undefined;
}

const FIELD_OPERATORS: Readonly<Record<string, FieldOperator>> = {
  missing: {
    does: "is missing",
    breaks: ({ presence }) => (presence ? [presence] : []),
    value: () => undefined,
  },
  null: {
    does: "is null",
    breaks: ({ nullable, fields, presence }) => (nullable ? [] : [fields, ...(presence ? [presence] : [])]),
    value: () => null,
  },
  "other-type": {
    does: "is of another type",
    breaks: ({ fields }) => [fields],
    value: ({ type }) => OTHER_TYPE[type],
  },
  outside: {
    does: "is none of the values that it may have",
    breaks: ({ type, fields }) => (OUTSIDE[type] === undefined ? [] : [fields]),
    value: ({ type }) => OUTSIDE[type],
  },
  "too-long": {
    does: "is longer than it may be",
    breaks: ({ longest }) => (longest ? [longest[1]] : []),
    value: ({ longest }) => "x".repeat((longest?.[0] ?? 0) + 1),
  },
};

function fieldHooks({ operation, field }: FieldPlace, change: FieldOperator, state?: string): Hooks {
  return showItems([operation], (item) =>
    state !== undefined && item.status !== state
      ? item
      : changeAt(item, field.path, (value) => (value === undefined ? undefined : change.value(field))),
  );
}

function fields(): Defect[] {
  return Object.entries(FIELD_OPERATORS).flatMap(([name, change], from) => {
    const places = FIELD_PLACES.filter(({ field }) => change.breaks(field).length > 0);
    const inAll = inOneCase(places, from).map(([place, when]) => ({
      operation: place.operation,
      at: place.field.path.replaceAll("/*/", "/").replaceAll("/", "."),
      when,
      breaks: change.breaks(place.field),
      does: `${place.field.path} ${change.does}`,
      hooks: fieldHooks(place, change),
    }));
    const stated = inTurn(
      places.filter(({ field }) => field.presence !== undefined && !field.path.includes("/")),
      ({ shape }) => shape.states,
    ).map(([place, state]) => ({
      operation: place.operation,
      at: `${place.field.path}-when-${state}`,
      breaks: change.breaks(place.field),
      does: `${place.field.path} ${change.does} while the status is ${state}`,
      hooks: fieldHooks(place, change, state),
    }));
    return operator(name, [...inAll, ...stated]);
  });
}

export const answerDefects: readonly Defect[] = [
  ...transport(),
  ...parts(ENVELOPE, showEnvelope),
  ...parts(PAGINATION, showPagination),
  ...listed(),
  ...fields(),
];
