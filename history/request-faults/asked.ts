import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { Entry } from "../entry.ts";

export type Asked = Pick<Entry, "path" | "version" | "space" | "credential" | "request"> & {
  operation: Operation;
  begun?: number;
  ended?: number;
};

export type AskedWithBody = Asked & { body: Schema };

export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

export function headerOf({ request }: Pick<Asked, "request">, name: string): string | undefined {
  return request.headers.find(([each]) => each === name.toLowerCase())?.[1];
}
