import type { Hooks, Service } from "../hooks.ts";
import type { JsonObject } from "../json.ts";
import type { Kind, StoredRecord } from "../store.ts";
import { createdLate, repeatedly, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

function spaceOf(service: Service): string {
  return [...service.spaces][0] ?? "";
}

function add(service: Service, kind: Kind, prefix: string, data: JsonObject): StoredRecord {
  const now = service.now();
  const id = service.newId(prefix);
  const record = { kind, id, space: spaceOf(service), writtenAt: now.getTime(), data };
  service.store.add(record);
  return record;
}

function change(service: Service, record: StoredRecord, fields: JsonObject): void {
  const now = service.now();
  const current = service.store.get(record.kind, record.id) ?? record;
  service.store.replace({ ...withFields(current, fields), writtenAt: now.getTime() });
}

function codesWork(everyMs: number): Hooks {
  return {
    started: (service) => {
      const own: StoredRecord[] = [];
      repeatedly(service, everyMs, (round) => {
        const time = service.now().toISOString();
        const code = add(service, "paymentCode", "pyc", {
          mode: round % 2 === 0 ? "one_time" : "recurrent",
          status: "pending",
          name: `By others ${round}`,
          amount: { currency: "XAF", value: 100 * (round + 1) },
          enable: true,
          expireTime: "2033-01-01T00:00:00Z",
          ussdCode: round % 3 === 0 ? "*126*4400#" : `*126*${70_000 + round}#`,
          financialAccountId: "fac_others",
          createTime: time,
          updateTime: time,
          metadata: {},
          progress: { isCompleted: false },
        });
        own.push(code);
        const older = own[round - 5];
        if (!older) return;
        const status = ["processing", "completed", "expired", "cancelled"][round % 4] ?? "completed";
        change(service, older, { status, enable: status === "processing", updateTime: time });
      });
    },
  };
}

function webhooksWork(everyMs: number): Hooks {
  return {
    started: (service) => {
      const own: StoredRecord[] = [];
      repeatedly(service, everyMs, (round) => {
        own.push(
          add(service, "webhook", "whk", {
            name: `By others ${round}`,
            url: `https://others.example.com/${round}`,
            events: ["payout.updated"],
            isActive: false,
            alertEmails: [],
            createTime: service.now().toISOString(),
            metadata: {},
          }),
        );
        const before = own.at(-2);
        if (before) change(service, before, { isActive: true, name: `Changed by others ${round}` });
        const oldest = own.length > 8 ? own.shift() : undefined;
        if (oldest) service.store.remove("webhook", oldest.id);
      });
    },
  };
}

function sessionsWork(everyMs: number): Hooks {
  return {
    started: (service) => {
      const own: StoredRecord[] = [];
      repeatedly(service, everyMs, (round) => {
        const now = service.now().getTime();
        own.push(
          add(service, "ussdOtp", "otp", {
            status: "pending",
            dialCode: `*126*${1000 + (round % 9000)}#`,
            authorizedPhoneNumber: "+2376*****001",
            verificationMessage: null,
            createTime: new Date(now).toISOString(),
            expireTime: new Date(now + 3 * everyMs).toISOString(),
            metadata: null,
          }),
        );
        const older = own[round - 3];
        if (older) change(service, older, { status: round % 2 === 0 ? "expired" : "verified" });
      });
    },
  };
}

function all(...sets: readonly Hooks[]): Hooks {
  return {
    started: (service) => {
      for (const set of sets) set.started?.(service);
    },
  };
}

function updatedLate(listed: readonly Kind[], milliseconds: number, oneIn = 1): () => Hooks {
  return () => {
    const earlier = new Map<string, StoredRecord>();
    return {
      stored: (record, _ctx, previous) => {
        if (record && previous && listed.includes(record.kind)) earlier.set(record.id, previous);
        return record;
      },
      members: (records, { service }, kind) => {
        if (!listed.includes(kind) || service.random.integer(1, oneIn) > 1) return records;
        const since = service.now().getTime() - milliseconds;
        return records.map((record) =>
          record.writtenAt > since ? (earlier.get(record.id) ?? record) : record,
        );
      },
    };
  };
}

const others = "Row 34: lists can change while they are read; drift is told from fault";
const delay =
  "Row 69 and its ruling: a short delay of the list is allowed after a create and after an update.";

export const activityVariants: readonly Variant[] = [
  {
    name: "others-add-codes-slowly",
    description: "Every 400 milliseconds a payment code is added and another one moves on.",
    why: `${others}.`,
    hooks: codesWork(400),
  },
  {
    name: "others-add-codes-fast",
    description: "Every 10 milliseconds a payment code is added and another one moves on.",
    why: `${others}.`,
    hooks: codesWork(10),
  },
  {
    name: "others-manage-webhooks",
    description: "Every 150 milliseconds a webhook is made, changed and taken away by others.",
    why: `${others}.`,
    hooks: webhooksWork(150),
  },
  {
    name: "others-manage-webhooks-fast",
    description: "Every 15 milliseconds a webhook is made, changed and taken away by others.",
    why: `${others}.`,
    hooks: webhooksWork(15),
  },
  {
    name: "sessions-come-and-go",
    description: "Sessions start and end all the time.",
    why: `${others}; section 2.4 gives sessions an end.`,
    hooks: sessionsWork(60),
  },
  {
    name: "others-do-everything",
    description: "Payment codes, webhooks and sessions change all the time.",
    why: `${others}.`,
    hooks: all(codesWork(35), webhooksWork(45), sessionsWork(55)),
  },
  {
    name: "created-webhooks-listed-late",
    description: "A new webhook is in the list only after half a second.",
    why: delay,
    hooks: createdLate("webhook", () => 500),
  },
  {
    name: "created-and-updated-webhooks-listed-late",
    description:
      "A new webhook, and what an update changed, is in the list only after 1.7 of the 2 seconds allowed.",
    why: delay,
    hooks: () =>
      together(
        createdLate("webhook", () => 1700),
        updatedLate(["webhook"], 1700)(),
      ),
  },
  {
    name: "updated-webhooks-listed-late",
    description: "The list shows what an update changed only after half a second.",
    why: delay,
    hooks: updatedLate(["webhook"], 500),
  },
  {
    name: "updated-codes-listed-late",
    description: "The list of payment codes shows what an update changed only after one and a half seconds.",
    why: delay,
    hooks: updatedLate(["paymentCode"], 1500),
  },
  {
    name: "updated-now-and-then-late",
    description: "Every other list comes from a copy that learns of updates a second late.",
    why: delay,
    hooks: updatedLate(["webhook", "paymentCode"], 1000, 2),
  },
];
