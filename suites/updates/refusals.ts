/**
 * Sends updates that must be rejected, and looks for their side effects. Only if the resource changed during
 * the batch, each update is sent again alone to find the one to blame.
 */

import type { Call } from "../../client/call.ts";
import { exchangesOf, Untestable, Violation } from "../../client/check.ts";
import { patient } from "../../client/patience.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../../client/target.ts";
import { type RequestPlan, withBody } from "../../generators/request.ts";
import { changes, type Difference, describeDifferences } from "../../history/differences.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { echoFaults } from "../shared/echo.ts";
import { volatileFields } from "./moving-fields.ts";
import { pointedAt } from "./pointing.ts";
import { type LastSeen, readBack, readerOf } from "./read-back.ts";
import { lagsBehind, onSubject, updateAllFields } from "./settled-reads.ts";
import { nextVariation, pick, updateRequest } from "./updating.ts";

export interface Refusal {
  what: string;
  /** The rules that share the batch judge it by kind: "body", "token", "space". */
  kind: string;
  /**
   * Makes the request with new valid values at each call, so that a side effect shows. Undefined if it can't
   * be made.
   */
  make(): Promise<RequestPlan | undefined>;
}

interface Refused {
  probe: Refusal;
  plan: RequestPlan;
  answer: Answer;
}

interface Culprit extends Refused {
  differences: Difference[];
  evidence: Exchange[];
}

export interface Refusals {
  before: LastSeen;
  answers: Refused[];
  after: LastSeen;
  culprits: Map<string, Culprit>;
  unexplained: Difference[];
}

async function freshUpdate(call: Call): Promise<RequestPlan> {
  const { target } = call;
  return withBody(await call.valid(), await call.body("full", nextVariation(target)));
}

/**
 * Sends the batch while nobody else changes the resource. @throws Untestable (control-rejected) if a valid
 * update is rejected, or the resource can't be read
 */
export async function refusals(call: Call, probes: readonly Refusal[]): Promise<Refusals> {
  const { target } = call;
  return onSubject(call, async (id) => {
    // A valid update comes first. It also removes side effects of updates that other rules sent.
    const before = await updateAllFields(call, id);
    // These are sent at the same time, because nearly always none of them changes anything.
    const sent = await Promise.all(probes.map((probe) => sendProbe(target, probe)));
    const answers = sent.filter((each) => each !== undefined);
    const after = await readBack(call, id);
    const differences = changes(before.resource, after.resource);
    // Another rule reports the accepted request. Sending the others alone shows if they change something,
    // too.
    const suspicious = differences.length > 0 || answers.some(({ answer }) => isAccepted(answer));
    const culprits = suspicious
      ? await seekCulprits(call, id, answers, after.resource)
      : new Map<string, Culprit>();
    const explained = new Set([...culprits.values()].flatMap((culprit) => pointersOf(culprit.differences)));
    const unexplained = answers.some(({ answer }) => isAccepted(answer))
      ? []
      : differences.filter(({ pointer }) => !explained.has(pointer));
    blameTheBatch(call, { before, answers, after, culprits, unexplained });
    return { before, answers, after, culprits, unexplained };
  });
}

/**
 * Blames the last kind of the batch if no request alone repeats the change, and the field is not volatile.
 */
function blameTheBatch(call: Call, batch: Refusals): void {
  const { target, operation } = call;
  const schema = operation.resource && target.spec.schemas.flatten(operation.resource);
  const lasting = new Set([...(schema?.["x-fixed"] ?? []), ...(schema?.["x-settled"] ?? [])]);
  const differences = batch.unexplained.filter(({ pointer }) => lasting.has(pointer.slice(1)));
  const last = batch.answers.filter(({ answer }) => isRejected(answer)).at(-1);
  if (differences.length === 0 || !last || batch.culprits.has(last.probe.kind)) return;
  const evidence = exchangesOf([batch.before, last.answer, batch.after]);
  batch.culprits.set(last.probe.kind, { ...last, differences, evidence });
}

async function sendProbe(target: Target, probe: Refusal): Promise<Refused | undefined> {
  const plan = await probe.make();
  return plan && { probe, plan, answer: await target.send(plan, { role: "rejected" }) };
}

function pointersOf(differences: Difference[]): string[] {
  return differences.map(({ pointer }) => pointer);
}

/** Sends the requests one by one, first those whose values show. One culprit of each kind is enough. */
async function seekCulprits(
  call: Call,
  id: string,
  answers: Refused[],
  after: JsonObject,
): Promise<Map<string, Culprit>> {
  const { target } = call;
  const volatileNames = await volatileFields(target, async () => (await readBack(call, id)).resource);
  const rejected = answers.filter(({ answer }) => isRejected(answer));
  const likely: Refused[] = [];
  const others: Refused[] = [];
  for (const refused of rejected) {
    const shown = await shownOf(call, refused.plan, after, Object.keys(after));
    (shown.length > 0 ? likely : others).push(refused);
  }
  const culprits = new Map<string, Culprit>();
  for (const { probe } of [...likely, ...others]) {
    if (culprits.has(probe.kind)) continue;
    const culprit = await tryAlone(call, id, probe, volatileNames);
    if (culprit) culprits.set(probe.kind, culprit);
  }
  return culprits;
}

