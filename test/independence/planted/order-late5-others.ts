/** Further bugs of the other routes that only a sequence of calls shows. Their author did not know the suite. */

import { OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  MOMOS,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDER,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  SESSIONS,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATE_OF_PAYOUT = "async ({ space, params: { id }, body: { metadata } }) => {";
const WRITTEN = "if (metadata !== undefined) {";
const FOUND_PROVIDER = `async ({ params: { idOrCode } }) => {
  const row = database.first("SELECT * FROM providers WHERE kind = ? AND (id = ? OR code = ?)",`;

export const late5OtherOrderBugs: readonly OrderBug[] = [
  // After a payout was updated under both versions, its amount is a text.
  orderBug(
    "order-late5-payout-updated-under-both-versions-has-a-text-as-amount",
    "UPDATE-KEEPS-REST PAYOUT-FIELDS MONEY-FIELDS VERSION-VALUES",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout, readPayout }) => {
      await editPayout({ a: "1" }, { version: OLDER });
      await editPayout({ a: "2" }, { version: NEWER });
      const { value } = (await readPayout()).result.amount as { value: unknown };
      return typeof value === "number";
    },
    ["payouts", READ_OF_PAYOUT, "async ({ space, params }) => single(asKept(find(space, params.id)))"],
    ["payouts", "return single(shown(find(space, id)));", "return single(asKept(find(space, id)));"],
    [
      "payouts",
      UPDATE_OF_PAYOUT,
      `async ({ space, params: { id }, body: { metadata }, headers: given }) => {
        memory.set(id, new Set(memory.get(id)).add(given["service-version"] || "${NEWER}"));`,
    ],
    [
      "payouts",
      "const preHandler = inSpace(database);",
      `const memory = new Map();
      const asKept = (row) => {
        const answer = shown(row);
        if (memory.get(row.id)?.size > 1) answer.amount.value = String(answer.amount.value);
        return answer;
      };
      const preHandler = inSpace(database);`,
    ],
  ),
  // An update of a payout with an empty metadata value leaves the old value in place.
  orderBug(
    "order-late5-empty-payout-value-keeps-the-one-before",
    "UPDATE-ECHO UPDATE-STORED",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout }) => {
      await editPayout({ note: "late" });
      const { metadata } = (await editPayout({ note: "" })).result;
      return (metadata as { note?: unknown }).note === "";
    },
    [
      "payouts",
      "Object.entries({ ...old, ...change })",
      'Object.entries({ ...old, ...change }).map(([name, value]) => [name, value === "" ? (old[name] ?? "") : value])',
    ],
  ),
  // While a payout is updated, reads of it are answered 404.
  orderBug(
    "order-late5-payout-is-not-found-while-it-is-updated",
    "READ-ACCEPTED READ-STABLE",
    PAYOUT,
    async ({ editPayout, readPayout }) => {
      let kept = true;
      for (const note of ["one", "two", "three"]) {
        const [, { status }] = await Promise.all([editPayout({ note }), readPayout()]);
        kept &&= status === 200;
      }
      return kept;
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        if (memory.has(params.id)) throw problem(404, "NOT_FOUND", "There is no such payout");
        return single(shown(find(space, params.id)));
      }`,
    ],
    ["payouts", WRITTEN, `${WRITTEN} memory.set(id, true); ${PAUSE} memory.delete(id);`],
  ),
  // A single read of a country leaves out the currencies in which accounts were created.
  orderBug(
    "order-late5-account-takes-its-currency-out-of-the-country",
    "READ-MATCHES-LIST READ-STABLE",
    COUNTRIES,
    async ({ get, account }) => {
      const { result } = await get("/countries/CM");
      await account({ currency: "XAF" });
      return same((await get("/countries/CM")).result, result);
    },
    [
      "accounts",
      'database.insert("accounts", row);',
      'database.insert("accounts", row); (database.used ??= new Set()).add(sent.currency);',
    ],
    [
      "reference-data",
      "return single(shownCountry(row));",
      `const answer = shownCountry(row);
      return single({ ...answer, supportedCurrencies: answer.supportedCurrencies.filter((each) => !database.used?.has(each)) });`,
    ],
  ),
  // The lists of all countries contain the bank that was last read by id or code.
  orderBug(
    "order-late5-bank-read-alone-is-in-the-next-lists",
    "FILTER-SOUND READ-STABLE",
    BANKS,
    async ({ get }) => {
      await get("/banks/GCB_GH");
      return (await get("/banks?country=CM")).items.every(({ country }) => country === "CM");
    },
    ["reference-data", PROVIDER, `if (kind === "bank") database.alone = row; ${PROVIDER}`],
    [
      "reference-data",
      PROVIDERS,
      `const { alone } = database;
      if (kind === "bank" && alone && !rows.some(({ id }) => id === alone.id)) rows.push(alone);
      ${PROVIDERS}`,
    ],
  ),
  // After a momo was read under both versions, single reads show each of its schemes twice.
  orderBug(
    "order-late5-momo-read-under-both-versions-has-its-schemes-twice",
    "READ-MATCHES-LIST READ-STABLE VERSION-VALUES",
    MOMOS,
    async ({ get }) => {
      const { result } = await get("/momos/MTN_CM", { version: OLDER });
      return same((await get("/momos/MTN_CM", { version: NEWER })).result, result);
    },
    ["reference-data", FOUND_PROVIDER, FOUND_PROVIDER.replace("} })", "}, headers: given })")],
    [
      "reference-data",
      PROVIDER,
      `const all = (database.readUnder ??= new Map());
      const versions = new Set(all.get(row.id)).add(given["service-version"] || "${NEWER}");
      all.set(row.id, versions);
      const answer = shownProvider(row);
      const { payment } = answer.featureSet;
      if (kind === "momo" && versions.size > 1) payment.schemes = [...payment.schemes, ...payment.schemes];
      return single(answer);`,
    ],
  ),
  // After a page behind a cursor showed a session, one more digit of its phone is masked.
  orderBug(
    "order-late5-phone-shown-behind-a-cursor-is-masked-again",
    "READ-STABLE CURSOR-REPEATABLE VERSION-VALUES",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      const page = () => get(`/v1/ussd-otps?limit=5&after=${next}`);
      return same((await page()).items, (await page()).items);
    },
    [
      "otps",
      SESSIONS,
      `${SESSIONS}
      const masked = (database.masked ??= new Set());
      for (const row of rows) {
        if (masked.has(row.id)) row.phone = row.phone.replace(/[0-9]$/, "*");
        if (query.after) masked.add(row.id);
      }`,
    ],
  ),
];
