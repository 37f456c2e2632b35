import type { Call } from "../../client/call.ts";
import { rejectedHeaders } from "../../client/controls.ts";
import { type Creation, idOf } from "../../client/creations.ts";
import { restBriefly } from "../../client/eventually.ts";
import { listOf, namedListOf, updateOf } from "../../client/relations.ts";
import { type Answer, isAccepted, type Probe } from "../../client/target.ts";
import { type RequestPlan, withBody, withHeaders } from "../../generators/request.ts";
import { isRejected } from "../../history/entry.ts";
import { uniqueFields } from "../../spec/identity.ts";
import { fieldAt, type JsonObject, pick } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isAction } from "../../spec/operations.ts";
import { makeNeeded } from "../deliveries/subscriptions.ts";
import { acceptedCreations } from "../shared/creation.ts";
import { type MadeResource, makeResource } from "../shared/made-resource.ts";
import { ensureItems, makeReadable } from "../shared/own-items.ts";
import { readList } from "../shared/read-list.ts";
import { plainProbe, probeOf } from "../shared/sampled.ts";
import { readWholeList } from "../updates/probes.ts";
import { readSinceFirst, readUntilListed } from "./listed.ts";

/** Sends creates with all fields, few fields and special values. */
export const creationsOfRun = probeOf("creates", "write", acceptedCreations);

/** Creates items first, because lists need several pages. */
export function severalListed(create: Operation, list: Operation): Probe {
  return plainProbe("several of", create, "prepare", async (call) => {
    const { target } = call;
    // A service may keep the list for later, when more is created.
    await readList(call.to(list), { mostPages: 1 });
    if (call.sendsAll) await makeNeeded(target, create);
    await target.memoize(`listed ${create.id}`, async () =>
      readUntilListed(target, list, await acceptedCreations(call)),
    );
    await ensureItems(target, list);
    await makeReadable(target, create);
  });
}

/** Reads the whole list at the end, which must show all creates. */
export function wholeList(create: Operation, list: Operation): Probe {
  return plainProbe("whole list of", create, "aftermath", (call) => readWholeList(call.to(list)));
}

/** Reads the list from the first create of the run to the last one. */
export const listAround = probeOf("list around", "aftermath", async (call) => {
  const { target, operation } = call;
  const list = listOf(target.spec, operation) ?? namedListOf(target.spec, operation);
  const began = ({ answer }: Creation) => answer.exchange.startedAt;
  const made = await acceptedCreations(call);
  const byTime = [...made].sort((one, other) => began(one).localeCompare(began(other)));
  const [first, last] = [byTime[0], byTime.at(-1)].map((each) => each && idOf(target, each));
  if (!list || first === undefined) return;
  await restBriefly(target);
  await readSinceFirst(target, list, first, last === first ? undefined : last);
});

const CAUSES: readonly RejectedFor[] = ["fault", "token"];

/** Why a create is rejected: for a fault of the request, or for its token. */
type RejectedFor = "fault" | "token";

/** Sends creates with faults that no other probe has sent. */
export function rejectedCreates(create: Operation, cause: RejectedFor): Probe {
  const name = cause === "token" ? "creates with wrong tokens" : "faulty creates";
  return plainProbe(name, create, "burst", async (call) => {
    const places = faultyPlaces(call);
    if (cause === "token" && places.has("header/authorization")) return;
    await call.control();
    const valid = await call.body();
    const faulty = [
      ...(await brokenBodies(call, valid)),
      ...wrongHeaders(call, valid),
      ...(await underUsedKey(call, await call.body("full", 2))),
    ];
    const due = faulty.filter(({ place }) => !places.has(place)).map(({ plan }) => plan);
    for (const plan of cause === "token" ? withWrongTokens(call, valid) : due)
      await call.target.send(plan, { role: "rejected" });
  });
}

function faultyPlaces({ target, operation }: Call): Set<string> {
  const { answers, entries } = target.history();
  const rejected = entries.filter((entry) => entry.operation === operation && isRejected(entry));
  const found = rejected.map((entry) => answers.classification(entry));
  return new Set(
    found.flatMap((each) => (each.kind === "valid" ? [] : each.faults.map(({ place }) => place))),
  );
}

/** Sends creates that are rejected for two causes, then a valid one, and if that is rejected for each cause alone. */
export const reuseAfterRejection = probeOf("value of rejected creates", "write", async (call) => {
  if (isAccepted(await sendFaultsThenValid(call, CAUSES))) return;
  for (const cause of CAUSES) await sendFaultsThenValid(call, [cause]);
});

