/** What null, defaults and absent keys mean in updates: the specification does not say, so it is recorded. */

import type { Check } from "../client/check.ts";
import { validBody } from "../client/supply.ts";
import type { Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { allowsNull, describeValue, typesOf } from "../spec/schema.ts";
import { check } from "../trials/derive.ts";
import { onSubject, readSettled } from "../trials/settled-reads.ts";
import { nextSalt, requiredAnd, sendUpdate, UPDATES } from "../trials/updating.ts";

/** What null, defaults and absent metadata keys mean: recorded. */
export function meaningNotes(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const flat = spec.schemas.flatten(body);
  const schemaOf = (name: string) => spec.schemas.flatten(flat.properties?.[name] ?? {});
  const note = (
    requirement: string,
    detail: string,
    run: (target: Target, id: string) => Promise<string>,
  ): Check =>
    check({
      suite: UPDATES,
      requirement,
      operation,
      detail,
      title: `what ${operation.key} makes of ${detail}`,
      stage: "write",
      writes: true,
      async run(target) {
        target.observe(
          requirement,
          operation.key,
          detail,
          await onSubject(target, operation, (id) => run(target, id)),
        );
      },
    });
  const after = async (
    target: Target,
    id: string,
    name: string,
    change: (full: JsonObject) => JsonObject,
  ): Promise<[before: unknown, after: unknown]> => {
    const version = usualVersion(target, operation);
    const full = await validBody(target, operation, "full", nextSalt(target));
    await sendUpdate(target, operation, id, version, full);
    const before = (await readSettled(target, operation, id, version, { sent: full })).resource;
    const sent = change(full);
    await sendUpdate(target, operation, id, version, sent);
    const known = { sent, before };
    return [before[name], (await readSettled(target, operation, id, version, known)).resource[name]];
  };
  const required = Object.keys(flat.properties ?? {}).filter((name) => flat.required?.includes(name));
  return [
    ...fields
      .filter((name) => typesOf(schemaOf(name)).length > 0 && allowsNull(schemaOf(name)))
      .map((name) =>
        note("UPDATE-NULL-MEANING", `null for ${name}`, async (target, id) => {
          const [before, now] = await after(target, id, name, (full) => ({
            ...requiredAnd(spec, operation, full, required),
            [name]: null,
          }));
          return JSON.stringify(before) === JSON.stringify(now)
            ? "keeps the value"
            : now === undefined
              ? "removes it"
              : `makes it ${describeValue(now, 40)}`;
        }),
      ),
    ...fields
      .filter((name) => schemaOf(name).default !== undefined)
      .map((name) =>
        note("UPDATE-DEFAULT", `${name} not sent`, async (target, id) => {
          const [, now] = await after(target, id, name, (full) => {
            const { [name]: _, ...rest } = { ...full, [name]: !schemaOf(name).default };
            return rest;
          });
          return `is then ${describeValue(now, 40)}`;
        }),
      ),
    ...fields
      .filter(
        (name) =>
          typesOf(schemaOf(name)).includes("object") &&
          !schemaOf(name).properties &&
          !schemaOf(name)["x-send"]?.propertyNames,
      )
      .map((name) =>
        note("UPDATE-METADATA", `keys of ${name} that are not sent`, async (target, id) => {
          const [, now] = await after(target, id, name, (full) => ({
            ...requiredAnd(spec, operation, full, required),
            [name]: { other: "value" },
          }));
          return typeof now === "object" && now !== null && Object.keys(now).length > 1
            ? "are kept"
            : "are dropped";
        }),
      ),
  ];
}
