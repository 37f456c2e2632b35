import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../context.ts";
import { refuse, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import type { StoredRecord } from "../store.ts";
import { crashInstead } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { across, type Cases, type Fault } from "./tools/operator.ts";

const ACCOUNT: Where = ["POST /v1/financial-accounts"];
const versions: Cases = () => [undefined, ...VERSION_CHOICES];

/** Another rule for when two references are the same. */
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

/** Takes what is missing for a value that may be there once. */
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

const FAULTS: Readonly<Record<string, Fault>> = {
  "unique-ignored": {
    breaks: ["UNIQUE-REJECTED"],
    does: "a reference may be used again",
    hooks: same(() => false),
  },
  "unique-within-currency": {
    breaks: ["UNIQUE-REJECTED"],
    does: "a reference may be used again with another currency",
    hooks: same((isSame, { other }, { body }) => isSame && other.data.currency === body.currency),
  },
  "unique-with-name": {
    breaks: ["UNIQUE-REJECTED"],
    does: "a reference may be used again with another name",
    hooks: same((isSame, { other }, { body }) => isSame && other.data.name === body.name),
  },
  "unique-with-description": {
    breaks: ["UNIQUE-REJECTED"],
    does: "a reference may be used again with another description",
    hooks: same(
      (isSame, { other }, { body }) =>
        isSame && (other.data.description ?? null) === (body.description ?? null),
    ),
  },
  "unique-among-latest": {
    breaks: ["UNIQUE-REJECTED"],
    does: "a reference is compared with the latest account only",
    hooks: same(
      (isSame, { other }, { service, space }) =>
        isSame && service.store.all("financialAccount").find((one) => one.space === space)?.id === other.id,
    ),
  },
  "unique-crashes": {
    breaks: ["NO-SERVER-ERROR"],
    does: "a used reference is answered with 500",
    hooks: (where) => crashInstead(where, ({ rule }) => rule === "unique"),
  },
  "unique-race": {
    breaks: ["UNIQUE-PARALLEL"],
    does: "a reference is checked once, before the account is made",
    hooks: () => ({ recheck: () => false, pause: (point) => (point === "checked" ? wait(25) : undefined) }),
  },
  "unique-in-all-spaces": {
    breaks: ["UNIQUE-PER-SPACE"],
    does: "a reference of another space is refused",
    hooks: same((isSame, { sent, other }) => isSame || other.data.reference === sent),
  },
  "unique-by-beginning": {
    breaks: [
      "CREATE-ACCEPTED",
      "UNIQUE-PER-SPACE",
      "UNIQUE-OPTIONAL",
      "KEY-DISTINCT",
      "CREATE-ECHO",
      "CREATE-EDGES",
    ],
    does: "references are compared by their first 4 characters",
    hooks: alike((text) => text.slice(0, 4)),
  },
  "unique-null": {
    breaks: ["UNIQUE-OPTIONAL"],
    does: "one account only may have a reference of null",
    hooks: withoutOnce((reference) => reference === null),
  },
  "unique-left-out": {
    breaks: ["UNIQUE-OPTIONAL"],
    does: "one account only may have no reference",
    hooks: withoutOnce((reference) => reference === undefined),
  },
};

/** The unique reference of financial accounts (row 64). */
export const uniquenessDefects: readonly Defect[] = Object.entries(FAULTS).flatMap(([name, fault]) =>
  across(name, ACCOUNT, versions, fault),
);
