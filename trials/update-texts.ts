/**
 * Updates of awkward texts and of values as far as their rules allow. They travel together, one to a field, in as few
 * bodies as hold them all; only where such a body is rejected does each of them travel alone.
 */

import fc from "fast-check";
import type { Call } from "../client/call.ts";
import { supplyFor } from "../client/supply.ts";
import { isAccepted, isRejected } from "../client/target.ts";
import { bodyEdges, type Edge, withValue } from "../generators/probes.ts";
import { appendPointer, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Difference } from "./compare.ts";
import {
  type AwkwardParts,
  awkwardParts,
  awkwardSamples,
  declinableValues,
  plainTwin,
  withAwkwardParts,
} from "./echo.ts";
import { onSubject } from "./settled-reads.ts";
import { otherBody, type Step, type StepPlan, updatesInTurn } from "./update.ts";

export const ANY_TEXT = "any text";
export const AT_LIMITS = "at the limits";
export const EMPTY_LIST = "empty list";

/** A special value of one field. */
interface Member {
  /** What it is special for: any text, at the limits, an empty list, or the very value that may be declined. */
  special: string;
  /** JSON pointer of the field within the body. */
  pointer: string;
  what: string;
  put(body: JsonObject): JsonObject;
  /** The same in plain letters, for texts: what is rejected for its length is rejected as this too. */
  twin?(body: JsonObject): JsonObject;
}

/** A special update: its step, and which special values it carries at which fields. */
export interface SpecialStep {
  members: Member[];
  step: Step;
  /** For a text that was rejected alone, the answer to plain text of the same length. */
  twin?: Step;
}

const MOST_RANDOM = 1;
const TEXTS_OF_A_FIELD = 2;

/** Tells the special updates of an operation under the call's version. */
export function specialUpdates(call: Call): Promise<SpecialStep[]> {
  const { target, operation, version } = call;
  return target.once(`special updates ${operation.id} ${version}`, async () =>
    updatesOfMembers(call, [...textMembers(call), ...(await edgeMembers(call))]),
  );
}

/** Tells the updates of values that a service may decline. */
export function declinableUpdates(call: Call): Promise<SpecialStep[]> {
  const { target, operation } = call;
  return target.once(`declinable updates ${operation.id}`, () =>
    updatesOfMembers(call, declinableMembers(target.spec, operation), { blind: true }),
  );
}

/** Values that a service may decline, each for the field that it is for. */
export function declinableMembers(spec: Spec, { body = {} }: Operation): Member[] {
  return declinableValues(spec, body).map(({ detail, name, value }) => ({
    special: detail,
    pointer: appendPointer("", name),
    what: detail,
    put: (plain) => ({ ...plain, [name]: value }),
  }));
}

async function updatesOfMembers(
  call: Call,
  members: Member[],
  how: { blind?: true } = {},
): Promise<SpecialStep[]> {
  const loads = together(members);
  const planOf = (load: Member[], what: string): StepPlan => ({
    ...how,
    what,
    doubtful: true,
    make: async (before) => load.reduce((body, member) => member.put(body), await otherBody(call, before)),
  });
  return onSubject(call.target, call.operation, async (id) => {
    const found: SpecialStep[] = [];
    const plans = loads.map((load, index) => planOf(load, String(index)));
    for (const step of await updatesInTurn(call, id, plans)) {
      const load = loads[Number(step.what)] ?? [];
      if (isAccepted(step.answer) || load.length < 2) found.push({ members: load, step });
      else
        for (const member of load) {
          const [alone] = await updatesInTurn(call, id, [planOf([member], member.what)]);
          if (alone) found.push({ members: [member], step: alone });
        }
    }
    for (const special of found) {
      const twin = special.members[0]?.twin;
      if (!isRejected(special.step.answer) || !twin) continue;
      const make = async (before: JsonObject) => twin(await otherBody(call, before));
      const [plain] = await updatesInTurn(call, id, [{ what: "plain twin", doubtful: true, make }]);
      if (plain) special.twin = plain;
    }
    return found;
  });
}

