import { setTimeout as wait } from "node:timers/promises";
import { compose } from "./compose.ts";
import type { Context } from "./context.ts";
import { isAt, overlook, type ProblemMatch, type Where } from "./hook-tools.ts";
import type { Hooks } from "./hooks.ts";
import { compact, isObject, type Json, type JsonObject } from "./json.ts";
import { type Problem, Rejected } from "./problems.ts";

export function together(...sets: readonly Hooks[]): Hooks {
  return compose(sets);
}

export function overlookWhen(where: Where, match: ProblemMatch, when: (ctx: Context) => boolean): Hooks {
  const { problems: filter } = overlook(where, match);
  return {
    problems: (problems, ctx, stage) => (filter && when(ctx) ? filter(problems, ctx, stage) : problems),
  };
}

export function makeField(
  where: Where,
  field: string,
  change: (value: Json | undefined, ctx: Context, previous: Json | undefined) => Json | undefined,
): Hooks {
  return {
    made: (record, ctx, previous) => {
      if (!isAt(ctx, where)) return record;
      const { data } = record;
      const changed = change(data[field], ctx, previous?.data[field]);
      return { ...record, data: compact({ ...data, [field]: changed }) };
    },
  };
}

export function storeField(
  where: Where,
  field: string,
  change: (value: Json | undefined, previous: Json | undefined, ctx: Context) => Json | undefined,
): Hooks {
  return {
    stored: (record, ctx, previous) => {
      if (!record || !isAt(ctx, where)) return record;
      const changed = change(record.data[field], previous?.data[field], ctx);
      return { ...record, data: compact({ ...record.data, [field]: changed }) };
    },
  };
}

export function coerce(where: Where, sent: string, to: (value: Json) => Json, kept = sent): Hooks {
  return together(
    overlook(where, { at: `body.${sent}`, rule: "type" }),
    makeField(where, kept, (value) => (value === undefined ? undefined : to(value))),
  );
}

export function takeNull(where: Where, sent: string, instead: Json | undefined): Hooks {
  return together(
    overlook(where, { at: `body.${sent}`, rule: "null" }),
    makeField(where, sent, (value) => (value === null ? instead : value)),
  );
}

export function setOtherwise(
  where: Where,
  change: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    previous: JsonObject,
  ) => Readonly<Record<string, Json | undefined>>,
): Hooks {
  return {
    changes: (changes, ctx, record) => (isAt(ctx, where) ? change(changes, ctx, record.data) : changes),
  };
}

export function answerStale(where: Where, fields: readonly string[]): Hooks {
  const before = new WeakMap<Context, JsonObject>();
  return {
    written: (ctx, _record, previous) => {
      if (previous) before.set(ctx, previous.data);
    },
    item: (item, ctx) => {
      const old = before.get(ctx);
      if (!old || !isAt(ctx, where)) return item;
      return compact({ ...item, ...Object.fromEntries(fields.map((field) => [field, old[field]])) });
    },
  };
}

/** Lets other requests come between checks and write. */
export const hesitate: NonNullable<Hooks["pause"]> = (point) => (point === "checked" ? wait(25) : undefined);

const FAULT: Problem = { at: "body", rule: "state", message: "internal error" };

export function crash(where: Where, when: (ctx: Context) => boolean): Hooks {
  return {
    pause: (point, ctx) => {
      if (point === "checked" && isAt(ctx, where) && when(ctx))
        throw new Rejected({ status: 500, headers: {}, problems: [FAULT] });
    },
  };
}

export function crashInstead(where: Where, isMeant: (problem: Problem, ctx: Context) => boolean): Hooks {
  return {
    rejection: (rejection, ctx) =>
      isAt(ctx, where) && rejection.problems.some((problem) => isMeant(problem, ctx))
        ? { status: 500, headers: {}, problems: [FAULT] }
        : rejection,
  };
}

export function rewriteBody(where: Where, rewrite: (text: string) => string): Hooks {
  const targets = where.map((name) => {
    const [method = "", path = ""] = name.split(" ");
    const parts = path.split("/").map((part) => (part.startsWith("{") ? "[^/]+" : part));
    return { method, path: new RegExp(`^(/v1)?${parts.join("/")}$`) };
  });
  return {
    request: (request) => {
      const meant = targets.some(({ method, path }) => method === request.method && path.test(request.path));
      return meant ? { ...request, body: Buffer.from(rewrite(request.body.toString("utf8"))) } : request;
    },
  };
}

export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)]));
}
