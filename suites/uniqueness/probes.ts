import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { type Creation, idOf } from "../../client/creations.ts";
import { updateOf } from "../../client/relations.ts";
import { anotherParent, createdId, outerPath, sendFullCreate } from "../../client/resources.ts";
import { isAccepted, type Probe, SIMULTANEOUS, type Target } from "../../client/target.ts";
import { defaultVersion } from "../../client/version-choice.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { NO_SECOND_SPACE } from "../../history/result.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { burst, burstVersion, repeatableBody } from "../idempotency/probes.ts";
import { acceptedCreations, minimalCreation } from "../shared/creation.ts";
import { minimalAgain } from "../shared/creation-again.ts";
import type { FieldTarget } from "../shared/history-rule.ts";
import { oneVersionProbe, plainProbe, probeOf, sampledProbe } from "../shared/sampled.ts";
import { plainFields, requiredAnd } from "../shared/update-fields.ts";
import { acceptedUpdate, sendUpdate } from "../shared/update-requests.ts";
import { readSettled, withLockedResource } from "../updates/read-back.ts";
import type { WithoutTarget } from "./targets.ts";

/** Sends a taken value again: with the same body, another one, under another version and another parent. */
export function secondUses({ operation, field }: FieldTarget): Probe {
  return sampledProbe(`second uses of ${field}`, operation, "write", async (call) => {
    await call.control();
    const [first, ...others] = await creationsWithValue(call, field);
    const isLonger = (one: Creation, other: Creation) =>
      String(one.sent[field]).length > String(other.sent[field]).length;
    const longest = others.reduce((one, other) => (isLonger(other, one) ? other : one), first);
    await sendUse(call, field, first, first.sent);
    await sendUse(call, field, first, await bodyUnlike(call, first.sent));
    await sendUse(call, field, first, await call.body("minimal"));
    await sendUse(call, field, longest, await call.body());
    // At depth full, all versions send these uses.
    const used = first.plan.version ?? defaultVersion(call.target, operation);
    const other = call.allowed.find((version) => version !== null && version !== used);
    if (!call.sendsAll && other !== undefined)
      await sendUse(call.under(other), field, first, await call.body());
    await useUnderOtherParent(call, field, first);
    await useAfterUpdate(call, field);
  });
}

/** Sends the value of an updated resource. */
async function useAfterUpdate(call: Call, field: string): Promise<void> {
  const { target, operation } = call;
  const update = updateOf(target.spec, operation);
  if (!update) return;
  const made = await call.create(await call.body());
  const id = idOf(target, made);
  if (!isAccepted(made.answer) || id === undefined) return;
  const to = call.to(update);
  const others = plainFields(target.spec, update).filter((name) => name !== field);
  await sendUpdate(to, id, requiredAnd(target.spec, update, await to.body("full", 2), others));
  await sendUse(call, field, made, await call.body());
}

/** Updates a resource with a value that another one holds, and sends the value of an updated one in a create. */
export function takenByUpdate({ operation, field }: FieldTarget): Probe {
  return plainProbe(`taken ${field}`, operation, "write", (call) =>
    withLockedResource(call, async (id) => {
      const maker = call.to(operationById(call.target.spec, operation.pathParameter?.madeBy ?? ""));
      const holder = await maker.create(await maker.body());
      const sent = await call.body("full", 2);
      await acceptedUpdate(call, id, sent);
      await sendUpdate(call, id, { ...(await call.body("full", 3)), [field]: holder.sent[field] }, "probe");
      await readSettled(call, id, sent);
      await sendUse(maker, field, { ...holder, sent }, await maker.body());
    }),
  );
}

/** Sends the taken value under another parent. A value must be unique in its space, under any parent. */
async function useUnderOtherParent(call: Call, field: string, { sent }: Creation): Promise<void> {
  const { target, operation } = call;
  const parent = operation.outer.at(-1);
  const other = parent && (await anotherParent(target, parent));
  if (parent === undefined || other === undefined) return;
  const outer = { ...(await outerPath(target, operation)), [parent.name]: other };
  await send(call, { ...(await call.body()), [field]: sent[field] }, { outer });
}

/** The space and the parents of a create, unless it has those of the run. */
type PlaceOfCreate = Pick<RequestPlan, "space" | "outer">;

function sendUse(call: Call, field: string, { sent }: Creation, body: JsonObject, place?: PlaceOfCreate) {
  return send(call, { ...body, [field]: sent[field] }, place);
}

function send(call: Call, body: JsonObject, place?: PlaceOfCreate, role?: string) {
  return call.send({ ...call.requestWith(body), ...place }, role);
}

async function creationsWithValue(call: Call, field: string): Promise<[Creation, ...Creation[]]> {
  const [first, ...others] = (await acceptedCreations(call)).filter(({ sent }) => isValue(sent[field]));
  if (first) return [first, ...others];
  throw new NotTested("control-rejected", `no ${call.operation.key} with ${field} was accepted`);
}

