/** Judges if a valid part of a body was accepted as sent. */

import type { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { takesThePlainest } from "../../client/controls.ts";
import { unknownValue } from "../../client/supply.ts";
import { isAccepted, isRejected, isServerError } from "../../client/target.ts";
import { withBody } from "../../generators/request.ts";
import { nameOf, type Part } from "../shared/body-parts.ts";
import { type TriedPart, triedParts } from "../shared/creation.ts";
import { isForeign } from "../shared/foreign-rejection.ts";

/** @throws Violation if the part was rejected under one of its versions; Untestable if no value is known for it */
export async function mustBeTakenAsSent(call: Call, { kind, pointer, what, field }: Part): Promise<void> {
  const { target, operation } = call;
  const tried = await triedParts(
    call,
    (part) => part.kind === kind && part.pointer === pointer && part.what === what,
  );
  if (tried.length === 0) throw unknownValue(target.spec, operation, field);
  for (const each of tried) await mustBeTaken(call.under(each.creation.version), each);
}

/** @throws Untestable unless a valid body is accepted: a full one, or else a minimal one */
export async function plainOrPlainest(call: Call): Promise<void> {
  const { target, operation, version } = call;
  const answer = await call.controlAnswer();
  if (isRejected(answer) && (await takesThePlainest(target, operation, version))) return;
  call.controlAccepted(answer, `a valid ${operation.key}`);
}

/** @throws Violation if a valid part was rejected, and the service had no reason of its own */
async function mustBeTaken(call: Call, tried: TriedPart): Promise<void> {
  const { part, creation, doubtful } = tried;
  const { answer } = creation;
  if (isAccepted(answer)) return call.mustShow(answer);
  await call.versionAccepted();
  if (await isForeign(call, answer))
    throw new Untestable("declined", "it was turned away, and not by the service", [answer]);
  if (doubtful && !isServerError(answer)) await mustMindTheNumber(call, tried);
  call.mustAccept(answer, nameOf(part));
}

/**
 * Returns if a short list with a repeated name is accepted: then the number of elements is the reason for the
 * rejection. @throws Untestable otherwise
 */
async function mustMindTheNumber(call: Call, { part, creation }: TriedPart): Promise<void> {
  const { schemas } = call.target.spec;
  const { sent, answer } = creation;
  const value = sent[part.field];
  const invented = (await call.supply()).known;
  const repeated = Array.isArray(value)
    ? value.find((name, index) => value.indexOf(name) !== index)
    : undefined;
  if (repeated !== undefined && Array.isArray(value) && value.length > 2) {
    const fewer = { ...(await call.body()), [part.field]: [repeated, repeated] };
    if (isAccepted(await call.send(withBody(await call.valid(), fewer)))) return;
  }
  const schema = schemas.at(call.operation.body ?? {}, `/${part.field}`);
  const fixture = schema && schemas.flatten(schema)["x-values-from"]?.fixture;
  const reason = fixture !== undefined && invented(fixture).length === 0 ? "no-fixture" : "declined";
  throw new Untestable(reason, `${nameOf(part)} needs more names than are known`, [answer]);
}
