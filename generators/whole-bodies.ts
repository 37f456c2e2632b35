import type { RejectionCause } from "../spec/model/profile.ts";

type WholeRule = "MALFORMED" | "NOT-OBJECT" | "NULL-BODY" | "TEXT-PLAIN" | "FORM-DATA";

interface WholeBodyFault {
  rule: WholeRule;
  cause: RejectionCause;
  title: string;
  contentType?: string;
  texts: Record<string, (valid: string) => string>;
  /** Names of texts that services treat alike, so depth quick picks one. */
  alike?: readonly string[];
}

export const WHOLE_BODY_FAULTS: readonly WholeBodyFault[] = [
  {
    rule: "MALFORMED",
    cause: "malformed-json",
    title: "a body that is not JSON",
    texts: {
      "cut short": (valid) => valid.slice(0, -1),
      "text behind": (valid) => `${valid} and more`,
      "trailing comma": (valid) => (valid === "{}" ? "{,}" : valid.replace(/}$/, ",}")),
      "no body": () => "",
    },
    alike: ["cut short", "text behind"],
  },
  {
    rule: "NOT-OBJECT",
    cause: "invalid-body",
    title: "a body that is no object",
    texts: { array: (valid) => `[${valid}]`, string: (valid) => JSON.stringify(valid), number: () => "42" },
    alike: ["string", "number"],
  },
  { rule: "NULL-BODY", cause: "invalid-body", title: "null as the body", texts: { null: () => "null" } },
  {
    rule: "TEXT-PLAIN",
    cause: "unsupported-media-type",
    title: "JSON sent as text/plain",
    contentType: "text/plain",
    texts: { "text/plain": (valid) => valid },
  },
  {
    rule: "FORM-DATA",
    cause: "unsupported-media-type",
    title: "form data",
    contentType: "application/x-www-form-urlencoded",
    texts: { "form data": formOf },
  },
];

function formOf(valid: string): string {
  const fields = Object.entries(JSON.parse(valid) as Record<string, unknown>);
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, text(value)])).toString();
}
