/** A ninth set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, first, HOOK, HOOK_UPDATE } from "./bug.ts";
import { type OrderBug, orderBug, same } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const CREATES = [ACCOUNT, HOOK];

export const late9CreateOrderBugs: readonly OrderBug[] = [
  // The metadata of each account is assigned to one default object, which the next account gets.
  orderBug(
    "order-late9-metadata-of-accounts-is-merged-into-the-shared-default",
    "CREATE-ECHO CREATE-DEFAULT",
    ACCOUNT,
    async ({ account }) => {
      await account({ metadata: { till: "1" } });
      return same((await account({ metadata: { shop: "2" } })).result.metadata, { shop: "2" });
    },
    [
      "accounts",
      "JSON.stringify(sent.metadata ?? {})",
      "JSON.stringify(Object.assign((database.defaults ??= {}), sent.metadata))",
    ],
  ),
  // A reference is looked up with the query of the list, which gives ten accounts.
  orderBug(
    "order-late9-reference-is-looked-up-among-the-newest-ten",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      for (let n = 0; n < 10; n++) await account();
      return (await account({ reference: "R-1" })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "const now = Date.now();",
      `const newest = "SELECT reference FROM accounts WHERE space_id = ? ORDER BY number DESC LIMIT 10";
      if (sent.reference && database.all(newest, [space]).some(({ reference }) => reference === sent.reference))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      const now = Date.now();`,
    ],
  ),
  // A refused create gives its connection back in an open transaction, and the next create can't begin its own.
  orderBug(
    "order-late9-refused-create-leaves-its-transaction-open",
    "NO-SERVER-ERROR CREATE-ACCEPTED",
    CREATES,
    async ({ account }) => {
      await account({ currency: "ZZZ" });
      return (await account()).status === 200;
    },
    ["database", 'this.script("ROLLBACK");', ""],
    [
      "database",
      'this.script("BEGIN IMMEDIATE");',
      `try {
        this.script("BEGIN IMMEDIATE");
      } catch (error) {
        this.script("ROLLBACK");
        throw error;
      }`,
    ],
  ),
  // A refused create stores the last answer with its key, so the same call again is answered with that.
  orderBug(
    "order-late9-retry-of-a-refused-create-answers-the-one-before",
    "UNIQUE-REJECTED KEY-REPLAY KEY-DISTINCT CREATE-NO-EFFECT",
    CREATES,
    async ({ account }) => {
      await account({ reference: "R-1" });
      const again = () => account({ name: "Again", reference: "R-1" }, { key: "k-1" });
      return [await again(), await again()].every(({ status }) => status >= 400);
    },
    [
      "idempotency",
      "const answer = create();",
      `const answers = (database.answers ??= new Map());
      const last = JSON.stringify([request.space, operation]);
      const place = JSON.stringify([request.space, operation, key]);
      if (answers.has(place)) return answers.get(place);
      const keeping = () => {
        try {
          answers.set(last, create());
        } catch (error) {
          if (answers.has(last)) answers.set(place, answers.get(last));
          throw error;
        }
        return answers.get(last);
      };
      const answer = keeping();`,
    ],
  ),
  // The pattern of alert addresses has the flag g, so after a match the next text is searched from the end of it.
  orderBug(
    "order-late9-pattern-of-addresses-goes-on-from-the-last-match",
    "CREATE-ACCEPTED UPDATE-ACCEPTED",
    [HOOK, HOOK_UPDATE],
    async ({ addHook }) => {
      const add = () => addHook({ alertEmails: ["till@example.com"] });
      return [await add(), await add()].every(({ status }) => status === 200);
    },
    [
      "webhooks",
      "const querystring = {",
      "const ADDRESSES = /^[^\\s@,]+@[^\\s@,]+(,[^\\s@,]+@[^\\s@,]+)*$/g; const querystring = {",
    ],
    [
      "webhooks",
      "if (sent.name) change.name = sent.name.trim();",
      `if (sent.alertEmails?.length && !ADDRESSES.test(sent.alertEmails.join(",")))
        throw problem(400, "BAD_ADDRESS", "body/alertEmails must have addresses of e-mail");
      if (sent.name) change.name = sent.name.trim();`,
    ],
  ),
  // The id of a webhook is made of the time, so two that are made at once have the same one.
  orderBug(
    "order-late9-id-of-a-webhook-is-made-of-the-time",
    "NO-SERVER-ERROR CREATE-ACCEPTED KEY-DISTINCT KEY-PARALLEL",
    HOOK,
    async ({ addHook }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => addHook()));
      return answers.every(({ status }) => status === 200);
    },
    ["webhooks", 'randomBytes(9).toString("hex")', "Math.trunc(Date.now() / 10).toString(36)"],
  ),
  // A key is stored with an empty answer while its create works, and a call with the key gets that.
  orderBug(
    "order-late9-second-of-two-creates-with-one-key-has-no-result",
    "KEY-PARALLEL RESULT-OBJECT MESSAGES-ARRAY KEY-REPLAY",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "Takings" }, { key: "k-1" });
      const answers = await Promise.all([create(), create()]);
      return answers.every(({ status, result }) => status >= 400 || result.id !== "");
    },
    first(
      `const claimed = new Set();
      app.addHook("preHandler", async (request, reply) => {
        const key = request.headers["idempotency-key"];
        if (request.method !== "POST" || !key) return;
        const place = [request.headers["service-space-id"], request.url, key].join(" ");
        if (claimed.has(place)) return reply.send({});
        claimed.add(place);
        request.claim = place;
        ${PAUSE}
      });
      app.addHook("onResponse", async ({ claim }) => {
        claimed.delete(claim);
      });`,
    ),
  ),
];
