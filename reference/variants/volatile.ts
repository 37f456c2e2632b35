import { EVERYWHERE, showItems } from "../hook-tools.ts";
import type { Hooks, Service } from "../hooks.ts";
import type { Kind, StoredRecord } from "../store.ts";
import { answering, hashOf, repeatedly, withFields, withHeaders } from "./tools.ts";
import type { Variant } from "./variant.ts";

function changing(
  everyMs: number,
  kinds: readonly Kind[],
  change: (record: StoredRecord, round: number) => StoredRecord | undefined,
): Hooks {
  return {
    started: (service) =>
      repeatedly(service, everyMs, (round) => {
        const updateTime = service.now().toISOString();
        for (const record of kinds.flatMap((kind) => service.store.all(kind))) {
          const changed = change(record, round);
          if (changed) service.store.replace(withFields(changed, { updateTime }));
        }
      }),
  };
}

function isTurn({ id }: StoredRecord, round: number, oneIn: number): boolean {
  return hashOf(`${id} ${round}`) % oneIn === 0;
}

const OTHER_STATE: Readonly<Record<string, string>> = { pending: "processing", processing: "pending" };

function clock(minutes: number): Hooks {
  const now = () => new Date(Date.now() + minutes * 60_000);
  return {
    seed: (data, service: Service) => {
      Object.assign(service, { now });
      return data;
    },
    ...answering((response) => withHeaders(response, { Date: now().toUTCString() })),
  };
}

const itself =
  "Ruling on row 81: status and updateTime may move by themselves, and what has been paid follows the payments";
const others = "Row 34: what is read can change meanwhile; drift is told from fault";

export const volatileVariants: readonly Variant[] = [
  {
    name: "providers-go-up-and-down",
    description: "Banks and momos become active and inactive many times a second.",
    why: `${others}.`,
    hooks: changing(70, ["bank", "momo"], (record, round) =>
      isTurn(record, round, 2) ? withFields(record, { status: { active: round % 2 === 0 } }) : undefined,
    ),
  },
  {
    name: "codes-move-now-and-then",
    description: "Each payment code that is open changes its state every quarter of a second or so.",
    why: `${itself}.`,
    hooks: changing(90, ["paymentCode"], (record, round) => {
      const status = OTHER_STATE[String(record.data.status)];
      return status !== undefined && isTurn(record, round, 3) ? withFields(record, { status }) : undefined;
    }),
  },
  {
    name: "accounts-are-paid-into",
    description: "The balances of all accounts change twenty times a second.",
    why: `${itself}.`,
    hooks: changing(50, ["financialAccount"], (record, round) =>
      withFields(record, {
        balance: { available: { currency: record.data.currency ?? "XAF", value: round } },
      }),
    ),
  },
  {
    name: "answers-tell-when-they-were-given",
    description: "Every resource shows when, and how many requests after the start, it was read.",
    why: "Row 5: undocumented fields are allowed; row 53 asks that a read changes nothing that is documented.",
    hooks: showItems(EVERYWHERE, (item, { number, service }) => ({
      ...item,
      viewedAt: service.now().toISOString(),
      views: number,
    })),
  },
  {
    name: "clock-ten-minutes-ahead",
    description: "The clock of the service is ten minutes ahead.",
    why: "Section 2 gives times, and no clock that they are by.",
    hooks: clock(10),
  },
  {
    name: "clock-ten-minutes-behind",
    description: "The clock of the service is ten minutes behind.",
    why: "Section 2 gives times, and no clock that they are by.",
    hooks: clock(-10),
  },
];