/**
 * A request is to blame if its own values show after it. Otherwise the same fields must change again with it,
 * and not without it.
 */
async function tryAlone(
  call: Call,
  id: string,
  probe: Refusal,
  volatileNames: ReadonlySet<string>,
): Promise<Culprit | undefined> {
  const first = await sendAlone(call, id, probe, volatileNames);
  if (!first) return undefined;
  const names = pointersOf(first.differences).map((pointer) => pointer.slice(1));
  if ((await shownOf(call, first.plan, first.after, names)).length > 0) return first;
  const again = await sendAlone(call, id, probe, volatileNames);
  const idle = new Set(pointersOf(await changesAlone(call, id)));
  const steady = again?.differences.filter(
    ({ pointer }) => pointersOf(first.differences).includes(pointer) && !idle.has(pointer),
  );
  return again && steady && steady.length > 0 ? { ...again, differences: steady } : undefined;
}

async function sendAlone(
  call: Call,
  id: string,
  probe: Refusal,
  volatileNames: ReadonlySet<string>,
): Promise<(Culprit & { after: JsonObject }) | undefined> {
  const { target } = call;
  const before = await updateAllFields(call, id);
  const sent = await sendProbe(target, probe);
  if (!sent || !isRejected(sent.answer)) return undefined;
  const changed = ({ resource }: LastSeen) =>
    changes(before.resource, resource).filter(({ pointer }) => !volatileNames.has(pointer));
  const look = () => readBack(call, id);
  const once = await look();
  const names = pointersOf(changed(once)).map((pointer) => pointer.slice(1));
  // Values that are neither old nor sent may be late, so the resource is read until it stays the same.
  const lags =
    names.length > 0 &&
    ((await lagsBehind(call)) || (await shownOf(call, sent.plan, once.resource, names)).length === 0);
  const after = lags
    ? await patient(target, call.operation, look, (seen) => changed(seen).length === 0)
    : once;
  const differences = changed(after);
  if (differences.length === 0) return undefined;
  const evidence = exchangesOf([before, sent.answer, after]);
  return { ...sent, differences, evidence, after: after.resource };
}

async function changesAlone(call: Call, id: string): Promise<Difference[]> {
  const { target } = call;
  const before = await updateAllFields(call, id);
  await target.pause(QUIET);
  const after = await readBack(call, id);
  return changes(before.resource, after.resource);
}

/** Milliseconds between two reads without a request in between, longer than a request takes. */
const QUIET = 100;

async function shownOf(
  { target, operation }: { target: Target; operation: Operation },
  plan: RequestPlan,
  resource: JsonObject,
  names: string[],
): Promise<string[]> {
  const sent = plan.body?.kind === "json" && isObject(plan.body.value) ? plan.body.value : {};
  const telling = names.filter((name) => name in sent && name in resource && !isPoor(sent[name]));
  const faults = await echoFaults(
    target,
    operation,
    pick(sent, new Set(telling)),
    resource,
    readerOf(target.spec, operation),
  );
  const lacking = new Set(pointersOf(faults).map((pointer) => pointer.split("/")[1]));
  return telling.filter((name) => !lacking.has(name));
}

/** True for values that may be equal by chance. */
function isPoor(value: unknown): boolean {
  return value === null || typeof value === "boolean" || (Array.isArray(value) && value.length === 0);
}

/**
 * @throws Violation if a rejected request of a kind changed the resource; Untestable if none of the kind was
 * rejected, or the cause is unclear
 */
export function mustChangeNothing(batch: Refusals, kind: string): void {
  const culprit = batch.culprits.get(kind);
  if (culprit) {
    const { expected, actual } = describeDifferences(culprit.differences);
    throw new Violation(
      `still ${expected} after a rejected update (${culprit.probe.what})`,
      actual,
      pointedAt(culprit.evidence, culprit.evidence.length - 1, culprit.differences[0]?.pointer ?? ""),
      { difference: "changed" },
    );
  }
  const rejected = batch.answers.filter(({ probe, answer }) => probe.kind === kind && isRejected(answer));
  if (rejected.length === 0) throw new Untestable("no-data", "nothing was rejected");
  if (batch.unexplained.length > 0)
    throw new Untestable("drift", "the resource changed, but none of the rejected updates changes it");
}

export function refusal(
  call: Call,
  kind: string,
  what: string,
  change: (plan: RequestPlan, body: JsonObject) => RequestPlan | undefined,
): Refusal {
  return {
    kind,
    what,
    async make() {
      const plan = await freshUpdate(call);
      const body = plan.body?.kind === "json" && isObject(plan.body.value) ? plan.body.value : {};
      return change(plan, body);
    },
  };
}

export function sending(plan: RequestPlan, body: JsonObject): RequestPlan {
  return updateRequest(plan.operation, plan.path ?? "", plan.version, body);
}
