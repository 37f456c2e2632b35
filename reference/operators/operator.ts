import { hooksOf } from "../compose.ts";
import type { Context } from "../context.ts";
import type { Defect } from "../defects/defect.ts";
import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { OperationName } from "../operations.ts";
import { type Condition, VERSION_CHOICES } from "./condition.ts";
import { only } from "./only.ts";

const SHORT: Readonly<Record<OperationName, string>> = {
  "GET /v1/ussd-otps": "otps",
  "POST /v1/financial-accounts": "account-create",
  "GET /v1/payment-codes": "codes",
  "GET /payment-codes/{id}": "code",
  "PATCH /payment-codes/{id}": "code-update",
  "GET /payouts/{id}": "payout",
  "PATCH /payouts/{id}": "payout-update",
  "GET /banks": "banks",
  "GET /banks/{idOrCode}": "bank",
  "GET /momos": "momos",
  "GET /momos/{idOrCode}": "momo",
  "GET /countries": "countries",
  "GET /countries/{idOrCode}": "country",
  "POST /webhooks": "webhook-create",
  "PATCH /webhooks/{id}": "webhook-update",
  "GET /webhooks": "webhooks",
  "POST /v1/payments": "payment-create",
  "GET /v1/financial-accounts": "accounts",
  "GET /v1/financial-transactions": "transactions",
  "POST /v1/checkout-sessions": "checkout-create",
  "POST /v1/internal-transfers": "transfer-create",
  "POST /v1/ussd-otps": "otp-create",
  "GET /v1/provider-kyc/{providerId}": "kyc",
  "GET /v1/receipts/{orderNumber}": "receipt",
  "POST /v1/receipts/{orderNumber}/redeem": "redeem",
};

export interface Mutation {
  readonly operation: OperationName;
  readonly alsoAt?: readonly string[] | undefined;
  readonly at?: string | undefined;
  readonly when?: Condition | undefined;
  readonly breaks: readonly string[];
  /** A clause without a full stop, such as `count is always 0`. */
  readonly does: string;
  readonly hooks: Hooks | (() => Hooks);
  readonly equivalent?: string | undefined;
}

export function operator(name: string, mutations: readonly Mutation[]): Defect[] {
  return mutations.map(({ operation, alsoAt = [], at, when, breaks, does, hooks, equivalent }) => {
    const place = at === undefined ? SHORT[operation] : `${SHORT[operation]}.${at}`;
    const isMeant = (ctx: Context) =>
      (alsoAt.includes(ctx.operation) || ctx.operation === operation) &&
      (when === undefined || when.holds(ctx));
    return {
      name: `${name}@${place}${when ? `:${when.name}` : ""}`,
      does: `${operation}: ${does}${when ? `, ${when.says}` : ""}.`,
      requirements: [...new Set([...breaks, ...differing(operation, breaks, when)])],
      operations: [operation],
      hooks: () => only(hooksOf({ hooks }), isMeant),
      ...(equivalent === undefined ? {} : { equivalent }),
    };
  });
}

function differing(
  operation: OperationName,
  [first = ""]: readonly string[],
  when: Condition | undefined,
): readonly string[] {
  const isAnswer = operation.startsWith("GET") && !/^(AUTH|SPACE|ISOLATION|VERSION|REFERENCE)-/.test(first);
  return when !== undefined && isAnswer ? when.breaks : [];
}

/** Pairs each place with one choice, in turn, so that all choices occur. */
export function inTurn<P, C>(over: readonly P[], choices: (place: P) => readonly C[], from = 0): [P, C][] {
  return over.flatMap((place, index): [P, C][] => {
    const all = choices(place);
    return all.length === 0 ? [] : [[place, all[(from + index) % all.length] as C]];
  });
}

export function eachWith<P, C>(over: Iterable<P>, choices: (place: P) => Iterable<C>): [P, C][] {
  return [...over].flatMap((place) => [...choices(place)].map((choice): [P, C] => [place, choice]));
}

export interface Fault {
  readonly breaks: readonly string[] | ((operation: OperationName) => readonly string[]);
  readonly does: string;
  readonly hooks: (where: Where) => Hooks | (() => Hooks);
  readonly equivalent?: Partial<Record<OperationName, string>>;
  readonly at?: string;
  readonly alsoAt?: Where;
}

export type Cases = (operation: OperationName, operator: string) => readonly (Condition | undefined)[];

export const ALWAYS: Cases = () => [undefined];

export function across(name: string, where: Where, cases: Cases, fault: Fault): Defect[] {
  const { breaks, does, hooks, at, alsoAt, equivalent } = fault;
  return operator(
    name,
    eachWith(where, (operation) => cases(operation, name)).map(([operation, when]) => ({
      operation,
      alsoAt,
      at,
      when,
      breaks: typeof breaks === "function" ? breaks(operation) : breaks,
      does,
      hooks: hooks([operation]),
      equivalent: equivalent?.[operation],
    })),
  );
}

export type Row = readonly [
  breaks: Fault["breaks"] | string,
  does: string,
  hooks: Fault["hooks"],
  cases?: Cases,
];

export function tabled(where: Where, casesByDefault: Cases, rows: Readonly<Record<string, Row>>): Defect[] {
  return Object.entries(rows).flatMap(([name, [breaks, does, hooks, cases = casesByDefault]]) =>
    across(name, where, cases, { breaks: typeof breaks === "string" ? [breaks] : breaks, does, hooks }),
  );
}

export const EVERY_VERSION: Cases = () => [undefined, ...VERSION_CHOICES];

/** One mutant is always wrong, one under a single version, which varies. */
export const SOME_VERSION: Cases = (operation, name) => {
  const turn = Object.keys(SHORT).indexOf(operation) + name.length;
  return [undefined, VERSION_CHOICES[turn % VERSION_CHOICES.length]];
};
