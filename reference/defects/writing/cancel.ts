import { showField } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { Json } from "../../json.ts";
import { answerStale, CODE_UPDATE, setOtherwise, storeField } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const cancelled = { row: 83, level: "MUST", operations: CODE_UPDATE } as const;

/** Cancels, and leaves the other fields that came with it alone. */
const cancelAlone: Hooks = setOtherwise(CODE_UPDATE, (changes) =>
  changes.status === "cancelled" ? { status: "cancelled", updateTime: changes.updateTime } : changes,
);

/** Defects of the cancellation of payment codes (row 83). */
export const cancelDefects: readonly Defect[] = [
  {
    ...cancelled,
    name: "cancelling-changes-no-status",
    description: "A payment code whose status is set to cancelled stays what it was, and becomes inactive.",
    requirement: "CANCEL-STATUS",
    alsoBreaks: ["UPDATE-ECHO"],
    hooks: setOtherwise(CODE_UPDATE, (changes) => {
      const { status, ...others } = changes;
      return status === "cancelled" ? { ...others, enable: false } : changes;
    }),
  },
  {
    ...cancelled,
    name: "cancelling-not-stored",
    description:
      "Setting the status to cancelled is answered as done, and the next read shows the old status.",
    requirement: "CANCEL-STATUS",
    alsoBreaks: ["UPDATE-STORED"],
    hooks: storeField(CODE_UPDATE, "status", (_value, previous) => previous),
  },
  {
    ...cancelled,
    name: "cancelled-answered-as-pending",
    description: "The answer to a cancellation shows the old status; the next read shows cancelled.",
    requirement: "CANCEL-STATUS",
    alsoBreaks: ["UPDATE-ECHO"],
    hooks: answerStale(CODE_UPDATE, ["status"]),
  },
  {
    ...cancelled,
    name: "cancelling-ignores-the-rest",
    description: "Fields sent with the cancellation of a payment code are ignored.",
    requirement: "CANCEL-TOGETHER",
    alsoBreaks: ["UPDATE-ECHO"],
    hooks: cancelAlone,
  },
  {
    ...cancelled,
    name: "cancelling-shows-the-rest-without-storing",
    description: "Metadata sent with the cancellation of a payment code is answered and not stored.",
    requirement: "CANCEL-TOGETHER",
    alsoBreaks: ["UPDATE-STORED"],
    hooks: storeField(CODE_UPDATE, "metadata", (value, previous, { body }) =>
      body.status === "cancelled" ? previous : value,
    ),
  },
  {
    ...cancelled,
    name: "cancelled-status-spelled-otherwise",
    description: "The answer to a cancellation spells the status canceled.",
    requirement: "CANCEL-STATUS",
    alsoBreaks: ["UPDATE-ECHO"],
    hooks: showField(CODE_UPDATE, "status", (value) => (value === "cancelled" ? "canceled" : value)),
  },
  {
    name: "cancelled-code-found-under-its-old-status",
    description: "A payment code that was cancelled is listed under the status that it had before.",
    requirement: "FILTER-COMPLETE",
    row: 45,
    level: "MUST",
    operations: ["GET /v1/payment-codes"],
    hooks: () => {
      const before = new Map<string, Json | undefined>();
      return {
        written: (_ctx, record, previous) => {
          if (record.kind === "paymentCode" && previous && previous.data.status !== record.data.status)
            before.set(record.id, previous.data.status);
        },
        matches: (matches, _ctx, { parameter, value, record }) =>
          parameter === "status" && before.has(record.id) ? before.get(record.id) === value : matches,
      };
    },
  },
];