/** Members in as few loads as there are of the field that has most: each field once in a load. */
function together(members: Member[]): Member[][] {
  const byField = new Map<string, Member[]>();
  for (const member of members) {
    const [, field = ""] = member.pointer.split("/");
    byField.set(field, [...(byField.get(field) ?? []), member]);
  }
  const most = Math.max(0, ...[...byField.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => [...byField.values()].flatMap((own) => own[index] ?? []));
}

/** Every awkward piece of text in every field of free text, and some that the seed draws. */
function textMembers({ target, operation }: Call): Member[] {
  const { spec, settings } = target;
  const body = operation.body ?? {};
  const drawn = fc.sample(awkwardParts(spec, body), {
    seed: target.settings.seed,
    numRuns: Math.min(settings.runs, MOST_RANDOM),
  });
  const every = awkwardSamples(spec, body);
  const samples = [...every, ...drawn];
  const member = (parts: AwkwardParts, name: string): Member => ({
    special: ANY_TEXT,
    pointer: appendPointer("", name),
    what: `${name} of awkward text`,
    put: (plain) => withAwkwardParts(target, plain, parts),
    twin: (plain) => withAwkwardParts(target, plain, plainTwin(parts)),
  });
  const names = (of: "texts" | "maps") => [...new Set(samples.flatMap((parts) => Object.keys(parts[of])))];
  // At depth quick some of the texts, as the seed says; attributes hold them all anyway.
  const turn = settings.depth === "full" ? 0 : settings.seed % Math.max(every.length, 1);
  const most = settings.depth === "full" ? every.length : TEXTS_OF_A_FIELD;
  const chosen = [...every.slice(turn), ...every.slice(0, turn)].slice(0, most);
  const texts = names("texts").flatMap((name) =>
    [...chosen, ...(settings.depth === "full" ? drawn : [])].flatMap(({ texts }) =>
      texts[name] === undefined ? [] : [member({ texts: { [name]: texts[name] }, maps: {} }, name)],
    ),
  );
  // Attributes hold many texts at once: all of them in one body.
  const maps = names("maps").map((name) => {
    const [first = {}, ...others] = samples.flatMap(({ maps }) => (maps[name] ? [maps[name]] : []));
    const rest = others.flatMap((map, index) =>
      Object.entries(map)
        .filter(([key]) => index >= others.length - drawn.length || key === Object.keys(map)[0])
        .map(([key, text]) => [`${key} ${index + 2}`, text] as const),
    );
    return member({ texts: {}, maps: { [name]: { ...first, ...Object.fromEntries(rest) } } }, name);
  });
  return [...texts, ...maps];
}

/** Values as long and as many as their rules allow; empty values are shown as the service pleases, but for lists. */
async function edgeMembers({ target, operation }: Call): Promise<Member[]> {
  const body = operation.body ?? {};
  const edges: Edge[] = bodyEdges(body, await supplyFor(target, body)).filter(({ doubtful }) => !doubtful);
  return edges.flatMap(({ pointer, what, value }): Member[] => {
    const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    if (empty && !Array.isArray(value)) return [];
    const schema = target.spec.schemas.flatten(target.spec.schemas.at(body, pointer) ?? {});
    // An empty list of the service's own names may stand for all of them.
    if (empty && (schema["x-values-from"] || schema["x-references"])) return [];
    return [
      {
        special: empty ? EMPTY_LIST : AT_LIMITS,
        pointer,
        what: `${pointer.slice(1)} of ${what}`,
        put: (plain) => withValue(plain, pointer, value),
      },
    ];
  });
}

/** Of some differences, those within fields that carry a special value of a kind. */
export function within(differences: Difference[], { members }: SpecialStep, special: string): Difference[] {
  const pointers = members.filter((member) => member.special === special).map(({ pointer }) => pointer);
  return differences.filter(({ pointer }) =>
    pointers.some(
      (place) => pointer === place || pointer.startsWith(`${place}/`) || place.startsWith(`${pointer}/`),
    ),
  );
}
