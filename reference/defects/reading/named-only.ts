import { showEnvelope, showPagination } from "../../hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects of the answers of operations that are only named (row 95). */
export const namedOnlyDefects: readonly Defect[] = [
  {
    name: "account-list-without-envelope",
    description: "The list of financial accounts is answered as a bare list.",
    requirement: "NAMED-ENVELOPE",
    alsoBreaks: ["NAMED-LIST"],
    row: 95,
    level: "MUST",
    operations: ["GET /v1/financial-accounts"],
    hooks: showEnvelope(["GET /v1/financial-accounts"], ({ result }) => result ?? []),
  },
  {
    name: "receipt-without-success",
    description: "A receipt is answered without success.",
    requirement: "NAMED-ENVELOPE",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/receipts/{orderNumber}"],
    hooks: showEnvelope(["GET /v1/receipts/{orderNumber}"], ({ success: _, ...body }) => body),
  },
  {
    name: "provider-kyc-with-null-messages",
    description: "messages of a provider's KYC record is null.",
    requirement: "NAMED-ENVELOPE",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/provider-kyc/{providerId}"],
    hooks: showEnvelope(["GET /v1/provider-kyc/{providerId}"], (body) => ({ ...body, messages: null })),
  },
  {
    name: "transaction-list-without-pagination",
    description: "The list of financial transactions has no pagination.",
    requirement: "NAMED-LIST",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/financial-transactions"],
    hooks: showEnvelope(["GET /v1/financial-transactions"], ({ pagination: _, ...body }) => body),
  },
  {
    name: "account-count-is-the-page-size",
    description: "count of the list of financial accounts is the page size instead of the number of items.",
    requirement: "NAMED-LIST",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/financial-accounts"],
    hooks: showPagination(["GET /v1/financial-accounts"], (pagination, ctx) => ({
      ...pagination,
      count: Number(ctx.query.get("limit")?.[0] ?? 10),
    })),
  },
  {
    name: "receipt-with-null-pagination",
    description: "A receipt is answered beside a pagination of null.",
    requirement: "NAMED-LIST",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/receipts/{orderNumber}"],
    hooks: showEnvelope(["GET /v1/receipts/{orderNumber}"], (body) => ({ ...body, pagination: null })),
  },
];
