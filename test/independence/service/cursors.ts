/** Pages of lists. A cursor holds the time and id of the last row of a page. */

import type { SqlValue } from "sql.js";
import { type Database, number, type Row, text } from "./database.ts";
import { problem } from "./http.ts";

export interface Page {
  rows: Row[];
  next: string | null;
}

export interface PageQuery {
  limit: number;
  after?: string | null;
}

function encode(row: Row): string {
  return Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url");
}

function decode(cursor: string): [number, string] {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    if (typeof at === "number" && typeof id === "string") return [at, id];
  } catch {}
  throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
}

/** Returns a page of the rows that match all conditions, newest first. */
export function page(
  database: Database,
  table: string,
  filters: Record<string, SqlValue | undefined>,
  { limit, after }: PageQuery,
): Page {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  for (const [column, value] of Object.entries(filters)) {
    if (value === undefined || value === null) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (after) {
    conditions.push("(created_at, id) < (?, ?)");
    values.push(...decode(after));
  }
  const rows = database.all(
    `SELECT * FROM ${table} WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
    [...values, limit + 1],
  );
  const last = rows[limit - 1];
  return { rows: rows.slice(0, limit), next: rows.length > limit && last ? encode(last) : null };
}
