/** Cursors that a list never issued (section 4): made up, altered, of another list, of its form with wrong insides. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { isAccepted, itemsOf, nextOf } from "../client/target.ts";
import { alteredCursor, cursorsOfItsForm, idOfNothing } from "../generators/cursors.ts";
import { withQuery } from "../generators/request.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { walk } from "../trials/corpus.ts";
import { smallestSize } from "../trials/pages.ts";
import { operationsOf, rule, shareOf, suiteOf } from "../trials/rule.ts";

/** How a cursor that was never issued is come by. */
interface Source {
  detail: string;
  /** The cursors of this kind that can be had; none where there are none. */
  texts(call: Call, cursor: Parameter): Promise<string[]>;
}

const SOURCES: Source[] = [
  {
    detail: "garbage",
    // Where there is little room, the run's own end of it.
    texts: async ({ target }, { schema }) => [
      `conformance-unknown-${target.runId}`.slice(-(schema.maxLength ?? 200)),
    ],
  },
  { detail: "altered", texts: async (call) => given(alteredCursor((await ownCursor(call)) ?? "")) },
  { detail: "of its form", texts: async (call) => cursorsOfItsForm((await ownCursor(call)) ?? "") },
  { detail: "of another list", texts: foreignCursor },
];

const ITEM_SOURCES: Source[] = [
  SOURCES[0] as Source,
  { detail: "of no item", texts: async (call) => (await firstItem(call)).map(idOfNothing) },
  { detail: "of another list", texts: foreignCursor },
  { detail: "of another space", texts: itemElsewhere },
];

function sourcesOf({ space }: Operation, { cursor }: Parameter): Source[] {
  if (cursor !== "item") return SOURCES;
  return ITEM_SOURCES.filter(({ texts }) => space !== undefined || texts !== itemElsewhere);
}

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
    // What is made up is tried under each version, and the others under one of them.
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

/** A filter that takes one of a few values, and one of them; none where there is none. */
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

function given(text: string | null): string[] {
  return text === null ? [] : [text];
}

/** A cursor of the list itself: next of a page of the smallest size. */
async function ownCursor(call: Call): Promise<string | null> {
  const { answers } = await walk(call, { size: Number(smallestSize(call.operation)), mostPages: 1 });
  const [answer] = answers;
  return answer && isAccepted(answer) && itemsOf(answer).length > 0 ? nextOf(answer) : null;
}

async function foreignCursor(call: Call): Promise<string[]> {
  const own = await ownCursor(call);
  for (const other of operationsOf(call.target.spec, "list")) {
    if (other.id === call.operation.id || !other.list?.after) continue;
    const text = await ownCursor(call.to(other)).catch(() => null);
    if (text !== null && text !== own) return [text];
  }
  return [];
}

async function firstItem(call: Call): Promise<string[]> {
  const { ids } = await walk(call, { size: Number(smallestSize(call.operation)), mostPages: 1 });
  return ids.slice(0, 1);
}

/** The id of an item that the list has in the second space alone. */
async function itemElsewhere(call: Call): Promise<string[]> {
  if (call.target.settings.secondSpace === undefined)
    throw new Untestable("no-second-space", "give --second-space to test this");
  const answer = await call.ask({ ...(await call.valid()), space: "second" });
  const identity = call.operation.list?.identity ?? "id";
  const ids = isAccepted(answer) ? itemsOf(answer).map((item) => String(item[identity])) : [];
  const own = new Set((await walk(call)).ids);
  return ids.filter((id) => !own.has(id)).slice(0, 1);
}
