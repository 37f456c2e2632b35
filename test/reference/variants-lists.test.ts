import { expect, test } from "vitest";
import { activityVariants } from "../../reference/variants/activity.ts";
import { cursorVariants } from "../../reference/variants/cursors.ts";
import { listVariants } from "../../reference/variants/lists.ts";
import { sizeVariants } from "../../reference/variants/sizes.ts";
import { type Observation, observeVariants, statusOf } from "./observe-variants.ts";
import { type Asker, readAll, startAs } from "./variant-client.ts";

const CODES = "GET /v1/payment-codes";
const WEBHOOKS = "GET /webhooks";

function idsOf(operation: string): Observation {
  return async (asker) => (await asker.ask(operation)).items.map(({ id }) => id);
}

function totalsOf(operation: string): Observation {
  return async (asker) => (await asker.ask(operation)).pagination.total;
}

function statusesOf(...operations: string[]): Observation {
  return (asker) => Promise.all(operations.map((operation) => statusOf(asker, operation)));
}

/** The ids on a page before the last webhook, and if that page has no next page. */
const pageBefore: Observation = async (asker) => {
  const all = await readAll(asker, "/webhooks");
  const page = await asker.ask(`${WEBHOOKS}?limit=3&before=${all.at(-1)?.id}`);
  return [page.items.map(({ id }) => id), page.pagination.next === null];
};

observeVariants(listVariants, {
  "oldest-first": idsOf(CODES),
  "no-order-to-see": idsOf("GET /countries"),
  "last-changed-first": async (asker) => {
    const all = await readAll(asker, "/webhooks");
    await asker.ask(`PATCH /webhooks/${all.at(-1)?.id}`, { body: { url: "https://example.com/" } });
    return idsOf(WEBHOOKS)(asker);
  },
  "order-by-page-size": idsOf(`${CODES}?limit=25`),
  "short-pages": async (asker) => (await asker.ask(CODES)).pagination.count,
  "one-item-a-page": async (asker) => (await asker.ask(CODES)).pagination.count,
  "filters-leave-gaps": async (asker) => (await asker.ask(`${CODES}?status=expired`)).pagination.count,
  "limit-clamped": statusesOf(`${CODES}?limit=51`, `${WEBHOOKS}?limit=0`, `${WEBHOOKS}?limit=x`),
  "before-gives-first-items": pageBefore,
  "before-has-no-next": pageBefore,
  "total-is-an-estimate": totalsOf(WEBHOOKS),
  "total-is-what-remains": async (asker) => {
    const { pagination } = await asker.ask(`${WEBHOOKS}?limit=3`);
    return totalsOf(`${WEBHOOKS}?after=${pagination.next}`)(asker);
  },
  "total-on-every-list": totalsOf(CODES),
  "reference-lists-in-pages": async (asker) => (await asker.ask("GET /countries")).pagination.next,
  "unknown-filter-finds-nothing": statusesOf(`${CODES}?status=none`),
  "country-without-providers-refused": statusesOf("GET /momos?country=AQ"),
  "country-in-any-casing": async (asker) => [
    (await asker.ask("GET /banks?country=cm")).items.map(({ country }) => country),
    await statusOf(asker, "GET /banks?country=zz"),
  ],
});

/** Returns if two equal pages have the same cursor, and the statuses of using a cursor twice. */
async function cursorTwice(asker: Asker) {
  const first = await asker.ask(`${CODES}?limit=5`);
  const again = await asker.ask(`${CODES}?limit=5`);
  const next = `${CODES}?limit=5&after=${encodeURIComponent(String(first.pagination.next))}`;
  return [first.pagination.next === again.pagination.next, await statusesOf(next, next)(asker)];
}

