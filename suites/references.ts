/** What a resource refers to exists: the codes that it shows are those of records that lists show (section 2.6). */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { sampleItems } from "../client/samples.ts";
import { type Answer, asText, isAccepted, itemsOf, resourceOf } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { listedPages, recordReads } from "../trials/listed-records.ts";
import { operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";

/** Values that no list shows of which each is read by itself. */
const MOST_READ = 3;

interface Referring extends Place {
  requirement: string;
  lists: string[];
  fields: string[];
}

function referring(spec: Spec): Referring[] {
  return operationsOf(spec, "list", "read").flatMap((operation) => {
    const fields = spec.schemas.fields(operation.resource);
    const stated = fields.flatMap(([, field]) => field["x-references"] ?? []);
    return [...new Set(stated)].flatMap(({ requirement, lists, fields }) =>
      requirement === undefined ? [] : [{ operation, requirement, lists, fields }],
    );
  });
}

/** A value that refers to something, and the answer that shows it. */
interface Reference {
  value: string;
  shownBy: Answer;
}

async function shownReferences(call: Call, requirement: string): Promise<Reference[]> {
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

/** The values by which the items of some lists are referred to. */
async function knownValues(call: Call, { lists, fields }: Referring): Promise<Set<string>> {
  const known = new Set<string>();
  for (const id of lists)
    for (const item of await sampleItems(call.target, operationById(call.target.spec, id)))
      for (const field of fields) known.add(asText(item[field]) ?? "");
  known.delete("");
  return known;
}

/** The reads of single items of some lists. */
function readersOf(spec: Spec, lists: readonly string[]): Operation[] {
  return operationsOf(spec, "read").filter(
    ({ sameRecord }) => sameRecord !== undefined && lists.includes(sameRecord.list),
  );
}

/** The rule that what is referred to can be found: in a list, or at least by itself. */
export const references = suiteOf(
  "reads",
  rule<Referring>({
    over: referring,
    title: ({ operation }) => `what ${operation.key} refers to exists`,
    async run(call, at) {
      const shown = await shownReferences(call, at.requirement);
      const known = await knownValues(call, at);
      if (shown.length === 0 || known.size === 0)
        throw new Untestable("no-data", "nothing is referred to, or nothing is known that could be");
      const readers = readersOf(call.target.spec, at.lists);
      for (const { value, shownBy } of shown.filter((one) => !known.has(one.value)).slice(0, MOST_READ)) {
        const reads = await Promise.all(
          readers.map((reader) => {
            const door = call.to(reader);
            return call.target.send({ ...requestTo(reader, door.version), path: value });
          }),
        );
        if (reads.some(isAccepted)) continue;
        throw new Violation(
          `${describeValue(value, 60)} to be the ${at.fields.join(" or ")} of something that is there`,
          "no list shows it, and no read finds it",
          [shownBy, ...reads],
        );
      }
    },
  }),
);
