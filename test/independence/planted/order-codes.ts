/** Bugs in updating and cancelling payment codes that only a sequence of calls shows. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import { inCodeUpdate, type OrderBug, orderBug, remembering, same } from "./order.ts";

export const codeOrderBugs: readonly OrderBug[] = [
  orderBug(
    "name-cleared-by-the-update-after-null",
    "UPDATE-KEEPS",
    CODE_UPDATE,
    async ({ editCode }) => {
      const { name } = (await editCode({ name: null })).result;
      return (await editCode({ metadata: { run: "1" } })).result.name === name;
    },
    ...inCodeUpdate(
      'if (sent.name === null) memory.set(id, true); else if (memory.delete(id)) change.name ??= "";',
    ),
  ),
  orderBug(
    "providers-after-null-are-added",
    "UPDATE-ECHO UPDATE-STORED",
    CODE_UPDATE,
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["MTN_CM"] });
      await editCode({ allowedProviders: null });
      return same((await editCode({ allowedProviders: ["ORANGE_CM"] })).result.allowedProviders, [
        "ORANGE_CM",
      ]);
    },
    ...inCodeUpdate(
      `if (sent.allowedProviders === null) memory.set(id, json(row.providers_json, []));
      else if (sent.allowedProviders && memory.has(id)) {
        change.providers_json = JSON.stringify([...new Set([...json(change.providers_json, []), ...memory.get(id)])]); memory.delete(id); }`,
    ),
  ),
  orderBug(
    "cancelled-code-read-as-pending",
    "CANCEL-STATUS UPDATE-STORED SHAPES-AGREE",
    [CODE_UPDATE, CODE, CODES],
    async ({ get, cancel, cancellable }) => {
      await get(`/payment-codes/${cancellable}`);
      await cancel();
      return (await get(`/payment-codes/${cancellable}`)).result.status === "cancelled";
    },
    [
      "payment-codes",
      "single(detailed(find(space, params.id)))",
      "{ const answer = memory.get(params.id) ?? single(detailed(find(space, params.id))); memory.set(params.id, answer); find(space, params.id); return answer; }",
    ],
    ...inCodeUpdate("if (!change.status) memory.delete(id);"),
  ),
  orderBug(
    "cancelling-restores-the-first-values",
    "UPDATE-KEEPS CANCEL-TOGETHER",
    CODE_UPDATE,
    async ({ patch, cancel, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { name: "Renamed" });
      return (await cancel()).result.name === "Renamed";
    },
    ...inCodeUpdate(
      `if (!memory.has(id)) memory.set(id, row);
      if (change.status) { const { name, providers_json, metadata_json } = memory.get(id); Object.assign(change, { name, providers_json, metadata_json, ...change }); }`,
    ),
  ),
  orderBug(
    "second-cancelling-crashes",
    "NO-SERVER-ERROR",
    CODE_UPDATE,
    async ({ cancel }) => {
      await cancel();
      return (await cancel()).status < 500;
    },
    [
      "payment-codes",
      'if (row.status !== "pending" &&',
      `const cancelled = (database.cancelled ??= new Set()); if (cancelled.has(row.id)) throw new Error("no such transition");
      if (row.status !== "pending" &&`,
    ],
    ["payment-codes", 'change.status = "cancelled";', 'change.status = "cancelled"; cancelled.add(row.id);'],
  ),
  orderBug(
    "cancelling-refused-after-a-wrong-status",
    "CANCEL-STATUS CANCEL-TOGETHER UPDATE-ACCEPTED",
    CODE_UPDATE,
    async ({ patch, cancel, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { status: "completed" });
      return (await cancel()).status === 200;
    },
    [
      "payment-codes",
      "params: byId, body }, preHandler",
      'params: byId, body }, onError: async (request, _, error) => { if (error.validation && "status" in request.body) memory.set(request.params.id, true); }, preHandler',
    ],
    ...inCodeUpdate(
      'if (change.status && memory.has(id)) throw problem(409, "IN_TRANSITION", "The code is in a transition");',
    ),
  ),
  orderBug(
    "deactivating-twice-activates",
    "UPDATE-STORED",
    [CODE_UPDATE, CODE],
    async ({ editCode, readCode }) => {
      await editCode({ isActive: false });
      await editCode({ isActive: false });
      return (await readCode()).result.isActive === false;
    },
    ...inCodeUpdate(
      `if (sent.isActive === false && memory.get(id)) setImmediate(() => database.update("payment_codes", { enabled: 1 }, "id = ?", [id]));
      memory.set(id, sent.isActive === false && !memory.get(id));`,
    ),
  ),
  orderBug(
    "refused-code-update-joins-the-next",
    "UPDATE-NO-EFFECT UPDATE-KEEPS",
    CODE_UPDATE,
    async ({ readCode, editCode }) => {
      const { name } = (await readCode()).result;
      await editCode({ name: "Left over", allowedProviders: [] });
      return (await editCode({ metadata: { run: "1" } })).result.name === name;
    },
    [
      "payment-codes",
      "params: byId, body }, preHandler",
      `params: byId, body }, preValidation: async (request) => { const { id } = request.params; const sent = request.body;
        if (sent && typeof sent === "object") memory.set(id, { ...memory.get(id), ...sent }); }, preHandler`,
    ],
    ...inCodeUpdate(
      `const joined = memory.get(id) ?? {}; memory.delete(id);
      if (typeof joined.name === "string") change.name ??= joined.name;
      if (joined.metadata && typeof joined.metadata === "object") change.metadata_json ??= JSON.stringify(joined.metadata);`,
    ),
  ),
  orderBug(
    "answer-of-the-first-update-of-these-fields",
    "UPDATE-ECHO",
    CODE_UPDATE,
    async ({ editCode }) => {
      await editCode({ name: "One" });
      return (await editCode({ name: "Two" })).result.name === "Two";
    },
    ...inCodeUpdate(
      "",
      `const like = id + Object.keys(sent).sort(); if (memory.has(like)) return memory.get(like);
      memory.set(like, single(detailed(find(space, id))));`,
    ),
  ),
  orderBug(
    "two-code-updates-lose-one",
    "UPDATE-STORED UPDATE-KEEPS",
    [CODE_UPDATE, CODE],
    async ({ editCode, readCode }) => {
      await Promise.all([editCode({ name: "Renamed" }), editCode({ metadata: { run: "1" } })]);
      const { name, metadata } = (await readCode()).result;
      return name === "Renamed" && same(metadata, { run: "1" });
    },
    ...inCodeUpdate(
      "Object.assign(change, { ...row, ...change }); await new Promise((resolve) => setTimeout(resolve, 20));",
    ),
  ),
  orderBug(
    "same-providers-again-allow-none",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE],
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["MTN_CM"] });
      return same((await editCode({ allowedProviders: ["MTN_CM"] })).result.allowedProviders, ["MTN_CM"]);
    },
    ...inCodeUpdate(
      `const given = change.providers_json; if (given && given === memory.get(id)) change.providers_json = "[]";
      if (given) memory.set(id, given);`,
    ),
  ),
  orderBug(
    "expiry-moved-twice-keeps-the-first",
    "UPDATE-STORED",
    [CODE_UPDATE, CODE],
    async ({ editCode, readCode }) => {
      const inHours = (hours: number) =>
        new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString();
      const [one, two] = [inHours(3), inHours(5)];
      await editCode({ expireTime: one });
      await editCode({ expireTime: two });
      return (await readCode()).result.expireTime === two;
    },
    ...inCodeUpdate(
      `if (change.expires_at && memory.has(id)) setImmediate(() => database.update("payment_codes", { expires_at: memory.get(id) }, "id = ?", [id]));
      else if (change.expires_at) memory.set(id, change.expires_at);`,
    ),
  ),
  orderBug(
    "dial-code-forgotten-when-cancelled",
    "FILTER-COMPLETE",
    CODES,
    async ({ get, cancel, cancellable }) => {
      const { ussdCode } = (await cancel()).result;
      const path = `/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}`;
      return (await get(path)).ids.includes(cancellable);
    },
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.filter((row) => !ussd_code || !memory.has(row.id)).map(listed)",
    ],
    ...inCodeUpdate("if (change.status) memory.set(id, true);"),
  ),
  orderBug(
    "listed-codes-kept-one-by-one",
    "SHAPES-AGREE UPDATE-STORED",
    [CODES, CODE, CODE_UPDATE],
    async ({ get, editCode, mutable }) => {
      const listed = async () =>
        (await get("/v1/payment-codes?limit=50&status=pending")).items.find(({ id }) => id === mutable)?.name;
      await listed();
      await editCode({ name: "Renamed" });
      return (await listed()) === "Renamed";
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.map((row) => { if (!memory.has(row.id)) memory.set(row.id, listed(row)); return memory.get(row.id); })",
    ],
  ),
];
