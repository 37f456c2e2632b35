import type { Context } from "../context.ts";
import type { BodyField } from "../fields/bodies.ts";
import { showField, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import { makeField, storeField } from "../write-hook-tools.ts";

/** Answers may leave out secrets, and the status has its own defects. */
export const isOrdinary = ({ name }: BodyField) => name !== "verificationMethod" && name !== "status";
export const isSent = ({ name }: BodyField, { body }: Context) =>
  body[name] !== undefined && body[name] !== null;

/** `made` changes all answers, `shown` only the answer to the write, `stored` later reads. */
export type Way = "made" | "shown" | "stored";
export const SAYS: Readonly<Record<Way, string>> = {
  made: "",
  shown: " in the answer",
  stored: " in later reads",
};

export function changing(
  field: BodyField,
  way: Way,
  holds: (ctx: Context) => boolean,
  change: (value: Json | undefined, previous: Json | undefined) => Json | undefined,
): Hooks {
  const where: Where = [field.operation];
  const changed = (value: Json | undefined, ctx: Context, previous?: Json) =>
    holds(ctx) ? change(value, previous) : value;
  if (way === "made")
    return makeField(where, field.kept, (value, ctx, previous) => changed(value, ctx, previous));
  if (way === "stored")
    return storeField(where, field.kept, (value, previous, ctx) => changed(value, ctx, previous));
  return showField(where, field.name, (value, _item, ctx) => changed(value, ctx));
}
