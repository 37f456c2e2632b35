/** A tenth set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, first, HOOK, HOOKS } from "./bug.ts";
import { type Answer, type OrderBug, orderBug, remembering, WEBHOOK_ADDED } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const CREATES = [ACCOUNT, HOOK];
const OTHER_BODY = "if (used.request_digest !== sent)";

export const late10CreateOrderBugs: readonly OrderBug[] = [
  // A create with a key of another body is put into the unit of work, is refused, and is done with the next create.
  orderBug(
    "order-late10-create-refused-for-its-key-is-done-with-the-next-create",
    "CREATE-NO-EFFECT KEY-REPLAY",
    [...CREATES, HOOKS],
    async ({ get, hook, addHook }) => {
      const key = "k-1";
      await hook({}, { key });
      const { status, result } = await addHook({ name: "Another" }, { key });
      await hook();
      const { items } = await get("/webhooks?limit=50");
      return status === 200 ? result.name === "Another" : items.every(({ name }) => name !== "Another");
    },
    [
      "idempotency",
      OTHER_BODY,
      `const unit = (database.unit ??= []);
      if (used.request_digest !== sent) unit.push(create);
      ${OTHER_BODY}`,
    ],
    [
      "idempotency",
      "const answer = create();",
      `for (const work of database.unit?.splice(0) ?? []) {
        try {
          work();
        } catch {}
      }
      const answer = create();`,
    ],
  ),
  // A replay saves the webhook of the stored answer again, and each save of a create sets the time of it.
  orderBug(
    "order-late10-replayed-create-moves-the-create-time",
    "UPDATE-IDENTITY READ-STABLE KEY-REPLAY CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ hook, listedHook }) => {
      const create = () => hook({ name: "Till" }, { key: "k-1" });
      const id = await create();
      const before = await listedHook(id);
      await create();
      return (await listedHook(id))?.createTime === before?.createTime;
    },
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `const { id } = JSON.parse(text(used.response_json)).result;
      database.update("webhooks", { created_at: Date.now() }, "id = ?", [id]);
      reply.header("idempotent-replayed", "true");`,
    ],
  ),
  // The number of webhooks is counted up after a create. A refusal for the key counts it down all the same.
  orderBug(
    "order-late10-create-refused-for-its-key-is-taken-off-the-total",
    "LIST-TOTAL CREATE-NO-EFFECT",
    [HOOK, HOOKS],
    async ({ get, hook, addHook }) => {
      await hook({ name: "Till" }, { key: "k-1" });
      await addHook({ name: "Shop" }, { key: "k-1" });
      const { total, ids } = await get("/webhooks?limit=50");
      return Number(total) >= ids.length;
    },
    [
      "idempotency",
      OTHER_BODY,
      `const refused = (database.refused ??= new Map());
      if (used.request_digest !== sent && operation === "POST /webhooks")
        refused.set(request.space, (refused.get(request.space) ?? 0) + 1);
      ${OTHER_BODY}`,
    ],
    ["webhooks", "total: number(total),", "total: number(total) - (database.refused?.get(space) ?? 0),"],
  ),
  // Keys are written one create later, and a refused create throws away the key that waits.
  orderBug(
    "order-late10-refused-create-forgets-the-key-of-the-one-before",
    "KEY-REPLAY KEY-PARALLEL",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "Takings" }, { key: "k-1" });
      const { id } = (await create()).result;
      await account({ currency: "ZZZ" });
      const { status, result } = await create();
      return status >= 400 || result.id === id;
    },
    [
      "idempotency",
      "return database.transaction(() => {",
      `const forgetting = (work) => {
        try {
          return database.transaction(work);
        } catch (error) {
          const newest = "(SELECT max(rowid) FROM idempotency_keys)";
          database.run("DELETE FROM idempotency_keys WHERE rowid = " + newest);
          throw error;
        }
      };
      return forgetting(() => {`,
    ],
  ),
  // A create that fails gives back its reservation of the reference, even if another create made the reservation.
  orderBug(
    "order-late10-refused-duplicate-frees-the-reference",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      const create = () => account({ reference: "R-1" });
      await create();
      return [await create(), await create()].every(({ status }) => status >= 400);
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "const now = Date.now();",
      `const reserved = (database.reserved ??= new Set());
      const place = JSON.stringify([space, sent.reference]);
      if (sent.reference && reserved.delete(place))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      if (sent.reference) reserved.add(place);
      const now = Date.now();`,
    ],
  ),
  // Creates with equal bodies that come at once are taken for one click, whatever their keys.
  orderBug(
    "order-late10-accounts-with-equal-bodies-at-once-are-one",
    "KEY-DISTINCT UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      const create = () => account({ name: "Takings" });
      return areDistinct(await Promise.all([create(), create()]));
    },
    remembering("accounts"),
    [
      "accounts",
      "once(database, request, reply, () => single(create(database, request.space, request.body)))",
      `{
        const place = JSON.stringify([request.space, request.body]);
        const later = async () => {
          ${PAUSE}
          memory.delete(place);
          return once(database, request, reply, () => single(create(database, request.space, request.body)));
        };
        if (!memory.has(place)) memory.set(place, later());
        return memory.get(place);
      }`,
    ],
  ),
  // A new webhook takes the settings that it lacks from the last webhook with its URL.
  orderBug(
    "order-late10-webhook-to-the-url-of-an-active-one-is-active",
    "CREATE-DEFAULT",
    HOOK,
    async ({ addHook }) => {
      await addHook({ isActive: true });
      return (await addHook()).result.isActive === false;
    },
    remembering("webhooks"),
    ["webhooks", 'isActive: { type: "boolean", default: false },', 'isActive: { type: "boolean" },'],
    [
      "webhooks",
      WEBHOOK_ADDED,
      `row.active ??= memory.get(row.url) ?? 0;
      memory.set(row.url, row.active);
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // Answers to keys are kept before the token is checked.
  orderBug(
    "order-late10-replay-of-a-key-needs-no-token",
    "AUTH-MISSING AUTH-UNKNOWN-TOKEN AUTH-ALTERED-TOKEN AUTH-EMPTY-TOKEN AUTH-OTHER-SCHEME",
    CREATES,
    async ({ account }) => {
      const key = "k-1";
      await account({ name: "Takings" }, { key });
      return (await account({ name: "Takings" }, { key, token: null })).status >= 400;
    },
    first(
      `const answers = new Map();
      const placeOf = ({ method, url, headers }) =>
        method === "POST" && headers["idempotency-key"]
          ? [url, headers["service-space-id"], headers["idempotency-key"]].join(" ")
          : undefined;
      app.addHook("onRequest", async (request, reply) => {
        const answer = answers.get(placeOf(request));
        if (answer) return reply.header("content-type", "application/json").send(answer);
      });
      app.addHook("onSend", async (request, reply, payload) => {
        const place = placeOf(request);
        if (place && reply.statusCode === 200) answers.set(place, payload);
      });`,
    ),
  ),
  // One call may wait for another with its key. A third finds the place taken and goes on without the lock.
  orderBug(
    "order-late10-third-call-at-once-with-a-key-does-not-wait",
    "KEY-PARALLEL",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "Takings" }, { key: "k-1" });
      const answers = await Promise.all([create(), create(), create()]);
      const made = answers.filter(({ status }) => status === 200).map(({ result }) => result.id);
      return new Set(made).size === 1;
    },
    first(
      `const locks = new Map();
      app.addHook("preHandler", async (request) => {
        const key = request.headers["idempotency-key"];
        if (request.method !== "POST" || !key) return;
        const place = [request.headers["service-space-id"], request.url, key].join(" ");
        const lock = locks.get(place);
        if (!lock) {
          const own = {};
          own.done = new Promise((resolve) => {
            own.free = resolve;
          });
          locks.set(place, own);
          request.lock = place;
          ${PAUSE}
        } else if (lock.isAwaited) request.hasNoLock = true;
        else {
          lock.isAwaited = true;
          await lock.done;
        }
      });
      app.addHook("onResponse", async ({ lock }) => {
        locks.get(lock)?.free();
        locks.delete(lock);
      });`,
    ),
    [
      "idempotency",
      'database.insert("idempotency_keys", {',
      'if (!request.hasNoLock) database.insert("idempotency_keys", {',
    ],
  ),
];

/** True if all calls made a resource, each another one. */
function areDistinct(answers: readonly Answer[]): boolean {
  const made = answers.filter(({ status }) => status === 200).map(({ result }) => result.id);
  return made.length === answers.length && new Set(made).size === made.length;
}
