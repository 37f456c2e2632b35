/** Bugs of authentication that only a sequence of calls shows. */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, type Edit, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import { inCodeUpdate, type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE } from "./order.ts";

const WRONG =
  "AUTH-MISSING AUTH-UNKNOWN-TOKEN AUTH-ALTERED-TOKEN AUTH-EMPTY-TOKEN AUTH-OTHER-SCHEME AUTH-BARE-TOKEN";
const REFERENCE = [
  ...["GET /banks", "GET /banks/{idOrCode}", "GET /momos", "GET /momos/{idOrCode}"],
  ...["GET /countries", "GET /countries/{idOrCode}"],
];
const READS = [CODES, CODE, OTPS, HOOKS, PAYOUT, ...REFERENCE];
export const ALL = [...READS, ACCOUNT, HOOK, HOOK_UPDATE, CODE_UPDATE, PAYOUT_UPDATE];

/** Inserts statements that run before an unknown token is rejected. They may use `known`, the token's row. */
const beforeRejection = (statements: string): Edit => [
  "http",
  "if (!known) {",
  `${statements} if (!known) {`,
];
/** Authenticates only after the body was parsed. */
const LATE: Edit = ["http", 'app.addHook("onRequest"', 'app.addHook("preValidation"'];

export const tokenOrderBugs: readonly OrderBug[] = [
  orderBug(
    "known-token-kept-without-case",
    "AUTH-ALTERED-TOKEN",
    ALL,
    async ({ get, token }) => {
      await get("/countries");
      return (await get("/countries", { token: token.toUpperCase() })).status >= 400;
    },
    [
      "http",
      "const known = token &&",
      "const tokens = (database.tokens ??= new Map()); const known = token && (tokens.get(token.toLowerCase()) ||",
    ],
    ["http", "[digest(token)]);", "[digest(token)]));"],
    beforeRejection("if (known) tokens.set(token.toLowerCase(), known);"),
  ),
  orderBug(
    "unknown-token-passes-the-second-time",
    "AUTH-UNKNOWN-TOKEN AUTH-ALTERED-TOKEN",
    REFERENCE,
    async ({ get }) => {
      await get("/countries", { token: "sk_wrong" });
      return (await get("/countries", { token: "sk_wrong" })).status >= 400;
    },
    [
      "http",
      "const known = token &&",
      "const tokens = (database.tokens ??= new Map()); const known = token && tokens.has(token) ? (tokens.get(token) ?? {}) : token &&",
    ],
    beforeRejection("if (token) tokens.set(token, known && known.tenant ? known : undefined);"),
  ),
  orderBug(
    "unauthenticated-update-joins-the-next",
    "AUTH-NO-EFFECT",
    CODE_UPDATE,
    async ({ readCode, editCode }) => {
      const { name } = (await readCode()).result;
      await editCode({ name: "Stray" }, { token: "sk_wrong" });
      return (await editCode({ metadata: { run: "1" } })).result.name === name;
    },
    LATE,
    beforeRejection(
      'if (!known && request.method === "PATCH") (database.strays ??= new Map()).set(request.params.id, request.body);',
    ),
    ...inCodeUpdate(
      `const stray = database.strays?.get(id); database.strays?.delete(id);
      if (typeof stray?.name === "string") change.name ??= stray.name;
      if (stray?.metadata) change.metadata_json ??= JSON.stringify(stray.metadata);`,
    ),
  ),
  orderBug(
    "connection-stays-authenticated",
    "AUTH-MISSING AUTH-NO-EFFECT",
    ALL,
    async ({ get }) => {
      // The client alternates between two connections, so four calls use both.
      for (let n = 0; n < 4; n++) await get("/countries");
      return (await get("/countries", { token: null })).status >= 400;
    },
    beforeRejection(
      `const sockets = (database.sockets ??= new WeakMap()); const { socket } = request.raw; if (known) sockets.set(socket, known.tenant);
      if (!request.headers.authorization && sockets.has(socket)) { request.tenant = sockets.get(socket); return; }`,
    ),
  ),
  orderBug(
    "reference-taken-without-a-token",
    "AUTH-NO-EFFECT CREATE-NO-EFFECT CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" }, { token: "sk_wrong" });
      return (await account({ reference: "R-1" })).status === 200;
    },
    LATE,
    beforeRejection(
      `if (!known && request.body?.reference) (database.held ??= new Set()).add(request.body.reference);`,
    ),
    [
      "accounts",
      "const now = Date.now();",
      'if (database.held?.has(sent.reference)) throw problem(409, "REFERENCE_TAKEN", "The reference is held"); const now = Date.now();',
    ],
  ),
  orderBug(
    "replays-need-no-token",
    WRONG,
    [ACCOUNT, HOOK],
    async ({ account }) => {
      await account({ name: "One" }, { key: "k-1" });
      return (await account({ name: "One" }, { key: "k-1", token: null })).status >= 400;
    },
    beforeRejection(
      `const used = !known && request.method === "POST" && database.first("SELECT response_json FROM idempotency_keys WHERE space_id = ? AND key = ?", [String(request.headers["service-space-id"]), String(request.headers["idempotency-key"])]);
      if (used) { reply.send(JSON.parse(text(used.response_json))); return reply; }`,
    ),
  ),
  orderBug(
    "cursors-need-no-token",
    WRONG,
    [CODES, OTPS, HOOKS],
    async ({ get }) => {
      const { next } = await get("/v1/payment-codes?limit=2");
      return (await get(`/v1/payment-codes?limit=2&after=${next}`, { token: null })).status >= 400;
    },
    beforeRejection(
      `if (!known && request.query.after) { const of = database.first("SELECT tenant FROM spaces WHERE id = ?", [String(request.headers["service-space-id"])]);
        if (of) { request.tenant = text(of.tenant); return; } }`,
    ),
  ),
  orderBug(
    "kept-answers-need-no-token",
    WRONG,
    READS,
    async ({ readPayout }) => {
      await readPayout();
      return (await readPayout({ token: null })).status >= 400;
    },
    [
      "http",
      'app.addHook("onSend", async (request, reply) => {',
      `app.addHook("onSend", async (request, reply, payload) => {
        if (request.method === "GET" && reply.statusCode === 200) (database.answers ??= new Map()).set(request.url + request.headers["service-space-id"], payload);`,
    ],
    beforeRejection(
      `const kept = database.answers?.get(request.url + request.headers["service-space-id"]);
      if (!known && request.method === "GET" && kept) { reply.type("application/json").send(kept); return reply; }`,
    ),
  ),
  orderBug(
    "right-token-refused-after-a-wrong-one",
    "READ-ACCEPTED READ-STABLE",
    PAYOUT,
    async ({ readPayout }) => {
      await readPayout({ token: "sk_wrong" });
      return (await readPayout()).status === 200;
    },
    beforeRejection(
      `const wrong = (database.wrong ??= new Set()); if (!known && request.url.startsWith("/payouts/")) wrong.add(request.url);
      else if (request.method === "GET" && wrong.delete(request.url)) throw problem(401, "UNAUTHENTICATED", "A valid access token is required");`,
    ),
  ),
  orderBug(
    "webhook-update-with-a-wrong-token-deactivates-at-the-next",
    "AUTH-NO-EFFECT UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { name: "Stray" }, { token: "sk_wrong" });
      return (await editHook(id, { name: "Renamed" })).result.isActive === true;
    },
    beforeRejection("if (!known) (database.suspects ??= new Set()).add(request.params.id);"),
    [
      "webhooks",
      'database.update("webhooks", columns(body)',
      'database.update("webhooks", { ...(database.suspects?.delete(id) && { active: 0 }), ...columns(body) }',
    ],
  ),
];
