/** An eleventh set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, first, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { type OrderBug, orderBug, WEBHOOK_ADDED } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const CREATES = [ACCOUNT, HOOK];
const NEW_ANSWER = "const answer = create();";
const NOW = "const now = Date.now();";
const TAKEN = 'throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");';

export const late11CreateOrderBugs: readonly OrderBug[] = [
  // References are compared without zeros at their start.
  orderBug(
    "order-late11-reference-with-more-zeros-in-front-is-taken",
    "CREATE-ACCEPTED KEY-DISTINCT UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "12" });
      return (await account({ reference: "0012" })).status === 200;
    },
    [
      "accounts",
      NOW,
      `const ofSpace = database.all("SELECT reference FROM accounts WHERE space_id = ?", [space]);
      const bare = (reference) => text(reference).replace(/^0+/, "");
      if (sent.reference && ofSpace.some(({ reference }) => reference && bare(reference) === bare(sent.reference)))
        ${TAKEN}
      ${NOW}`,
    ],
  ),
  // Keys are stored with the media type of the request as it was written.
  orderBug(
    "order-late11-same-key-with-another-media-type-makes-another",
    "KEY-REPLAY",
    CREATES,
    async ({ raw }) => {
      const create = async (type: string) => {
        const headers = { "content-type": type, "idempotency-key": "k-1" };
        const body = JSON.stringify({ name: "Takings", currency: "XAF" });
        const answer = await raw("POST", "/v1/financial-accounts", headers, body);
        const { result } = (await answer.json()) as { result?: { id: string } };
        return result?.id;
      };
      const id = await create("application/json");
      return [id, undefined].includes(await create("application/json; charset=utf-8"));
    },
    [
      "idempotency",
      'const key = String(request.headers["idempotency-key"]);',
      'const key = [request.headers["idempotency-key"], request.headers["content-type"]].join(" ");',
    ],
  ),
  // A rejected create marks its key as failed, and the answer of a failed key is not stored later.
  orderBug(
    "order-late11-key-of-a-refused-create-is-not-kept-later",
    "KEY-REPLAY KEY-PARALLEL",
    CREATES,
    async ({ account }) => {
      const key = "k-1";
      await account({ name: "Takings", currency: "ZZZ" }, { key });
      const create = () => account({ name: "Takings" }, { key });
      const made = await create();
      const { status, result } = await create();
      return made.status >= 400 || status >= 400 || result.id === made.result.id;
    },
    [
      "idempotency",
      NEW_ANSWER,
      `const failed = (database.failed ??= new Set());
      const place = JSON.stringify([request.space, operation, key]);
      const isFailed = failed.has(place);
      failed.add(place);
      ${NEW_ANSWER}
      if (isFailed) return answer;
      failed.delete(place);`,
    ],
  ),
  // The table of creates under way has keys without operations.
  orderBug(
    "order-late11-creates-of-two-kinds-at-once-with-one-key-have-one-answer",
    "ACCOUNT-PRESENT ACCOUNT-FIELDS CREATE-ECHO RESOURCE-PRESENT KEY-PARALLEL KEY-DISTINCT",
    CREATES,
    async ({ account, addHook }) => {
      const key = "k-1";
      const [one, other] = await Promise.all([account({}, { key }), addHook({}, { key })]);
      return one.status >= 400 || other.status >= 400 || one.result.id !== other.result.id;
    },
    first(
      `const begun = new Map();
      app.addHook("preHandler", async (request, reply) => {
        const { method, url, headers } = request;
        if (method !== "POST") return;
        const place = [headers["service-space-id"], headers["idempotency-key"]].join(" ");
        const other = begun.get(place);
        if (other) {
          if (other.url === url) return;
          return reply.header("content-type", "application/json").send(await other.done);
        }
        const own = { url };
        own.done = new Promise((resolve) => {
          own.end = resolve;
        });
        begun.set(place, own);
        Object.assign(request, { begun: own, place });
        ${PAUSE}
      });
      app.addHook("onSend", async (request, reply, payload) => {
        if (begun.get(request.place) === request.begun) begun.delete(request.place);
        request.begun?.end(payload);
      });`,
    ),
  ),
  // The index of references is filled from the accounts that were listed last.
  orderBug(
    "order-late11-listing-accounts-frees-all-but-the-listed-references",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ get, account }) => {
      const create = () => account({ reference: "R-1" });
      await create();
      await account({ reference: "R-2" });
      await get("/v1/financial-accounts?limit=1");
      return (await create()).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      NOW,
      `const index = (database.references ??= new Map());
      const known = index.get(space) ?? [];
      if (sent.reference && known.includes(sent.reference)) ${TAKEN}
      if (sent.reference) index.set(space, [...known, sent.reference]);
      ${NOW}`,
    ],
    [
      "accounts",
      "return list(rows.map(shown), { next });",
      `database.references?.set(request.space, rows.map(({ reference }) => reference));
      return list(rows.map(shown), { next });`,
    ],
  ),
  // Descriptions are in a table that takes each text once in a space.
  orderBug(
    "order-late11-description-that-another-account-has-is-not-stored",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      const create = () => account({ description: "Takings of the day" });
      await create();
      return (await create()).result.description === "Takings of the day";
    },
    [
      "accounts",
      "try {",
      `const texts = (database.texts ??= new Set());
      const place = JSON.stringify([space, row.description]);
      if (row.description && texts.has(place)) row.description = null;
      texts.add(place);
      try {`,
    ],
  ),
  // A webhook is found again by the letters and digits of its name, and a create answers the one that was found.
  orderBug(
    "order-late11-webhooks-whose-names-differ-in-other-signs-are-one",
    "KEY-DISTINCT CREATE-ECHO CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ addHook }) => {
      const { id } = (await addHook({ name: "Till 1" })).result;
      return (await addHook({ name: "Till-1!" })).result.id !== id;
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const plain = (name) => text(name).toLowerCase().replace(/[^a-z0-9]+/g, "");
      const rows = database.all("SELECT id, name FROM webhooks WHERE space_id = ?", [request.space]);
      const known = rows.find(({ name }) => name !== row.name && plain(name) && plain(name) === plain(row.name));
      if (known) return single(shown(find(request.space, known.id)));
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // A create with a used key and another body is rejected after its name was written.
  orderBug(
    "order-late11-create-refused-for-its-key-renames-the-webhook",
    "CREATE-NO-EFFECT READ-STABLE UPDATE-KEEPS CREATE-LISTED KEY-REPLAY",
    [HOOK, HOOKS, HOOK_UPDATE],
    async ({ addHook, listedHook }) => {
      const key = "k-1";
      const { id, name } = (await addHook({ name: "Till" }, { key })).result;
      const answer = await addHook({ name: "Shop" }, { key });
      return answer.status === 200 || (await listedHook(id))?.name === name;
    },
    [
      "idempotency",
      "return database.transaction(() => {",
      `const place = [request.space, operation, key];
      const stored = database.first(
        "SELECT * FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?", place);
      const { id } = stored && stored.request_digest !== sent ? JSON.parse(text(stored.response_json)).result : {};
      if (id) database.run("UPDATE webhooks SET name = ? WHERE id = ?", [request.body.name.trim(), id]);
      return database.transaction(() => {`,
    ],
  ),
  // The answer of a replay stays in its place, and the next create takes it for its own.
  orderBug(
    "order-late11-create-after-a-replay-has-its-answer",
    "KEY-DISTINCT CREATE-ECHO CREATE-LISTED",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "Takings" }, { key: "k-1" });
      await create();
      const { id } = (await create()).result;
      return (await account({ name: "Costs" })).result.id !== id;
    },
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `reply.header("idempotent-replayed", "true");
      (database.replayed ??= new Map()).set(request.space + operation, used.response_json);`,
    ],
    [
      "idempotency",
      NEW_ANSWER,
      `const place = request.space + operation;
      const left = database.replayed?.get(place);
      database.replayed?.delete(place);
      if (left) return JSON.parse(text(left));
      ${NEW_ANSWER}`,
    ],
  ),
  // An account is looked up by its reference or its number, so a number can't be a reference.
  orderBug(
    "order-late11-number-of-an-account-is-refused-as-a-reference",
    "CREATE-ACCEPTED UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      const { uvan } = (await account()).result;
      return (await account({ reference: uvan })).status === 200;
    },
    [
      "accounts",
      NOW,
      `const known = database.first("SELECT 1 FROM accounts WHERE space_id = ? AND uvan = ?", [space, sent.reference ?? null]);
      if (known) ${TAKEN}
      ${NOW}`,
    ],
  ),
];
