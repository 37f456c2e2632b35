import type { Context } from "./context.ts";
import type { Json, JsonObject } from "./json.ts";
import type { StoredRecord } from "./store.ts";

export type Shape = (record: StoredRecord) => JsonObject;

export const plainShape: Shape = (record) => ({ id: record.id, ...record.data });

export function show(ctx: Context, record: StoredRecord, shape: Shape, index = -1): JsonObject {
  return ctx.service.hooks.item(shape(record), ctx, { record, index });
}

export function envelope(ctx: Context, result: Json, pagination?: JsonObject): Json {
  const body: JsonObject = { success: true, messages: [], result };
  return ctx.service.hooks.envelope(pagination ? { ...body, pagination } : body, ctx);
}