function isValue(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

async function bodyUnlike(call: Call, other: JsonObject): Promise<JsonObject> {
  const [one, two] = [await call.body("full", 2), await call.body("full", 3)];
  const shared = (body: JsonObject) =>
    Object.keys(body).filter((name) => sameJson(body[name], other[name])).length;
  return shared(two) < shared(one) ? two : one;
}

const CONCURRENT_CREATES = 3;

/** Sends creates with one new value at the same time. */
export function simultaneousUses({ operation, field }: FieldTarget): Probe {
  // Stage `race` comes early, while a small quota still allows creates.
  return plainProbe(`simultaneous uses of ${field}`, operation, "race", async (call) => {
    const { target } = call;
    const plain = await call.plain("full");
    const isUsed = idOf(target, plain) !== undefined && isValue(plain.sent[field]);
    await sendUse(
      call,
      field,
      isUsed ? plain : (await creationsWithValue(call, field))[0],
      await call.body(),
    );
    const versions = call.sendsAll ? call.allowed : [call.version];
    for (const version of versions) {
      const bodies = await Promise.all(Array.from({ length: CONCURRENT_CREATES }, () => call.body()));
      const value = bodies[0]?.[field];
      const sent = bodies.map((body): JsonObject => ({ ...body, [field]: value }));
      // Another value shows if the service mixes up creates.
      if (version === call.version) sent.push(await call.body());
      await Promise.all(sent.map((body) => send(call.under(version), body, {}, SIMULTANEOUS)));
    }
  });
}

/** Sends several creates without the field, or with null. If one is rejected, it follows with a value. */
export function repeatedWithout({ operation, field, isNull, isWithout }: WithoutTarget): Probe {
  return plainProbe(
    `repeated without ${isNull ? "a value for " : ""}${field}`,
    operation,
    "write",
    async (call) => {
      const { target } = call;
      const without = (await acceptedCreations(call)).filter(({ sent }) => isWithout(sent));
      const ids = new Set(without.map((creation) => idOf(target, creation)));
      if (!call.sendsAll && ids.size > 1) return;
      for (const [round, version] of (call.sendsAll ? call.allowed : [call.version]).entries()) {
        const under = call.under(isNull ? burstVersion(call, round) : version);
        if (!isNull) await minimalCreation(under);
        const again = await (isNull ? nullAgain(under, round) : (await minimalAgain(under)).creation);
        if (isAccepted(again.answer)) continue;
        await under.create({ ...again.sent, [field]: (await call.body())[field] });
      }
    },
  );
}

type Sent = Pick<Creation, "sent" | "answer">;

async function nullAgain(call: Call, round: number): Promise<Sent> {
  const several = await burst(call, round).catch(() => undefined);
  const accepted = several?.answers.find(isAccepted);
  if (several && accepted) return { sent: several.sent, answer: accepted };
  const sent = await repeatableBody(call);
  return { sent, answer: await send(call, sent) };
}

/** Repeats a create under a new key, with the same texts in fields that need not be unique. */
export const sameTexts = probeOf("same texts", "write", async (call) => {
  const { plan } = await call.plain("minimal");
  await minimalAgain(call);
  // A service may forget a key once another comes with the same body.
  await call.send(plan, "again");
});

/** Sends a taken value in the second space. */
export function otherSpace({ operation, field }: FieldTarget): Probe {
  return oneVersionProbe(`${field} in another space`, operation, "write", async (call) => {
    if (call.target.settings.secondSpace === undefined) throw new NotTested(...NO_SECOND_SPACE);
    const outer = await outerPathInSecondSpace(call.target, operation);
    const second: PlaceOfCreate = { space: "second", outer };
    const used = await creationsWithValue(call, field);
    const latest = used.findLast(({ plan }) => plan.version === call.version) ?? used.at(-1) ?? used[0];
    const body = await call.body();
    // This use is rejected, and must reserve nothing in the second space.
    await sendUse(call, field, latest, await call.body());
    if (isAccepted(await sendUse(call, field, latest, body, second))) {
      await sendUse(call, field, latest, await call.body(), second);
      return;
    }
    await send(call, body, second, "control");
    await send(call, { ...(await call.body()), [field]: body[field] }, {}, "create");
  });
}

/** Sends a taken value in capitals. */
export function otherCasing({ operation, field }: FieldTarget): Probe {
  return plainProbe(`${field} in other casing`, operation, "write", async (call) => {
    const [{ sent }] = await creationsWithValue(call, field);
    await sendValue(call, field, String(sent[field]).toUpperCase());
  });
}

/** Sends an empty value twice. */
export function emptyTwice({ operation, field }: FieldTarget): Probe {
  return plainProbe(`${field} empty`, operation, "write", async (call) => {
    for (const value of ["", ""]) await sendValue(call, field, value);
  });
}

async function sendValue(call: Call, field: string, value: string): Promise<void> {
  await send(call, { ...(await call.body()), [field]: value });
}

/**
 * Creates parents in the second space, and returns their ids by their path parameters.
 * @throws NotTested if no operation creates one, or the service rejects the create
 */
async function outerPathInSecondSpace(
  target: Target,
  { key, outer }: Operation,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, madeBy } of outer) {
    if (madeBy === undefined)
      throw new NotTested("no-data", `no ${name} of the second space is known for ${key}`);
    const create = operationById(target.spec, madeBy);
    const parents = { ...values };
    values[name] = await target.memoize(`own ${madeBy} in the second space`, async () =>
      createdId(target, create, await sendFullCreate(target, create, { space: "second", outer: parents })),
    );
  }
  return values;
}
