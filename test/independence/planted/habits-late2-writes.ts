/** Services that conform, with unusual keys, conflicts and updates. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import { type ShownHabit, shownHabit, wait } from "./habits-late2-shown.ts";
import { NEWER, OLDER } from "./order.ts";

const HOOK = { name: "Twice", url: "https://shop.example.com/twice", events: null };

export const writeHabits: readonly ShownHabit[] = [
  // A key belongs to the version of its first call, and is rejected under another: a rejection is always allowed.
  shownHabit(
    "keys-of-a-version",
    "",
    async (_, see) => {
      const sent = (version: string) =>
        see("POST", "/webhooks", { body: HOOK, key: "of-a-version", version });
      return (await sent(NEWER)).status === 200 && (await sent(OLDER)).status === 422;
    },
    [
      "idempotency",
      "digest(JSON.stringify(request.body))",
      'digest(JSON.stringify([request.headers["service-version"] ?? null, request.body]))',
    ],
  ),
  // Of simultaneous calls with one key, the last one succeeds: all but one may be rejected.
  shownHabit(
    "last-of-equal-keys-wins",
    "",
    async ({ post }) => {
      const both = [1, 2].map(() => post("/webhooks", HOOK, { key: "at-the-same-moment" }));
      return (await Promise.all(both)).some(({ status }) => status === 409);
    },
    [
      "idempotency",
      "export function once(",
      `const latest = new Map();
      export async function once(database, request, reply, create) {
        const name = [request.space, request.routeOptions.url, request.headers["idempotency-key"]].join("\\n");
        const turn = (latest.get(name) ?? 0) + 1;
        latest.set(name, turn);
        ${wait(30)}
        if (latest.get(name) !== turn) throw problem(409, "OVERTAKEN", "A later call has the key");
        return onceOnly(database, request, reply, create);
      }
      function onceOnly(`,
    ],
  ),
  // One of two servers knows the answers to repeated creates, and the other rejects: both are allowed.
  shownHabit(
    "replays-known-to-one-server",
    "",
    async ({ post }) => {
      const sent = () => post("/webhooks", HOOK, { key: "again-and-again" });
      const statuses = [(await sent()).status, (await sent()).status, (await sent()).status];
      return statuses.join() === "200,409,200";
    },
    ["idempotency", "export function once(", "let turn = 0; export function once("],
    [
      "idempotency",
      "if (used.request_digest !== sent)",
      `if (turn++ % 2 === 0) throw problem(409, "KEY_USED", "The key was used on another server");
      if (used.request_digest !== sent)`,
    ],
  ),
  // Of simultaneous updates of a resource, the service rejects the earlier ones and changes nothing with them.
  shownHabit(
    "newer-update-ends-the-older",
    "",
    async ({ hook, editHook }) => {
      const id = await hook();
      const both = [editHook(id, { name: "One" }), editHook(id, { name: "Two" })];
      return (await Promise.all(both)).filter(({ status }) => status === 409).length === 1;
    },
    first(`const latest = new Map();
      app.addHook("preHandler", async ({ method, url, headers }) => {
        if (method !== "PATCH") return;
        const name = headers["service-space-id"] + url;
        const turn = (latest.get(name) ?? 0) + 1;
        latest.set(name, turn);
        ${wait(20)}
        if (latest.get(name) !== turn)
          throw Object.assign(new Error("A newer update has come"), { statusCode: 409 });
      });`),
  ),
  // A conflict shows the resource of this space that is in the way, because error bodies are not shown.
  shownHabit(
    "conflicts-show-what-is-there",
    "",
    async ({ account }) => {
      const { result } = await account({ reference: "in-the-way" });
      const again = await account({ reference: "in-the-way" });
      return again.status === 409 && again.result.id === result.id;
    },
    [
      "accounts",
      'throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");',
      `const there = "SELECT * FROM accounts WHERE space_id = ? AND reference = ?";
      throw Object.assign(problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference"),
        { there: shown(database.first(there, [space, sent.reference])) });`,
    ],
    [
      "idempotency",
      'throw problem(422, "KEY_REUSED", "The Idempotency-Key was used with another body");',
      `throw Object.assign(problem(409, "KEY_REUSED", "The Idempotency-Key was used with another body"),
        { there: JSON.parse(used.response_json).result });`,
    ],
    first(`app.setErrorHandler((error, _, reply) => reply.code(error.statusCode ?? 500)
        .send({ success: false, messages: [error.message], result: error.there ?? null }));`),
  ),
  // After null, a payout has no metadata at all, because the meaning of null is open and the field optional.
  shownHabit(
    "null-removes-payout-attributes",
    "",
    async ({ editPayout, readPayout }) => {
      await editPayout({ kept: "for now" });
      await editPayout(null);
      return (await readPayout()).result.metadata === undefined;
    },
    ["payouts", "if (change === null) return {};", "if (change === null) return null;"],
    [
      "payouts",
      "metadata: json(row.metadata_json, {})",
      "...(json(row.metadata_json, {}) && { metadata: json(row.metadata_json, {}) })",
    ],
  ),
  // After null, a code lists all providers that can pay, because the meaning of null is open.
  shownHabit(
    "null-providers-are-all-that-can-pay",
    "",
    async ({ editCode }) => {
      const { allowedProviders } = (await editCode({ allowedProviders: null })).result;
      return Array.isArray(allowedProviders) && allowedProviders.length > 3;
    },
    [
      "payment-codes",
      "(sent.allowedProviders ?? [])",
      `(sent.allowedProviders ??
        database.all("SELECT code FROM providers WHERE active = 1 AND pay_from = 1").map(({ code }) => code))`,
    ],
  ),
  // A code can be cancelled in any state and again, because the source states are not stated.
  shownHabit(
    "cancelling-again-is-accepted",
    "",
    async ({ cancel }) => (await cancel()).status === 200 && (await cancel()).status === 200,
    ["payment-codes", 'if (row.status !== "pending" && row.status !== "processing")', "if (false)"],
  ),
];
