import type { Context } from "../context.ts";
import { EVERYWHERE, isAt, LISTS, SINGLES, showItems, showPagination } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { StoredRecord } from "../store.ts";
import { createdLate, hashOf, repeatedly, textsOf, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

function readsNowAndThenBehind(milliseconds: number, oneIn: number): () => Hooks {
  return () => {
    const earlier = new Map<string, StoredRecord>();
    return {
      stored: (record, _ctx, previous) => {
        if (record && previous) earlier.set(record.id, previous);
        return record;
      },
      found: (record, ctx, { purpose }) => {
        if (!record || purpose !== "read" || !isAt(ctx, SINGLES) || ctx.number % oneIn > 0) return record;
        const isFresh = record.writtenAt > ctx.service.now().getTime() - milliseconds;
        return isFresh ? (earlier.get(record.id) ?? record) : record;
      },
    };
  };
}

/** Repeats a total for a while, unless the page has more items. */
function totalsKept(milliseconds: number): () => Hooks {
  return () => {
    const kept = new Map<string, { total: number; until: number }>();
    return showPagination(["GET /webhooks"], (pagination, { service, space }) => {
      const now = service.now().getTime();
      const earlier = kept.get(space);
      const count = Number(pagination.count);
      if (earlier && earlier.until > now) return { ...pagination, total: Math.max(earlier.total, count) };
      kept.set(space, { total: Number(pagination.total), until: now + milliseconds });
      return pagination;
    });
  };
}

const walksHoldStill = (): Hooks => {
  const snapshots = new Map<string, readonly StoredRecord[]>();
  const current = new WeakMap<Context, { id: string; items: readonly StoredRecord[] }>();
  return {
    members: (records, ctx, kind) => {
      if (kind !== "paymentCode") return records;
      const [, id = `${ctx.number}`] = /^s(\d+)-\d+$/.exec(ctx.query.get("after")?.[0] ?? "") ?? [];
      const items = snapshots.get(`${ctx.space} ${id}`) ?? records;
      current.set(ctx, { id, items });
      return items;
    },
    cursorText: (text, ctx, { window }) => {
      const snapshot = current.get(ctx);
      if (text === null || !snapshot) return text;
      snapshots.set(`${ctx.space} ${snapshot.id}`, snapshot.items);
      return `s${snapshot.id}-${window.end}`;
    },
    cursorStart: (start, ctx, { text }) => {
      if (!current.has(ctx)) return start;
      const [, id = "", offset] = /^s(\d+)-(\d+)$/.exec(text) ?? [];
      return snapshots.has(`${ctx.space} ${id}`) ? Number(offset) : null;
    },
  };
};

function cursorsGoodFor(milliseconds: number): () => Hooks {
  return () => {
    const issued = new Map<string, number>();
    return {
      cursorText: (text, { service }) => {
        if (text !== null) issued.set(text, service.now().getTime());
        return text;
      },
      cursorStart: (start, ctx, { text }) => {
        if (!isAt(ctx, ["GET /v1/ussd-otps", "GET /v1/payment-codes"])) return start;
        const since = issued.get(text) ?? 0;
        return ctx.service.now().getTime() - since > milliseconds ? null : start;
      },
    };
  };
}

const providersComeAndGo: Hooks = {
  started: (service) => {
    const named = new Set(
      (["paymentCode", "ussdOtp", "payout"] as const).flatMap((kind) =>
        service.store.all(kind).flatMap(({ data }) => textsOf(data)),
      ),
    );
    const away: StoredRecord[] = [];
    repeatedly(service, 250, (round) => {
      const kind = round % 2 === 0 ? "bank" : "momo";
      const free = service.store
        .all(kind)
        .filter(({ id, data }) => !named.has(id) && !named.has(String(data.code)));
      const gone = free[(round * 7) % Math.max(1, free.length)];
      if (gone) {
        service.store.remove(kind, gone.id);
        away.push(gone);
      }
      const back = away.length > 6 ? away.shift() : undefined;
      if (back) service.store.add(back);
    });
  },
};

const sessionsForgotten: Hooks = {
  started: (service) =>
    repeatedly(service, 80, (round) => {
      const space = [...service.spaces][0] ?? "";
      const now = service.now();
      const all = service.store.all("ussdOtp").filter((each) => each.space === space);
      const oldest = all.at(-1);
      if (oldest && all.length > 20) service.store.remove("ussdOtp", oldest.id);
      service.store.add({
        kind: "ussdOtp",
        id: service.newId("otp"),
        space,
        writtenAt: now.getTime(),
        data: {
          status: "pending",
          dialCode: `*126*${2000 + (round % 7000)}#`,
          authorizedPhoneNumber: "+2376*****002",
          verificationMessage: null,
          createTime: now.toISOString(),
          expireTime: new Date(now.getTime() + 600_000).toISOString(),
          metadata: {},
        },
      });
    }),
};

const OTHER_STATUS: Readonly<Record<number, number>> = { 400: 422, 401: 403, 404: 410 };

const twoBuilds = together(
  showItems(EVERYWHERE, (item, ctx) => {
    if (hashOf(`build ${ctx.number}`) % 2 === 0) return item;
    const spelled = Object.entries(item).map(([name, value]) =>
      typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
        ? ([name, value.replace("Z", "+00:00")] as const)
        : ([name, value] as const),
    );
    return { ...Object.fromEntries(spelled.reverse()), build: "2026.11", self: `/${String(item.id)}` };
  }),
  {
    response: (response, { number }) =>
      hashOf(`build ${number}`) % 2 === 0
        ? response
        : { ...response, transfer: "chunked", headers: { ...response.headers, "X-Build": "2026.11" } },
    rejection: (rejection, { number }) =>
      hashOf(`build ${number}`) % 2 === 0 || !(rejection.status in OTHER_STATUS)
        ? rejection
        : { ...rejection, status: OTHER_STATUS[rejection.status] ?? 422 },
  },
);

const failingSwitchedOff: Hooks = {
  started: (service) =>
    repeatedly(service, 500, () => {
      const now = service.now().getTime();
      for (const record of service.store.all("webhook")) {
        const { isActive, url } = record.data;
        const fails = isActive === true && !/127\.0\.0\.1|localhost/.test(String(url));
        if (fails && record.writtenAt < now - 4000)
          service.store.replace(withFields(record, { isActive: false }));
      }
    }),
};

const delay =
  "Ruling on rows 69 and 80: lists and single reads may lag within the visibility delay, and not always alike";
const others = "Row 34: lists can change while they are read; drift is told from fault";

export const replicaVariants: readonly Variant[] = [
  {
    name: "transactions-all-the-time",
    description: "Every 40 milliseconds there is another financial transaction.",
    why: `${others}; the operation that lists them is only named.`,
    hooks: {
      started: (service) =>
        repeatedly(service, 40, (round) => {
          const [space = ""] = service.spaces;
          service.store.add({
            kind: "financialTransaction",
            id: service.newId("ftx"),
            space,
            writtenAt: service.now().getTime(),
            data: { type: "credit", amount: { currency: "XAF", value: round } },
          });
        }),
    },
  },
  {
    name: "created-now-and-then-late",
    description: "Every other list comes from a copy that learns of new webhooks a second late.",
    why: `${delay}.`,
    hooks: createdLate("webhook", (_record, { number }) => (hashOf(`copy ${number}`) % 2 === 0 ? 1000 : 0)),
  },
  {
    name: "created-webhooks-overtake-each-other",
    description: "Each new webhook takes a time of its own to be listed, up to 1.6 seconds.",
    why: `${delay}.`,
    hooks: createdLate("webhook", ({ id }) => hashOf(id) % 1600),
  },
  {
    name: "single-reads-now-and-then-late",
    description: "Every third single read comes from a copy that is a second behind.",
    why: `${delay}.`,
    hooks: readsNowAndThenBehind(1000, 3),
  },
  {
    name: "totals-are-kept-for-a-second",
    description: "The total of the list of webhooks is counted anew once a second.",
    why: `${delay}.`,
    hooks: totalsKept(1000),
  },
  {
    name: "walks-hold-still",
    description: "Who follows the cursors of payment codes sees the list as it was when the walk began.",
    why: "Section 2.2: a cursor leads on; whether to what the list was or is, is not said.",
    hooks: () =>
      together(walksHoldStill(), {
        started: (service) =>
          repeatedly(service, 50, () => {
            const [space = ""] = service.spaces;
            const [first] = service.store.all("paymentCode").filter((each) => each.space === space);
            const time = service.now().toISOString();
            if (first)
              service.store.add({
                ...withFields(first, { createTime: time, updateTime: time }),
                id: service.newId("pyc"),
              });
          }),
      }),
  },
  {
    name: "cursors-good-for-three-seconds",
    description: "A cursor is refused three seconds after it was given.",
    why: "Section 2.2: how long a cursor is good is not said.",
    hooks: cursorsGoodFor(3000),
  },
  {
    name: "providers-come-and-go",
    description:
      "Banks and momos that no payment code names go out of service, and come back a second or two later.",
    why: `${others}.`,
    hooks: providersComeAndGo,
  },
  {
    name: "sessions-are-forgotten",
    description: "Sessions start all the time, and the oldest ones are forgotten.",
    why: `${others}.`,
    hooks: sessionsForgotten,
  },
  {
    name: "two-builds-at-once",
    description: "Half of the answers come from an older build, which spells times and refusals otherwise.",
    why: "Rows 5 and 26: undocumented fields are allowed, and how refusals look is open; times compare as instants.",
    hooks: twoBuilds,
  },
  {
    name: "failing-webhooks-switched-off",
    description: "An active webhook whose address does not answer is switched off after four seconds.",
    why: "Section 2.9: webhooks fail; what moves by itself is not blamed on a call.",
    hooks: failingSwitchedOff,
  },
  {
    name: "lists-in-any-order-at-each-read",
    description: "Banks and momos come in another order at every read.",
    why: "Section 4.8: no order is stated, and there is one page.",
    hooks: {
      members: (records, ctx, kind) =>
        (kind === "bank" || kind === "momo") && isAt(ctx, LISTS)
          ? [...records].sort((a, b) => hashOf(`${ctx.number} ${a.id}`) - hashOf(`${ctx.number} ${b.id}`))
          : records,
    },
  },
];
