/** Services that conform, in which others change resources ten times a second, and some reads are 80 ms late. */

import type { Edit } from "./bug.ts";
import { webhooksBy } from "./habits-fresh-lists.ts";
import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late3Habit, soon, thenLater, volatileHabit } from "./habits-late3-shown.ts";
import type { Api } from "./order.ts";
import { OLDER } from "./order.ts";

const CODES = "/v1/payment-codes";
const LATE = 80;

/** The status that late reads show is in a column of its own, which follows the status after 80 ms. */
const statusColumn: Edit[] = [
  ["tables", "owner_json TEXT,", "owner_json TEXT, late_status TEXT,"],
  [
    "payment-codes",
    'change.status = "cancelled";',
    `change.status = "cancelled";
    ${thenLater("", LATE, "database.run(\"UPDATE payment_codes SET late_status = 'cancelled' WHERE id = ?\", [row.id]);")}`,
  ],
];

/** At each tick, some codes of others begin to be paid, and the others are pending again. */
const payments = every(
  100,
  `if (turn === 1) database.run("UPDATE payment_codes SET late_status = status");
    if (!database.others) database.others = database.all("SELECT id FROM payment_codes WHERE space_id = ? AND status = 'pending' ORDER BY id", [here]).slice(3);
    const now = database.others.map(({ id }) => [Math.random() < 0.4 ? "processing" : "pending", id]);
    ${thenLater(
      'for (const [status, id] of now) database.run("UPDATE payment_codes SET status = ?, updated_at = ? WHERE id = ?", [status, Date.now(), id]);',
      LATE,
      'for (const values of now) database.run("UPDATE payment_codes SET late_status = ? WHERE id = ?", values);',
    )}`,
);

/** Shows the late status in lists if `isLate` is true, which can use `query` and `headers`. */
const lateLists = (isLate: string): Edit[] => [
  [
    "payment-codes",
    "async ({ space, query }) => {",
    `async ({ space, query, headers }) => { const isLate = ${isLate};`,
  ],
  ["payment-codes", "mode, status };", "mode, ...(isLate ? { late_status: status } : { status }) };"],
  [
    "payment-codes",
    "rows.map(listed)",
    "rows.map((row) => listed(isLate ? { ...row, status: row.late_status ?? row.status } : row))",
  ],
];

const lateSingles = (isLate: string): Edit => [
  "payment-codes",
  "async ({ space, params }) => single(detailed(find(space, params.id)))",
  `async ({ space, params, headers }) => {
    const row = find(space, params.id);
    return single(detailed(${isLate} ? { ...row, status: row.late_status ?? row.status } : row));
  }`,
];

const listed = async ({ get }: Api, query: string, version?: string) =>
  (await get(`${CODES}?${query}`, version === undefined ? {} : { version })).items;

/** True if the second read shows another status than the first, and than the first read again. */
const differs = (one: () => Promise<unknown>, other: () => Promise<unknown>) =>
  soon(async () => {
    const [before, between, after] = [await one(), await other(), await one()].map((seen) =>
      JSON.stringify(seen),
    );
    return before === after && before !== between;
  });

const statuses = (items: readonly Readonly<Record<string, unknown>>[]) =>
  items.map(({ id, status }) => [id, status]);

/** True if the list shows a code with another status than the read that follows. */
const listDiffersFromReads = (api: Api) =>
  soon(async () => {
    for (const { id, status } of await listed(api, "limit=20"))
      if ((await api.get(`/payment-codes/${id}`)).result.status !== status) return true;
    return false;
  });