/** Sends requests with these causes, then a valid create with the same texts, and returns its answer. */
async function sendFaultsThenValid(call: Call, causes: readonly RejectedFor[]): Promise<Answer> {
  const { target, operation } = call;
  await call.control();
  const valid = await call.body();
  const kept = uniqueFields(target.spec, operation);
  const faulty = [
    ...sampledFaults(call, await brokenBodies(call, valid, kept)),
    ...wrongHeaders(call, valid),
    ...(await underUsedKey(call, valid)),
  ];
  const plans = causes.flatMap((cause) =>
    cause === "token" ? withWrongTokens(call, valid) : faulty.map(({ plan }) => plan),
  );
  for (const plan of plans) await call.target.send(plan, { role: "rejected" });
  const answer = await call.send(call.requestWith(valid), "create");
  const other = await call.body();
  const unique = new Set(kept);
  if (!isAccepted(answer)) {
    await call.send(call.requestWith({ ...valid, ...pick(other, unique) }), "create");
  } else if (kept.length > 0) {
    // A faulty service may accept the value twice after rejected creates sent it.
    await call.send(call.requestWith({ ...other, ...pick(valid, unique) }));
  }
  return answer;
}

function withWrongTokens(call: Call, valid: JsonObject): RequestPlan[] {
  return [null, `Bearer conformance-unknown-${call.target.runId}`].map((authorization) => ({
    ...withHeaders(call.requestWith(valid), { authorization }),
    authorizationLabel: "an unknown token",
  }));
}

/** Constraints that services may check late, after they reserve a unique value. */
const LATE_CONSTRAINTS: ReadonlySet<string> = new Set(["format", "enum"]);

interface FaultyPlan {
  place: string;
  plan: RequestPlan;
  isJudgedLate?: boolean;
}

function wrongHeaders(call: Call, valid: JsonObject): FaultyPlan[] {
  const plan = call.requestWith(valid);
  return rejectedHeaders(call.operation).map((headers) => ({
    place: `header/${Object.keys(headers).join().toLowerCase()}`,
    plan: withHeaders(plan, headers),
  }));
}

/** Returns requests with one broken constraint each, at most one for each field and constraint. */
async function brokenBodies(call: Call, valid: JsonObject, kept: string[] = []): Promise<FaultyPlan[]> {
  const plans = new Map<string, FaultyPlan>();
  for (const { pointer, constraint, breaking } of await call.bodyFaults(valid)) {
    const name = `${pointer} ${constraint}`;
    if (kept.includes(fieldAt(pointer)) || plans.has(name)) continue;
    const plan = call.requestWith(breaking(valid));
    plans.set(name, { place: `body${pointer}`, plan, isJudgedLate: LATE_CONSTRAINTS.has(constraint) });
  }
  return [...plans.values()];
}

const ENOUGH_FAULTS = 8;

function sampledFaults({ target: { settings }, sendsAll }: Call, all: FaultyPlan[]): FaultyPlan[] {
  const early = all.filter(({ isJudgedLate }) => !isJudgedLate);
  const step = sendsAll ? 1 : Math.max(1, Math.ceil(early.length / ENOUGH_FAULTS));
  const sampled = early.filter((_, index) => index % step === settings.seed % step);
  return all.filter((plan) => plan.isJudgedLate || sampled.includes(plan));
}

async function underUsedKey(call: Call, body: JsonObject): Promise<FaultyPlan[]> {
  const { idempotencyKey } = call.operation;
  if (!idempotencyKey) return [];
  const { plan, answer } = await call.plain("full");
  const place = `header/${idempotencyKey.name.toLowerCase()}`;
  return isAccepted(answer) ? [{ place, plan: withBody(plan, body) }] : [];
}

/** Reads the parent: in a faulty service, a new or updated child may change it, or an updated parent its child. */
export const parentAfter = probeOf("parent after", "aftermath", async (call) => {
  const { spec } = call.target;
  const children = spec.operations.filter(
    (operation) =>
      operation.kind === "create" &&
      operation.outer.at(-1)?.madeBy === call.operation.id &&
      !isAction(spec, operation),
  );
  for (const child of children) await readsAroundChild(call, child);
});

/** Reads a parent around the create and an update of a child, and the child around an update of its parent. */
async function readsAroundChild(call: Call, child: Operation): Promise<void> {
  const parent = await makeResource(call, await call.fresh());
  await parent.look();
  const below = call.to(child);
  const outer = { ...parent.plan.outer, [child.outer.at(-1)?.name ?? ""]: parent.id };
  const item = await makeResource(below, { ...(await below.fresh()), outer });
  await restBriefly(call.target);
  await parent.look();
  await readsAroundUpdate(below, item, parent);
  await readsAroundUpdate(call, parent, item);
}

/** Reads another resource before and after an update of the one that the call creates. */
async function readsAroundUpdate(call: Call, changed: MadeResource, other: MadeResource): Promise<void> {
  const update = updateOf(call.target.spec, call.operation);
  if (!update) return;
  await other.look();
  const there = call.to(update);
  await there.send(withBody(changed.to(there), await there.body("full", 1)), "update");
  await restBriefly(call.target);
  await other.look();
}
