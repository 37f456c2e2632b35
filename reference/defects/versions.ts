import type { Context } from "../context.ts";
import { SHAPES } from "../fields/answers.ts";
import { BODY_FIELDS } from "../fields/bodies.ts";
import { DOCUMENTED, LISTS, PAGED, refuse, showEnvelope, showPagination, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { OperationName } from "../operations.ts";
import { UNDER_NEWER, VERSION_CHOICES } from "../operators/condition.ts";
import { ALWAYS, across, operator } from "../operators/operator.ts";
import { hasOther, otherValue } from "../operators/others.ts";
import { showAt } from "../read-hook-tools.ts";
import type { Defect } from "./defect.ts";

const sent = (ctx: Context) => ctx.request.headers["service-version"] ?? "";
const REFUSED = { at: "header.Service-Version", rule: "enum", message: "no such version" } as const;

const taking = (isMeant: (version: string) => boolean) => (): Hooks => ({
  problems: (problems, ctx, stage) => (stage === "version" && isMeant(sent(ctx)) ? [] : problems),
});

function isSentBy(operation: OperationName, path: string): boolean {
  return BODY_FIELDS.some((field) => field.operation === operation && path.startsWith(field.name));
}

function fields(): Defect[] {
  // Ids, list elements and structured objects are left out, because they have other requirements, too.
  const places = SHAPES.flatMap(({ shown, fields: all }) =>
    shown.flatMap((operation) => all.map((field) => ({ operation, field }))),
  ).filter(
    ({ field }) => hasOther(field.type, field.path) && field.path !== "id" && !field.path.includes("*"),
  );
  // New resources and sent fields have new values, and secrets may be masked.
  const isWrite = (operation: OperationName) => !operation.startsWith("GET");
  const settled = places.filter(
    ({ operation, field: { path } }) =>
      !operation.startsWith("POST") && !isSentBy(operation, path) && !path.endsWith("secret"),
  );
  return [
    ...operator(
      "other-value",
      settled.map(({ operation, field }) => ({
        operation,
        at: field.path.replaceAll("/", "."),
        when: UNDER_NEWER,
        breaks: ["VERSION-VALUES"],
        does: `${field.path} has another value`,
        hooks: showAt([operation], field.path, (value) =>
          value === undefined || value === null ? (value ?? undefined) : otherValue(field.type, value),
        ),
      })),
    ),
    ...operator(
      "dropped",
      places
        .filter(({ field }) => field.presence === undefined)
        .filter(({ operation, field: { path } }) => !(isWrite(operation) && path.endsWith("secret")))
        .map(({ operation, field }) => ({
          operation,
          at: field.path.replaceAll("/", "."),
          when: UNDER_NEWER,
          breaks: ["VERSION-FIELDS"],
          does: `${field.path} is missing`,
          hooks: showAt([operation], field.path, () => undefined),
        })),
    ),
  ];
}

export const versionDefects: readonly Defect[] = [
  ...across("version-refused", DOCUMENTED, () => VERSION_CHOICES, {
    breaks: ["VERSION-ACCEPTED"],
    does: "calls are refused",
    hooks: (where) => refuse(where, "version", REFUSED, () => true),
  }),
  ...across("any-version", DOCUMENTED, ALWAYS, {
    breaks: ["VERSION-UNKNOWN"],
    does: "any Service-Version is taken",
    hooks: taking(() => true),
  }),
  ...across("older-still-taken", DOCUMENTED, ALWAYS, {
    at: "2024-08-01",
    breaks: ["VERSION-UNKNOWN"],
    does: "the version before the first listed one is taken",
    hooks: taking((version) => version === "2024-08-01"),
  }),
  ...across("member-lost", LISTS, () => [UNDER_NEWER], {
    breaks: ["VERSION-MEMBERS"],
    does: "the second item of the list is left out",
    hooks: () => ({ members: (members) => members.filter((_record, index) => index !== 1) }),
  }),
  ...across("order-reversed", LISTS, () => [UNDER_NEWER], {
    breaks: ["VERSION-MEMBERS"],
    does: "the list is in reverse order",
    hooks: () => ({ members: (members) => members.toReversed() }),
    equivalent: Object.fromEntries(
      LISTS.map((name) => [
        name,
        "no sentence promises that the order of a list is the same under two versions",
      ]),
    ),
  }),
  ...across(
    "total-other",
    LISTS.filter((name) => !PAGED.includes(name) || name === "GET /webhooks"),
    () => [UNDER_NEWER],
    {
      breaks: ["VERSION-MEMBERS"],
      does: "total is one more",
      hooks: (where: Where) =>
        showPagination(where, (pagination) => ({ ...pagination, total: Number(pagination.total) + 1 })),
    },
  ),
  ...across("empty-under-version", LISTS, () => [UNDER_NEWER], {
    breaks: ["VERSION-MEMBERS"],
    does: "the list is empty",
    hooks: (where: Where) =>
      showEnvelope(where, (body) => ({
        ...body,
        result: [],
        pagination: { count: 0, next: null, total: 0 },
      })),
  }),
  ...fields(),
];
