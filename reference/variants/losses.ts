import { isAt, refuse, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { ResponseDraft } from "../messages.ts";
import type { Kind, StoredRecord } from "../store.ts";
import { answering, renamedFixtures } from "./tools.ts";
import type { Variant } from "./variant.ts";

function lost(oneIn: number, fault: ResponseDraft["fault"]): Hooks {
  return answering((response, { number }) =>
    number % oneIn === oneIn - 1 ? { ...response, fault } : response,
  );
}

const IN_SPACES: readonly Kind[] = ["ussdOtp", "financialAccount", "paymentCode", "payout", "webhook"];

/** Ids count from 1 in each space, so one id names several resources. */
function countedInEachSpace(): Pick<Variant, "hooks" | "fixtures"> {
  const numbers = new Map<string, string>();
  const nameOf = (id: string) => numbers.get(id) ?? id;
  const hooks = (): Hooks => {
    const last = new Map<string, number>();
    const count = ({ kind, id, space }: StoredRecord) => {
      if (!IN_SPACES.includes(kind)) return;
      const number = (last.get(`${kind} ${space}`) ?? 0) + 1;
      last.set(`${kind} ${space}`, number);
      numbers.set(id, String(number));
    };
    return {
      seed: (data) => {
        for (const records of Object.values(data)) for (const record of records.toReversed()) count(record);
        return data;
      },
      made: (record, _ctx, previous) => {
        if (!previous) count(record);
        return record;
      },
      item: (item, _ctx, { record }) => ({ ...item, id: nameOf(record.id) }),
      found: (record, { service, space }, { kind, id }) =>
        IN_SPACES.includes(kind)
          ? service.store.all(kind).find((other) => other.space === space && nameOf(other.id) === id)
          : record,
      cursorText: (text, ctx) => (text !== null && isAt(ctx, ["GET /webhooks"]) ? nameOf(text) : text),
      cursorStart: (start, ctx, { text, items }) => {
        if (!isAt(ctx, ["GET /webhooks"])) return start;
        const index = items.findIndex(({ id }) => nameOf(id) === text);
        return index < 0 ? null : index + 1;
      },
    };
  };
  return { hooks, fixtures: renamedFixtures(nameOf) };
}

function oneOfEach(where: Where, kind: Kind, field: string): Hooks {
  return refuse(
    where,
    "conflict",
    { at: `body.${field}`, rule: "unique", message: `there is one with this ${field}` },
    ({ service, space, body }) =>
      service.store.all(kind).some((other) => other.space === space && other.data[field] === body[field]),
  );
}

const OPAQUE: Where = ["GET /v1/ussd-otps", "GET /v1/payment-codes"];

const network = "Section 4 leaves HTTP to networks, and these lose answers: a call without one says nothing";
const values =
  "Ruling on rows 60 and 64: values that only the service knows to be good are fixtures, or such as were accepted";

export const lossVariants: readonly Variant[] = [
  {
    name: "answers-lost-now-and-then",
    description:
      "One answer in 97 is lost: the connection is closed in its stead, what was asked for is done.",
    why: `${network}.`,
    hooks: lost(97, "reset"),
  },
  {
    name: "answers-broken-off-now-and-then",
    description: "One answer in 150 is broken off in its middle.",
    why: `${network}.`,
    hooks: lost(150, "truncate"),
  },
  {
    name: "ids-counted-in-each-space",
    description: "In every space the ids of a kind are counted from 1.",
    why: "Section 2: an id is a string; row 24 is about resources, and another space's 7 is another one.",
    ...countedInEachSpace(),
  },
  {
    name: "cursors-are-offsets",
    description: "A cursor is the number of items before its page.",
    why: "Section 2.2: a cursor is a string; what it holds is the service's own.",
    hooks: {
      cursorText: (text, ctx, { window }) =>
        text !== null && isAt(ctx, OPAQUE) ? `offset-${window.end}` : text,
      cursorStart: (start, ctx, { text }) => {
        if (!isAt(ctx, OPAQUE)) return start;
        const [, offset] = /^offset-(\d{1,6})$/.exec(text) ?? [];
        return offset === undefined ? null : Number(offset);
      },
    },
  },
  {
    name: "names-of-webhooks-are-taken-once",
    description: "A space has one webhook of a name.",
    why: `${values} once; row 64: that what is not said to be unique may be repeated is a SHOULD.`,
    warns: ["UNIQUE-NO-OTHERS"],
    hooks: oneOfEach(["POST /webhooks"], "webhook", "name"),
  },
];
