import type { Context } from "../../context.ts";
import { BODY_FIELDS, type BodyField } from "../../fields/bodies.ts";
import { refuse, UPDATES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { OperationName } from "../../operations.ts";
import { ALWAYS, across, operator } from "../../operators/operator.ts";
import type { Problem, Rule, Stage } from "../../problems.ts";
import { parsedJson, together } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";

const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];
/** Updates of payouts have only one field. */
export const WITH_SEVERAL_FIELDS: Where = [...CODE, ...WEBHOOK];

const fieldsOf = (operation: string) => BODY_FIELDS.filter((field) => field.operation === operation);

function valid(operation: string, problems: readonly Problem[]): readonly BodyField[] {
  const invalid = problems.map(({ at }) => at.replace(/^body\.|[[.].*$/g, ""));
  return fieldsOf(operation).filter(({ name }) => !invalid.includes(name));
}

/** Stores the valid fields for which `isMeant` is true, despite the rejection. */
export function doneThoughRefused(
  isMeant: (field: BodyField) => boolean,
  isFault: (problem: Problem) => boolean = () => true,
): Hooks {
  const faulty = new WeakSet<Context>();
  return {
    problems: (problems, ctx, stage) => {
      if (stage === "body" && problems.some(isFault)) faulty.add(ctx);
      return problems;
    },
    late: (late, ctx, stage) => late || (stage === "body" && faulty.has(ctx)),
    changes: (changes, { operation, lateRejections }) => {
      const [late] = lateRejections;
      if (!late) return changes;
      const stored = valid(operation, late.problems)
        .filter(isMeant)
        .map(({ kept }) => kept);
      return Object.fromEntries(Object.entries(changes).filter(([kept]) => stored.includes(kept)));
    },
  };
}

const LATE_RULES: Readonly<Partial<Record<Rule, readonly [what: string, where: Where]>>> = {
  type: ["a value of another type", WITH_SEVERAL_FIELDS],
  null: ["null", WITH_SEVERAL_FIELDS],
  maxLength: ["a text that is too long", WITH_SEVERAL_FIELDS],
  minLength: ["a text that is too short", WEBHOOK],
  maxItems: ["a list that is too long", WITH_SEVERAL_FIELDS],
  minItems: ["an empty list", WITH_SEVERAL_FIELDS],
  enum: ["a value that is not allowed", CODE],
  format: ["a value of no proper form", WITH_SEVERAL_FIELDS],
};

function noticedLate(): Defect[] {
  return Object.entries(LATE_RULES).flatMap(([rule, [what, where]]) =>
    across("refused-late", where, ALWAYS, {
      at: rule,
      breaks: ["UPDATE-NO-EFFECT"],
      does: `an update that is refused for ${what} has stored its other fields`,
      hooks: () => () =>
        doneThoughRefused(
          () => true,
          (problem) => problem.rule === rule,
        ),
    }),
  );
}

function storedEarly(): Defect[] {
  const fields = WITH_SEVERAL_FIELDS.flatMap(fieldsOf).filter(
    ({ name }) => name !== "status" && name !== "verificationMethod",
  );
  return operator(
    "stored-before-refused",
    fields.map((field) => ({
      operation: field.operation,
      at: field.name,
      breaks: ["UPDATE-NO-EFFECT"],
      does: `an update that is refused for another field has stored its ${field.name}`,
      hooks: () => doneThoughRefused(({ name }) => name === field.name),
    })),
  );
}

function namesUnknown({ body, service: { store } }: Context): boolean {
  const named = Array.isArray(body.allowedProviders) ? body.allowedProviders : [];
  const all = [...store.all("bank"), ...store.all("momo")];
  const isKnown = (provider: Json) => all.some(({ id, data }) => provider === id || provider === data.code);
  return named.some((provider) => typeof provider === "string" && !isKnown(provider));
}

/** No schema excludes unknown providers, so a service may notice them late. */
function unknownProvider(): Defect[] {
  const problem: Problem = { at: "body.allowedProviders", rule: "known", message: "no such provider" };
  const which: Readonly<Record<string, (name: string) => boolean>> = {
    all: () => true,
    name: (name) => name === "name",
    metadata: (name) => name === "metadata",
    isActive: (name) => name === "isActive",
  };
  return Object.entries(which).flatMap(([at, isMeant]) =>
    across("unknown-provider-late", CODE, ALWAYS, {
      at,
      breaks: ["UPDATE-NO-EFFECT"],
      does: `an update that is refused for an unknown provider has stored ${at === "all" ? "its other fields" : `its ${at}`}`,
      hooks: (where) => () =>
        together(
          refuse(where, "body", problem, namesUnknown),
          doneThoughRefused(
            ({ name }) => isMeant(name),
            ({ rule }) => rule === "known",
          ),
        ),
    }),
  );
}

export function wanted({ operation, request }: Context, problems: readonly Problem[]): Record<string, Json> {
  const body = parsedJson(request.body.toString("utf8"));
  const sent: JsonObject = isObject(body) ? body : {};
  const entries = valid(operation, problems).flatMap(({ name, kept }): [string, Json][] => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    return value === undefined || value === null || name === "status" || name === "url"
      ? []
      : [[kept, value]];
  });
  return Object.fromEntries(entries);
}

