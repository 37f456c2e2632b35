/** Services that conform, and whose reads come from copies of the database that are up to 80 ms old. */

import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { attempt, copied, late3Habit, PENDING, soon, varies, volatileHabit } from "./habits-late3-shown.ts";
import type { Api } from "./order.ts";

const CODES = "/v1/payment-codes";

/** True if a new webhook is missing from one of the lists that `look` returns. */
async function createdLate(api: Api, look: () => Promise<{ ids: readonly string[] }>): Promise<boolean> {
  // A page shows at most fifty, so the webhooks are few.
  for (let count = 0; count < 10; count++) {
    await look();
    const id = await api.hook();
    if (!(await look()).ids.includes(id)) return true;
  }
  return false;
}

/** Each pending code is `processing` for a moment, one after another. */
const attempts = every(
  35,
  `const codes = ${PENDING}; const { id } = codes[turn % codes.length]; ${attempt(25)}`,
);

export const copyHabits: readonly ShownHabit[] = [
  // All reads come from one copy, because a short delay is allowed for lists and single reads.
  late3Habit(
    "reads-from-a-copy",
    "",
    (api) => createdLate(api, () => api.get("/webhooks?limit=50")),
    ...copied('return [80, "all"];'),
  ),
  // Three servers answer by turns, with copies of three ages, so that a later read may show an older state.
  late3Habit(
    "reads-from-three-copies",
    "",
    (api) => createdLate(api, () => api.get("/webhooks?limit=50")),
    ...copied('return [undefined, [35, "young"], [80, "old"]][turn % 3];'),
  ),
  // Lists come from a copy and single reads do not, while payments are tried: a status may move by itself.
  late3Habit(
    "lists-from-a-copy-while-paid",
    "",
    async (api) =>
      (await createdLate(api, () => api.get("/webhooks?limit=50"))) &&
      (await varies(async () => (await api.get(CODES)).items.map(({ status }) => status))),
    ...copied('if (!request.url.match(/codes\\/|payouts\\//)) return [80, "lists"];'),
    attempts,
  ),
  // Single reads come from a copy and lists do not, while payments are tried.
  late3Habit(
    "singles-from-a-copy-while-paid",
    "",
    (api) =>
      soon(async () => {
        await api.readCode();
        const name = api.fresh("Copy");
        await api.editCode({ name });
        return (await api.readCode()).result.name !== name;
      }),
    ...copied('if (request.url.match(/codes\\/|payouts\\//)) return [80, "singles"];'),
    attempts,
  ),
  // Only filtered lists come from an index, which is a copy, while payments are tried.
  late3Habit(
    "filtered-lists-from-an-index-while-paid",
    "",
    ({ get }) =>
      soon(async () => {
        const { ids } = await get(`${CODES}?status=processing&limit=50`);
        const now = (await get(`${CODES}?limit=50`)).items.filter(({ status }) => status === "processing");
        return now.some(({ id }) => !ids.includes(id));
      }),
    ...copied('if (request.url.match(/codes\\?.*(status|mode|ussd_code)=/)) return [80, "index"];'),
    attempts,
  ),
  // Four servers have copies of their own, and each connection stays with its server.
  late3Habit(
    "connections-stay-with-a-copy",
    "",
    (api) => createdLate(api, () => api.get("/webhooks?limit=50")),
    ...copied("return [80, request.raw.socket.remotePort % 4];"),
  ),
  // Reads in the second space come from a copy, as if it were in another region.
  late3Habit(
    "second-space-from-a-copy",
    "",
    (api) => {
      const space = api.second;
      const there = { ...api, hook: () => api.hook({}, { space }) };
      return createdLate(there, () => api.get("/webhooks?limit=50", { space }));
    },
    ...copied('if (request.headers["service-space-id"] === "spc-harbour-branch") return [80, "second"];'),
  ),
  // Lists of providers come from a copy, while the health of a provider changes.
  late3Habit(
    "providers-from-a-copy-while-ill",
    "",
    ({ get }) => varies(async () => (await get("/momos?country=GH")).items[0]?.status),
    ...copied('if (request.url.match(/(banks|momos)\\?/)) return [80, "providers"];'),
    every(
      90,
      `database.run("UPDATE providers SET active = 1 - active, updated_at = ? WHERE country IN ('GH', 'RW')", [Date.now()]);`,
    ),
  ),
  // Pages behind a cursor come from a copy, and first pages do not.
  late3Habit(
    "later-pages-from-a-copy",
    "",
    async (api) => {
      const [start = ""] = (await api.get("/webhooks?limit=1")).ids;
      return createdLate(api, () => api.get(`/webhooks?limit=50&after=${start}`));
    },
    ...copied('if (request.url.match(/[?&](after|before)=/)) return [80, "pages"];'),
  ),
  // Each page size and each filter has its own copy, as if whole answers were cached.
  volatileHabit(
    late3Habit(
      "each-query-has-a-copy",
      "",
      (api) => createdLate(api, () => api.get("/webhooks?limit=50")),
      ...copied(
        "return [80, [...request.url].reduce((sum, sign) => (sum * 31 + sign.charCodeAt()) % 12, 7)];",
      ),
      attempts,
    ),
  ),
];
