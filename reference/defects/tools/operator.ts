import type { Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { OperationName } from "../../operations.ts";
import type { Defect } from "../defect.ts";
import type { Condition } from "./condition.ts";
import { only } from "./only.ts";

/** Short names of the operations, for the names of mutants. */
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

/** An operator at a place: one mutant, before it has its name. */
export interface Mutation {
  readonly operation: OperationName;
  /** The field, parameter, header or value at that operation, where there are several such places. */
  readonly at?: string;
  /** When it shows; without one: always. */
  readonly when?: Condition | undefined;
  /** Ids of the requirements that it breaks. */
  readonly breaks: readonly string[];
  /** What happens there, as the beginning of a sentence without its full stop. */
  readonly does: string;
  readonly hooks: Hooks | (() => Hooks);
  readonly equivalent?: string | undefined;
}

/** The mutants of an operator, each with the name and the requirements that follow from its place. */
export function operator(name: string, mutations: readonly Mutation[]): Defect[] {
  return mutations.map(({ operation, at, when, breaks, does, hooks, equivalent }) => {
    const place = at === undefined ? SHORT[operation] : `${SHORT[operation]}.${at}`;
    const limited = when ? () => only(typeof hooks === "function" ? hooks() : hooks, when.holds) : hooks;
    return {
      name: `${name}@${place}${when ? `:${when.name}` : ""}`,
      does: `${operation}: ${does}${when ? `, ${when.says}` : ""}.`,
      requirements: when ? [...new Set([...breaks, ...versionRequirements(operation, when)])] : breaks,
      operations: [operation],
      hooks: limited,
      ...(equivalent === undefined ? {} : { equivalent }),
    };
  });
}

function versionRequirements(operation: OperationName, when: Condition): readonly string[] {
  return operation.startsWith("GET") ? when.breaks : [];
}

/** A value of each list in turn: every member of `over` meets one of `choices`, the choices evenly spread. */
export function inTurn<P, C>(over: readonly P[], choices: (place: P) => readonly C[]): [P, C][] {
  return over.flatMap((place, index): [P, C][] => {
    const all = choices(place);
    return all.length === 0 ? [] : [[place, all[index % all.length] as C]];
  });
}

/** Each place with each of its choices. */
export function eachWith<P, C>(over: Iterable<P>, choices: (place: P) => Iterable<C>): [P, C][] {
  return [...over].flatMap((place) => [...choices(place)].map((choice): [P, C] => [place, choice]));
}

/** The places at which an operation is listed. */
export function at<P>(where: Where, make: (operation: OperationName) => P): P[] {
  return where.map(make);
}
