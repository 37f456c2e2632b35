/** A tenth set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  LIST_OF_WEBHOOKS,
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
  WEBHOOK_ADDED,
} from "./order.ts";
import { ALL } from "./order-tokens.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];
const OF_SPACES = [CODES, CODE, CODE_UPDATE, OTPS, HOOKS, HOOK, HOOK_UPDATE, ACCOUNT, ...BOTH];
const UNKNOWN_PROVIDER = 'if (!row) throw problem(404, "NOT_FOUND", `There is no such $' + "{kind}`);";

export const late10OtherOrderBugs: readonly OrderBug[] = [
  // The token is checked once for each connection.
  orderBug(
    "order-late10-connection-with-a-known-token-needs-none-later",
    "AUTH-MISSING AUTH-UNKNOWN-TOKEN AUTH-ALTERED-TOKEN AUTH-EMPTY-TOKEN AUTH-OTHER-SCHEME AUTH-NO-EFFECT",
    ALL,
    async ({ get }) => {
      for (let n = 0; n < 5; n++) await get("/countries");
      return (await get("/countries", { token: null })).status >= 400;
    },
    [
      "http",
      "if (!known) {",
      `const { socket } = request.raw;
      if (known) socket.tenant = known.tenant;
      if (!socket.tenant) {`,
    ],
    ["http", "request.tenant = text(known.tenant);", "request.tenant = text(socket.tenant);"],
  ),
  // The space of a request is in a variable that requests at once share.
  orderBug(
    "order-late10-requests-at-once-in-two-spaces-have-one-space",
    "ISOLATION-LISTS ISOLATION-READS ISOLATION-WRITES ISOLATION-KEYS READ-ACCEPTED UPDATE-ACCEPTED CREATE-LISTED",
    OF_SPACES,
    async ({ get, second }) => {
      const path = "/webhooks?limit=50";
      const [one, other] = await Promise.all([get(path), get(path, { space: second })]);
      return one.ids.every((id) => !other.ids.includes(id));
    },
    [
      "http",
      "request.space = space;",
      `database.space = space;
      await new Promise((resolve) => setTimeout(resolve, 5));
      request.space = database.space;`,
    ],
  ),
  // The older version has a counter of webhooks, which only its own creates count up.
  orderBug(
    "order-late10-total-of-the-older-version-leaves-out-webhooks-of-the-newer",
    "LIST-TOTAL VERSION-MEMBERS VERSION-VALUES",
    HOOKS,
    async ({ get, hook }) => {
      await get("/webhooks", { version: OLDER });
      await hook({}, { version: NEWER });
      const { total, ids } = await get("/webhooks?limit=50", { version: OLDER });
      return Number(total) >= ids.length;
    },
    remembering("webhooks"),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const isOlder = request.headers["service-version"] === "${OLDER}";
      if (isOlder && memory.has(request.space)) memory.set(request.space, memory.get(request.space) + 1);
      ${WEBHOOK_ADDED}`,
    ],
    ["webhooks", LIST_OF_WEBHOOKS, "async ({ space, query, headers: given }) => {"],
    [
      "webhooks",
      "const last = rows.at(-1);",
      `if (!memory.has(space)) memory.set(space, number(total));
      const counted = given["service-version"] === "${OLDER}" ? memory.get(space) : total;
      const last = rows.at(-1);`,
    ],
    ["webhooks", "total: number(total),", "total: number(counted),"],
  ),
  // A cached page has one session more, to show that a next page exists. Each read removes that session.
  orderBug(
    "order-late10-page-of-sessions-read-again-has-no-next",
    "READ-STABLE CURSOR-END CURSOR-COMPLETE LIST-LIMIT-DEFAULT VERSION-MEMBERS",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      return next !== null && (await get("/v1/ussd-otps?limit=5")).next !== null;
    },
    [
      "otps",
      SESSIONS,
      `const { limit: most } = query;
      const { next: cursor } = page(database, "otps", { space_id: space }, query);
      const kept = (database.pages ??= new Map());
      const place = JSON.stringify([space, query]);
      if (!kept.has(place))
        kept.set(place, page(database, "otps", { space_id: space }, { ...query, limit: most + 1 }).rows);
      const rows = kept.get(place);
      const next = rows.length > most && rows.pop() ? cursor : null;`,
    ],
  ),
  // Cursors are numbers of places for eight positions, and the ninth cursor is in the place of the first.
  orderBug(
    "order-late10-ninth-cursor-of-sessions-takes-the-place-of-the-first",
    "CURSOR-ONCE CURSOR-COMPLETE CURSOR-END",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=1");
      const { ids } = await get("/v1/ussd-otps?limit=2");
      for (let n = 0; n < 7; n++) await get("/v1/ussd-otps?limit=2");
      return (await get(`/v1/ussd-otps?limit=1&after=${next}`)).ids[0] === ids[1];
    },
    [
      "otps",
      SESSIONS,
      `const places = (database.places ??= []);
      const after = query.after && (places[Number(query.after.replace("otp-", ""))] ?? query.after);
      const { rows, next: cursor } = page(database, "otps", { space_id: space }, { ...query, after });
      database.turn = ((database.turn ?? 0) + 1) % 8;
      if (cursor) places[database.turn] = cursor;
      const next = cursor && "otp-" + database.turn;`,
    ],
  ),
  // Banks and momos are in one table. What one of them did not find is remembered for both.
  orderBug(
    "order-late10-code-that-no-bank-has-is-unknown-to-momos-too",
    "READ-ACCEPTED READ-MATCHES-LIST",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      await get("/banks/MTN_CM");
      return (await get("/momos/MTN_CM")).status === 200;
    },
    [
      "reference-data",
      UNKNOWN_PROVIDER,
      `const unknown = (database.unknown ??= new Set());
      if (!row) unknown.add(idOrCode);
      ${UNKNOWN_PROVIDER.replace("!row", "unknown.has(idOrCode)")}`,
    ],
  ),
  // A provider that is read alone is added to the list that was asked for last, whatever its country.
  orderBug(
    "order-late10-provider-read-alone-is-added-to-the-last-list",
    "FILTER-SOUND READ-STABLE FILTER-COMPLETE",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      await get("/banks?country=CM");
      await get("/banks/GCB_GH");
      return (await get("/banks?country=CM")).items.every(({ country }) => country === "CM");
    },
    [
      "reference-data",
      PROVIDERS,
      `const kept = (database.kept ??= new Map());
      const place = [kind, query.country.toUpperCase()].join(" ");
      if (!kept.has(place)) kept.set(place, rows);
      kept.set(kind, kept.get(place));
      ${PROVIDERS.replaceAll("rows", "kept.get(kind)")}`,
    ],
    [
      "reference-data",
      PROVIDER,
      `const last = database.kept?.get(kind) ?? [row];
      if (!last.some(({ id }) => id === row.id)) last.push(row);
      ${PROVIDER}`,
    ],
  ),
  // The list sorts the array of countries by name, and a read by id takes the place in it for the id.
  orderBug(
    "order-late10-countries-are-read-by-their-place-in-an-array-that-the-list-sorts",
    "READ-MATCHES-LIST READ-STABLE READ-ACCEPTED",
    COUNTRIES,
    async ({ get }) => {
      await get("/countries");
      return (await get("/countries/3")).result.id === "3";
    },
    [
      "reference-data",
      'const rows = database.all("SELECT * FROM countries ORDER BY name");',
      `const rows = (database.countries ??= database.all("SELECT * FROM countries ORDER BY id"));
      rows.sort((one, other) => (one.name < other.name ? -1 : 1));`,
    ],
    [
      "reference-data",
      'const row = database.first("SELECT * FROM countries WHERE id = ? OR code = ?", [idOrCode, idOrCode]);',
      `const rows = (database.countries ??= database.all("SELECT * FROM countries ORDER BY id"));
      const row = /^[1-9]$/.test(idOrCode)
        ? rows[Number(idOrCode) - 1]
        : rows.find(({ code }) => code === idOrCode);`,
    ],
  ),
  // The first update settles the fee of a payout, and each update after it books the fee once more.
  orderBug(
    "order-late10-second-update-of-a-payout-books-its-fee-again",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    BOTH,
    async ({ editPayout }) => {
      const { charges } = (await editPayout({ till: "1" })).result;
      return same((await editPayout({ till: "2" })).result.charges, charges);
    },
    remembering("payouts"),
    [
      "payouts",
      "const row = find(space, id);",
      `const row = find(space, id);
      const charges = json(row.charges_json, []);
      const charges_json = JSON.stringify([...charges, ...charges.slice(0, 1)]);
      if (memory.has(id)) database.update("payouts", { charges_json }, "space_id = ? AND id = ?", [space, id]);
      memory.set(id);`,
    ],
  ),
  // An update is written to the payout that was read last in the space.
  orderBug(
    "order-late10-update-of-a-payout-goes-to-the-one-that-was-read-last",
    "UPDATE-ECHO UPDATE-STORED UPDATE-KEEPS-REST UPDATE-KEEPS READ-STABLE",
    BOTH,
    async ({ get, otherPayout, editPayout }) => {
      await get(`/payouts/${otherPayout}`);
      const { metadata } = (await editPayout({ till: "1" })).result;
      return (metadata as { till?: unknown }).till === "1";
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        memory.set(space, row.id);
        return single(shown(row));
      }`,
    ],
    [
      "payouts",
      'database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, id]);',
      `const read = memory.get(space) ?? id;
      database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, read]);`,
    ],
  ),
];
