import type { Context, ResponseDraft } from "./context.ts";
import type { Hooks, LimitPoint, Window } from "./hooks.ts";
import type { Json, JsonObject } from "./json.ts";
import { type Operation, type OperationName, operations } from "./operations.ts";
import type { Problem, Rule, Stage } from "./problems.ts";
import type { StoredRecord } from "./store.ts";

export type Where = readonly OperationName[];

function namesOf(holds: (operation: Operation) => boolean): OperationName[] {
  return operations.filter(holds).map(({ name }) => name);
}

export const DOCUMENTED: Where = namesOf(({ undocumented }) => !undocumented);
export const UNDOCUMENTED: Where = namesOf(({ undocumented }) => undocumented);
export const EVERYWHERE: Where = namesOf(() => true);
export const LISTS: Where = [
  "GET /v1/ussd-otps",
  "GET /v1/payment-codes",
  "GET /webhooks",
  "GET /banks",
  "GET /momos",
  "GET /countries",
];
export const PAGED: Where = ["GET /v1/ussd-otps", "GET /v1/payment-codes", "GET /webhooks"];
export const SINGLES: Where = namesOf(({ name, undocumented }) => !undocumented && /^GET .*\}$/.test(name));
export const CREATES: Where = namesOf(({ key, undocumented }) => key && !undocumented);
export const IN_SPACES: Where = namesOf(({ spaceMax, undocumented }) => spaceMax !== null && !undocumented);
export const UPDATES: Where = namesOf(({ name }) => name.startsWith("PATCH"));

export const WEBHOOK_WRITES: Where = ["POST /webhooks", "PATCH /webhooks/{id}"];

export function isAt(ctx: Context, where: Where): boolean {
  return ctx.operation !== "" && where.includes(ctx.operation);
}

/** A property that is left out matches every problem. */
export interface ProblemMatch {
  readonly stage?: Stage;
  readonly at?: string;
  readonly rule?: Rule | readonly Rule[];
}

function isMeant(problem: Problem, stage: Stage, match: ProblemMatch): boolean {
  if (match.stage !== undefined && match.stage !== stage) return false;
  if (match.at !== undefined && match.at !== problem.at) return false;
  return match.rule === undefined || [match.rule].flat().includes(problem.rule);
}

export function overlook(where: Where, match: ProblemMatch): Hooks {
  return {
    problems: (problems, ctx, stage) =>
      isAt(ctx, where) ? problems.filter((problem) => !isMeant(problem, stage, match)) : problems,
  };
}

export function refuse(where: Where, stage: Stage, problem: Problem, when: (ctx: Context) => boolean): Hooks {
  return {
    problems: (problems, ctx, current) =>
      current === stage && isAt(ctx, where) && when(ctx) ? [...problems, problem] : problems,
  };
}

export function moveLimit(where: Where, point: LimitPoint, move: (limit: number) => number): Hooks {
  return {
    limit: (limit, ctx, { at, rule }) =>
      isAt(ctx, where) && at === point.at && rule === point.rule ? move(limit) : limit,
  };
}

export function showItems(
  where: Where,
  change: (item: JsonObject, ctx: Context, shown: { record: StoredRecord; index: number }) => JsonObject,
): Hooks {
  return { item: (item, ctx, shown) => (isAt(ctx, where) ? change(item, ctx, shown) : item) };
}

export function showField(
  where: Where,
  field: string,
  change: (value: Json | undefined, item: JsonObject, ctx: Context) => Json | undefined,
): Hooks {
  return showItems(where, (item, ctx) => {
    const { [field]: value, ...others } = item;
    const changed = change(value, item, ctx);
    return changed === undefined ? others : { ...others, [field]: changed };
  });
}

export function showPagination(
  where: Where,
  change: (
    pagination: JsonObject,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => JsonObject,
): Hooks {
  return {
    pagination: (pagination, ctx, page) => (isAt(ctx, where) ? change(pagination, ctx, page) : pagination),
  };
}

export function showEnvelope(where: Where, change: (body: JsonObject, ctx: Context) => Json): Hooks {
  return { envelope: (body, ctx) => (isAt(ctx, where) ? change(body, ctx) : body) };
}

export function answerSuccess(
  where: Where,
  change: (response: ResponseDraft, ctx: Context) => ResponseDraft,
): Hooks {
  return {
    response: (response, ctx) =>
      isAt(ctx, where) && response.status === 200 ? change(response, ctx) : response,
  };
}