function carriedOver(stage: Stage): () => Hooks {
  return () => {
    const pending = new Map<string, Record<string, Json>>();
    const idOf = ({ params }: Context) => params.id ?? "";
    return {
      problems: (problems, ctx, current) => {
        if (current === stage && problems.length > 0) pending.set(idOf(ctx), wanted(ctx, problems));
        return problems;
      },
      changes: (changes, ctx) => {
        const carried = { ...pending.get(idOf(ctx)), ...changes };
        pending.delete(idOf(ctx));
        return carried;
      },
    };
  };
}

function listedAsRefused(): Hooks {
  const pending = new Map<string, Record<string, Json>>();
  return {
    problems: (problems, ctx, stage) => {
      if (stage === "body" && problems.length > 0) pending.set(ctx.params.id ?? "", wanted(ctx, problems));
      return problems;
    },
    written: (_ctx, { id }) => void pending.delete(id),
    members: (all) =>
      all.map((record) => ({ ...record, data: { ...record.data, ...pending.get(record.id) } })),
  };
}

const CARRIED: readonly (readonly [Stage, string, where: Where, breaks: readonly string[]])[] = [
  ["body", "its body", WITH_SEVERAL_FIELDS, ["UPDATE-NO-EFFECT", "UPDATE-KEEPS"]],
  ["auth", "its token", UPDATES, ["AUTH-NO-EFFECT", "UPDATE-NO-EFFECT", "UPDATE-KEEPS"]],
  ["find", "its space", UPDATES, ["ISOLATION-WRITES", "UPDATE-NO-EFFECT", "UPDATE-KEEPS"]],
  ["space", "its space's name", UPDATES, ["UPDATE-NO-EFFECT", "ISOLATION-UNKNOWN-SPACE", "UPDATE-KEEPS"]],
  ["version", "its version", UPDATES, ["UPDATE-NO-EFFECT", "UPDATE-KEEPS"]],
];

function hidden(): Hooks {
  const refused = new Set<string>();
  return {
    problems: (problems, { params, operation }, stage) => {
      if (stage === "body" && problems.length > 0 && operation.startsWith("PATCH"))
        refused.add(params.id ?? "");
      return problems;
    },
    found: (record, _ctx, { id, purpose }) => (purpose === "read" && refused.has(id) ? undefined : record),
    members: (all) => all.filter(({ id }) => !refused.has(id)),
  };
}

const READ_OF: readonly (readonly [OperationName, OperationName, breaks: readonly string[]])[] = [
  ["PATCH /payment-codes/{id}", "GET /payment-codes/{id}", ["READ-ACCEPTED"]],
  ["PATCH /payouts/{id}", "GET /payouts/{id}", ["READ-ACCEPTED"]],
  ["PATCH /webhooks/{id}", "GET /webhooks", []],
];

const LISTS: readonly (readonly [update: Where, list: Where])[] = [
  [CODE, ["GET /v1/payment-codes"]],
  [WEBHOOK, ["GET /webhooks"]],
];

function hiding(): Defect[] {
  return operator(
    "hidden-once-refused",
    READ_OF.map(([update, read, breaks]) => ({
      // No requirement of GET /webhooks is about lost items.
      operation: breaks.length > 0 ? read : update,
      alsoAt: [update, read],
      breaks: breaks.length > 0 ? breaks : ["UPDATE-NO-EFFECT", "UPDATE-STORED", "UPDATE-KEEPS"],
      does: `a resource is not shown by ${read} once an update of it was refused`,
      hooks: hidden,
    })),
  );
}

function takenOver(): Hooks {
  return {
    found: (record, { service, space }, { kind, id, purpose }) => {
      const meant = service.store.get(kind, id);
      if (record === undefined && meant && purpose === "write" && space !== "")
        service.store.replace({ ...meant, space });
      return record;
    },
  };
}

export const rejectionHistoryDefects: readonly Defect[] = [
  ...noticedLate(),
  ...storedEarly(),
  ...unknownProvider(),
  ...CARRIED.flatMap(([stage, what, where, breaks]) =>
    across("carried-over", where, ALWAYS, {
      at: stage,
      breaks,
      does: `what an update wanted that was refused for ${what} is done by the next update`,
      hooks: () => carriedOver(stage),
    }),
  ),
  ...hiding(),
  ...LISTS.flatMap(([update, list]) =>
    across("listed-as-refused", update, ALWAYS, {
      alsoAt: list,
      breaks: ["UPDATE-NO-EFFECT"],
      does: "lists show what a refused update wanted, until the next update is done",
      hooks: () => listedAsRefused,
    }),
  ),
  ...across("taken-over", UPDATES, ALWAYS, {
    breaks: ["ISOLATION-WRITES"],
    does: "an update that is refused in another space moves the resource there",
    hooks: () => takenOver,
  }),
  ...across("unknown-made", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["UPDATE-NO-EFFECT", "UPDATE-UNKNOWN"],
    does: "an update of an unknown id is refused, and makes a webhook with that id",
    hooks: () => ({
      found: (record, { service, space, body }, { kind, id }) => {
        const others = service.store.all(kind);
        const [pattern] = others;
        if (record === undefined && pattern && service.store.get(kind, id) === undefined)
          service.store.add({ ...pattern, id, space, data: { ...pattern.data, ...body } });
        return record;
      },
    }),
  }),
];