export const tickHabits: readonly ShownHabit[] = [
  // Filtered lists come from an index that is late, and unfiltered ones do not.
  late3Habit(
    "index-a-tick-behind",
    "",
    (api) =>
      soon(async () => {
        const found = new Set((await listed(api, "limit=50&status=processing")).map(({ id }) => id));
        return (await listed(api, "limit=20")).some(
          ({ id, status }) => status === "processing" && !found.has(id),
        );
      }),
    ...statusColumn,
    ...lateLists("Boolean(query.status || query.mode || query.ussd_code)"),
    payments,
  ),
  // All lists of codes are late, and single reads are not.
  late3Habit(
    "lists-a-tick-behind",
    "",
    listDiffersFromReads,
    ...statusColumn,
    ...lateLists("true"),
    payments,
  ),
  // Single reads of codes are late, and lists are not.
  late3Habit(
    "singles-a-tick-behind",
    "",
    listDiffersFromReads,
    ...statusColumn,
    lateSingles("true"),
    payments,
  ),
  // Reads under the older version are late.
  late3Habit(
    "older-version-a-tick-behind",
    "",
    (api) =>
      differs(
        async () => statuses(await listed(api, "limit=50")),
        async () => statuses(await listed(api, "limit=50", OLDER)),
      ),
    ...statusColumn,
    ...lateLists('headers["service-version"] === "caph.2025-06-20"'),
    lateSingles('headers["service-version"] === "caph.2025-06-20"'),
    payments,
  ),
  // Small pages are late, and large ones are not.
  late3Habit(
    "small-pages-a-tick-behind",
    "",
    (api) =>
      differs(
        async () => statuses(await listed(api, "limit=50")).slice(0, 10),
        async () => statuses(await listed(api, "limit=10")),
      ),
    ...statusColumn,
    ...lateLists("query.limit < 20"),
    payments,
  ),
  // Lists of providers are late, while the health of providers changes.
  volatileHabit(
    late3Habit(
      "providers-a-tick-behind",
      "",
      ({ get }) =>
        soon(async () => {
          for (const { id, status } of (await get("/banks?country=CM")).items)
            if (JSON.stringify((await get(`/banks/${id}`)).result.status) !== JSON.stringify(status))
              return true;
          return false;
        }),
      ["payment-codes", "AND active = 1 AND pay_from", "AND pay_from"],
      ["tables", "verify INTEGER NOT NULL,", "verify INTEGER NOT NULL, late_active INTEGER,"],
      [
        "reference-data",
        "rows.map(shownProvider)",
        "rows.map((row) => shownProvider({ ...row, active: row.late_active ?? row.active }))",
      ],
      every(
        100,
        `const now = database.all("SELECT id FROM providers WHERE code NOT LIKE 'MTN%' AND code NOT LIKE 'ORANGE%'").map(({ id }) => [Number(Math.random() < 0.6), id]);
        ${thenLater(
          'for (const values of now) database.run("UPDATE providers SET active = ? WHERE id = ?", values);',
          LATE,
          'for (const values of now) database.run("UPDATE providers SET late_active = ? WHERE id = ?", values);',
        )}`,
      ),
    ),
  ),
  // The webhook with the latest delivery comes first, and pages behind a cursor are late.
  volatileHabit(
    late3Habit(
      "later-pages-a-tick-behind",
      "",
      ({ get }) =>
        soon(async () => {
          const { ids } = await get("/webhooks?limit=50");
          const behind = await get(`/webhooks?limit=50&after=${ids[0]}`);
          return behind.ids.join() !== ids.slice(1).join();
        }),
      [
        "tables",
        "secret TEXT,",
        "secret TEXT, delivered INTEGER NOT NULL DEFAULT 0, late INTEGER NOT NULL DEFAULT 0,",
      ],
      webhooksBy(
        "(query.after || query.before ? b.late - a.late : b.delivered - a.delivered) || a.number - b.number",
      ),
      every(
        100,
        `const { id } = database.first("SELECT id FROM webhooks WHERE space_id = ? ORDER BY random()", [here]);
        const now = Date.now();
        ${thenLater(
          'database.run("UPDATE webhooks SET delivered = ? WHERE id = ?", [now, id]);',
          LATE,
          'database.run("UPDATE webhooks SET late = ? WHERE id = ?", [now, id]);',
        )}`,
      ),
    ),
  ),
];
