import type { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import type { Answer } from "../../client/target.ts";
import { sampledFrom, sampledVersion } from "../../client/version-choice.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { CREDENTIAL_FAULTS, MISSING, withCredentialFault } from "../../generators/credentials.ts";
import { objectSent, withLargestPage } from "../../generators/request.ts";
import { spaceFaultsOf, withSpaceFault } from "../../generators/wrong-spaces.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { fieldAt, type JsonObject, pick } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import { fromOtherSpaces, inOtherSpace } from "../isolation/other-spaces.ts";
import { isSentAtQuick, spaceFaultsAtQuick } from "../shared/sampled-faults.ts";
import { plainFields } from "../shared/update-fields.ts";
import { sendUpdate } from "../shared/update-requests.ts";
import { otherValues } from "./bodies.ts";
import { readSettled, withLockedResource } from "./read-back.ts";
import {
  type AnsweredUpdate,
  type RejectedUpdate,
  rejectedUpdate,
  sendTogether,
  withSentBody,
} from "./rejected-between-reads.ts";

/** All rules sample the version by this name, so they share requests. */
export const REJECTED_UPDATES = "space";

/** Sends all updates that must be rejected, once for all probes. */
export function sendRejectedUpdates(call: Call): Promise<AnsweredUpdate[]> {
  const { target, operation, version } = call;
  return target.memoize(`rejected updates ${operation.id} ${version ?? "none"}`, async () =>
    sendTogether(call, [
      ...(call.sendsAll ? await faultyUpdates(call) : []),
      ...updatesWithoutSpace(call),
      ...updatesWithoutToken(call),
      ...fromOtherSpaces(call),
    ]),
  );
}

/** Sends accepted updates after rejected ones, which a faulty service may apply with the next one. */
export async function updatesAfterRejected(call: Call, answered: readonly AnsweredUpdate[]): Promise<void> {
  const { target, operation } = call;
  await withLockedResource(call, async (id) => {
    const plain = plainFields(target.spec, operation);
    const names = sampledFrom(target.settings.seed, `after rejected ${operation.id}`, plain);
    const body = await otherValues(call, {}, names);
    const update = (sent: JsonObject) => sendUpdate(call, id, sent);
    await update(body);
    await readSettled(call, id, pick(body, names));
    const inOtherSpace = answered.find(({ update }) => update.kind === "second")?.answer.plan;
    await update((inOtherSpace && objectSent(inOtherSpace)) ?? (await otherValues(call, {}, plain)));
    // A faulty service may ignore values that it showed before.
    await update(body);
  });
}

function isTogether(call: Call): boolean {
  const { target, operation, version } = call;
  return operation.kind === "update" && version === sampledVersion(target, operation, REJECTED_UPDATES);
}

/** Returns the answer to a fault that `sendRejectedUpdates` sends, if it sends it. */
export async function answerAmongRejected(call: Call, what: string): Promise<Answer | undefined> {
  if (!isTogether(call)) return undefined;
  const sent = await unlessNotTested(() => sendRejectedUpdates(call));
  return sent?.find(({ update }) => update.what === what)?.answer;
}

/** Sends updates from other spaces, together with other rejected ones if it can. */
export function updatesFromOtherSpaces(call: Call): Promise<AnsweredUpdate[]> {
  const { target, operation, version } = call;
  if (isTogether(call)) return sendRejectedUpdates(call);
  return target.memoize(`updates from other spaces ${operation.id} ${version ?? "none"}`, () =>
    sendTogether(call, fromOtherSpaces(call)),
  );
}

/**
 * Sends the request in a space that does not exist, once for all probes.
 * @throws NotTested if no well-formed space id can be made up
 */
export async function sendInUnknownSpace(call: Call): Promise<void> {
  const { target, operation, version } = call;
  if (operation.kind === "update") {
    const sent = await updatesFromOtherSpaces(call);
    if (sent.some(({ update }) => update.kind === "unknown")) return;
    throw new NotTested("no-data", "no other well-formed space id can be made up");
  }
  await target.memoize(`unknown space ${operation.id} ${version ?? "none"}`, async () =>
    call.send(inOtherSpace(target, withLargestPage(await call.fresh()), "unknown")),
  );
}

export interface RejectedUpdatesByFault {
  bodies: RejectedUpdate[];
  references: RejectedUpdate[];
  credentials: RejectedUpdate[];
  spaces: RejectedUpdate[];
  otherSpaces: RejectedUpdate[];
}

/** Returns the updates that must be rejected by their fault. */
export async function rejectedUpdates(call: Call): Promise<RejectedUpdatesByFault> {
  return {
    bodies: await faultyUpdates(call),
    references: await unknownReferences(call),
    credentials: updatesWithoutToken(call),
    spaces: updatesWithoutSpace(call),
    otherSpaces: fromOtherSpaces(call),
  };
}

/** Returns updates with a reference to nothing: other fields may be stored before it is found. */
async function unknownReferences(call: Call): Promise<RejectedUpdate[]> {
  const { target, operation } = call;
  const fields = target.spec.schemas
    .fields(operation.body)
    .filter(([, { "x-references": wanted }]) => wanted !== undefined);
  return fields.map(([name]) =>
    rejectedUpdate(call, "fault", `an unknown one of ${name}`, (plan, valid) => {
      const unknown = target.unique();
      const value = Array.isArray(valid[name]) ? [unknown] : unknown;
      return withSentBody(plan, { ...valid, [name]: value });
    }),
  );
}

/** Returns updates with one fault each, which must be rejected. */
async function faultyUpdates(call: Call): Promise<RejectedUpdate[]> {
  const { target, operation } = call;
  const { body = {} } = operation;
  const source = await call.valueSource();
  const { spec } = target;
  const judged = bodyViolations(body, source).filter(({ pointer, constraint }) => {
    const schema = spec.schemas.at(body, pointer);
    return !isOpen(spec, schema && spec.schemas.ownRequirement(schema, constraint));
  });
  const places = groupedBy(judged, ({ pointer, constraint }) =>
    call.sendsAll ? `${pointer} ${constraint}` : fieldAt(pointer),
  );
  return [...places.values()].map((faults, index) =>
    rejectedUpdate(call, "fault", faults[0]?.pointer.slice(1) ?? "", (plan, valid) => {
      const confirmed = faults.filter((fault) => isConfirmed(fault, valid, body, source));
      const sampled = confirmed[(Math.abs(target.settings.seed) + index) % Math.max(confirmed.length, 1)];
      return sampled && withSentBody(plan, sampled.breaking(valid));
    }),
  );
}

function updatesWithoutSpace(call: Call): RejectedUpdate[] {
  const { target, operation, sendsAll } = call;
  const { space } = operation;
  if (!space) return [];
  const own = target.settings.space;
  const faults = sendsAll ? spaceFaultsOf(space) : spaceFaultsAtQuick(target, operation, space);
  return faults.map((fault) =>
    rejectedUpdate(call, "fault", fault.title, (plan) => withSpaceFault(plan, own, space, fault)),
  );
}

/**
 * Returns updates with a missing or wrong token. The missing token comes last, because a service may remember
 * tokens. Some accept a token without `Bearer`.
 */
function updatesWithoutToken(call: Call): RejectedUpdate[] {
  const { target, operation, sendsAll } = call;
  const { settings, runId } = target;
  const faults = CREDENTIAL_FAULTS.filter(({ requirement }) => requirement !== "AUTH-BARE-TOKEN").filter(
    (fault) => sendsAll || isSentAtQuick(target, operation, fault),
  );
  return [...faults.filter((fault) => fault !== MISSING), MISSING].map((fault) =>
    rejectedUpdate(call, "token", fault.title, (plan) =>
      withCredentialFault(plan, settings.token, runId, fault),
    ),
  );
}
