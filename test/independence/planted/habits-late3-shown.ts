/** Parts of the habits of replicas and of other clients. */

import { type Edit, first, habit } from "./bug.ts";
import type { ShownHabit, Shows } from "./habits-late2-shown.ts";

export function late3Habit(name: string, breaks: string, shows: Shows, ...edits: Edit[]): ShownHabit {
  return { ...habit(`late3-${name}`, breaks, ...edits), shows: [shows] };
}

export const volatileHabit = (one: ShownHabit): ShownHabit => ({ ...one, isVolatile: true });

export const open = (one: ShownHabit): ShownHabit => ({ ...one, leavesOpen: true });

/** Answers reads from copies: `copyFor` is source that returns the greatest age of a copy and its name, from `request` and `turn`. */
export const copied = (copyFor: string): Edit[] => [
  [
    "database",
    "this.#sqlite.exec(sql);",
    "this.copy ??= () => new sqlite.Database(this.#sqlite.export()); this.#sqlite.exec(sql);",
  ],
  ["database", "this.#sqlite.prepare(sql, values)", "(this.view?.() ?? this.#sqlite).prepare(sql, values)"],
  first(`const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");
    const asked = new AsyncLocalStorage();
    const copies = new Map();
    let turns = 0;
    app.addHook("onRequest", (request, _, done) => {
      const turn = turns++;
      const wanted = request.method === "GET" ? (() => { ${copyFor} })() : undefined;
      asked.run(wanted, done);
    });
    database.view = () => {
      const wanted = asked.getStore();
      if (!wanted) return undefined;
      const [age, name, own] = wanted;
      if (own) return own;
      const known = copies.get(name);
      if (known?.at > Date.now() - age) return (wanted[2] = known.copy);
      // Requests that are under way may still use the older copy.
      if (known) setTimeout(() => known.copy.close(), 500).unref();
      copies.set(name, { at: Date.now(), copy: database.copy() });
      return (wanted[2] = copies.get(name).copy);
    };`),
];

/** Repeats `once` until it returns true, at most two seconds. */
export async function soon(once: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 2000; Date.now() < end; ) {
    if (await once()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

/** True if the answers of `once` differ within a second. */
export async function varies(once: () => Promise<unknown>): Promise<boolean> {
  const seen = new Set<string>();
  for (const end = Date.now() + 1000; Date.now() < end && seen.size < 2; ) {
    seen.add(JSON.stringify(await once()));
    await new Promise((resolve) => setTimeout(resolve, 7));
  }
  return seen.size > 1;
}

/** Source that does `before`, and after some milliseconds `after`, which may find the database closed. */
export const thenLater = (before: string, milliseconds: number, after: string): string =>
  `${before} setTimeout(() => { try { ${after} } catch {} }, ${milliseconds}).unref();`;

const MOVE = "UPDATE payment_codes SET status = ?, updated_at = ? WHERE id = ? AND status = ?";

/** Source that starts the payment of the code `id`, and ends it without success after some milliseconds. */
export const attempt = (milliseconds: number): string =>
  thenLater(
    `database.run("${MOVE}", ["processing", Date.now(), id, "pending"]);`,
    milliseconds,
    `database.run("${MOVE}", ["pending", Date.now(), id, "processing"]);`,
  );

/** Source of the ids of all pending codes of the space `here`. */
export const PENDING = `database.all("SELECT id FROM payment_codes WHERE space_id = ? AND status = 'pending'", [here])`;
