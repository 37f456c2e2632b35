import type { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { controlAccepted, withResourceWriteLock } from "../../client/controls.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, isRejected, type Probe } from "../../client/target.ts";
import { unknownValue } from "../../client/value-source.ts";
import { sampledFrom, sampledVersion, sampleNumber, sendsAll } from "../../client/version-choice.ts";
import { type BodyFault, bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { longTexts, type OpenValue } from "../../generators/open-values.ts";
import { objectSent, withBody, withHeaders } from "../../generators/request.ts";
import type { ValueSource } from "../../generators/values.ts";
import { inventedNames } from "../../history/creates/invented-names.ts";
import { fieldAt } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { bursts } from "../idempotency/probes.ts";
import { keyedCreates } from "../idempotency/targets.ts";
import type { BodyPart } from "../shared/body-parts.ts";
import { fullCreation, minimalCreation, type TriedPart, triedParts } from "../shared/creation.ts";
import { minimalAgain } from "../shared/creation-again.ts";
import { sendMalformedJson } from "../shared/malformed-json.ts";
import { itemsProbe, plainProbe, probeOf, rejectedProbe, sampledProbe } from "../shared/sampled.ts";
import { halfOfFields } from "../shared/update-fields.ts";
import { type FieldTarget, isOptionalNull, requiresAny, testedAt, type WholeTarget } from "./targets.ts";

/** Sends texts that are no JSON object, or JSON under another content type. */
export function wholeBodies({ operation, fault }: WholeTarget): Probe {
  const { rule, texts, alike = [], contentType } = fault;
  return rejectedProbe(rule, operation, Object.entries(texts), async (call, [name, broken]) => {
    const { target } = call;
    const isSent = () => sampledFrom(target.settings.seed, operation.key, alike).includes(name);
    if (alike.includes(name) && !sendsAll(target) && !isSent()) return;
    await call.control();
    const plan = await call.fresh();
    const sent = broken(JSON.stringify(objectSent(plan) ?? {}));
    if (sent === "" && !requiresAny(target.spec, operation)) return;
    await call.send({
      ...plan,
      body: { kind: "text", text: sent, contentType: contentType ?? "application/json" },
    });
  });
}

/** Sends a body whose Content-Type names the charset UTF-8, which changes nothing. */
export function charset(operation: Operation): Probe {
  return itemsProbe("charset", operation, [WITH_CHARSET], async (call, headers) => {
    if (operation.kind === "create") {
      await call.versionAccepted();
      await call.plain("minimal");
      await minimalAgain(call);
    } else {
      await call.control();
      await call.send(withHeaders(await call.fresh(), headers), "accepted");
    }
  });
}

const WITH_CHARSET = { "content-type": "application/json; charset=utf-8" };

/** Sends a valid body without a Content-Type. */
export const noContentType = probeOf("no content type", "write", async (call) =>
  call.send(withHeaders(await call.fresh(), { "content-type": null })),
);

/** Sends an update with an empty object. */
export function emptyUpdate(operation: Operation): Probe {
  return itemsProbe("empty", operation, [{}], async (call, body) => {
    await call.versionAccepted();
    await call.send(withBody(await call.valid(), body), "create");
  });
}

/** Sends bodies that break one rule of one field, and after an accepted null one without the field. */
export function brokenFields(target: FieldTarget): Probe {
  const { operation, detail } = target;
  return rejectedProbe(`broken ${detail}`, operation, [target], async (call, at) => {
    await call.control();
    // Valid updates come first, because later they would hide side effects of rejected ones.
    if (operation.kind === "update") await unlessNotTested(() => triedParts(call, () => true));
    const source = await call.valueSource();
    let sent = 0;
    for (const fault of sampledFaults(call, faultsAt(call, at, source), at)) {
      call.target.exercised(`${operation.key} ${detail}`, "violating");
      const answer = await sendFaulty(call, at, source, fault);
      if (!answer) continue;
      sent++;
      if (isOptionalNull(at) && isAccepted(answer)) await sendWithoutNull(call, at);
    }
    if (sent === 0) throw new NotTested("no-data", `no body is known that breaks ${detail} and nothing else`);
  });
}

/** Returns the ways to break this constraint of the field, with invented values if the known ones give none. */
function faultsAt(
  { target: { spec } }: Call,
  { body, pointer, constraint }: FieldTarget,
  source: ValueSource,
) {
  const field = pointer === "" ? undefined : fieldAt(pointer);
  const breaking = (from: ValueSource) =>
    bodyViolations(body, from, field).filter((fault) => {
      const at = testedAt(spec, body, fault);
      return at.pointer === pointer && at.constraint === constraint;
    });
  const known = breaking(source);
  return known.length > 0 ? known : breaking({ ...source, known: inventedNames });
}

/** Picks the nearest value beyond a limit: a service that accepts a farther one accepts it, too. */
function sampledFaults(call: Call, faults: BodyFault[], { constraint, pointer }: FieldTarget): BodyFault[] {
  const { target, operation } = call;
  const sample = sampleNumber(target.settings.seed, `${operation.key} ${pointer}`);
  const one = (all: BodyFault[]) => all.filter((_, index) => index === sample % all.length);
  if (call.sendsAll && call.isDefaultVersion) return faults;
  if (constraint.startsWith("max") || constraint.startsWith("min")) return faults.slice(0, 1);
  if (!call.sendsAll && (constraint === "enum" || constraint === "format"))
    return [
      ...faults.filter(({ isNearMiss }) => !isNearMiss),
      ...one(faults.filter(({ isNearMiss }) => isNearMiss === true)),
    ];
  const outside = faults.filter(({ within }) => within === undefined);
  const inside = faults.filter(({ within }) => within !== undefined);
  const some = call.sendsAll ? one(outside) : [...outside.slice(0, 1), ...one(outside.slice(1))];
  return [...some, ...one(inside)];
}

/**
 * Sends the faulty body, after a valid one that is as near to it as possible.
 * @throws NotTested if the valid one is rejected.
 */
async function sendFaulty(call: Call, at: FieldTarget, source: ValueSource, fault: BodyFault) {
  const valid = await call.body();
  if (!isConfirmed(fault, valid, at.body, source)) return undefined;
  if (fault.twin) {
    const isNearest = ({ kind, pointer, constraint }: BodyPart) =>
      kind === "edge" && pointer === at.pointer && constraint === at.constraint;
    const [tried] = await triedParts(call, isNearest);
    // Unique values must not be repeated, so this body is a new one.
    const nearest = withBody(await call.valid(), fault.twin(await call.body()));
    controlAccepted(
      tried?.creation.answer ?? (await call.send(nearest, "control")),
      "the nearest valid body",
    );
  }
  return call.send(withBody(await call.valid(), fault.breaking(valid)));
}

/** Sends the body without the field, because a service may treat null as a missing field. */
async function sendWithoutNull(call: Call, { pointer }: FieldTarget): Promise<void> {
  const { target, operation } = call;
  const name = fieldAt(pointer);
  if (operation.kind === "create") {
    const { [name]: _, ...without } = await call.body();
    await call.send(withBody(await call.valid(), without));
    return;
  }
  await withResourceWriteLock(target, operation, async () => {
    const plan = await call.fresh();
    const sent = objectSent(plan) ?? {};
    await sendBody(target, plan, "probe");
    await sendBody(target, withBody(plan, { ...sent, [name]: null }), "probe");
  });
}

/** Most services accept these values, so after a rejection they are sent separately. */
const LIKELY_ACCEPTED: ReadonlySet<string> = new Set(["CREATE-UNKNOWN-FIELDS", "CREATE-EMPTY-TEXT"]);

/** Sends several values that a service may reject in one body, and each alone if that body is rejected. */
export function openBodies(operation: Operation, all: OpenValue[]): Probe {
  const send = async (call: Call, opens: OpenValue[]): Promise<void> => {
    const body = opens.reduce((sent, open) => open.change(sent), await call.body("minimal"));
    const answer = await call.send(withBody(await call.valid(), body));
    if (isAccepted(answer) || opens.length === 1) return;
    const likely = opens.filter(({ requirement }) => LIKELY_ACCEPTED.has(requirement));
    const isMixed = likely.length > 0 && likely.length < opens.length;
    const first = isMixed ? likely : opens.slice(0, Math.ceil(opens.length / 2));
    await send(call, first);
    await send(
      call,
      opens.filter((open) => !first.includes(open)),
    );
  };
  return plainProbe("open values", operation, "write", async (call) => {
    await call.control();
    await send(call, all);
  });
}

/** Sends texts that are much longer than usual, though the specification names no limit. */
export const longBodies = probeOf("long texts", "write", async (byDefault) => {
  const { target } = byDefault;
  const call = byDefault.under(sampledVersion(target, byDefault.operation, "long texts"));
  await call.control();
  const valid = await call.body("minimal");
  for (const texts of longTexts(target.spec, byDefault.operation, target.runId)) {
    const fields = Object.fromEntries(texts.map(({ field, text }) => [field, text]));
    const answer = await call.send(withBody(await call.valid(), { ...valid, ...fields }));
    if (isAccepted(answer)) return;
  }
});

/** Sends a create with the required or all fields, and another one if it is rejected. */
export function extentSent(create: Operation, extent: "minimal" | "full"): Probe {
  return sampledProbe(`${extent} create`, create, "write", async (call) => {
    await call.versionAccepted();
    // The rejected body may hold an unknown value, so another follows.
    if (extent === "full" && isRejected((await call.underDefaultVersion.plain("full")).answer)) {
      await call.underDefaultVersion.create(await call.body("full"), { role: "probe" });
      await sendPlain(call.underDefaultVersion, "minimal");
    }
    const { plan, answer } = await (extent === "full" ? fullCreation : minimalCreation)(call);
    // The version or a quota may be the reason for the rejection.
    if (isRejected(answer)) await sendPlain(call.under(plan.version), extent === "full" ? "minimal" : "full");
  });
}

/** Sends some of the fields. For keyed creates, the burst does so. */
export function someSent(create: Operation): Probe {
  const [keyed] = keyedCreates({ operations: [create] });
  if (keyed) return bursts(keyed.operation);
  return plainProbe("some fields of", create, "write", async (call) => {
    await call.control();
    const body = halfOfFields(call.target.spec, create, await call.body(), call.target.settings.seed);
    const answer = await call.send(withBody(await call.valid(), body), "create");
    if (isRejected(answer)) await sendPlain(call, "full");
  });
}

/** Sends a body with the special value, and looks for another reason if it is rejected. */
export function partSent(operation: Operation, { kind, pointer, what, field, constraint }: BodyPart): Probe {
  const isMeant = (part: BodyPart) => part.kind === kind && part.pointer === pointer && part.what === what;
  return plainProbe(`${kind} ${what} in ${pointer} of`, operation, "write", async (call) => {
    const { target } = call;
    if (isRejected(await call.controlAnswer())) await call.acceptsPlainest();
    target.exercised(`${operation.key} body${pointer} ${constraint ?? kind}`, "valid");
    const tried = await triedParts(call, isMeant);
    if (tried.length === 0) throw unknownValue(target.spec, operation, field);
    for (const each of tried) await findReason(call.under(each.creation.plan.version), each);
  });
}

/** Sends a plain body after the part was rejected, which shows whether the part was the reason. */
async function findReason(call: Call, { part: { field }, creation, doubtful }: TriedPart): Promise<void> {
  const { sent, answer } = creation;
  if (!isRejected(answer)) return;
  await call.versionAccepted();
  if (call.operation.kind === "create") await sendPlain(call, "full");
  if (answer.json === undefined) await sendMalformedJson(call);
  const value = sent[field];
  if (!doubtful || !Array.isArray(value) || value.length < 3) return;
  const repeated: unknown = value.find((name, index) => value.indexOf(name) !== index);
  if (repeated === undefined) return;
  const fewer = { ...(await call.body()), [field]: [repeated, repeated] };
  await call.send(withBody(await call.valid(), fewer));
}

async function sendPlain(call: Call, extent: "minimal" | "full"): Promise<void> {
  const { target, operation, version } = call;
  const { accepted, rejected } = target.history().creates(operation);
  const last = rejected.at(-1)?.entry.ended ?? 0;
  if (accepted.some(({ entry }) => entry.version === version && entry.begun > last)) return;
  await call.create(await call.body(extent), { role: "probe" });
}
