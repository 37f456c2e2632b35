import {
  answerSuccess,
  LISTS,
  PAGED,
  SHOWN,
  showEnvelope,
  showItems,
  showPagination,
  type Where,
} from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { changeAt } from "../read-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { type Condition, LATER_PAGES, VERSION_CHOICES } from "./tools/condition.ts";
import { eachWith, inTurn, operator } from "./tools/operator.ts";
import { type Field, SHAPES, type Shape } from "./tools/shapes.ts";

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
    (where) => typed(where, "text/html"),
  ],
  "typed-text": [
    "JSON-CONTENT-TYPE",
    "a success is declared text/plain",
    (where) => typed(where, "text/plain"),
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

function typed(where: Where, type: string): Hooks {
  return answerSuccess(where, (response) => ({
    ...response,
    headers: { ...response.headers, "Content-Type": type },
  }));
}

function text(where: Where, change: (body: string) => string): Hooks {
  return answerSuccess(where, (response) => ({ ...response, body: change(String(response.body)) }));
}

const isList = (operation: OperationName) => LISTS.includes(operation);

interface EnvelopeFault {
  readonly breaks: string;
  readonly does: string;
  readonly where: (operation: OperationName) => boolean;
  readonly change: (body: JsonObject) => Json;
}

const everywhere = () => true;
const RESULT = (operation: OperationName) => (isList(operation) ? "RESULT-LIST" : "RESULT-OBJECT");

function without(body: JsonObject, field: string): JsonObject {
  const { [field]: _, ...others } = body;
  return others;
}

const ENVELOPE: Readonly<Record<string, EnvelopeFault>> = {
  "success-missing": {
    breaks: "SUCCESS-TRUE",
    does: "success is missing",
    where: everywhere,
    change: (body) => without(body, "success"),
  },
  "success-false": {
    breaks: "SUCCESS-TRUE",
    does: "a success says that it is none",
    where: everywhere,
    change: (body) => ({ ...body, success: false }),
  },
  "success-text": {
    breaks: "SUCCESS-TRUE",
    does: "success is a text",
    where: everywhere,
    change: (body) => ({ ...body, success: "true" }),
  },
  "success-null": {
    breaks: "SUCCESS-TRUE",
    does: "success is null",
    where: everywhere,
    change: (body) => ({ ...body, success: null }),
  },
  "messages-missing": {
    breaks: "MESSAGES-ARRAY",
    does: "messages is missing",
    where: everywhere,
    change: (body) => without(body, "messages"),
  },
  "messages-null": {
    breaks: "MESSAGES-ARRAY",
    does: "messages is null",
    where: everywhere,
    change: (body) => ({ ...body, messages: null }),
  },
  "messages-object": {
    breaks: "MESSAGES-ARRAY",
    does: "messages is an object",
    where: everywhere,
    change: (body) => ({ ...body, messages: {} }),
  },
  "messages-text": {
    breaks: "MESSAGES-ARRAY",
    does: "messages is a text",
    where: everywhere,
    change: (body) => ({ ...body, messages: "" }),
  },
  "result-missing": {
    breaks: "",
    does: "result is missing",
    where: everywhere,
    change: (body) => without(body, "result"),
  },
  "result-null": {
    breaks: "RESULT-OBJECT",
    does: "result is null",
    where: (operation) => !isList(operation),
    change: (body) => ({ ...body, result: null }),
  },
  "result-listed": {
    breaks: "RESULT-OBJECT",
    does: "the resource is in a list of one",
    where: (operation) => !isList(operation),
    change: (body) => ({ ...body, result: [body.result ?? null] }),
  },
  "result-text": {
    breaks: "",
    does: "result is a text",
    where: everywhere,
    change: (body) => ({ ...body, result: JSON.stringify(body.result) }),
  },
  "result-keyed": {
    breaks: "RESULT-LIST",
    does: "the list is an object with positions as keys",
    where: isList,
    change: (body) => ({ ...body, result: Object.fromEntries(Object.entries(body.result ?? {})) }),
  },
  "result-ids": {
    breaks: "RESULT-LIST",
    does: "the list holds ids instead of resources",
    where: isList,
    change: (body) => ({
      ...body,
      result: Array.isArray(body.result)
        ? body.result.map((item) => (isObject(item) ? (item.id ?? null) : item))
        : null,
    }),
  },
  "result-holed": {
    breaks: "RESULT-LIST",
    does: "the list ends with null",
    where: isList,
    change: (body) => ({ ...body, result: Array.isArray(body.result) ? [...body.result, null] : null }),
  },
  "pagination-missing": {
    breaks: "PAGINATION-PRESENT",
    does: "pagination is missing",
    where: isList,
    change: (body) => without(body, "pagination"),
  },
  "pagination-null": {
    breaks: "PAGINATION-PRESENT",
    does: "pagination is null",
    where: isList,
    change: (body) => ({ ...body, pagination: null }),
  },
  "pagination-list": {
    breaks: "PAGINATION-PRESENT",
    does: "pagination is a list",
    where: isList,
    change: (body) => ({ ...body, pagination: [] }),
  },
  "pagination-there": {
    breaks: "PAGINATION-ABSENT",
    does: "a single resource comes with pagination",
    where: (operation) => !isList(operation),
    change: (body) => ({ ...body, pagination: { count: 1, next: null } }),
  },
  "pagination-null-there": {
    breaks: "PAGINATION-ABSENT",
    does: "a single resource comes with pagination null",
    where: (operation) => !isList(operation),
    change: (body) => ({ ...body, pagination: null }),
  },
};

const PAGINATION: Readonly<Record<string, readonly [field: string, does: string, value: Json | undefined]>> =
  {
    "count-missing": ["count", "count is missing", undefined],
    "count-null": ["count", "count is null", null],
    "count-text": ["count", "count is a text", "1"],
    "count-fraction": ["count", "count has a fraction", 1.5],
    "next-missing": ["next", "next is missing", undefined],
    "next-number": ["next", "next is a number", 7],
    "next-object": ["next", "next is an object", {}],
    "total-missing": ["total", "total is missing", undefined],
    "total-null": ["total", "total is null", null],
    "total-text": ["total", "total is a text", "99"],
  };
const WITH_TOTAL: Where = ["GET /webhooks", "GET /banks", "GET /momos", "GET /countries"];

/** What an answer of each kind may be limited to. */
function conditionsOf(operation: OperationName): readonly Condition[] {
  return PAGED.includes(operation) ? [...VERSION_CHOICES, LATER_PAGES] : VERSION_CHOICES;
}

/** Each place is tried once, in all answers or in some: what is found in some answers is found in all of them too. */
function once<P extends { readonly operation: OperationName }>(
  places: readonly P[],
): [P, Condition | undefined][] {
  return inTurn(places, ({ operation }) => [undefined, ...conditionsOf(operation)]);
}

function transport(): Defect[] {
  return Object.entries(TRANSPORT).flatMap(([name, [breaks, does, make]]) =>
    operator(
      name,
      once(SHOWN.map((operation) => ({ operation }))).map(([{ operation }, when]) => ({
        operation,
        when,
        breaks: [breaks],
        does,
        hooks: make([operation]),
      })),
    ),
  );
}

function envelopes(): Defect[] {
  return Object.entries(ENVELOPE).flatMap(([name, { breaks, does, where, change }]) =>
    operator(
      name,
      once(SHOWN.filter(where).map((operation) => ({ operation }))).map(([{ operation }, when]) => ({
        operation,
        when,
        breaks: [breaks === "" ? RESULT(operation) : breaks],
        does,
        hooks: showEnvelope([operation], change),
      })),
    ),
  );
}

function paginations(): Defect[] {
  return Object.entries(PAGINATION).flatMap(([name, [field, does, value]]) =>
    operator(
      name,
      once((field === "total" ? WITH_TOTAL : LISTS).map((operation) => ({ operation }))).map(
        ([{ operation }, when]) => ({
          operation,
          when,
          breaks: [
            field === "total" ? "LIST-TOTAL" : "PAGINATION-FIELDS",
            ...(field === "count" ? ["LIST-COUNT"] : []),
          ],
          does,
          hooks: showPagination([operation], (pagination) => {
            const others = without(pagination, field);
            return value === undefined ? others : { ...others, [field]: value };
          }),
        }),
      ),
    ),
  );
}

/** A field where an operation shows it. */
interface FieldPlace {
  readonly operation: OperationName;
  readonly shape: Shape;
  readonly field: Field;
}

const FIELD_PLACES: readonly FieldPlace[] = SHAPES.flatMap((shape) =>
  shape.shown.flatMap((operation) => shape.fields.map((field) => ({ operation, shape, field }))),
);

/** A value of the right type that the field can't hold, by its type. */
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
  /** What it breaks at a field; nothing where the field may be so. */
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

/** Only items that have the field are changed: where an optional one is absent, it stays so. */
function fieldHooks({ operation, field }: FieldPlace, change: FieldOperator, state?: string): Hooks {
  return showItems([operation], (item) =>
    state !== undefined && item.status !== state
      ? item
      : changeAt(item, field.path, (value) => (value === undefined ? undefined : change.value(field))),
  );
}

function fields(): Defect[] {
  return Object.entries(FIELD_OPERATORS).flatMap(([name, change]) => {
    const places = FIELD_PLACES.filter(({ field }) => change.breaks(field).length > 0);
    const inAll = once(places).map(([place, when]) => ({
      operation: place.operation,
      at: place.field.path.replaceAll("/*/", "/").replaceAll("/", "."),
      when,
      breaks: change.breaks(place.field),
      does: `${place.field.path} ${change.does}`,
      hooks: fieldHooks(place, change),
    }));
    const stated = inTurn(
      places.filter(({ field }) => !field.path.includes("/")),
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

/** A server error instead of an answer, for what a request holds. */
function serverErrors(): Defect[] {
  return operator(
    "server-error",
    eachWith(SHOWN, () => VERSION_CHOICES).map(([operation, when]) => ({
      operation,
      when,
      breaks: ["NO-SERVER-ERROR"],
      does: "every success turns into a 500",
      hooks: answerSuccess([operation], (response) => ({ ...response, status: 500 })),
    })),
  );
}

/** What an answer breaks by itself (sections 2 and 4). */
export const answerDefects: readonly Defect[] = [
  ...transport(),
  ...envelopes(),
  ...paginations(),
  ...fields(),
  ...serverErrors(),
];
