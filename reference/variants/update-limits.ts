import type { Context } from "../context.ts";
import { isAt, refuse, UPDATES, WEBHOOK_WRITES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { Rejected } from "../problems.ts";
import { repeatedly, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const WEBHOOK_UPDATES: Where = ["PATCH /webhooks/{id}"];

function activeAtMost(most: number, status: number): () => Hooks {
  return () => {
    const atFirst = new Set<string>();
    const others = ({ service, space, params }: Context) =>
      service.store
        .all("webhook")
        .filter(
          ({ id, space: own, data }) =>
            own === space && id !== params.id && !atFirst.has(id) && data.isActive === true,
        ).length;
    return {
      started: (service) => {
        for (const { id } of service.store.all("webhook")) atFirst.add(id);
      },
      pause: (point, ctx) => {
        if (point !== "checked" || !isAt(ctx, WEBHOOK_WRITES) || ctx.body.isActive !== true) return;
        const found = ctx.service.store.get("webhook", ctx.params.id ?? "");
        if (found?.data.isActive !== true && others(ctx) >= most)
          throw new Rejected({ status, headers: {}, problems: [] });
      },
    };
  };
}

function restAfterWrites(
  milliseconds: number,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Hooks {
  return {
    pause: (point, ctx) => {
      if (point !== "checked" || !isAt(ctx, UPDATES)) return;
      const written = ["paymentCode", "payout", "webhook"] as const;
      for (const kind of written) {
        const found = ctx.service.store.get(kind, ctx.params.id ?? "");
        if (found && found.writtenAt > ctx.service.now().getTime() - milliseconds)
          throw new Rejected({ status, headers, problems: [] });
      }
    },
  };
}

function provisionedIn(milliseconds: number, status: number): Hooks {
  return {
    pause: (point, ctx) => {
      if (point !== "checked" || !isAt(ctx, WEBHOOK_UPDATES)) return;
      const made = ctx.service.store.get("webhook", ctx.params.id ?? "")?.data.createTime;
      if (Date.parse(String(made)) > ctx.service.now().getTime() - milliseconds)
        throw new Rejected({ status, headers: {}, problems: [] });
    },
  };
}

function updatesAtMost(most: number, status: number): () => Hooks {
  return () => {
    const done = new Map<string, number>();
    return {
      written: ({ operation }, _record, previous) => {
        if (previous) done.set(operation, (done.get(operation) ?? 0) + 1);
      },
      pause: (point, ctx) => {
        if (point === "checked" && isAt(ctx, UPDATES) && (done.get(ctx.operation) ?? 0) >= most)
          throw new Rejected({ status, headers: {}, problems: [] });
      },
    };
  };
}

const busyCodesRefuse: Hooks = refuse(
  ["PATCH /payment-codes/{id}"],
  "conflict",
  { at: "path.id", rule: "state", message: "a payment is under way" },
  ({ service, params: { id = "" } }) => service.store.get("paymentCode", id)?.data.status === "processing",
);

const quota = "Ruling on rows 60 and 64, and section 8: quotas are not shown";

export const updateLimitVariants: readonly Variant[] = [
  {
    name: "quota-of-five-active-webhooks",
    description: "A space has five active webhooks of its own making, and no more: 409.",
    why: `${quota}.`,
    hooks: activeAtMost(5, 409),
  },
  {
    name: "quota-of-two-active-webhooks",
    description: "A space has two active webhooks of its own making, and no more: 403.",
    why: `${quota}.`,
    hooks: activeAtMost(2, 403),
  },
  {
    name: "quota-of-three-active-webhooks",
    description: "A space has three active webhooks of its own making, and no more: 422.",
    why: `${quota}.`,
    hooks: activeAtMost(3, 422),
  },
  {
    name: "updates-take-a-rest",
    description: "An update within 150 milliseconds of another write of the same resource is refused: 409.",
    why: `${quota}; that two writes may follow at once is not said.`,
    hooks: restAfterWrites(150, 409),
  },
  {
    name: "updates-take-a-rest-as-429",
    description: "An update within 100 milliseconds of another write of the same resource is answered 429.",
    why: `${quota}; a 429 is never evidence.`,
    hooks: restAfterWrites(100, 429),
  },
  {
    name: "webhooks-provisioned-in-a-second",
    description: "A webhook can be changed only a second after it was made: 409 before.",
    why: `${quota}; that a new resource can be changed at once is not said.`,
    hooks: provisionedIn(1000, 409),
  },
  {
    name: "webhooks-locked-for-half-a-second",
    description: "A webhook can be changed only half a second after it was made: 423 before.",
    why: `${quota}; that a new resource can be changed at once is not said.`,
    hooks: provisionedIn(500, 423),
  },
  {
    name: "quota-of-twenty-updates",
    description: "Of each kind twenty updates are taken, those beyond are refused: 403.",
    why: `${quota}.`,
    hooks: updatesAtMost(20, 403),
  },
  {
    name: "quota-of-sixty-updates-answered-429",
    description: "Of each kind sixty updates are taken, those beyond are answered 429.",
    why: `${quota}; a 429 is never evidence.`,
    hooks: updatesAtMost(60, 429),
  },
  {
    name: "codes-being-paid-refuse-updates",
    description: "Payment codes are paid now and then, for a moment in which they can't be changed: 409.",
    why: "Section 3: from which states a code can be changed is not stated.",
    hooks: together(
      {
        started: (service) => {
          const open = service.store.all("paymentCode").filter(({ data }) => data.status === "pending");
          const paid = new Set(open.slice(1).map(({ id }) => id));
          repeatedly(service, 40, (round) => {
            if (round % 12 !== 0 && round % 12 !== 3) return;
            const [from, to] = round % 12 === 0 ? ["pending", "processing"] : ["processing", "pending"];
            for (const record of service.store.all("paymentCode"))
              if (paid.has(record.id) && record.data.status === from)
                service.store.replace(withFields(record, { status: to }));
          });
        },
      },
      busyCodesRefuse,
    ),
  },
];
