/** Bugs of payouts that only a sequence of calls shows. */

import type { Edit } from "./bug.ts";
import { type Answer, type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE, remembering, same } from "./order.ts";

export const MERGED = "const metadata_json = JSON.stringify(merged(json(row.metadata_json, {}), metadata));";
const WRITTEN = 'database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, id]);';

const runOf = ({ result }: Answer) => (result.metadata as { run?: string } | undefined)?.run;

const inUpdate = (find: string, replace: string): Edit[] => [
  remembering("payouts"),
  ["payouts", find, replace],
];
const inRead = (statements: string): Edit[] => [
  remembering("payouts"),
  ["payouts", "single(shown(find(space, params.id)))", `{ const { id } = params; ${statements} }`],
];

export const payoutOrderBugs: readonly OrderBug[] = [
  orderBug(
    "payout-metadata-once-null-stays-empty",
    "UPDATE-ECHO UPDATE-STORED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await editPayout(null);
      return same((await editPayout({ run: "1" })).result.metadata, { run: "1" });
    },
    ...inUpdate(
      "if (metadata !== undefined) {",
      "if (metadata === null) memory.set(id, true); if (metadata === null || (metadata && !memory.has(id))) {",
    ),
  ),
  orderBug(
    "same-payout-metadata-again-empties-it",
    "UPDATE-ECHO UPDATE-STORED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await editPayout({ run: "1" });
      return runOf(await editPayout({ run: "1" })) === "1";
    },
    ...inUpdate(
      MERGED,
      `const same = memory.get(id) === JSON.stringify(metadata); memory.set(id, JSON.stringify(metadata));
      const metadata_json = JSON.stringify(same ? {} : merged(json(row.metadata_json, {}), metadata));`,
    ),
  ),
  orderBug(
    "payout-metadata-names-written-once",
    "UPDATE-ECHO UPDATE-STORED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await editPayout({ run: "1" });
      return runOf(await editPayout({ run: "2" })) === "2";
    },
    ...inUpdate(
      MERGED,
      `const seen = memory.get(id) ?? new Set(); memory.set(id, metadata === null ? new Set() : seen);
      const fresh = metadata && Object.fromEntries(Object.entries(metadata).filter(([name]) => !seen.has(name)));
      for (const name of Object.keys(metadata ?? {})) seen.add(name);
      const metadata_json = JSON.stringify(merged(json(row.metadata_json, {}), fresh));`,
    ),
  ),
  orderBug(
    "charges-repeated-from-the-second-update-on",
    "UPDATE-KEEPS-REST",
    PAYOUT_UPDATE,
    async ({ editPayout, readPayout }) => {
      const { charges } = (await readPayout()).result;
      await editPayout({ run: "1" });
      return same((await editPayout({ run: "2" })).result.charges, charges);
    },
    ...inUpdate(
      WRITTEN,
      `const charges = json(row.charges_json, []); if (memory.has(id)) charges.push(...charges.slice(0, 1)); memory.set(id, true);
      database.update("payouts", { metadata_json, charges_json: JSON.stringify(charges) }, "space_id = ? AND id = ?", [space, id]);`,
    ),
  ),
  orderBug(
    "update-after-an-empty-one-crashes",
    "NO-SERVER-ERROR UPDATE-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await editPayout();
      return (await editPayout({ run: "1" })).status === 200;
    },
    ...inUpdate(
      "if (metadata !== undefined) {",
      'if (metadata === undefined) memory.set(id, true); else if (memory.delete(id)) throw new Error("stale state"); if (metadata !== undefined) {',
    ),
  ),
  orderBug(
    "third-read-without-charges",
    "READ-STABLE",
    PAYOUT,
    async ({ readPayout }) => {
      const { charges } = (await readPayout()).result;
      await readPayout();
      return same((await readPayout()).result.charges, charges);
    },
    ...inRead(
      `memory.set(id, (memory.get(id) ?? 0) + 1); const answer = single(shown(find(space, id)));
      if (memory.get(id) > 2) answer.result.charges = []; return answer;`,
    ),
  ),
  orderBug(
    "update-also-written-to-the-payout-read-last",
    "READ-STABLE UPDATE-KEEPS-REST UPDATE-KEEPS",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ get, editPayout, otherPayout }) => {
      const before = await get(`/payouts/${otherPayout}`);
      await editPayout({ run: "1" });
      return same((await get(`/payouts/${otherPayout}`)).result, before.result);
    },
    ...inRead("memory.set(space, id); return single(shown(find(space, id)));"),
    [
      "payouts",
      WRITTEN,
      `${WRITTEN} if (memory.has(space)) database.update("payouts", { metadata_json }, "id = ?", [memory.get(space)]);`,
    ],
  ),
  orderBug(
    "update-after-a-refused-one-rolled-back",
    "UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout }) => {
      await editPayout("text");
      await editPayout({ run: "1" });
      return runOf(await readPayout()) === "1";
    },
    ...inUpdate(
      WRITTEN,
      `${WRITTEN} const { metadata_json: old } = row;
      if (memory.delete(id)) setImmediate(() => database.update("payouts", { metadata_json: old }, "id = ?", [id]));`,
    ),
    [
      "payouts",
      "{ schema: { ...schema, body }, preHandler }",
      "{ schema: { ...schema, body }, preHandler, onError: async (request, _, error) => { if (error.validation) memory.set(request.params.id, true); } }",
    ],
  ),
  orderBug(
    "read-between-two-updates-keeps-the-first",
    "UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout }) => {
      await editPayout({ run: "1" });
      await readPayout();
      await editPayout({ run: "2" });
      return runOf(await readPayout()) === "2";
    },
    ...inRead(
      "if (memory.has(id)) memory.set(id, memory.get(id) ?? single(shown(find(space, id)))); return memory.get(id) ?? single(shown(find(space, id)));",
    ),
    ["payouts", WRITTEN, `${WRITTEN} if (!memory.has(id)) memory.set(id, null);`],
  ),
];
