import type { Call } from "../../client/call.ts";
import { isInSpace, pathId } from "../../history/entry.ts";
import { isDistinctive } from "../../history/journal/field-values.ts";
import { kindOfUpdate, shownBy } from "../../history/resource-kinds.ts";
import { sameFieldValue } from "../../history/values/differences.ts";
import { isDateTime } from "../../spec/formats.ts";
import type { JsonObject } from "../../spec/json.ts";
import { isOrdinaryJson } from "../shared/sent-values.ts";
import { requiredAnd } from "../shared/update-fields.ts";

/** Returns the states that the user's space showed, oldest first. */
export function shownIn({ target, operation }: Call, id: string): JsonObject[] {
  const kind = kindOfUpdate(target.spec, operation);
  if (!kind) return [];
  return target
    .history()
    .entries.filter((entry) => isInSpace(entry, target.settings.space))
    .flatMap((entry) => shownBy(target.spec, kind, entry).filter((each) => each.id === id))
    .map(({ fields }) => fields);
}

export function lastShownIn(call: Call, id: string): JsonObject {
  return shownIn(call, id).at(-1) ?? {};
}

/** True if an update of the resource was accepted. */
export function isUpdated({ target, operation }: Call, id: string): boolean {
  const updates = target.history().updates(operation);
  return updates.some(({ accepted, entry }) => accepted && pathId(entry) === id);
}

/** Returns a body with the first values shown that no longer show, except times, which may be rejected. */
export function firstValues(call: Call, id: string, names: readonly string[], body: JsonObject): JsonObject {
  const { target, operation } = call;
  const all = shownIn(call, id);
  const [first = {}] = all;
  const last = all.at(-1) ?? {};
  const required = requiredAnd(target.spec, operation, body, []);
  const isMeant = (name: string) =>
    !sameFieldValue(first[name], last[name]) &&
    isSendable(call, name, first[name]) &&
    target.history().isPlainlyValid(operation, { ...required, [name]: first[name] });
  return Object.fromEntries(names.filter(isMeant).map((name) => [name, first[name]]));
}

/** True if the update may send a shown value of this field. */
export function isSendable({ target: { spec }, operation }: Call, name: string, value: unknown): boolean {
  const schema = spec.schemas.field(operation.body, name);
  return (
    isDistinctive(value) &&
    !(typeof value === "string" && isDateTime(value)) &&
    schema["x-references"] === undefined &&
    !spec.schemas.hides(schema) &&
    isOrdinaryJson(value) &&
    spec.schemas.validate(schema, value).length === 0
  );
}
