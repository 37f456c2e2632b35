import { CODE_READ, CODE_SHOWN, showAt } from "../../read-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects in which a payment code tells one thing in the list and another by itself (row 52). */
export const shapeDefects: readonly Defect[] = [
  {
    name: "processing-code-pending-when-read",
    description: "A single payment code is pending while the list shows it as processing.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_SHOWN, "status", (value) => (value === "processing" ? "pending" : value)),
  },
  {
    name: "active-means-pending",
    description:
      "isActive of a single payment code tells whether it is still open, not whether it is enabled.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_READ, "isActive", (value, { item }) =>
      item.status === "completed" || item.status === "expired" ? false : value,
    ),
  },
  {
    name: "create-time-cut-to-seconds-when-read",
    description: "createTime of a single payment code has no fraction of a second.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_SHOWN, "createTime", (value) => String(value).replace(/\.\d+Z$/, "Z")),
  },
  {
    name: "expected-sum-of-one-payment",
    description:
      "expectedPaymentSum of a single payment code is that of one payment, in the list that of all.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_SHOWN, "financialTarget/expectedPaymentSum", (value, { item }) =>
      value === undefined ? value : item.amount,
    ),
  },
  {
    name: "ussd-code-without-hash-when-read",
    description: "ussdCode of a single payment code lacks the hash at its end.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_SHOWN, "ussdCode", (value) => String(value).replace(/#$/, "")),
  },
  {
    name: "recurrent-mode-otherwise-when-read",
    description: "The mode of a single payment code is multiple where the list says recurrent.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: CODE_READ,
    hooks: showAt(CODE_SHOWN, "mode", (value) => (value === "recurrent" ? "multiple" : value)),
  },
];
