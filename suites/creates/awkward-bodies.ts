/**
 * Sends creates with texts that real services damage, reject or crash on, and reduces each fault to its
 * smallest text.
 */

import { Call } from "../../client/call.ts";
import { Untestable, Violation } from "../../client/check.ts";
import { type Creation, create } from "../../client/creations.ts";
import { listOf } from "../../client/relations.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../../client/target.ts";
import { controlAccepted, mustAccept } from "../../client/verdicts.ts";
import { cutToBytes } from "../../generators/text.ts";
import { ATTRIBUTE } from "../../generators/values.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { mustHaveMade, type TriedPart } from "../shared/creation.ts";
import { type Declinable, freeMaps, freeTextFields } from "../shared/echo.ts";
import { isForeign } from "../shared/foreign-rejection.ts";
import { mustEcho, shownInAnswer } from "./echoed.ts";
import { listed } from "./listed.ts";

async function createWith(call: Call, changed: JsonObject): Promise<Creation> {
  const { target, operation, version } = call;
  const sent = { ...(await call.body("full", 1)), ...changed };
  return create(target, operation, version, sent, { role: "probe" });
}

/** @throws Untestable (declined) if a proxy rejected the text, and not the service */
export async function mustBeTheService(call: Call, answer: Answer): Promise<void> {
  if (await isForeign(call, answer))
    throw new Untestable("declined", "the text was turned away, and not by the service", [answer]);
}

/**
 * @throws Violation if legal text is rejected although plain text of the same length is accepted, or if it is not
 * shown
 */
async function mustTakeText(target: Target, creation: Creation, plain: JsonObject): Promise<void> {
  const { operation, version, answer } = creation;
  if (isRejected(answer)) {
    const call = new Call(target, operation, version);
    await mustBeTheService(call, answer);
    const twin = await createWith(call, plain);
    controlAccepted(twin.answer, "plain text of the same length");
  }
  mustAccept(answer, "legal text");
  mustHaveMade(target, creation);
  const shown = shownInAnswer(creation);
  if (shown) await mustEcho(target, creation, shown);
}

/** The value with plain letters of the same number of bytes in place of each text. */
export function plainTwin(value: unknown): unknown {
  if (typeof value === "string") return "a".repeat(Buffer.byteLength(value, "utf8"));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainTwin(inner)]));
}

function twinOf(sent: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, plainTwin(sent[name])]));
}

/**
 * Judges texts that were sent in packs. Each piece of a faulty pack is sent alone, and the first that fails
 * is reported.
 */
export async function mustTakeTexts(target: Target, tried: TriedPart[]): Promise<void> {
  if (tried.length === 0) throw new Untestable("no-data", "the body takes no free text");
  for (const { part, creation } of tried) {
    const { operation, answer, sent } = creation;
    try {
      if (isAccepted(answer)) {
        mustHaveMade(target, creation);
        const shown = shownInAnswer(creation);
        if (shown) await mustEcho(target, creation, shown, { part });
      } else await mustTakeText(target, creation, twinOf(sent, [part.field]));
    } catch (error) {
      if (error instanceof Violation)
        await tellPiece(new Call(target, operation), part.field, part.pieces ?? []);
      throw error;
    }
  }
}

async function tellPiece(call: Call, field: string, pieces: string[]): Promise<void> {
  const { target } = call;
  for (const piece of pieces) {
    const sent = { [field]: `${target.unique()} ${piece}` };
    try {
      await mustTakeText(target, await createWith(call, sent), twinOf(sent, [field]));
    } catch (error) {
      if (!(error instanceof Violation)) return;
      throw new Violation(
        error.expected,
        `${error.actual} (smallest case: ${JSON.stringify(piece)})`,
        error.evidence,
        { counterexample: { path: "", value: piece }, difference: error.difference },
      );
    }
  }
}

/**
 * The changes to a valid body that put a text in every field of free text, and in every map of attributes.
 */
export function textEverywhere(call: Call, text: string, valid: JsonObject): JsonObject {
  const { target, operation } = call;
  const body = operation.body ?? {};
  const texts = freeTextFields(target.spec, body).map(([name, bytes]): [string, unknown] => [
    name,
    `${target.unique()} ${cutToBytes(text, bytes)}`,
  ]);
  const maps = freeMaps(target.spec, body).map((name): [string, unknown] => [
    name,
    { ...(isObject(valid[name]) ? valid[name] : {}), [ATTRIBUTE]: text },
  ]);
  return Object.fromEntries([...texts, ...maps]);
}

/**
 * @throws Violation if the service rejects a text that is put in every possible place of a create, or does
 * not show it
 */
export async function mustTakeEverywhere(call: Call, text: string): Promise<void> {
  const { target, operation } = call;
  const valid = await call.body();
  const changed = textEverywhere(call, text, valid);
  const creation = await createWith(call, changed);
  await mustTakeText(target, creation, twinOf(changed, Object.keys(changed)));
  const list = listOf(target.spec, operation);
  const [found] = list ? await listed(target, list, [creation]) : [];
  const { item, page = creation.answer } = found ?? {};
  if (list && item) await mustEcho(target, creation, { resource: item, by: list, exchange: page.exchange });
}

/** The results of values for different fields, sent together; one by one if the service rejects them. */
export async function triedDeclinables(
  call: Call,
  values: Declinable[],
): Promise<{ declinable: Declinable; creation: Creation }[]> {
  const sent = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  const creation = await createWith(call.usual, sent);
  if (isAccepted(creation.answer) || values.length === 1)
    return values.map((declinable) => ({ declinable, creation }));
  return (await Promise.all(values.map((declinable) => triedDeclinables(call, [declinable])))).flat();
}
