/** SQLite (sql.js), in memory: statements with parameters, rows as objects, transactions. */

import initSqlJs, { type Database as Sqlite, type SqlValue } from "sql.js";

export type Row = Record<string, SqlValue>;

const sqlite = await initSqlJs();

export class Database {
  readonly #sqlite: Sqlite = new sqlite.Database();

  /** Runs one or more statements without parameters. */
  script(sql: string): void {
    this.#sqlite.exec(sql);
  }

  all(sql: string, values: SqlValue[] = []): Row[] {
    const statement = this.#sqlite.prepare(sql, values);
    try {
      const rows: Row[] = [];
      while (statement.step()) rows.push(statement.getAsObject());
      return rows;
    } finally {
      statement.free();
    }
  }

  first(sql: string, values: SqlValue[] = []): Row | undefined {
    return this.all(sql, values)[0];
  }

  run(sql: string, values: SqlValue[] = []): void {
    this.#sqlite.run(sql, values);
  }

  insert(table: string, row: Row): void {
    const columns = Object.keys(row);
    const marks = columns.map(() => "?").join(", ");
    this.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`, Object.values(row));
  }

  /** Sets these columns in the rows that match the condition. */
  update(table: string, change: Row, where: string, values: SqlValue[]): void {
    const sets = Object.keys(change).map((column) => `${column} = ?`);
    this.run(`UPDATE ${table} SET ${sets.join(", ")} WHERE ${where}`, [...Object.values(change), ...values]);
  }

  /** Runs `work` in a transaction: if it throws, nothing is written. */
  transaction<T>(work: () => T): T {
    this.script("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.script("COMMIT");
      return result;
    } catch (error) {
      this.script("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** True if a statement was rejected because of a unique index. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("UNIQUE constraint failed");
}

export const text = (value: SqlValue | undefined): string => String(value ?? "");
export const number = (value: SqlValue | undefined): number => Number(value ?? 0);
export const flag = (value: SqlValue | undefined): boolean => value === 1;
export const time = (value: SqlValue | undefined): string => new Date(number(value)).toISOString();

/** Parses the JSON of a column. Returns `otherwise` if the column has no text. */
export function json<T>(value: SqlValue | undefined, otherwise: T): T {
  return typeof value === "string" ? (JSON.parse(value) as T) : otherwise;
}
