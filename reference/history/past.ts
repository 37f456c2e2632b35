import type { Context } from "../context.ts";
import type { Condition } from "../operators/condition.ts";
import { journalOf, type Step } from "./journal.ts";

export interface Past {
  readonly ctx: Context;
  /** Steps with the same resource. */
  readonly own: readonly Step[];
  /** Steps of the same operation. */
  readonly same: readonly Step[];
  /** Steps with resources of the same kind. */
  readonly kind: readonly Step[];
  readonly onConnection: readonly Step[];
  readonly all: readonly Step[];
}

export interface HistoryCondition extends Condition {
  /** Operations at which the condition can hold. */
  readonly at: RegExp;
}

type Row = readonly [says: string, holds: (past: Past) => boolean, at?: RegExp];

/** Returns `webhooks` for `PATCH /webhooks/{id}`. */
function collectionOf(operation: string): string {
  return operation.split("/").findLast((part) => !part.startsWith("{") && part !== "redeem") ?? "";
}

function pastOf(ctx: Context): Past {
  const journal = journalOf(ctx.service);
  const id = journal.idOf(ctx);
  const kind = collectionOf(ctx.operation);
  return {
    ctx,
    own: id === "" ? [] : journal.about(id),
    same: journal.of(ctx.operation),
    get kind() {
      return journal.all.filter(({ operation }) => collectionOf(operation) === kind);
    },
    onConnection: journal.onConnectionOf(ctx),
    all: journal.all,
  };
}

export function conditions(rows: Readonly<Record<string, Row>>): HistoryCondition[] {
  return Object.entries(rows).map(([name, [says, holds, at = /^/]]) => {
    const decided = new WeakMap<Context, boolean>();
    const decide = (ctx: Context) => {
      const known = decided.get(ctx) ?? holds(pastOf(ctx));
      decided.set(ctx, known);
      return known;
    };
    return { name, says, breaks: [], holds: decide, at };
  });
}

export const isDone = ({ outcome }: Step) => outcome === "done";
export const isUpdate = ({ operation }: Step) => operation.startsWith("PATCH");
export const isCreate = ({ operation }: Step) => operation.startsWith("POST");
export const isRead = ({ operation }: Step) => operation.startsWith("GET");
export const isWrite = (step: Step) => isUpdate(step) || isCreate(step);
export const isRefusedFor =
  (...stages: Step["stage"][]) =>
  (step: Step | undefined) =>
    step?.outcome === "refused" && stages.includes(step.stage);
export const spaceOf = ({ headers }: Pick<Step, "headers">) => headers["service-space-id"];
export const versionOf = ({ headers }: Pick<Step, "headers">) => headers["service-version"];
export const keyOf = ({ headers }: Pick<Step, "headers">) => headers["idempotency-key"];
export const isInOtherSpace = ({ ctx }: Past, step: Step | undefined) =>
  step !== undefined && spaceOf(step) !== spaceOf(ctx.request);
export const holdsNull = (step: Step | undefined) => Object.values(step?.body ?? {}).includes(null);
export const limitOf = (query: string) => new URLSearchParams(query).get("limit") ?? "10";

export const updates = ({ own }: Past) => own.filter(isUpdate);
export const doneUpdates = (past: Past) => updates(past).filter(isDone);
const isSecondOnConnection = ({ onConnection }: Past) => onConnection.length === 1;
export const SECOND_ON_CONNECTION: Row = ["as the second request on its connection", isSecondOnConnection];

export const CODE_OR_WEBHOOK = /payment-codes|webhooks/;
export const WEBHOOK = /webhooks/;
