import type { Context } from "../context.ts";
import { BODY_FIELDS, type BodyField } from "../fields/bodies.ts";
import { overlook, refuse, showItems, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { compact, type Json } from "../json.ts";
import { changing, isOrdinary, isSent } from "../operators/changing.ts";
import { VERSION_CHOICES } from "../operators/condition.ts";
import { inAll, onFields } from "../operators/on-fields.ts";
import { ALWAYS, across, EVERY_VERSION, eachWith, operator, SOME_VERSION } from "../operators/operator.ts";
import { hesitate, setOtherwise } from "../write-hook-tools.ts";
import { cancelDefects } from "./cancelling.ts";
import type { Defect } from "./defect.ts";

const FIELDS = BODY_FIELDS.filter(({ operation }) => UPDATES.includes(operation));
const CODE: Where = ["PATCH /payment-codes/{id}"];

function stale(): Defect[] {
  const fields = FIELDS.filter(isOrdinary);
  return [
    ...onFields("stale-answer", inAll(fields), (field) => ({
      breaks: ["UPDATE-ECHO"],
      does: `the answer shows the ${field.name} from before`,
      hooks: () => staleIn(field),
    })),
    ...onFields(
      "not-stored",
      eachWith(fields, () => [undefined, ...VERSION_CHOICES]),
      (field) => ({
        breaks: ["UPDATE-STORED"],
        does: `a new ${field.name} is answered and not stored`,
        hooks: changing(
          field,
          "stored",
          (ctx) => isSent(field, ctx),
          (_value, previous) => previous,
        ),
      }),
    ),
    ...onFields("ignored", inAll(fields), (field) => ({
      breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
      does: `a new ${field.name} is ignored`,
      hooks: setOtherwise([field.operation], ({ [field.kept]: _, ...others }) => others),
    })),
    ...operator(
      "list-stale",
      fields
        .filter(({ operation }) => CODE.includes(operation))
        .map((field) => ({
          operation: "GET /payment-codes/{id}",
          alsoAt: ["GET /v1/payment-codes", field.operation],
          at: field.name,
          breaks: ["SHAPES-AGREE"],
          does: `the list goes on showing the ${field.name} from before an update`,
          hooks: () => staleList(field),
        })),
    ),
  ];
}

function staleIn(field: BodyField): Hooks {
  const before = new WeakMap<Context, Json | undefined>();
  return {
    written: (ctx, _record, previous) => {
      if (isSent(field, ctx)) before.set(ctx, previous?.data[field.kept]);
    },
    item: (item, ctx) => (before.has(ctx) ? compact({ ...item, [field.name]: before.get(ctx) }) : item),
  };
}

function staleList(field: BodyField): Hooks {
  const before = new Map<string, Json | undefined>();
  return {
    written: (_ctx, record, previous) => {
      if (previous && !before.has(record.id)) before.set(record.id, previous.data[field.kept]);
    },
    item: (item, ctx, { record }) =>
      ctx.operation === "GET /v1/payment-codes" && before.has(record.id)
        ? compact({ ...item, [field.kept]: before.get(record.id) })
        : item,
  };
}

function acceptance(): Defect[] {
  return [
    ...across(
      "empty-refused",
      ["PATCH /payment-codes/{id}", "PATCH /payouts/{id}"],
      () => [undefined, ...VERSION_CHOICES],
      {
        breaks: (operation) => [operation === "PATCH /payouts/{id}" ? "UPDATE-EMPTY-PAYOUT" : "UPDATE-EMPTY"],
        does: "an update with no fields is refused",
        hooks: (where) =>
          refuse(
            where,
            "body",
            { at: "body", rule: "required", message: "nothing to do" },
            ({ body }) => Object.keys(body).length === 0,
          ),
      },
    ),
    ...across("unknown-updated", UPDATES, EVERY_VERSION, {
      breaks: ["UPDATE-UNKNOWN"],
      does: "an update of an unknown id is answered as done",
      hooks: (where) => overlook(where, { stage: "find" }),
    }),
    ...across("parallel-updates-lost", ["PATCH /payment-codes/{id}", "PATCH /webhooks/{id}"], ALWAYS, {
      breaks: ["UPDATE-STORED"],
      does: "of two updates at the same moment the later one writes back what it read before the other",
      hooks: () => ({ recheck: () => false, pause: hesitate }),
    }),
    ...across("provider-refused-late", CODE, ALWAYS, {
      breaks: ["UPDATE-NO-EFFECT"],
      does: "too many providers are refused after all else was stored",
      hooks: () => ({
        late: (late, { body }, stage) =>
          late ||
          (stage === "body" && Array.isArray(body.allowedProviders) && body.allowedProviders.length > 10),
        changes: ({ authorizedProviders: _, ...others }) => others,
      }),
    }),
    ...across("id-moves", UPDATES, SOME_VERSION, {
      breaks: ["UPDATE-IDENTITY", "UPDATE-KEEPS-REST"],
      does: "the answer shows a new id",
      hooks: (where) => showItems(where, (item) => ({ ...item, id: `${item.id}-2` })),
    }),
  ];
}
export const updateDefects: readonly Defect[] = [...stale(), ...acceptance(), ...cancelDefects];
