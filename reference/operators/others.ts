import type { FieldType } from "../fields/answers.ts";
import type { Json } from "../json.ts";

const OTHER_CHOICE: Readonly<Record<string, string>> = {
  pending: "expired",
  one_time: "recurrent",
  recurrent: "one_time",
};

export function otherValue(type: FieldType, value: Json): Json {
  switch (type) {
    case "text":
      return `${value}x`;
    case "time":
      return new Date(Date.parse(String(value)) + 60_000).toISOString();
    case "flag":
      return value !== true;
    case "integer":
      return Number(value) + 1;
    case "list":
      return Array.isArray(value) && value.length > 0 ? [] : ["cm_m_mtnmomo"];
    case "object":
      return { other: "yes" };
    case "currency":
      return value === "EUR" ? "USD" : "EUR";
    case "country":
      return value === "NG" ? "GH" : "NG";
    case "choice":
      return OTHER_CHOICE[String(value)] ?? "pending";
  }
}

export function hasOther(type: FieldType, path: string): boolean {
  return type !== "object" || path.endsWith("metadata") || path === "customHeaders";
}
