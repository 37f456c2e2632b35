import type { Context } from "../context.ts";
import { NEWER, OLDER } from "../read-hook-tools.ts";

/** A case in which a defect shows: real services often go wrong in some cases only. */
export interface Condition {
  readonly name: string;
  readonly says: string;
  /** Further requirements that a defect of reads breaks in this case. */
  readonly breaks: readonly string[];
  holds(ctx: Context): boolean;
}

function versionSent(ctx: Context): string | undefined {
  return ctx.request.headers["service-version"];
}

export const UNDER_NEWER: Condition = {
  name: "newer",
  says: `under ${NEWER} only`,
  breaks: ["VERSION-FIELDS", "VERSION-VALUES"],
  holds: (ctx) => versionSent(ctx) === NEWER,
};
export const UNDER_OLDER: Condition = {
  name: "older",
  says: `under ${OLDER} only`,
  breaks: ["VERSION-VALUES"],
  holds: (ctx) => versionSent(ctx) === OLDER,
};
export const UNVERSIONED: Condition = {
  name: "unversioned",
  says: "without a version only",
  breaks: [],
  holds: (ctx) => !versionSent(ctx),
};
export const LATER_PAGES: Condition = {
  name: "later-pages",
  says: "behind the first page only",
  breaks: [],
  holds: (ctx) => Boolean(ctx.query.get("after")?.[0]),
};
export const FILTERED: Condition = {
  name: "filtered",
  says: "under a filter only",
  breaks: ["CURSOR-FILTERED", "FILTER-COMPLETE"],
  holds: (ctx) => ["mode", "status", "ussd_code", "country"].some((name) => ctx.query.get(name)?.[0]),
};

export const VERSION_CHOICES: readonly Condition[] = [UNDER_NEWER, UNDER_OLDER, UNVERSIONED];
