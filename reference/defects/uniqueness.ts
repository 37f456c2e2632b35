import type { Context } from "../context.ts";
import { refuse, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import { EVERY_VERSION, type Row, tabled } from "../operators/operator.ts";
import type { StoredRecord } from "../store.ts";
import { hesitate } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const ACCOUNT: Where = ["POST /v1/financial-accounts"];

const same =
  (decide: (isSame: boolean, pair: { sent: Json; other: StoredRecord }, ctx: Context) => boolean) =>
  (): Hooks => ({
    sameReference: (isSame, ctx, pair) => decide(isSame, pair, ctx),
  });
const alike = (spelling: (text: string) => string) =>
  same(
    (isSame, { sent, other }, ctx) =>
      isSame ||
      (other.space === ctx.space &&
        typeof other.data.reference === "string" &&
        spelling(other.data.reference) === spelling(String(sent))),
  );

function withoutOnce(isWithout: (reference: Json | undefined) => boolean): (where: Where) => () => Hooks {
  return (where) => () => {
    const spaces = new Set<string>();
    const { problems } = refuse(
      where,
      "conflict",
      { at: "body.reference", rule: "unique", message: "taken" },
      (ctx) => isWithout(ctx.body.reference) && spaces.has(ctx.space),
    );
    return {
      ...(problems ? { problems } : {}),
      written: (ctx) => {
        if (isWithout(ctx.body.reference)) spaces.add(ctx.space);
      },
    };
  };
}

const FAULTS: Readonly<Record<string, Row>> = {
  "unique-ignored": ["UNIQUE-REJECTED", "a reference may be used again", same(() => false)],
  "unique-within-currency": [
    "UNIQUE-REJECTED",
    "a reference may be used again with another currency",
    same((isSame, { other }, { body }) => isSame && other.data.currency === body.currency),
  ],
  "unique-with-name": [
    "UNIQUE-REJECTED",
    "a reference may be used again with another name",
    same((isSame, { other }, { body }) => isSame && other.data.name === body.name),
  ],
  "unique-with-description": [
    "UNIQUE-REJECTED",
    "a reference may be used again with another description",
    same(
      (isSame, { other }, { body }) =>
        isSame && (other.data.description ?? null) === (body.description ?? null),
    ),
  ],
  "unique-among-latest": [
    "UNIQUE-REJECTED",
    "a reference is compared with the latest account only",
    same(
      (isSame, { other }, { service, space }) =>
        isSame && service.store.all("financialAccount").find((one) => one.space === space)?.id === other.id,
    ),
  ],
  "unique-race": [
    "UNIQUE-PARALLEL",
    "a reference is checked once, before the account is made",
    () => ({ recheck: () => false, pause: hesitate }),
  ],
  "unique-in-all-spaces": [
    "UNIQUE-PER-SPACE",
    "a reference of another space is refused",
    same((isSame, { sent, other }) => isSame || other.data.reference === sent),
  ],
  "unique-by-beginning": [
    ["CREATE-ACCEPTED", "UNIQUE-PER-SPACE", "UNIQUE-OPTIONAL", "KEY-DISTINCT", "CREATE-ECHO", "CREATE-EDGES"],
    "references are compared by their first 4 characters",
    alike((text) => text.slice(0, 4)),
  ],
  "unique-null": [
    "UNIQUE-OPTIONAL",
    "one account only may have a reference of null",
    withoutOnce((reference) => reference === null),
  ],
  "unique-left-out": [
    "UNIQUE-OPTIONAL",
    "one account only may have no reference",
    withoutOnce((reference) => reference === undefined),
  ],
};

export const uniquenessDefects: readonly Defect[] = tabled(ACCOUNT, EVERY_VERSION, FAULTS);
