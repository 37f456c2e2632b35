import type { Call } from "../../client/call.ts";
import { isRejected, type Probe } from "../../client/target.ts";
import { unknownValue } from "../../client/value-source.ts";
import { withBody } from "../../generators/request.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { bursts } from "../idempotency/probes.ts";
import { keyedCreates } from "../idempotency/targets.ts";
import type { BodyPart } from "../shared/body-parts.ts";
import { fullCreation, minimalCreation, type TriedPart, triedParts } from "../shared/creation.ts";
import { sendMalformedJson } from "../shared/malformed-json.ts";
import { plainProbe, sampledProbe } from "../shared/sampled.ts";
import { halfOfFields } from "../shared/update-fields.ts";

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
