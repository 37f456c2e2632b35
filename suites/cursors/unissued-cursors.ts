import type { Call } from "../../client/call.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { isAccepted, itemsOf, nextOf, type Probe } from "../../client/target.ts";
import { sampledFrom, sendsAll } from "../../client/version-choice.ts";
import { alteredCursor, cursorsOfItsForm, unheardOfCursor, unknownIdLike } from "../../generators/cursors.ts";
import { withQuery } from "../../generators/request.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { smallestSize } from "../../spec/page-sizes.ts";
import { readList } from "../shared/read-list.ts";
import { plainProbe } from "../shared/sampled.ts";

type Source = (call: Call, cursor: Parameter) => Promise<string[]>;

const madeUp: Source = async ({ target }, { schema }) => [
  unheardOfCursor(schema, `conformance-unknown-${target.runId}`),
];

const altered: Source = async (call) => {
  const text = alteredCursor((await ownCursor(call)) ?? "");
  return text === null ? [] : [text];
};

const ofItsForm: Source = async (call) => {
  const texts = cursorsOfItsForm((await ownCursor(call)) ?? "");
  const { target } = call;
  return sendsAll(target)
    ? texts
    : texts.filter((_, index) => index % 2 === Math.abs(target.settings.seed) % 2);
};

const ofNoItem: Source = async (call) => {
  const { ids } = await readList(call, { size: Number(smallestSize(call.operation)), mostPages: 1 });
  return ids
    .slice(0, 1)
    .map(unknownIdLike)
    .filter((id) => id !== "");
};

const ofAnotherList: Source = async (call) => {
  const own = await ownCursor(call);
  for (const other of operationsOf(call.target.spec, "list")) {
    if (other.id === call.operation.id || !other.list?.after) continue;
    const text = await ownCursor(call.to(other)).catch(() => null);
    if (text !== null && text !== own) return [text];
  }
  return [];
};

const ofAnotherSpace: Source = async (call) => {
  const { target, operation } = call;
  if (target.settings.secondSpace === undefined || !operation.space) return [];
  const answer = await call.target.ask({ ...(await call.valid()), space: "second" });
  const identity = operation.list?.identity ?? "id";
  const ids = isAccepted(answer) ? itemsOf(answer).map((item) => String(item[identity])) : [];
  const own = new Set((await readList(call)).ids);
  return ids.filter((id) => !own.has(id)).slice(0, 1);
};

async function ownCursor(call: Call): Promise<string | null> {
  const { answers } = await readList(call, { size: Number(smallestSize(call.operation)), mostPages: 1 });
  const [answer] = answers;
  return answer && isAccepted(answer) && itemsOf(answer).length > 0 ? nextOf(answer) : null;
}

/** Sends cursors that the list never issued: made up, altered, or of another list. */
export function unissuedCursors(list: Operation, cursor: Parameter): Probe {
  const kinds = cursor.cursor === "item" ? [ofNoItem, ofAnotherSpace] : [altered, ofItsForm];
  // A service probably checks `before` like `after`.
  const others = cursor === list.list?.before ? kinds.slice(0, 1) : [...kinds, ofAnotherList];
  const sources = [madeUp, ...others].map((texts) => ({ texts, query: {} }));
  const numbered = [...[...sources, ...filteredSource(list, cursor)].entries()];
  return plainProbe(`CURSOR-UNKNOWN ${cursor.name}`, list, "read", (byDefault) =>
    sideBySide(numbered, async ([number, source]) => {
      const { target, allowed } = byDefault;
      // All values made from a page share its version, to read it once.
      const words = `${cursor.name} ${source.texts === madeUp ? number : ""} ${list.key}`;
      const isEverywhere = number === 0 && byDefault.sendsAll;
      const versions = isEverywhere ? allowed : sampledFrom(target.settings.seed, words, allowed);
      await sideBySide(versions, async (version) => {
        const call = byDefault.under(version);
        await call.control();
        const longest = cursor.schema.maxLength ?? Number.POSITIVE_INFINITY;
        for (const text of await source.texts(call, cursor))
          if (text.length <= longest)
            await call.send(withQuery(await call.valid(), { ...source.query, [cursor.name]: text }));
      });
    }),
  );
}

/** Returns made-up cursors to send with a value of the first optional filter that lists its values. */
function filteredSource({ list }: Operation, cursor: Parameter) {
  if (cursor !== list?.after) return [];
  return list.filters
    .flatMap(({ name, schema, required }) => {
      const value = schema.enum?.find((option) => typeof option === "string");
      return typeof value === "string" && !required ? [{ texts: madeUp, query: { [name]: value } }] : [];
    })
    .slice(0, 1);
}
