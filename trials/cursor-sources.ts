/** Sources of cursors that a list never issued. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { isAccepted, itemsOf, nextOf } from "../client/target.ts";
import { alteredCursor, cursorsOfItsForm, idOfNothing } from "../generators/cursors.ts";
import type { Operation, Parameter } from "../spec/model/spec.ts";
import { smallestSize } from "../spec/page-sizes.ts";
import { walk } from "./corpus.ts";
import { operationsOf } from "./rule.ts";

/** A source of such cursors. */
export interface Source {
  detail: string;
  /** The cursors of this kind; empty if there are none. */
  texts(call: Call, cursor: Parameter): Promise<string[]>;
}

export const SOURCES: Source[] = [
  {
    detail: "garbage",
    // If the length is limited, the end is kept, because it names the run.
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

export function sourcesOf({ space }: Operation, { cursor }: Parameter): Source[] {
  if (cursor !== "item") return SOURCES;
  return ITEM_SOURCES.filter(({ texts }) => space !== undefined || texts !== itemElsewhere);
}

function given(text: string | null): string[] {
  return text === null ? [] : [text];
}

/** A cursor of the list itself: `next` of a page of the smallest size. */
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

/** The id of an item that the list has only in the second space. */
async function itemElsewhere(call: Call): Promise<string[]> {
  if (call.target.settings.secondSpace === undefined)
    throw new Untestable("no-second-space", "give --second-space to test this");
  const answer = await call.ask({ ...(await call.valid()), space: "second" });
  const identity = call.operation.list?.identity ?? "id";
  const ids = isAccepted(answer) ? itemsOf(answer).map((item) => String(item[identity])) : [];
  const own = new Set((await walk(call)).ids);
  return ids.filter((id) => !own.has(id)).slice(0, 1);
}
