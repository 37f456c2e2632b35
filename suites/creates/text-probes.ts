import type { Call } from "../../client/call.ts";
import type { Creation } from "../../client/creations.ts";
import { listOf } from "../../client/relations.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { isAccepted, isRejected, type Probe, type Target } from "../../client/target.ts";
import { sampledFrom, sampleNumber } from "../../client/version-choice.ts";
import { ATTRIBUTE } from "../../generators/map-names.ts";
import { cutToBytes } from "../../generators/text.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { triedParts } from "../shared/creation.ts";
import { type Declinable, freeMaps, freeTextFields, mixedMaps } from "../shared/echo.ts";
import { sendMalformedJson } from "../shared/malformed-json.ts";
import { oneVersionProbe, plainProbe, probeOf } from "../shared/sampled.ts";
import { readUntilListed } from "./listed.ts";

/** Sends texts of all kinds, and plain ones of equal length if they are rejected. */
export const anyText = probeOf("any text", "write", async (call) => {
  await call.control();
  const tried = await triedParts(call, ({ kind }) => kind === "text");
  for (const { part, creation } of tried)
    await findReason(call.under(creation.plan.version), creation, [part.field]);
});

/** Sends the text in all fields that take any text. */
export function textInEachField(
  operation: Operation,
  { detail, text }: { detail: string; text: string },
): Probe {
  return oneVersionProbe(`${detail} in`, operation, "provoke", async (call) => {
    await call.control();
    const changed = textEverywhere(call, text, await call.body());
    const creation = await createWith(call, changed);
    await findReason(call, creation, Object.keys(changed));
    const list = listOf(call.target.spec, operation);
    if (list && isAccepted(creation.answer)) await readUntilListed(call.target, list, [creation]);
  });
}

async function createWith(call: Call, changed: JsonObject): Promise<Creation> {
  return call.create({ ...(await call.body("full", 1)), ...changed }, { role: "probe" });
}

/** Sends plain texts of the length of rejected unusual ones: if rejected, too, the length is the reason. */
async function findReason(call: Call, { sent, answer }: Creation, names: string[]): Promise<void> {
  if (!isRejected(answer)) return;
  if (answer.json === undefined) await sendMalformedJson(call);
  await createWith(call, Object.fromEntries(names.map((name) => [name, plainTwin(sent[name])])));
}

/** Replaces texts by letters of the same length in bytes. */
export function plainTwin(value: unknown): unknown {
  if (typeof value === "string") return "a".repeat(Buffer.byteLength(value, "utf8"));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainTwin(inner)]));
}

/** Returns values with the text for all fields that take any text. */
export function textEverywhere(call: Call, text: string, valid: JsonObject): JsonObject {
  const { target, operation } = call;
  const body = operation.body ?? {};
  const texts = freeTextFields(target.spec, body).map(([name, bytes]): [string, unknown] => [
    name,
    `${target.unique()} ${cutToBytes(text, bytes).trim()}`,
  ]);
  const maps = freeMaps(target.spec, body).map((name): [string, unknown] => [
    name,
    { ...(isObject(valid[name]) ? valid[name] : {}), [ATTRIBUTE]: text },
  ]);
  return Object.fromEntries([...texts, ...maps]);
}

/** Sends the values of a group together, and each alone if that is rejected. */
export function declinableValuesSent(operation: Operation, groups: Declinable[][], index: number): Probe {
  const group = groups[index] ?? [];
  return plainProbe(`declinable values ${index} of`, operation, "write", async (call) => {
    const isSampled = !call.sendsAll;
    if (isSampled && index !== sampledGroup(call.target, operation, groups)) return;
    await call.control();
    const send = async (values: Declinable[]): Promise<void> => {
      const creation = await createWith(
        call,
        Object.fromEntries(values.map(({ name, value }) => [name, value])),
      );
      if (isAccepted(creation.answer) || values.length === 1) return;
      await sideBySide(values, (value) => send([value]));
    };
    await send(isSampled ? withMapsOfAllGroups(group, groups.flat()) : group);
  });
}

/** Returns the index of the group for depth quick: for one operation, texts with blanks to be trimmed. */
function sampledGroup(
  { spec, settings: { seed } }: Target,
  operation: Operation,
  groups: Declinable[][],
): number {
  const [blank] = sampledFrom(seed, "blanks", operationsWithBody(spec, "create"));
  const isMeant = (group: Declinable[]) => operation !== blank || group.some(({ trimmed }) => trimmed);
  const fitting = groups.flatMap((group, index) => (isMeant(group) ? [index] : []));
  const places = fitting.length > 0 ? fitting : [...groups.keys()];
  return places[sampleNumber(seed, `declinable values of ${operation.key}`) % places.length] ?? 0;
}

/** Returns the group with the map entries of all groups, because depth quick sends only this one. */
function withMapsOfAllGroups(group: readonly Declinable[], all: readonly Declinable[]): Declinable[] {
  const maps = mixedMaps(all);
  const others = maps.filter(({ name }) => !group.some((each) => each.name === name));
  const extended = group.map((each) => {
    const map = maps.find(({ name }) => name === each.name);
    return map && isObject(each.value) ? { ...each, value: { ...map.value, ...each.value } } : each;
  });
  return [...extended, ...others];
}
