/** Services that conform, with unusual values of resources. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Edit, first } from "./bug.ts";
import { type ShownHabit, shownHabit } from "./habits-late2-shown.ts";

/** A resource of another space is rejected in its own way. */
const misdirected = (file: string, table: string, find: string): Edit => [
  file,
  find,
  `if (database.first("SELECT 1 FROM ${table} WHERE id = ? AND space_id <> ?", [id, space]))
      throw problem(421, "OTHER_SPACE", "Ask in another space");
    ${find}`,
];

export const valueHabits: readonly ShownHabit[] = [
  // The single shape spells modes in Pascal case, because modes agree up to their casing.
  shownHabit(
    "modes-in-another-case",
    "",
    async ({ readCode }) => /^(OneTime|Recurrent)$/.test(String((await readCode()).result.mode)),
    ["payment-codes", '? "oneTime" : "recurrent"', '? "OneTime" : "Recurrent"'],
  ),
  // Texts are as long as their limits in code points, because how characters are counted is left open.
  shownHabit(
    "lengths-in-code-points",
    "",
    async ({ get }) =>
      (await get("/v1/ussd-otps?limit=50")).items.some(
        ({ verificationMessage }) => String(verificationMessage).length === 510,
      ),
    ["seed", '"Thank you, your number is verified."', '"🙂".repeat(255)'],
    [
      "seed",
      "{ session: `s${n}` }",
      'Object.fromEntries(Array.from({ length: n % 9 ? 1 : 64 }, (_, k) => [`s${k}`, "🙂".repeat(100)]))',
    ],
    ["seed", "name: `Shop ${n}`", 'name: n % 2 ? `Shop ${n}` : "🛒".repeat(100)'],
    ["seed", "name: `Order ${5000 + n}`", 'name: n % 2 ? `Order ${5000 + n}` : "🧾".repeat(100)'],
  ),
  // Two webhooks have ids that differ only in case, because nothing is said of the form of ids.
  shownHabit(
    "ids-differ-only-in-case",
    "",
    async ({ hook }) => {
      const [one, two] = [await hook(), await hook()];
      return one !== two && one.toLowerCase() === two.toLowerCase();
    },
    ["webhooks", "const shared", 'let turns = 0, lastId = ""; const shared'],
    [
      "webhooks",
      '`whk${randomBytes(9).toString("hex")}`',
      '(turns++ % 2 ? lastId.toUpperCase() : (lastId = `whk${randomBytes(9).toString("hex")}`))',
    ],
  ),
  // Times of providers that were never recorded are in the year 1, which is a date-time like others.
  shownHabit(
    "times-never-set",
    "",
    async ({ get }) => (await get("/banks?country=CM")).items[0]?.createTime === "0001-01-01T00:00:00Z",
    ["reference-data", "createTime: time(row.created_at)", 'createTime: "0001-01-01T00:00:00Z"'],
    ["reference-data", "updateTime: time(row.updated_at)", 'updateTime: "0001-01-01T00:00:00Z"'],
  ),
  // Lists mask the names of customers, because names of the two shapes agree masking aside.
  shownHabit(
    "customers-masked-in-lists",
    "",
    async ({ get }) => /\*\*/.test(JSON.stringify((await get("/v1/payment-codes")).items[0]?.customer)),
    [
      "payment-codes",
      "customer: { name: text(row.customer_name) }",
      'customer: { name: text(row.customer_name).replace(/(?<=\\S)\\S/g, "*") }',
    ],
  ),
  // Single-use codes have a target of one payment, because the field is documented for all codes.
  shownHabit(
    "targets-on-single-use-codes",
    "",
    async ({ get }) =>
      (await get("/v1/payment-codes?mode=one_time")).items.every(
        ({ recurrentPaymentTarget }) => recurrentPaymentTarget !== undefined,
      ),
    ["seed", "recurrent ? 12 : null", "recurrent ? 12 : 1"],
    ["seed", "recurrent ? 12 * amount : null", "recurrent ? 12 * amount : amount"],
  ),
  // Payouts have statuses of their own and hardly any optional fields, because their values are not shown.
  shownHabit(
    "payouts-tell-little",
    "",
    async ({ readPayout }) => / of 3$/.test(String((await readPayout()).result.status)),
    ["payouts", "status: text(row.status)", "status: `${text(row.status)}, step 2 of 3`"],
    ["payouts", "source: json(row.source_json, {})", "source: {}"],
    ["payouts", "destination: json(row.destination_json, {})", 'destination: { providerCode: "" }'],
    ["payouts", "failureDetail: json(row.failure_json, {})", "failureDetail: {}"],
    [
      "seed",
      'amount: { currency: "XAF", value: 250 }, metadata: {}',
      'amount: { currency: "USD", value: -1 }',
    ],
  ),
  // The id of an account is its number in groups of four, because nothing is said of the form of either.
  shownHabit(
    "account-number-is-the-id",
    "",
    async ({ account }) => {
      const { id, uvan } = (await account()).result;
      return id === uvan && id.includes(" ");
    },
    [
      "accounts",
      "const now = Date.now();",
      `const now = Date.now();
      const own = "CM21 7700 " + String(number(last) + 1).padStart(12, "0").replace(/(.{4})(?=.)/g, "$1 ");`,
    ],
    ["accounts", "id: randomUUID(),", "id: own,"],
    ["accounts", '`77${String(number(last) + 1).padStart(10, "0")}`', "own"],
  ),
  // A secret is left out and a hint stands beside its place: a secret may be masked or left out.
  shownHabit(
    "secrets-left-out-of-their-method",
    "",
    async ({ addHook }) => {
      const { verificationMethod } = (await addHook()).result;
      const kept = (await addHook({ verificationMethod: { hmac256: { secret: "hidden" } } })).result;
      return JSON.stringify(verificationMethod) === "{}" && JSON.stringify(kept).includes('{"hint":"h…"}');
    },
    ["webhooks", 'secret: "*".repeat(12)', 'hint: text(row.secret).slice(0, 1) + "…"'],
    ["webhooks", "(row.secret === null ? {} :", "(row.secret === null ? { verificationMethod: {} } :"],
  ),
  // Codes of providers and countries are known in any case, because a code in other casing is left open.
  shownHabit(
    "codes-in-any-case",
    "",
    async ({ get, editCode }) =>
      (await get("/momos/mtn_cm")).status === 200 &&
      (await get("/countries/cm")).status === 200 &&
      (await editCode({ allowedProviders: ["mtn_cm"] })).status === 200,
    ["reference-data", "(id = ? OR code = ?)", "(id = ? OR code = ? COLLATE NOCASE)"],
    [
      "reference-data",
      "countries WHERE id = ? OR code = ?",
      "countries WHERE id = ? OR code = ? COLLATE NOCASE",
    ],
    ["payment-codes", "(id = ? OR code = ?)", "(id = ? OR code = ? COLLATE NOCASE)"],
  ),
  // A resource of another space is a 421, because statuses of rejections are not shown.
  shownHabit(
    "misdirected-to-the-other-space",
    "",
    async ({ get, payout, second }) => (await get(`/payouts/${payout}`, { space: second })).status === 421,
    misdirected("payouts", "payouts", 'if (!row) throw problem(404, "NOT_FOUND"'),
    misdirected("payment-codes", "payment_codes", 'if (!row) throw problem(404, "NOT_FOUND"'),
    misdirected("webhooks", "webhooks", 'if (!find(space, id)) throw problem(404, "NOT_FOUND"'),
    first(
      `app.setErrorHandler((error, _, reply) => reply.code(error.statusCode ?? 500).send({ detail: error.code }));`,
    ),
  ),
];
