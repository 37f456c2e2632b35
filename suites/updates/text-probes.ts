/**
 * Updates with unusual texts, and with values at the limits of their rules. They are sent together, one to a
 * field, in few bodies. If such a body is rejected, each is sent alone.
 */

import type { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { isAccepted, isRejected } from "../../client/target.ts";
import type { Difference } from "../../history/differences.ts";
import { appendPointer, isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { plainTwin, textEverywhere } from "../creates/text-probes.ts";
import { nameOf, type Part, partsOf } from "../shared/body-parts.ts";
import { planningSupply } from "../shared/creation.ts";
import { declinableValues, specials, takesText } from "../shared/echo.ts";
import { isForeign } from "../shared/foreign-rejection.ts";
import { onUnrelated } from "./unrelated.ts";
import { otherBody, type Step, type StepPlan, updatesInTurn } from "./update.ts";
import { updatesOf } from "./updating.ts";

export const ANY_TEXT = "any text";
const AT_LIMITS = "at the limits";
const EMPTY_LIST = "empty list";

/** A special value of one field. */
interface Member {
  /** The kind of the value: any text, at the limits, an empty list, or the value that may be declined. */
  special: string;
  /** JSON pointer of the field within the body. */
  pointer: string;
  what: string;
  put(body: JsonObject): JsonObject;
  /** True if a careful service may trim the value. */
  trimmed?: boolean;
  /** True if the specification leaves the result open. */
  free?: boolean;
  /**
   * For a text, the body with plain letters of the same length. If this is rejected too, the length is the
   * reason.
   */
  twin?(body: JsonObject): JsonObject;
}

/** An update with special values: its step, and the values at their fields. */
export interface SpecialStep {
  members: Member[];
  step: Step;
  /** If a text was rejected alone, the answer to plain text of the same length. */
  twin?: Step;
}

/** Sends the special updates of an operation under the call's version. */
export function specialUpdates(call: Call): Promise<SpecialStep[]> {
  const { target, operation, version } = call;
  return target.once(`special updates ${operation.id} ${version}`, async () =>
    updatesOfMembers(call, await specialMembers(call)),
  );
}

/** Sends updates with values that a service may decline. */
export function declinableUpdates(call: Call): Promise<SpecialStep[]> {
  const { target, operation } = call;
  return target.once(`declinable updates ${operation.id}`, () =>
    updatesOfMembers(call, drawn(call, declinableMembers(target.spec, operation)), { blind: true }),
  );
}

/**
 * At depth quick, every second of the texts, beginning with the one that the seed picks. Other values are all
 * sent, because a service that keeps text may still lose them.
 */
function drawn({ target: { spec, settings }, operation: { body = {} } }: Call, all: Member[]): Member[] {
  if (settings.depth === "full") return all;
  const isText = ({ pointer, put }: Member) => {
    const name = pointer.slice(1);
    const plain = spec.schemas.flatten(body).properties?.[name];
    const usual = plain && spec.schemas.flatten(plain)["x-send"];
    const value = put({})[name];
    return !isObject(value) || usual === undefined || spec.schemas.validate(usual, value).length === 0;
  };
  const texts = all.filter(isText);
  return all.filter((each) => !isText(each) || (texts.indexOf(each) + settings.seed) % 2 === 0);
}

/** Updates every field of free text, and every map of attributes, with one text. */
export function suspectUpdates(
  call: Call,
  { detail, text }: { detail: string; text: string },
): Promise<SpecialStep[]> {
  const { target, operation, version } = call;
  const fields = Object.keys(textEverywhere(call, text, {}));
  const members = fields.map((field): Member => {
    const put = (plain: JsonObject) => ({
      ...plain,
      [field]: textEverywhere(call, text, plain)[field],
    });
    const twin = (plain: JsonObject) => ({ ...plain, [field]: plainTwin(put(plain)[field]) });
    return { special: ANY_TEXT, pointer: appendPointer("", field), what: detail, put, twin };
  });
  return target.once(`${detail} in ${operation.id} ${version}`, () => updatesOfMembers(call, members));
}

/** Values that a service may decline, each with its field. */
export function declinableMembers(spec: Spec, { body = {} }: Operation): Member[] {
  return declinableValues(spec, body).map(({ detail, name, value, trimmed = false, free = false }) => ({
    trimmed,
    free,
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
  return onUnrelated(call, async (id) => {
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

/**
 * Groups the members into as few bodies as possible, with each field once in a body. The first body has no empty
 * list: if the list was empty before, the update would show nothing.
 */
function together(members: Member[]): Member[][] {
  const byField = new Map<string, (Member | undefined)[]>();
  for (const member of members) {
    const [, field = ""] = member.pointer.split("/");
    byField.set(field, [...(byField.get(field) ?? []), member]);
  }
  for (const [field, own] of byField) {
    const empty = own.filter((member) => member?.special === EMPTY_LIST);
    const others = own.filter((member) => member?.special !== EMPTY_LIST);
    if (empty.length > 0) byField.set(field, [...(others.length > 0 ? others : [undefined]), ...empty]);
  }
  const most = Math.max(0, ...[...byField.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => [...byField.values()].flatMap((own) => own[index] ?? []));
}

/**
 * Values of all kinds: unusual texts for every field of free text, and values at the limits of their rules.
 */
async function specialMembers(call: Call): Promise<Member[]> {
  const { target, operation } = call;
  const { spec, settings } = target;
  const parts = partsOf(spec, operation, planningSupply(spec), settings.seed);
  const supply = await call.supply();
  return parts.flatMap((part) => {
    const special = specialOf(part);
    if (special === undefined || part.put({}, supply) === undefined || part.isDoubtful(supply)) return [];
    const put = (plain: JsonObject) => part.put(plain, supply) ?? plain;
    const twin = (plain: JsonObject) => ({ ...plain, [part.field]: plainTwin(put(plain)[part.field]) });
    const member: Member = { special, pointer: part.pointer, what: nameOf(part), put };
    return [special === ANY_TEXT ? { ...member, twin } : member];
  });
}

/** The kind of a part of a body. The specification leaves the result of an empty object open. */
function specialOf({ kind, what }: Part): string | undefined {
  if (kind === "text") return ANY_TEXT;
  if (kind !== "edge" || what.endsWith("an empty object")) return undefined;
  return what === "minItems 0 elements" ? EMPTY_LIST : AT_LIMITS;
}

/** The differences in fields with a special value of one kind. */
export function within(differences: Difference[], { members }: SpecialStep, special: string): Difference[] {
  const pointers = members.filter((member) => member.special === special).map(({ pointer }) => pointer);
  return differences.filter(({ pointer }) =>
    pointers.some(
      (place) => pointer === place || pointer.startsWith(`${place}/`) || place.startsWith(`${pointer}/`),
    ),
  );
}

/** @throws Violation if a text was rejected alone, and plain text of the same length was accepted */
export async function mustTakeTexts(call: Call, texts: SpecialStep[]): Promise<void> {
  for (const { step, twin } of texts) {
    if (!isRejected(step.answer) || !twin) continue;
    if (await isForeign(call, step.answer))
      throw new Untestable("declined", "the text was turned away, and not by the service", [step.answer]);
    call.controlAccepted(twin.answer, "plain text of the same length");
    call.mustAccept(step.answer, "legal text");
  }
}

export function specialPlaces(spec: Spec) {
  return updatesOf(spec).flatMap(({ operation }) => [
    ...(takesText(spec, operation) ? [{ operation, detail: ANY_TEXT, title: "with any characters" }] : []),
    ...specials(spec, operation.body ?? {}).map(({ detail, title }) => ({ operation, detail, title })),
  ]);
}