observeVariants(cursorVariants, {
  "empty-last-page": async (asker) =>
    (await asker.ask("GET /v1/ussd-otps?limit=35")).pagination.next === null,
  "cursors-of-2000-characters": async (asker) => {
    const next = String((await asker.ask("GET /v1/ussd-otps")).pagination.next);
    return [next.length, /[+&%#]/.test(next)];
  },
  "cursors-spelled-anew": cursorTwice,
  "cursors-of-one-use": async (asker) => {
    const next = String((await asker.ask(`${CODES}?limit=5`)).pagination.next);
    const path = `${CODES}?limit=5&after=${encodeURIComponent(next)}`;
    return [await statusOf(asker, path), await statusOf(asker, path)];
  },
  "cursors-are-short-numbers": async (asker) => String((await asker.ask(CODES)).pagination.next).length < 3,
  "cursors-in-hexadecimal": async (asker) =>
    /^[\da-f]+$/.test(String((await asker.ask(CODES)).pagination.next)),
  "cursors-beyond-the-basic-plane": async (asker) => {
    const next = String((await asker.ask(CODES)).pagination.next);
    return next.length === 2 * [...next].length;
  },
  "unknown-cursor-is-the-start": statusesOf(`${CODES}?after=none`, `${WEBHOOKS}?after=none`),
  "long-cursor-is-the-start": statusesOf(`${CODES}?after=${"x".repeat(2001)}`, `${WEBHOOKS}?after=none`),
});

observeVariants(sizeVariants, {
  "nothing-at-all": idsOf("GET /countries"),
  "no-countries-yet": statusesOf("GET /banks?country=CM", "GET /banks?country=AD"),
  "nothing-but-countries": idsOf("GET /banks?country=CM"),
  "one-of-each": totalsOf(WEBHOOKS),
  "full-pages-exactly": totalsOf(WEBHOOKS),
  "very-many-payment-codes": async (asker) =>
    (await readAll(asker, "/v1/payment-codes?status=expired")).length > 2000,
  "very-many-webhooks": totalsOf(WEBHOOKS),
  "littered-by-a-thousand-runs": totalsOf(WEBHOOKS),
  "ten-thousand-of-each": totalsOf(WEBHOOKS),
});

/** Waits up to two seconds for a change of the list. Returns false if there is none. */
async function changes(asker: Asker, list: string): Promise<boolean> {
  const first = JSON.stringify(await readAll(asker, list));
  for (let look = 0; look < 100; look += 1) {
    await new Promise((done) => setTimeout(done, 20));
    if (JSON.stringify(await readAll(asker, list)) !== first) return true;
  }
  return false;
}

const BUSY: Readonly<Record<string, string>> = {
  "others-add-codes-slowly": "/v1/payment-codes?mode=one_time",
  "others-add-codes-fast": "/v1/payment-codes?status=completed",
  "others-manage-webhooks": "/webhooks",
  "others-manage-webhooks-fast": "/webhooks",
  "sessions-come-and-go": "/v1/ussd-otps",
  "others-do-everything": "/v1/ussd-otps",
};

test.each(Object.entries(BUSY))("a client can observe %s", async (name, list) => {
  expect(await changes(await startAs(name), list)).toBe(true);
});

const webhook = { name: "Mine", url: "https://example.com/mine", events: null };

observeVariants(
  activityVariants.filter(({ name }) => BUSY[name] === undefined),
  {
    "created-webhooks-listed-late": async (asker) => {
      const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
      return (await readAll(asker, "/webhooks")).some((item) => item.id === id);
    },
    "created-and-updated-webhooks-listed-late": async (asker) => {
      const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
      return (await readAll(asker, "/webhooks")).some((item) => item.id === id);
    },
    "updated-webhooks-listed-late": async (asker) => {
      const [first] = await readAll(asker, "/webhooks");
      await asker.ask(`PATCH /webhooks/${first?.id}`, { body: { url: webhook.url, name: "Changed" } });
      return (await readAll(asker, "/webhooks"))[0]?.name;
    },
    "updated-codes-listed-late": async (asker) => {
      const id = asker.service.fixtures.mutablePaymentCode;
      await asker.ask(`PATCH /payment-codes/${id}`, { body: { name: "Changed" } });
      return (await readAll(asker, "/v1/payment-codes")).find((item) => item.id === id)?.name;
    },
    "updated-now-and-then-late": async (asker) => {
      const [first] = await readAll(asker, "/webhooks");
      await asker.ask(`PATCH /webhooks/${first?.id}`, { body: { url: webhook.url, name: "Changed" } });
      const names = new Set<unknown>();
      for (let look = 0; look < 20; look++) names.add((await readAll(asker, "/webhooks"))[0]?.name);
      return [...names].sort();
    },
  },
);

test("a resource that is listed late is listed in the end", async () => {
  const asker = await startAs("created-webhooks-listed-late");
  const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
  expect(await changes(asker, "/webhooks")).toBe(true);
  expect((await readAll(asker, "/webhooks")).map((item) => item.id)).toContain(id);
});
