/** A tenth set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import {
  type Api,
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  READ_OF_CODE,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];

export const late10CodeOrderBugs: readonly OrderBug[] = [
  // An update with a body that came before is taken for a retry, though another update came since.
  orderBug(
    "order-late10-update-of-a-code-that-came-before-is-taken-for-a-retry",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ name: "Shop" });
      await editCode({ name: "Till" });
      return (await editCode({ name: "Shop" })).result.name === "Shop";
    },
    ...inCodeUpdate(
      `const place = JSON.stringify([id, sent]);
      if (memory.has(place)) return single(detailed(row));
      memory.set(place);`,
    ),
  ),
  // A name that an update drops from the metadata is marked as deleted, and the mark stays when it is sent again.
  orderBug(
    "order-late10-metadata-name-that-was-dropped-does-not-come-back",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ metadata: { till: "1" } });
      await editCode({ metadata: { shop: "2" } });
      const { metadata } = (await editCode({ metadata: { till: "3" } })).result;
      return (metadata as { till?: unknown }).till === "3";
    },
    ...inCodeUpdate(
      `if (sent.metadata) {
        const deleted = memory.get(id) ?? new Set();
        memory.set(id, deleted);
        for (const name of Object.keys(json(row.metadata_json, {})))
          if (!(name in sent.metadata)) deleted.add(name);
        const left = Object.entries(sent.metadata).filter(([name]) => !deleted.has(name));
        change.metadata_json = JSON.stringify(Object.fromEntries(left));
      }`,
    ),
  ),
  // The job that ends a code knows the latest expiry that was sent, and an earlier one does not replace it.
  orderBug(
    "order-late10-expiry-before-the-last-one-that-was-sent-is-ignored",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ expireTime: inDays(2) });
      const expireTime = inDays(1);
      const { result } = await editCode({ expireTime });
      return Date.parse(String(result.expireTime)) === Date.parse(expireTime);
    },
    ...inCodeUpdate(
      `if (change.expires_at < memory.get(id)) delete change.expires_at;
      if (change.expires_at) memory.set(id, change.expires_at);`,
    ),
  ),
  // A cancellation does not update the index of mode and status together.
  orderBug(
    "order-late10-cancelled-code-is-found-as-pending-under-its-mode",
    "FILTER-SOUND FILTER-COMPLETE CURSOR-FILTERED",
    [CODES, CODE_UPDATE],
    async ({ get, cancel }) => {
      await cancel();
      const { items } = await get("/v1/payment-codes?mode=one_time&status=pending&limit=50");
      return items.every(({ status }) => status === "pending");
    },
    ["tables", "owner_json TEXT, metadata_json", "owner_json TEXT, indexed_status TEXT, metadata_json"],
    ...inCodeUpdate("if (change.status) change.indexed_status = row.status;"),
    [
      "payment-codes",
      "const filters = { space_id: space, ussd_code: ussd_code || null, mode, status };",
      `const ofStatus = mode && status ? "coalesce(indexed_status, status)" : "status";
      const filters = { space_id: space, ussd_code: ussd_code || null, mode, [ofStatus]: status };`,
    ],
  ),
  // Each first page replaces the filters of its space, and later pages use the latest filters.
  orderBug(
    "order-late10-next-page-of-codes-has-the-filters-of-the-latest-first-page",
    "FILTER-SOUND CURSOR-FILTERED CURSOR-ONCE CURSOR-COMPLETE CURSOR-END FILTER-COMPLETE LIST-SHOWS-ALL",
    CODES,
    async ({ get }) => {
      const pending = "/v1/payment-codes?status=pending&limit=5";
      const { next } = await get(pending);
      await get("/v1/payment-codes?mode=recurrent&limit=5");
      const { items } = await get(`${pending}&after=${next}`);
      return items.every(({ status }) => status === "pending");
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `if (!query.after) memory.set(space, filters);
      ${PAGE_OF_CODES.replace("filters", "memory.get(space) ?? filters")}`,
    ],
  ),
  // Metadata has a table of its own. It is written before the revision is checked, and a conflict leaves it there.
  orderBug(
    "order-late10-update-refused-for-a-conflict-has-stored-its-metadata",
    "UPDATE-NO-EFFECT UPDATE-STORED UPDATE-ACCEPTED",
    UPDATED,
    async ({ editCode, readCode }) => {
      const values = ["1", "2"];
      const answers = await Promise.all(values.map((till) => editCode({ metadata: { till } })));
      const { till } = (await readCode()).result.metadata as { till?: unknown };
      return answers.every(({ status }, place) => status === 200 || values[place] !== till);
    },
    ...inCodeUpdate(
      `const revision = memory.get(id);
      ${PAUSE}
      const { metadata_json } = change;
      if (metadata_json)
        database.update("payment_codes", { metadata_json }, "space_id = ? AND id = ?", [space, id]);
      if (memory.get(id) !== revision) throw problem(409, "CONFLICT", "The payment code was changed meanwhile");
      memory.set(id, (revision ?? 0) + 1);`,
    ),
  ),
  // A single read shows the highest revision, and revisions are compared as texts: "10" is before "9".
  orderBug(
    "order-late10-tenth-revision-of-a-code-is-before-the-ninth",
    "UPDATE-STORED UPDATE-KEEPS SHAPES-AGREE READ-MATCHES-LIST CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ editCode, readCode }) => {
      for (let n = 1; n <= 10; n++) await editCode({ name: `Shop ${n}` });
      return (await readCode()).result.name === "Shop 10";
    },
    ...inCodeUpdate(
      "",
      `const revisions = memory.get(id) ?? [];
      memory.set(id, revisions);
      revisions.push({ number: String(revisions.length + 1), row: find(space, id) });`,
    ),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        const [newest] = [...(memory.get(row.id) ?? [])].sort((one, other) => (one.number < other.number ? 1 : -1));
        return single(detailed(newest?.row ?? row));
      }`,
    ],
  ),
  // Codes with equal providers share one array in the list, and an update of one code replaces its members.
  orderBug(
    "order-late10-codes-with-equal-providers-are-listed-with-the-same-change",
    "SHAPES-AGREE READ-MATCHES-LIST UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE UPDATE-STORED",
    UPDATED,
    async ({ get, editCode, mutable }) => {
      const others = async () => {
        const { items } = await get("/v1/payment-codes?status=pending&limit=50");
        return items.filter(({ id }) => id !== mutable).map((each) => each.authorizedProviders);
      };
      const before = await others();
      await editCode({ allowedProviders: ["MTN_CM"] });
      return same(await others(), before);
    },
    ...inCodeUpdate("", "if (change.providers_json) memory.set(row.providers_json, change.providers_json);"),
    [
      "payment-codes",
      LISTED_CODES,
      `const shared = ({ providers_json: own }) => memory.get(own) ?? own;
      return list(rows.map((row) => listed({ ...row, providers_json: shared(row) })), { next });`,
    ],
  ),
  // An update writes only what differs from the code as it was read last, though updates came since.
  orderBug(
    "order-late10-value-that-a-code-had-when-it-was-read-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ readCode, editCode }) => {
      const { name } = (await readCode()).result;
      await editCode({ name: "Shop" });
      return (await editCode({ name })).result.name === name;
    },
    ...inCodeUpdate(
      `for (const [column, value] of Object.entries(memory.get(id) ?? {}))
        if (change[column] === value) delete change[column];`,
    ),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        memory.set(row.id, row);
        return single(detailed(row));
      }`,
    ],
  ),
  // Filters that found nothing are remembered, and an update does not make the service forget them.
  orderBug(
    "order-late10-filters-that-found-no-code-find-none-later",
    "FILTER-COMPLETE SHAPES-AGREE LIST-SHOWS-ALL",
    [CODES, CODE_UPDATE],
    async (api) => {
      await listedCode(api, api.cancellable, "&status=cancelled");
      await api.cancel();
      return (await listedCode(api, api.cancellable, "&status=cancelled")) !== undefined;
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const asked = JSON.stringify(filters);
      if (memory.has(asked)) return list([], { next: null });
      ${PAGE_OF_CODES}
      if (rows.length === 0 && !query.after) memory.set(asked);`,
    ],
  ),
  // The list takes the providers of a code for unchanged if there are as many as before.
  orderBug(
    "order-late10-as-many-other-providers-are-not-listed",
    "SHAPES-AGREE READ-MATCHES-LIST UPDATE-STORED",
    UPDATED,
    async (api) => {
      await api.editCode({ allowedProviders: ["MTN_CM"] });
      await api.editCode({ allowedProviders: ["ORANGE_CM"] });
      return same((await listedCode(api, api.mutable))?.authorizedProviders, ["ORANGE_CM"]);
    },
    ...inCodeUpdate(
      "",
      `const known = memory.get(id) ?? row.providers_json;
      const count = (providers) => json(providers, []).length;
      if (change.providers_json)
        memory.set(id, count(known) === count(change.providers_json) ? known : change.providers_json);`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = (row) => listed({ ...row, providers_json: memory.get(row.id) ?? row.providers_json });
      return list(rows.map(shown), { next });`,
    ],
  ),
];

/** The code as the list shows it, by its dial code. */
async function listedCode({ get }: Api, id: string, filters = "") {
  const { ussdCode } = (await get(`/payment-codes/${id}`)).result;
  return (await get(`/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}${filters}`))
    .items[0];
}
