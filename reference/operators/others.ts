import type { FieldType } from "../fields/answers.ts";
import type { Json } from "../json.ts";

/** Another value that a field of the type may hold just as well: only a comparison tells. */
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
      return value === "pending"
        ? "expired"
        : value === "one_time"
          ? "recurrent"
          : value === "recurrent"
            ? "one_time"
            : "pending";
  }
}

/** Whether a value of the type can be changed so that the answer stays well-formed. */
export function hasOther(type: FieldType, path: string): boolean {
  return type !== "object" || path.endsWith("metadata") || path === "customHeaders";
}
