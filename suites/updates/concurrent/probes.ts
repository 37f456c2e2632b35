import type { Call } from "../../../client/call.ts";
import { makerOf } from "../../../client/relations.ts";
import { isAccepted, SIMULTANEOUS } from "../../../client/target.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import { type JsonObject, omit, pick } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { rotated } from "../../../spec/ordered.ts";
import { probeOf } from "../../shared/sampled.ts";
import { plainFields } from "../../shared/update-fields.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherValues } from "../bodies.ts";
import { readBack, readerOf, readSettled, withLockedResource } from "../read-back.ts";
import { lastShownIn } from "../shown-values.ts";
import { onOtherVersion, onUnrelated } from "../walk/unrelated.ts";

/** Sends updates of two fields at the same time, one field with two values. */
export async function sendConcurrently(call: Call): Promise<void> {
  const { target, operation } = call;
  const fields = fieldsSentAlone(target.spec, operation);
  if (fields.length === 0) return;
  await withLockedResource(call, async (id) => {
    // Values equal to the present ones would hide a lost update.
    const values = await otherValues(call, lastShownIn(call, id), fields);
    const rival = await otherValues(call, values, fields);
    const inTurn = rotated(fields, target.settings.seed);
    // Services may reorder lists: another order shows no lost update.
    const showsItsUpdate = (name: string) =>
      !sameFieldValue(values[name], rival[name]) &&
      [values, rival].every((each) =>
        target.history().isPlainlyValid(operation, onlyWith(each, fields, name)),
      );
    const contested = inTurn.find(showsItsUpdate) ?? inTurn[0] ?? "";
    const names = [contested, ...inTurn.filter((name) => name !== contested).slice(0, 1)];
    const bodies = [
      ...names.map((name) => onlyWith(values, fields, name)),
      onlyWith({ ...values, [contested]: rival[contested] }, fields, contested),
    ];
    const update = (body: JsonObject) => sendUpdate(call, id, body, SIMULTANEOUS);
    // The read begins first: a service may cache its answer.
    const reader = readerOf(target.spec, operation);
    const read =
      reader?.kind === "read"
        ? target.send(call.to(reader).requestAt(id), { role: "read back", valid: true })
        : undefined;
    const [, answers] = await Promise.all([read, Promise.all(bodies.map(update))]);
    // Two updates send the contested field, so either value may show.
    const accepted = names.filter(
      (name, index) => name !== contested && answers[index] && isAccepted(answers[index]),
    );
    const resource = await readSettled(call, id, pick(values, accepted));
    // A faulty service may keep the resource locked, so one more update follows.
    const later = onlyWith(await otherValues(call, { ...values, ...resource }, fields), fields, contested);
    await sendUpdate(call, id, later);
  });
}

/** Returns fields that an update can send alone: none for a PUT, and no secrets, which answers may mask. */
export function fieldsSentAlone(spec: Spec, operation: Operation): string[] {
  if (operation.method === "PUT") return [];
  const isSecret = (name: string) => spec.schemas.holdsSecret(spec.schemas.field(operation.body, name));
  return plainFields(spec, operation).filter((name) => !isSecret(name));
}

function onlyWith(values: JsonObject, optional: string[], name: string): JsonObject {
  return omit(
    values,
    optional.filter((other) => other !== name),
  );
}

/** Updates two fields of new resources in turn: a late write may lose the first, which other reads would hide. */
export const updatesInTurn = probeOf("updates in turn", "burst", async (call) => {
  const { target, operation } = call;
  const [field] = rotated(fieldsSentAlone(target.spec, operation), target.settings.seed);
  if (field === undefined || makerOf(target.spec, operation) === undefined) return;
  await withLockedResource(call, (first) => updateOthersToo(call, first, field));
});

/** Updates several resources before any is read, because a service may mix them up. */
async function updateOthersToo(call: Call, first: string, field: string): Promise<void> {
  const reader = readerOf(call.target.spec, call.operation);
  const updateAll = async (ids: string[]) => {
    const bodies: [id: string, body: JsonObject][] = [];
    for (const id of ids) bodies.push([id, await otherValues(call, lastShownIn(call, id), [field])]);
    for (const [id, body] of bodies) await sendUpdate(call, id, body);
    // Only single reads follow here, because lists are read at the end of the run.
    if (reader?.kind === "read") for (const id of ids) await readBack(call, id);
  };
  await onUnrelated(call, (second) =>
    reader?.kind === "list"
      ? onOtherVersion(call, (third) => updateAll([first, second, third]))
      : updateAll([first, second]),
  );
}
