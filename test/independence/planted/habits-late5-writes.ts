/** Services that conform, with unusual keys, defaults and stored forms. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import type { ShownHabit } from "./habits-late2-shown.ts";
import { late5Habit } from "./habits-late5-shown.ts";

export const writeHabits: readonly ShownHabit[] = [
  // An update without isActive leaves a code as active as it is: the specification lets the field be kept or reset.
  late5Habit(
    "codes-keep-their-flag",
    "",
    async ({ editCode }) => {
      await editCode({ isActive: false });
      return (await editCode({ name: "Shop" })).result.isActive === false;
    },
    [
      "payment-codes",
      'isActive: { type: ["boolean", "null"], default: true },',
      'isActive: { type: ["boolean", "null"] },',
    ],
  ),
  // An update that changes nothing does not change the time of the last update either.
  late5Habit(
    "updates-without-a-difference-leave-the-time",
    "",
    async ({ get, editCode, mutable }) => {
      const time = async () =>
        (await get("/v1/payment-codes?status=pending&limit=50")).items.find(({ id }) => id === mutable)
          ?.updateTime;
      await editCode({ isActive: true });
      const before = await time();
      await new Promise((resolve) => setTimeout(resolve, 10));
      await editCode({ isActive: true });
      return (await time()) === before;
    },
    [
      "payment-codes",
      "return change;",
      `const isSame = ([column, value]) => column === "updated_at" || row[column] === value;
      if (Object.entries(change).every(isSame)) change.updated_at = row.updated_at;
      return change;`,
    ],
  ),
  // Names in metadata are stored by their length and then by their letters: the order of names means nothing.
  late5Habit(
    "names-in-the-order-of-jsonb",
    "",
    async ({ account }) => {
      const { metadata } = (await account({ metadata: { shop: "1", b: "2", a: "3" } })).result;
      return String(Object.keys(metadata as object)) === "a,b,shop";
    },
    [
      "database",
      "export const flag",
      `const inOrder = ([a], [b]) => a.length - b.length || (a < b ? -1 : 1);
      const sorted = (value) => Array.isArray(value) ? value.map(sorted)
        : value !== null && typeof value === "object"
          ? Object.fromEntries(Object.entries(value).sort(inOrder).map(([name, part]) => [name, sorted(part)])) : value;
      export const flag`,
    ],
    ["database", "JSON.parse(value)", "sorted(JSON.parse(value))"],
  ),
  // Bodies of a key are compared as they are stored, so that null is the same as nothing.
  late5Habit(
    "keys-compare-what-is-stored",
    "",
    async ({ account }) => {
      const create = (fields: object) => account({ name: "Till", ...fields }, { key: "k-1" });
      const { id } = (await create({ description: null })).result;
      return (await create({})).result.id === id;
    },
    [
      "idempotency",
      "digest(JSON.stringify(request.body))",
      `digest(JSON.stringify(Object.entries(request.body).filter(([, value]) => value !== null)
        .sort(([a], [b]) => (a < b ? -1 : 1))))`,
    ],
  ),
  // A key and a body together name a create: that the same key with another body is rejected is a SHOULD.
  late5Habit(
    "key-and-body-together-name-a-create",
    "KEY-OTHER-BODY",
    async ({ account }) => {
      const create = (name: string) => account({ name }, { key: "k-1" });
      const { id } = (await create("Till")).result;
      const { status, result } = await create("Shop");
      return status === 200 && result.id !== id;
    },
    [
      "idempotency",
      'const key = String(request.headers["idempotency-key"]);',
      'const key = [request.headers["idempotency-key"], digest(JSON.stringify(request.body))].join(" ");',
    ],
  ),
  // A code takes only providers of Cameroon: which providers are good is known to the service alone.
  late5Habit(
    "only-providers-of-the-home-country",
    "",
    async ({ editCode }) => (await editCode({ allowedProviders: ["MTN_GH"] })).status === 422,
    [
      "payment-codes",
      "AND active = 1 AND pay_from = 1",
      "AND active = 1 AND pay_from = 1 AND country = 'CM'",
    ],
  ),
];
