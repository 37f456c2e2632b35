/** Reads of a resource by other ways than its plain read: by its list, and under other versions. */

import type { Call } from "../../client/call.ts";
import { hasUnknownSpace, unknownSpace } from "../../client/spaces.ts";
import { asQuery } from "../../client/target.ts";
import { type RequestPlan, requestTo, withHeaders, withQuery } from "../../generators/request.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { readerOf } from "../../trials/read-back.ts";

/**
 * Ways to see a resource again: its read under each other version, its list under each matching filter, and its
 * read in another space.
 */
export function otherViews(
  call: Call,
  id: string,
  shown: JsonObject,
): { versions: RequestPlan[]; lists: RequestPlan[]; foreign: RequestPlan[] } {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  if (!reader) return { versions: [], lists: [], foreign: [] };
  const others = call.to(reader).allowed.filter((version) => version !== call.to(reader).version);
  const plain = (version: string | null): RequestPlan =>
    reader.kind === "list" ? requestTo(reader, version) : { ...requestTo(reader, version), path: id };
  return {
    versions: others.map(plain),
    lists: filtered(target.spec, call, reader, shown),
    foreign: elsewhere(call, reader, plain(call.to(reader).version)),
  };
}

/** The read in a space that does not exist, if one can be made up. */
function elsewhere({ target }: Call, { space }: Operation, plan: RequestPlan): RequestPlan[] {
  if (!space || !hasUnknownSpace(target, space.schema)) return [];
  return [withHeaders(plan, { [space.name]: unknownSpace(target, space.schema) })];
}

function filtered(spec: Spec, call: Call, reader: Operation, shown: JsonObject): RequestPlan[] {
  const list = reader.sameRecord && operationById(spec, reader.sameRecord.list);
  const fields = reader.sameRecord?.fields;
  if (!list || fields === undefined) return [];
  const plain = requestTo(list, call.to(list).version);
  const matching = (list.list?.filters ?? []).flatMap(({ name, filter = "", schema }) => {
    const own =
      fields === "all"
        ? filter
        : Object.entries(fields).find(
            ([, { field, compare }]) => `/${field}` === filter && compare === "equal",
          )?.[0];
    const value =
      own === undefined ? undefined : asQuery(valueAt(shown, own.startsWith("/") ? own : `/${own}`));
    const isAllowed = value !== undefined && spec.schemas.validate(schema, value).length === 0;
    return isAllowed ? [withQuery(plain, { [name]: value })] : [];
  });
  return matching.length > 0 ? matching : [plain];
}
