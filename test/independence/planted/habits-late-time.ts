/** Services that conform, and whose resources change by themselves with time. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";
import { every } from "./habits-fresh-others.ts";

/** Returns source that runs a statement after a delay. It ignores the error of a closed database. */
export const later = (milliseconds: number, statement: string): string =>
  `setTimeout(() => { try { ${statement} } catch {} }, ${milliseconds}).unref();`;

const CODE_WRITE = 'database.update("payment_codes", change,';

export const timeHabits: readonly Bug[] = [
  // Times of creation and update are whole minutes. The specification names no precision.
  habit(
    "times-to-the-minute",
    "",
    ["accounts", "const now = Date.now();", "const now = Math.floor(Date.now() / 60_000) * 60_000;"],
    ["webhooks", "created_at: Date.now()", "created_at: Math.floor(Date.now() / 60_000) * 60_000"],
    ["payment-codes", "updated_at: Date.now()", "updated_at: Math.floor(Date.now() / 60_000) * 60_000"],
  ),
  // Some payment codes expire during the run.
  habit(
    "codes-expire-midway",
    "",
    [
      "seed",
      "now + (5 + (n % 20)) * DAY",
      "n > 3 && n % 4 === 0 ? now + 300 * n : now + (5 + (n % 20)) * DAY",
    ],
    every(
      120,
      `database.run("UPDATE payment_codes SET status = 'expired', updated_at = expires_at WHERE status IN ('pending', 'processing') AND expires_at <= ?", [Date.now()]);`,
    ),
  ),
  // An updated code has the status `processing` for 50 ms. A status may change by itself.
  habit("updated-codes-process-for-a-moment", "", [
    "payment-codes",
    CODE_WRITE,
    `if (!change.status && find(space, id).status === "pending") {
        change.status = "processing";
        ${later(50, `database.run("UPDATE payment_codes SET status = 'pending' WHERE id = ? AND status = 'processing'", [id]);`)}
      }
      ${CODE_WRITE}`,
  ]),
  // Sessions are verified or expire while the run reads them.
  habit(
    "sessions-end-one-by-one",
    "",
    first(`database.run("UPDATE otps SET status = 'pending', expires_at = ?", [Date.now() + 600_000]);`),
    [
      "app",
      "otpRoutes(app, database);",
      `{ let turn = 0;
        const timer = setInterval(() => {
          const row = database.first("SELECT id FROM otps WHERE status = 'pending' ORDER BY random()");
          if (!row) return;
          if (++turn % 2) database.run("UPDATE otps SET status = 'verified' WHERE id = ?", [row.id]);
          else database.run("UPDATE otps SET status = 'expired', expires_at = ? WHERE id = ?", [Date.now(), row.id]);
        }, 300);
        app.addHook("onClose", async () => clearInterval(timer)); }
      otpRoutes(app, database);`,
    ],
  ),
  // Customers pay recurrent codes again and again, even the code that the run updates.
  habit(
    "code-collects-payments",
    "",
    every(
      450,
      `database.run("UPDATE payment_codes SET paid_count = paid_count + 1, paid_total = paid_total + amount, updated_at = ?, processed_json = (SELECT processed_json FROM payment_codes WHERE status = 'completed' LIMIT 1) WHERE mode = 'recurrent' AND status = 'pending'", [Date.now()]);`,
    ),
  ),
  // A new account gets a credit of 500 after 60 ms.
  habit("welcome-credit-comes-later", "", [
    "accounts",
    "return shown(row); }",
    `${later(60, `database.run("UPDATE accounts SET available = 500, updated_at = ? WHERE id = ?", [Date.now(), row.id]);`)}
    return shown(row); }`,
  ]),
  // An update that changes no value leaves the time of the last update as it is.
  habit(
    "touched-only-by-changes",
    "",
    ["payment-codes", "{ updated_at: Date.now() }", "{}"],
    [
      "payment-codes",
      CODE_WRITE,
      `const before = find(space, id);
      if (!Object.entries(change).some(([name, value]) => before[name] !== value)) return single(detailed(before));
      change.updated_at = Date.now();
      ${CODE_WRITE}`,
    ],
  ),
  // A job renews the update times of all codes, which are rounded up to the next second.
  habit(
    "codes-touched-by-a-job",
    "",
    ["payment-codes", "updated_at: Date.now()", "updated_at: Math.ceil(Date.now() / 1000) * 1000"],
    every(
      700,
      `database.run("UPDATE payment_codes SET updated_at = ?", [Math.ceil(Date.now() / 1000) * 1000]);`,
    ),
  ),
  // A webhook becomes inactive 1.2 s after it was activated, as if its deliveries failed.
  habit(
    "failing-webhooks-switched-off-soon",
    "",
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      `const preHandler = inSpace(database);
      const since = new Map();
      const timer = setInterval(() => {
        for (const [id, at] of since)
          if (at < Date.now() - 1200) { since.delete(id); database.run("UPDATE webhooks SET active = 0 WHERE id = ?", [id]); }
      }, 50);
      app.addHook("onClose", async () => clearInterval(timer));`,
    ],
    [
      "webhooks",
      'database.insert("webhooks", row);',
      'if (row.active) since.set(id, Date.now()); database.insert("webhooks", row);',
    ],
    [
      "webhooks",
      'database.update("webhooks", columns(body),',
      'if (body.isActive) since.set(id, Date.now()); database.update("webhooks", columns(body),',
    ],
  ),
  // `events: null` means all events, and after four seconds the service has one more event.
  habit(
    "all-events-grow",
    "",
    [
      "webhooks",
      "JSON.stringify([...new Set(sent.events ?? EVENTS)])",
      "JSON.stringify(sent.events && [...new Set(sent.events)])",
    ],
    ["webhooks", "json(row.events_json, [])", "json(row.events_json, []) ?? grown()"],
    [
      "webhooks",
      "const shared",
      `const began = Date.now();
      const grown = () => [...EVENTS, ...(Date.now() > began + 4000 ? ["payment.refunded"] : [])];
      const shared`,
    ],
  ),
  // Fields that a create did not send are absent at first, and get a default 45 ms later.
  habit(
    "defaults-filled-in-a-moment",
    "",
    ["webhooks", "const shared", "const fresh = new Map(); const shared"],
    [
      "webhooks",
      'database.insert("webhooks", row);',
      `const more = Object.fromEntries(Object.entries({ api_version: VERSIONS[0], emails_json: '["owner@example.com"]', headers_json: '{"X-Source":"payments"}',
          metadata_json: '{"channel":"api"}', secret: "whsec" + id }).filter(([name]) => row[name] === undefined));
      fresh.set(id, more);
      ${later(45, `if (fresh.delete(id)) database.update("webhooks", { number: find(row.space_id, id).number, ...more }, "id = ?", [id]);`)}
      database.insert("webhooks", row);`,
    ],
    [
      "webhooks",
      'database.update("webhooks", columns(body),',
      `if (fresh.has(id)) database.update("webhooks", { url: body.url, ...fresh.get(id) }, "id = ?", [id]);
      fresh.delete(id);
      database.update("webhooks", columns(body),`,
    ],
    [
      "webhooks",
      "alertEmails: json(row.emails_json, [])",
      "...(fresh.get(row.id)?.emails_json ? {} : { alertEmails: json(row.emails_json, []) })",
    ],
    [
      "webhooks",
      "customHeaders: json(row.headers_json, {})",
      "...(fresh.get(row.id)?.headers_json ? {} : { customHeaders: json(row.headers_json, {}) })",
    ],
    [
      "webhooks",
      "metadata: json(row.metadata_json, {})",
      "...(fresh.get(row.id)?.metadata_json ? {} : { metadata: json(row.metadata_json, {}) })",
    ],
  ),
  // Update times of providers change again and again, as if by checks of their health.
  habit(
    "health-checks-touch-providers",
    "",
    every(300, `database.run("UPDATE providers SET updated_at = ?", [Date.now()]);`),
  ),
  // Blanks at the ends of names are removed 40 ms later, which breaks only a SHOULD.
  habit(
    "blanks-removed-in-a-moment",
    "CREATE-ECHO-DETAILS UPDATE-ECHO-DETAILS",
    [
      "webhooks",
      "change.name = sent.name.trim();",
      'change.name = sent.name.trim() === "" ? "" : sent.name;',
    ],
    ...(["insert", "update"] as const).map((write): Edit => {
      const find =
        write === "insert"
          ? 'database.insert("webhooks", row);'
          : 'database.update("webhooks", columns(body),';
      return [
        "webhooks",
        find,
        `${later(40, `database.run("UPDATE webhooks SET name = trim(name) WHERE id = ?", [id]);`)} ${find}`,
      ];
    }),
  ),
  // Each payment of a recurrent code changes the code's phone number, even during the run.
  habit(
    "payers-change-with-each-payment",
    "",
    every(
      600,
      `database.run("UPDATE payment_codes SET phone = ?, paid_count = paid_count + 1, paid_total = paid_total + amount, updated_at = ? WHERE mode = 'recurrent' AND status = 'pending'", ["+23767" + (1000000 + turn * 131), Date.now()]);`,
    ),
    ["payment-codes", 'phone.replace(/(?<=^.{6})\\d(?=\\d{2})/g, "*")', "phone"],
  ),
];
