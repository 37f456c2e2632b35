/** Cursors that a list never issued (section 4): made up, altered, from another list, or with wrong content. */

import { Untestable } from "../client/check.ts";
import { withQuery } from "../generators/request.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { SOURCES, type Source, sourcesOf } from "../trials/cursor-sources.ts";
import { operationsOf, rule, shareOf, suiteOf } from "../trials/rule.ts";

export const unissuedCursors = suiteOf(
  "lists",
  rule({
    requirement: "CURSOR-UNKNOWN",
    over: (spec: Spec) =>
      operationsOf(spec, "list").flatMap((operation) =>
        cursorsOf(operation).flatMap(({ cursor, first }) => [
          ...sourcesOf(operation, cursor).map((source, number) => ({
            operation,
            cursor,
            source,
            number,
            query: {},
            detail: first ? source.detail : `${cursor.name} ${source.detail}`,
          })),
          ...(first ? filtersOf(operation) : []).map((query) => ({
            operation,
            cursor,
            source: SOURCES[0] as Source,
            number: SOURCES.length,
            query,
            detail: `under ${Object.keys(query).join()}`,
          })),
        ]),
      ),
    title: ({ operation, detail }) => `${operation.key} rejects a cursor that it never issued (${detail})`,
    versions: "rotated",
    // A made-up one is sent under each version, the others under one.
    under: ({ number }, index, versions) => number === 0 || shareOf(number, SOURCES.length, index, versions),
    cause: "invalid-cursor",
    async run(call, { cursor, source, query }) {
      await call.control();
      const texts = await source.texts(call, cursor);
      const longest = cursor.schema.maxLength ?? Number.POSITIVE_INFINITY;
      const fitting = texts.filter((text) => text.length <= longest);
      if (fitting.length === 0) throw new Untestable("no-data", "no such cursor can be had");
      for (const text of fitting) {
        const answer = await call.send(withQuery(await call.valid(), { ...query, [cursor.name]: text }));
        call.mustReject(
          answer,
          `a cursor that it never issued (${describeValue(text, 60)})`,
          `${cursor.name}: ${source.detail}`,
        );
      }
    },
  }),
);

/** A filter with an enumerated value; none if there is none. */
function filtersOf({ list }: Operation): Record<string, string>[] {
  const queries = (list?.filters ?? []).flatMap(({ name, schema, required }) => {
    const value = schema.enum?.find((option) => typeof option === "string");
    return typeof value === "string" && !required ? [{ [name]: value }] : [];
  });
  return queries.slice(0, 1);
}

function cursorsOf({ list }: Operation): { cursor: Parameter; first: boolean }[] {
  const { after, before } = list ?? {};
  return [
    ...(after ? [{ cursor: after, first: true }] : []),
    ...(before ? [{ cursor: before, first: false }] : []),
  ];
}
