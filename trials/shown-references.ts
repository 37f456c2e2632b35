/** The references that resources show. */

import type { Call } from "../client/call.ts";
import { sampleItems } from "../client/samples.ts";
import { type Answer, asText, isAccepted, itemsOf, resourceOf } from "../client/target.ts";
import type { JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { listedPages, recordReads } from "./listed-records.ts";
import { operationsOf, type Place } from "./rule.ts";

export interface Referring extends Place {
  requirement: string;
  lists: string[];
  fields: string[];
}

/** A reference, and the answer that shows it. */
interface Reference {
  value: string;
  shownBy: Answer;
}

export async function shownReferences(call: Call, requirement: string): Promise<Reference[]> {
  const { target, operation, version } = call;
  const found = new Map<string, Reference>();
  const look = (shownBy: Answer, resource: JsonObject) =>
    target.spec.schemas.walk(operation.resource ?? {}, resource, ({ schema, value }) => {
      if (schema["x-references"]?.requirement !== requirement || !Array.isArray(value)) return;
      for (const part of value) {
        const text = asText(part);
        if (text !== undefined && !found.has(text)) found.set(text, { value: text, shownBy });
      }
    });
  if (operation.kind === "list")
    for (const page of await listedPages(target, operation, version))
      for (const item of itemsOf(page)) look(page, item);
  else
    for (const answer of await singleReads(call)) {
      const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
      if (resource) look(answer, resource);
    }
  return [...found.values()];
}

async function singleReads(call: Call): Promise<Answer[]> {
  const [field] = call.operation.sameRecord?.by ?? [];
  if (field === undefined) return [await call.ask(await call.valid())];
  return (await recordReads(call, field)).map(({ answer }) => answer);
}

/** The values by which items of some lists are referred to. */
export async function knownValues(call: Call, { lists, fields }: Referring): Promise<Set<string>> {
  const known = new Set<string>();
  for (const id of lists)
    for (const item of await sampleItems(call.target, operationById(call.target.spec, id)))
      for (const field of fields) known.add(asText(item[field]) ?? "");
  known.delete("");
  return known;
}

/** The reads of single items of some lists. */
export function readersOf(spec: Spec, lists: readonly string[]): Operation[] {
  return operationsOf(spec, "read").filter(
    ({ sameRecord }) => sameRecord !== undefined && lists.includes(sameRecord.list),
  );
}
