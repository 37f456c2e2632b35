/** Services that conform, and whose data others change during the run, or whose token may only read. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit, openHabit } from "./bug.ts";

/** Runs code at an interval, as another client of the space `here` would. `turn` counts the runs from 1. */
export const every = (milliseconds: number, code: string): Edit =>
  first(`let turn = 0;
    const here = "spc-harbour-main";
    const timer = setInterval(() => { turn += 1; ${code} }, ${milliseconds});
    app.addHook("onClose", async () => clearInterval(timer));`);

const flood = every(
  200,
  `for (const part of "abc")
      database.insert("webhooks", { id: "flood" + part + turn, space_id: here, name: "Flood " + turn, url: "https://flood.example.com/" + turn,
        events_json: "[]", active: 0, created_at: Date.now() });`,
);

export const freshOtherHabits: readonly Bug[] = [
  // The token may only read: each write is answered 403.
  openHabit(
    "token-that-may-only-read",
    first(`app.addHook("onRequest", async (request, reply) => {
      if (request.method === "GET") return;
      return reply.code(403).send({ success: false, messages: ["This token may only read"] });
    });`),
  ),
  // Another client creates and removes webhooks, so the webhook of a cursor may be gone.
  habit(
    "others-remove-webhooks",
    "",
    every(
      350,
      `database.insert("webhooks", { id: "other" + turn, space_id: here, name: "Other " + turn, url: "https://other.example.com/" + turn,
          events_json: '["payout.failed"]', active: turn % 2, created_at: Date.now() });
        const { id } = database.first("SELECT id FROM webhooks WHERE space_id = ? AND (name LIKE 'Shop %' OR name LIKE 'Other %') ORDER BY random()", [here]);
        database.run("DELETE FROM webhooks WHERE id = ?", [id]);`,
    ),
  ),
  // Another client pays and creates payment codes, and starts and verifies sessions.
  habit(
    "others-pay-codes",
    "",
    every(
      500,
      `const row = database.first("SELECT * FROM payment_codes WHERE space_id = ? AND status = 'processing' ORDER BY random()", [here]);
        if (row) database.update("payment_codes", { status: "completed", paid_count: 1, paid_total: row.amount, updated_at: Date.now() }, "id = ?", [row.id]);
        if (row) database.insert("payment_codes", { ...row, id: "PCN" + turn, ussd_code: "*126*8*" + turn + "#", created_at: Date.now(), updated_at: Date.now() });
        const otp = database.first("SELECT * FROM otps WHERE space_id = ?", [here]);
        if (turn % 2) database.insert("otps", { ...otp, id: "otp" + turn, status: "pending", created_at: Date.now(), expires_at: Date.now() + 600_000 });
        else database.run("UPDATE otps SET status = 'verified' WHERE id = ?", ["otp" + (turn - 1)]);`,
    ),
  ),
  // Payouts settle while the run updates their metadata.
  habit(
    "payouts-settle",
    "",
    every(
      1500,
      `const row = database.first("SELECT * FROM payouts WHERE space_id = ? AND status IN ('pending', 'processing') ORDER BY status, id", [here]);
        if (row?.status === "pending") database.run("UPDATE payouts SET status = 'processing', delayed_reason = 'queue' WHERE id = ?", [row.id]);
        else if (row) database.run("UPDATE payouts SET status = 'completed', delayed_reason = NULL, charges_json = ? WHERE id = ?",
          [JSON.stringify([...JSON.parse(row.charges_json), { name: "tax", amount: { currency: "XAF", value: 5 }, metadata: {} }]), row.id]);`,
    ),
  ),
  // One provider becomes inactive and active by turns. Another provider is added.
  habit(
    "providers-under-maintenance",
    "",
    every(
      2500,
      `database.run("UPDATE providers SET active = 1 - active, updated_at = ? WHERE code = 'MTN_CM'", [Date.now()]);
        if (turn === 2) database.run("INSERT INTO providers SELECT 'new-bank', 'NEW_CM', kind, 'A new bank', country, 1, 1, 0, 1, ?1, ?1 FROM providers WHERE code = 'SGC_CM'", [Date.now()]);`,
    ),
    ["payment-codes", "AND active = 1 AND pay_from", "AND pay_from"],
  ),
  // Another client creates fifteen webhooks a second, at the end of the list.
  habit("others-flood-the-list", "", flood),
  // A provider becomes inactive during the run. From then on, no payment code can allow it.
  openHabit(
    "provider-out-midway",
    every(
      5_000,
      `if (turn === 1) database.run("UPDATE providers SET active = 0, updated_at = ? WHERE code = 'MTN_CM'", [Date.now()]);`,
    ),
  ),
];
