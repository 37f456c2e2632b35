/** Services that conform, with shards, copies and a bin. */

import { first } from "./bug.ts";
import { webhooksBy } from "./habits-fresh-lists.ts";
import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { copied, thenLater, varies } from "./habits-late3-shown.ts";
import { late4Habit } from "./habits-late4-shown.ts";
import { PAGE_OF_CODES } from "./order.ts";

const ODD = (id: string) => `Number(/[13579bdf]$/.test(${id}))`;

export const copyHabits: readonly ShownHabit[] = [
  // Another client puts webhooks into a bin and takes them out again: lists may change while they are read.
  late4Habit(
    "webhooks-trashed-and-restored",
    "",
    ({ get }) => varies(async () => (await get("/webhooks?limit=50")).ids),
    every(
      170,
      thenLater(
        `const row = database.first("SELECT id FROM webhooks WHERE space_id = ? AND name LIKE 'Shop %' ORDER BY random()", [here]);
        if (row) database.run("UPDATE webhooks SET space_id = 'bin' WHERE id = ?", [row.id]);`,
        80,
        `database.run("UPDATE webhooks SET space_id = ? WHERE space_id = 'bin'", [here]);`,
      ),
    ),
  ),
  // Webhooks are in two shards, and the list has one shard after the other: the order of a list is not stated.
  late4Habit(
    "webhooks-in-two-shards",
    "",
    async ({ hook, get }) => {
      for (let count = 0; count < 12; count++) await hook();
      const times = (await get("/webhooks?limit=50")).items.map(({ createTime }) => String(createTime));
      return times.join() !== times.toSorted().join();
    },
    webhooksBy(`${ODD("a.id")} - ${ODD("b.id")} || a.number - b.number`),
  ),
  // Codes are in three shards, and a page ends with its shard: that a page with a next is full is a SHOULD.
  late4Habit(
    "codes-in-three-shards",
    "LIST-FULL-PAGES",
    async ({ get }) => {
      let after = "";
      for (let count = 0; count < 5; count++) {
        const { next, ids } = await get(`/v1/payment-codes?limit=10${after}`);
        if (next !== null && ids.length < 10) return true;
        after = `&after=${next}`;
      }
      return false;
    },
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const [, from, place] = /^([012])[.](.*)$/.exec(query.after || "0.") ?? [];
      if (!from) throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
      const inShard = (shard, after) =>
        page(database, "payment_codes", { ...filters, "(CAST(substr(id, 4) AS INTEGER) % 3)": shard }, { ...query, after });
      let shard = Number(from);
      let { rows, next } = inShard(shard, place);
      if (next) next = shard + "." + next;
      while (!next && shard < 2) {
        shard += 1;
        const begun = inShard(shard, "");
        if (rows.length > 0) next = begun.rows.length > 0 ? shard + "." : null;
        else ({ rows } = begun), (next = begun.next && shard + "." + begun.next);
      }`,
    ],
  ),
  // Reads come from a copy while more than four requests are under way: a short delay is allowed for all reads.
  late4Habit(
    "copies-while-busy",
    "",
    async ({ get, hook }) => {
      const lists = () => Promise.all(Array.from({ length: 9 }, () => get("/webhooks?limit=50")));
      for (let count = 0; count < 25; count++) {
        await lists();
        const id = await hook();
        if ((await lists()).some(({ ids }) => !ids.includes(id))) return true;
      }
      return false;
    },
    first(`database.busy = 0;
      app.addHook("onRequest", async () => {
        database.busy += 1;
        await new Promise((resolve) => setTimeout(resolve, 4));
      });
      app.addHook("onResponse", async () => { database.busy -= 1; });`),
    ...copied('if (database.busy > 4) return [80, "busy"];'),
  ),
];
