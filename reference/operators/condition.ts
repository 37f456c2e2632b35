import type { Context } from "../context.ts";
import { NEWER, OLDER } from "../read-hook-tools.ts";

/** When a mutant shows: a service often goes wrong in some cases only. */
export interface Condition {
  /** Stands behind the name of the mutant. */
  readonly name: string;
  /** Follows what the mutant does, in its sentence. */
  readonly says: string;
  /** Requirements that a read or list breaks by behaving so in these cases and not in others. */
  readonly breaks: readonly string[];
  holds(ctx: Context): boolean;
}

function versionSent(ctx: Context): string | undefined {
  return ctx.request.headers["service-version"];
}

/** Requests under the later version alone lack or change what the earlier one gives. */
export const UNDER_NEWER: Condition = {
  name: "newer",
  says: `under ${NEWER} only`,
  breaks: ["VERSION-FIELDS", "VERSION-VALUES"],
  holds: (ctx) => versionSent(ctx) === NEWER,
};
/** Requests under the earlier version alone. */
export const UNDER_OLDER: Condition = {
  name: "older",
  says: `under ${OLDER} only`,
  breaks: ["VERSION-VALUES"],
  holds: (ctx) => versionSent(ctx) === OLDER,
};
/** Requests that name no version. */
export const UNVERSIONED: Condition = {
  name: "unversioned",
  says: "without a version only",
  breaks: [],
  holds: (ctx) => !versionSent(ctx),
};
/** Pages behind a cursor. */
export const LATER_PAGES: Condition = {
  name: "later-pages",
  says: "behind the first page only",
  breaks: [],
  holds: (ctx) => Boolean(ctx.query.get("after")?.[0]),
};
/** Lists under a filter. */
export const FILTERED: Condition = {
  name: "filtered",
  says: "under a filter only",
  breaks: ["CURSOR-FILTERED", "FILTER-COMPLETE"],
  holds: (ctx) => ["mode", "status", "ussd_code", "country"].some((name) => ctx.query.get(name)?.[0]),
};

/** The three ways to choose a version. */
export const VERSION_CHOICES: readonly Condition[] = [UNDER_NEWER, UNDER_OLDER, UNVERSIONED];
