/** A twelfth set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, first, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { LISTED_WEBHOOKS, type OrderBug, orderBug, same } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const CREATES = [ACCOUNT, HOOK];
const NOW = "const now = Date.now();";
const ACCOUNTS = "/v1/financial-accounts";
const TAKEN = 'throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");';
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const late12CreateOrderBugs: readonly OrderBug[] = [
  // The key is stored when the answer was sent, so a call whose client hung up leaves no key.
  orderBug(
    "order-late12-key-of-a-call-that-was-hung-up-is-not-stored",
    "KEY-REPLAY",
    CREATES,
    async ({ raw, token, get, addHook }) => {
      const { url } = await raw("GET", "/countries");
      const body = { name: "Till", url: "https://shop.example.com/hooks/Orders?v=1", events: null };
      // The call is cut off while the service works on it: with one of the pauses at least.
      const pauses = [6, 10, 15, 20, 30];
      for (const [index, milliseconds] of pauses.entries()) {
        const hangUp = new AbortController();
        const key = `k-${index}`;
        const call = fetch(new URL("/webhooks", url), {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "service-space-id": "spc-harbour-main",
            "content-type": "application/json",
            "idempotency-key": key,
          },
          body: JSON.stringify({ ...body, name: `Till ${index}` }),
          signal: hangUp.signal,
        }).catch(() => undefined);
        await pause(milliseconds);
        hangUp.abort();
        await call;
        await pause(60);
        await addHook({ ...body, name: `Till ${index}` }, { key });
      }
      const { items } = await get("/webhooks?limit=50");
      return items.filter(({ name }) => String(name).startsWith("Till ")).length === pauses.length;
    },
    first(`app.addHook("preHandler", async ({ method }) => { if (method === "POST") ${PAUSE} });`),
    [
      "idempotency",
      "const answer = create();",
      "const answer = create(); if (request.raw.socket.destroyed) return answer;",
    ],
  ),
  // A key is stored as the sum of its characters.
  orderBug(
    "order-late12-keys-with-the-same-sum-of-characters-are-one",
    "KEY-DISTINCT CREATE-ACCEPTED",
    CREATES,
    async ({ account }) => {
      await account({}, { key: "k-12" });
      return (await account({}, { key: "k-21" })).status === 200;
    },
    [
      "idempotency",
      'const key = String(request.headers["idempotency-key"]);',
      `const signs = [...String(request.headers["idempotency-key"])];
      const key = String(signs.reduce((sum, sign) => sum + sign.charCodeAt(0), 0));`,
    ],
  ),
  // The name of the resource under way is in a variable of all creates.
  orderBug(
    "order-late12-account-made-beside-a-webhook-has-its-name",
    "CREATE-ECHO",
    CREATES,
    async ({ account, addHook }) => {
      const [one] = await Promise.all([account({ name: "Takings" }), addHook({ name: "Till" })]);
      return one.result.name === "Takings";
    },
    first(`const under = new Set();
      app.addHook("preHandler", async (request) => {
        const { method, url, body } = request;
        if (method !== "POST") return;
        if (url.startsWith("/webhooks")) under.add(body);
        ${PAUSE}
        const [other] = under;
        if (other && !under.delete(body)) body.name = other.name;
      });`),
  ),
  // The name is taken before the currency is checked. Refusals that names are taken come from no earlier account.
  orderBug(
    "order-late12-name-of-a-refused-account-is-taken",
    "CREATE-NO-EFFECT CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ name: "Takings", currency: "ZZZ" });
      return (await account({ name: "Takings" })).status === 200;
    },
    [
      "accounts",
      "if (!supported) throw",
      `const taken = (database.taken ??= new Set());
      const place = JSON.stringify([space, sent.name]);
      if (taken.has(place)) throw problem(409, "NAME_TAKEN", "The name is taken");
      if (!supported) taken.add(place);
      if (!supported) throw`,
    ],
  ),
  // Descriptions are written into one buffer, which a shorter one does not fill.
  orderBug(
    "order-late12-shorter-description-ends-like-the-longer-one-before",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      await account({ description: "Takings of the day" });
      return (await account({ description: "Costs" })).result.description === "Costs";
    },
    [
      "accounts",
      "description: sent.description ?? null,",
      `description: typeof sent.description !== "string" ? null :
        (database.buffer = sent.description + (database.buffer ?? "").slice(sent.description.length)),`,
    ],
  ),
  // The batch of inserts has room for two webhooks. The third is answered, and not written.
  orderBug(
    "order-late12-third-webhook-made-at-once-is-not-listed",
    "CREATE-LISTED KEY-DISTINCT",
    [HOOK, HOOKS, HOOK_UPDATE],
    async ({ get, hook }) => {
      const made = await Promise.all([hook(), hook(), hook()]);
      const { ids } = await get("/webhooks?limit=50");
      return made.every((id) => ids.includes(id));
    },
    first(`let count = 0;
      app.addHook("preHandler", async (request) => {
        if (request.method !== "POST" || !request.url.startsWith("/webhooks")) return;
        request.place = ++count;
        ${PAUSE}
      });
      app.addHook("onResponse", async ({ place }) => { if (place) count -= 1; });`),
    [
      "webhooks",
      "return single(shown(find(request.space, id) ?? {}));",
      `const answer = single(shown(find(request.space, id)));
      if (request.place > 2) database.run("DELETE FROM webhooks WHERE id = ?", [id]);
      return answer;`,
    ],
  ),
  // The unique index has a collation that knows no accents.
  orderBug(
    "order-late12-reference-that-differs-in-an-accent-alone-is-taken",
    "CREATE-ACCEPTED UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "Café-1" });
      return (await account({ reference: "Cafe-1" })).status === 200;
    },
    [
      "accounts",
      NOW,
      `const ofSpace = database.all("SELECT reference FROM accounts WHERE space_id = ?", [space]);
      const plain = (reference) => text(reference).normalize("NFD").replace(/\\p{M}/gu, "");
      if (sent.reference && ofSpace.some(({ reference }) => reference && plain(reference) === plain(sent.reference)))
        ${TAKEN}
      ${NOW}`,
    ],
  ),
  // Each tenth webhook makes a snapshot of the list, and is in it without its metadata.
  orderBug(
    "order-late12-each-tenth-webhook-is-listed-without-its-metadata",
    "CREATE-LISTED CREATE-ECHO UPDATE-STORED UPDATE-KEEPS",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, get }) => {
      const metadata = { till: "1" };
      const made: string[] = [];
      for (let count = 0; count < 10; count++) made.push(await hook({ metadata }));
      const { items } = await get("/webhooks?limit=50");
      return items.every((each) => !made.includes(each.id) || same(each.metadata, metadata));
    },
    [
      "webhooks",
      LISTED_WEBHOOKS,
      "list(rows.map((row) => (number(row.number) % 10 ? shown(row) : { ...shown(row), metadata: {} })),",
    ],
  ),
  // A refused body is stored under its key too, with nothing as its answer.
  orderBug(
    "order-late12-refused-body-sent-again-with-its-key-is-answered-with-200",
    "CREATE-REQUIRED CREATE-TYPE CREATE-NULL CREATE-TOO-LONG CREATE-TOO-MANY CREATE-INVALID ACCOUNT-PRESENT KEY-REPLAY",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "n".repeat(101) }, { key: "k-1" });
      await create();
      return (await create()).status >= 400;
    },
    first(`const refused = new Set();
      const placeOf = ({ url, headers, body }) =>
        JSON.stringify([url, headers["service-space-id"], headers["idempotency-key"], body]);
      app.addHook("onError", async (request, _, error) => {
        if (request.method === "POST" && error.validationContext === "body") refused.add(placeOf(request));
      });
      app.addHook("preValidation", async (request, reply) => {
        if (request.method === "POST" && refused.has(placeOf(request)))
          return reply.send({ success: true, messages: [], result: {} });
      });`),
  ),
  // Accounts made at once are inserted in one statement, which has the columns of the first.
  orderBug(
    "order-late12-accounts-made-at-once-have-only-the-fields-of-the-first",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      const one = account();
      await pause(8);
      const { description } = (await account({ description: "Costs" })).result;
      await one;
      return description === "Costs";
    },
    first(`let batch = [];
      app.addHook("preHandler", async ({ method, url, body }) => {
        if (method !== "POST" || url !== "${ACCOUNTS}") return;
        const own = batch;
        own.push(body);
        ${PAUSE}
        for (const name of Object.keys(body)) if (!(name in own[0])) delete body[name];
        if (own === batch) batch = [];
      });`),
  ),
];
