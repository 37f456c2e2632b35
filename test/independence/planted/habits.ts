/** Edits that break no MUST: ways in which another team might have written the service. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, habit } from "./bug.ts";
import { freshHabitsOfAll } from "./habits-fresh-together.ts";
import { lateHabits } from "./habits-late.ts";
import { late2Habits } from "./habits-late2.ts";
import { late3Habits } from "./habits-late3.ts";
import { late4Habits } from "./habits-late4.ts";
import { late5Habits } from "./habits-late5.ts";

export const HABITS: readonly Bug[] = [
  habit("null-events-are-a-star", "", [
    "webhooks",
    "[...new Set(sent.events ?? EVENTS)]",
    '[...new Set(sent.events ?? ["*"])]',
  ]),
  habit("errors-are-problem-details", "", [
    "app",
    "addValidation(app);",
    `app.setErrorHandler((error, _, reply) => reply.code(error.statusCode ?? 500).type("application/problem+json")
        .send({ type: "about:blank", title: error.message, status: error.statusCode }));
      addValidation(app);`,
  ]),
  habit("payout-metadata-replaced", "", [
    "payouts",
    "merged(json(row.metadata_json, {}), metadata)",
    "(metadata ?? {})",
  ]),
  habit("used-keys-refused", "", ["idempotency", "if (used.request_digest !== sent)", "if (used)"]),
  habit(
    "limits-clamped",
    "LIST-LIMIT-REJECTED",
    ["http", "minimum: 1, maximum: 50, ", ""],
    ["cursors", "{ limit, after }", "{ limit: given, after }"],
    ["cursors", "const conditions", "const limit = Math.min(50, Math.max(1, given)); const conditions"],
    [
      "webhooks",
      "const place = (id",
      "query.limit = Math.min(50, Math.max(1, query.limit)); const place = (id",
    ],
  ),
  habit("spaces-of-others-are-not-found", "", ["http", "problem(403,", "problem(404,"]),
  habit("times-in-seconds-with-an-offset", "", [
    "database",
    ".toISOString()",
    '.toISOString().replace(/\\.\\d+Z$/, "+00:00")',
  ]),
  habit(
    "unknown-fields-refused",
    "",
    [
      "accounts",
      'required: ["name", "currency"],',
      'required: ["name", "currency"], additionalProperties: false,',
    ],
    [
      "webhooks",
      'required: ["name", "url", "events"],',
      'required: ["name", "url", "events"], additionalProperties: false,',
    ],
  ),
  habit("empty-descriptions-are-none", "", [
    "accounts",
    "sent.description ?? null",
    "sent.description || null",
  ]),
  habit("forty-webhooks-a-space", "", [
    "webhooks",
    "const id = `whk",
    `const { n } = database.first("SELECT count(*) AS n FROM webhooks WHERE space_id = ?", [request.space]);
        if (n > 40) throw problem(409, "QUOTA", "There are too many webhooks");
        const id = \`whk`,
  ]),
  ...freshHabitsOfAll,
  ...lateHabits,
  ...late2Habits,
  ...late3Habits,
  ...late4Habits,
  ...late5Habits,
];
