import { createHash } from "node:crypto";
import type { Context, ResponseDraft } from "../context.ts";
import type { Hooks, Service } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Dataset, Kind, StoredRecord } from "../store.ts";
import { parsedJson } from "../write-hook-tools.ts";
import type { Fixtures } from "./variant.ts";

export { together } from "../write-hook-tools.ts";

export function seeded(
  kinds: readonly Kind[],
  change: (record: StoredRecord, index: number) => StoredRecord,
): Hooks {
  return {
    seed: (data) => {
      const changed: Dataset = { ...data };
      for (const kind of kinds) changed[kind] = (data[kind] ?? []).map(change);
      return changed;
    },
  };
}

export function withFields(record: StoredRecord, fields: Record<string, Json | undefined>): StoredRecord {
  const data: JsonObject = {};
  for (const [name, value] of Object.entries({ ...record.data, ...fields }))
    if (value !== undefined) data[name] = value;
  return { ...record, data };
}

/** Inner parts are changed first. `key` is the name of the member. */
export function mapDeep(value: Json, change: (value: Json, key: string) => Json, key = ""): Json {
  if (Array.isArray(value))
    return change(
      value.map((element) => mapDeep(element, change, key)),
      key,
    );
  if (!isObject(value)) return change(value, key);
  const entries = Object.entries(value).map(([name, inner]) => [name, mapDeep(inner, change, name)] as const);
  return change(Object.fromEntries(entries), key);
}

export function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE();
}

export function answering(change: (response: ResponseDraft, ctx: Context) => ResponseDraft): Hooks {
  return { response: change };
}

export function withHeaders(response: ResponseDraft, headers: ResponseDraft["headers"]): ResponseDraft {
  return { ...response, headers: { ...response.headers, ...headers } };
}

export function spelled(write: (value: Json, ctx: Context) => string): Hooks {
  return answering((response, ctx) => {
    const type = response.headers["Content-Type"];
    const isJson = typeof type === "string" && /json/i.test(type) && response.body.length > 0;
    // Another variant may have compressed the answer.
    const value = isJson ? parsedJson(response.body.toString()) : undefined;
    return value === undefined ? response : { ...response, body: write(value, ctx) };
  });
}

export function repeatedly(service: Service, everyMs: number, act: (round: number) => void): void {
  const step = (round: number) =>
    service.later(everyMs, () => {
      act(round);
      step(round + 1);
    });
  step(0);
}

export function textsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]) : [];
}

/** A fixture may be a list with commas. */
export function renamedFixtures(rename: (value: string) => string): (fixtures: Fixtures) => Fixtures {
  return (fixtures) =>
    Object.fromEntries(
      Object.entries(fixtures).map(([name, values]) => [name, values.split(",").map(rename).join(",")]),
    );
}

export function withoutFixture(name: string): (fixtures: Fixtures) => Fixtures {
  return (fixtures) => Object.fromEntries(Object.entries(fixtures).filter(([given]) => given !== name));
}

export function createdLate(listed: Kind, delay: (record: StoredRecord, ctx: Context) => number): Hooks {
  return {
    members: (records, ctx, kind) => {
      if (kind !== listed) return records;
      const now = ctx.service.now().getTime();
      return records.filter((record) => {
        const made = Date.parse(String(record.data.createTime));
        return made <= now - delay(record, ctx);
      });
    },
  };
}
