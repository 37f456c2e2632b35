/** Services that conform, with lists whose order or items move. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { webhooksBy } from "./habits-fresh-lists.ts";
import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late3Habit, soon, varies } from "./habits-late3-shown.ts";

export const listHabits: readonly ShownHabit[] = [
  // Two servers with clocks 1.5 s apart create webhooks, whose list is in the order of their times.
  late3Habit(
    "two-clocks",
    "",
    async ({ hook, get }) => {
      const [one, two] = [await hook(), await hook()];
      const { ids } = await get("/webhooks?limit=50");
      return ids.indexOf(two) < ids.indexOf(one);
    },
    ["webhooks", "const shared", "let turns = 0; const shared"],
    ["webhooks", "created_at: Date.now()", "created_at: Date.now() + (turns++ % 2 ? 0 : 1500)"],
    webhooksBy("a.created_at - b.created_at || a.number - b.number"),
  ),
  // The webhook with the latest delivery comes first, and deliveries go on all the time.
  late3Habit(
    "webhooks-by-latest-delivery",
    "",
    ({ get }) => varies(async () => (await get("/webhooks?limit=50")).ids),
    ["tables", "secret TEXT,", "secret TEXT, delivered INTEGER NOT NULL DEFAULT 0,"],
    webhooksBy("b.delivered - a.delivered || a.number - b.number"),
    every(
      130,
      `database.run("UPDATE webhooks SET delivered = ? WHERE id = (SELECT id FROM webhooks WHERE space_id = ? ORDER BY random() LIMIT 1)", [Date.now(), here]);`,
    ),
  ),
  // Lists show an item once it is 80 ms old, and other clients create items all the time.
  late3Habit(
    "lists-begin-80-ms-ago",
    "",
    async ({ hook, get }) => {
      const isListed = async (id: string) => (await get("/webhooks?limit=50")).ids.includes(id);
      for (let count = 0; count < 5; count++) {
        const id = await hook();
        if (id !== "" && !(await isListed(id)) && (await soon(() => isListed(id)))) return true;
      }
      return false;
    },
    webhooksBy("a.number - b.number", { seen: "(row.created_at > Date.now() - 80 ? undefined : row)" }),
    [
      "cursors",
      "if (after) {",
      'conditions.push("created_at <= ?"); values.push(Date.now() - 80); if (after) {',
    ],
    every(
      140,
      `const row = database.first("SELECT * FROM payment_codes WHERE space_id = ? AND status IN ('completed', 'expired') ORDER BY random()", [here]);
        database.insert("payment_codes", { ...row, id: "PCS" + turn, ussd_code: "*126*7*" + turn + "#", created_at: Date.now(), updated_at: Date.now() });
        const otp = database.first("SELECT * FROM otps WHERE space_id = ?", [here]);
        database.insert("otps", { ...otp, id: "ots" + turn, status: "pending", created_at: Date.now(), expires_at: Date.now() + 600_000 });`,
    ),
  ),
  // Accounts are listed in batches, one in 0.6 s, because this operation is only named.
  late3Habit(
    "accounts-listed-in-batches",
    "",
    ({ account, get }) =>
      soon(async () => {
        const { id } = (await account()).result;
        return !(await get("/v1/financial-accounts?limit=50")).ids.includes(id);
      }),
    [
      "accounts",
      "return list(rows.map(shown), { next });",
      `const batch = Math.floor(Date.now() / 600) * 600;
      return list(rows.filter((row) => row.created_at < batch).map(shown), { next });`,
    ],
  ),
  // The list of transactions shows the latest ten, of thousands in a second.
  late3Habit(
    "transactions-without-end",
    "",
    async ({ get }) =>
      (await get("/v1/financial-transactions").catch(() => undefined))?.count === 10 &&
      varies(async () => (await get("/v1/financial-transactions")).ids),
    [
      "app",
      "webhookRoutes(app, database);",
      `webhookRoutes(app, database);
      const began = Date.now();
      app.get("/v1/financial-transactions", async () => {
        const newest = 100 + Math.floor((Date.now() - began) * 3);
        const result = Array.from({ length: 10 }, (_, n) => ({ id: "ftx" + (newest - n), amount: { currency: "XAF", value: 5 + n } }));
        return { success: true, messages: [], result, pagination: { count: 10, next: null } };
      });`,
    ],
  ),
];
