/** Services that conform, in which other clients, jobs and copies are at work during the run. */

import { first } from "./bug.ts";
import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { copied } from "./habits-late3-shown.ts";
import { within } from "./habits-late4-shown.ts";
import { late5Habit, midway } from "./habits-late5-shown.ts";

const BEGAN = first("database.began = Date.now();");

export const jobHabits: readonly ShownHabit[] = [
  // Another client puts tags into the metadata of its own webhooks again and again: they may change at any time.
  late5Habit(
    "a-client-tags-its-webhooks",
    "",
    ({ get }) =>
      within(1500, async () => JSON.stringify((await get("/webhooks?limit=50")).items).includes('"crm"')),
    every(
      600,
      `database.run("UPDATE webhooks SET metadata_json = json_set(metadata_json, '$.crm', ?) WHERE space_id = ? AND name LIKE 'Shop %'", ["t" + turn, here]);`,
    ),
  ),
  // Sixty codes are imported at once during the run, with one time of creation: a list may change.
  late5Habit(
    "an-import-adds-sixty-codes-midway",
    "",
    ({ walk }) =>
      within(6000, async () => (await walk("/v1/payment-codes?status=pending&limit=50")).length > 80),
    midway(
      4000,
      `const row = database.first("SELECT * FROM payment_codes WHERE space_id = 'spc-harbour-main' AND status = 'pending'");
      const at = Date.now();
      for (let n = 0; n < 60; n++)
        database.insert("payment_codes", { ...row, id: "IMP" + (100 + n), ussd_code: "*126*6*" + n + "#", name: "Import " + n, created_at: at, updated_at: at });`,
    ),
  ),
  // All codes move to another account during the run: a field may move by itself.
  late5Habit(
    "codes-move-to-another-account-midway",
    "",
    ({ readCode }) => within(6000, async () => (await readCode()).result.financialAccountId === "acc-merged"),
    midway(
      4000,
      `database.run("UPDATE payment_codes SET account_id = 'acc-merged', updated_at = ?", [Date.now()]);`,
    ),
  ),
  // The clock steps back by ten minutes during the run, so that later resources are older: no MUST forbids it.
  late5Habit(
    "clock-steps-back-midway",
    "",
    async ({ addHook }) => {
      const time = async () => Date.parse(String((await addHook()).result.createTime));
      const before = await time();
      return within(6000, async () => (await time()) < before - 60_000);
    },
    BEGAN,
    [
      "webhooks",
      "created_at: Date.now()",
      "created_at: Date.now() - (Date.now() > database.began + 4000 ? 600_000 : 0)",
    ],
    [
      "accounts",
      "const now = Date.now();",
      "const now = Date.now() - (Date.now() > database.began + 4000 ? 600_000 : 0);",
    ],
  ),
  // Providers and countries get other names during the run: reference data may change.
  late5Habit(
    "providers-and-countries-are-renamed-midway",
    "",
    ({ get }) => within(6000, async () => (await get("/countries/CM")).result.name === "Cameroon (new)"),
    midway(
      4000,
      `database.run("UPDATE providers SET name = 'New ' || name, updated_at = ?", [Date.now()]);
      database.run("UPDATE countries SET name = name || ' (new)'");`,
    ),
  ),
  // For three seconds reads come from a spare copy that is up to 80 ms behind: a short delay is allowed for reads.
  late5Habit(
    "a-spare-copy-serves-midway",
    "",
    ({ fresh, editCode, readCode }) =>
      within(7000, async () => {
        await readCode();
        const name = fresh("Till");
        await editCode({ name });
        return (await readCode()).result.name !== name;
      }),
    BEGAN,
    ...copied(
      'if (Date.now() > database.began + 3000 && Date.now() < database.began + 6000) return [80, "spare"];',
    ),
  ),
];
