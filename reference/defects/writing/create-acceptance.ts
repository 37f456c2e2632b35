import { CREATES, overlook, refuse } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import type { Problem } from "../../problems.ts";
import { ACCOUNT, makeField, overlookWhen, together, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const must = { row: 60, level: "MUST" } as const;
const accepted = { ...must, requirement: "CREATE-ACCEPTED" } as const;
const nullAccepted = { ...must, requirement: "CREATE-NULL-ACCEPTED" } as const;

function nullRefused(field: string): Problem {
  return { at: `body.${field}`, rule: "null", message: `${field} must not be null` };
}

/** Valid creating calls that are refused, and the SHOULD of content types, URLs and numbers (rows 60, 70). */
export const createAcceptanceDefects: readonly Defect[] = [
  {
    ...accepted,
    name: "account-needs-metadata",
    description: "A financial account without metadata is refused.",
    operations: ACCOUNT,
    hooks: refuse(
      ACCOUNT,
      "body",
      { at: "body.metadata", rule: "required", message: "metadata is required" },
      ({ body }) => Object.keys(body).length > 0 && body.metadata === undefined,
    ),
  },
  {
    ...accepted,
    name: "webhook-needs-is-active",
    description: "A webhook is refused unless isActive is sent.",
    operations: WEBHOOK,
    hooks: refuse(
      WEBHOOK,
      "body",
      { at: "body.isActive", rule: "required", message: "isActive is required" },
      ({ body }) => Object.keys(body).length > 0 && body.isActive === undefined,
    ),
  },
  {
    ...accepted,
    name: "webhook-headers-and-secret-exclude-each-other",
    description: "A webhook with customHeaders beside a verificationMethod is refused.",
    operations: WEBHOOK,
    hooks: refuse(
      WEBHOOK,
      "body",
      { at: "body.customHeaders", rule: "state", message: "customHeaders cannot go with verificationMethod" },
      ({ body }) => isObject(body.customHeaders) && isObject(body.verificationMethod),
    ),
  },
  {
    ...nullAccepted,
    name: "account-reference-null-refused",
    description: "Null for the reference of a financial account is refused.",
    operations: ACCOUNT,
    hooks: refuse(ACCOUNT, "body", nullRefused("reference"), ({ body }) => body.reference === null),
  },
  {
    ...nullAccepted,
    name: "account-description-null-refused",
    description: "Null for the description of a financial account is refused.",
    operations: ACCOUNT,
    hooks: refuse(ACCOUNT, "body", nullRefused("description"), ({ body }) => body.description === null),
  },
  {
    ...nullAccepted,
    name: "webhook-events-null-refused",
    description: "Null for the events of a webhook is refused.",
    operations: WEBHOOK,
    hooks: refuse(WEBHOOK, "body", nullRefused("events"), ({ body }) => body.events === null),
  },
  {
    ...nullAccepted,
    name: "webhook-alert-emails-null-refused",
    description: "Null for the alert addresses of a webhook is refused.",
    operations: WEBHOOK,
    hooks: refuse(WEBHOOK, "body", nullRefused("alertEmails"), ({ body }) => body.alertEmails === null),
  },
  {
    name: "charset-refused-on-creates",
    description: "Creating calls take the content type application/json without any parameter only.",
    requirement: "CREATE-CHARSET",
    row: 60,
    level: "SHOULD",
    operations: CREATES,
    hooks: refuse(
      CREATES,
      "body",
      { at: "body", rule: "contentType", message: "the Content-Type is not application/json" },
      ({ request }) => /;/.test(request.headers["content-type"] ?? ""),
    ),
  },
  {
    name: "creates-as-text-plain",
    description: "Creating calls take JSON whatever the content type says.",
    requirement: "CREATE-TEXT-PLAIN",
    row: 70,
    level: "SHOULD",
    operations: CREATES,
    hooks: overlook(CREATES, { at: "body", rule: "contentType" }),
  },
  {
    name: "webhook-url-of-any-form",
    description: "Any text is taken for the url of a new webhook.",
    requirement: "CREATE-URL",
    row: 70,
    level: "SHOULD",
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.url", rule: "format" }),
  },
  {
    name: "webhook-url-without-scheme",
    description: "The url of a new webhook may lack its scheme, and is completed.",
    requirement: "CREATE-URL",
    row: 70,
    level: "SHOULD",
    operations: WEBHOOK,
    hooks: together(
      overlookWhen(WEBHOOK, { at: "body.url", rule: "format" }, ({ body }) => {
        return typeof body.url === "string" && URL.canParse(`https://${body.url}`);
      }),
      makeField(WEBHOOK, "url", (value) =>
        typeof value === "string" && !value.includes("://") ? `https://${value}` : value,
      ),
    ),
  },
  {
    name: "account-number-by-currency",
    description: "Accounts of the same currency in a space get the same uvan.",
    requirement: "ACCOUNT-NUMBER-UNIQUE",
    row: 70,
    level: "SHOULD",
    operations: ACCOUNT,
    hooks: makeField(ACCOUNT, "uvan", (_, { space, body }) => {
      const text = `${space}${String(body.currency)}`;
      return `90${Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1e12, 7)}`;
    }),
  },
];
