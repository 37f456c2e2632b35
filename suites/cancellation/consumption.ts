/**
 * Sends the update that uses a resource up, such as cancelling, once in a run, after attempts that must be
 * rejected.
 */

import type { Call } from "../../client/call.ts";
import { Untestable, Violation } from "../../client/check.ts";
import { refusedHeaders } from "../../client/controls.ts";
import { hasUnknownSpace, unknownSpace } from "../../client/spaces.ts";
import { sendBody } from "../../client/subjects.ts";
import type { Answer } from "../../client/target.ts";
import { isAccepted, isRejected } from "../../client/target.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { type RequestPlan, withHeaders } from "../../generators/request.ts";
import { changes, isSameInAnyCasing } from "../../history/differences.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { type LastSeen, readBack, readerOf } from "../updates/read-back.ts";
import { otherBody, type Step, updatesInTurn } from "../updates/update.ts";
import { nextVariation, pick, throwDifferences, updateRequest } from "../updates/updating.ts";

export interface Consuming {
  operation: Operation;
  name: string;
  value: string;
  consumes: NonNullable<Schema["x-consumes"]>;
}

const REFUSED = ["fault", "token", "unknown space", "second space"] as const;
export type RefusedFor = (typeof REFUSED)[number];

export interface Attempts {
  plans: RequestPlan[];
  answers: Answer[];
  before: LastSeen;
  after: LastSeen;
}

export interface Consumed {
  id: string;
  attempts: Map<RefusedFor, Attempts>;
  step: Step;
  usedUpBefore?: Untestable;
}

export function consumingPlaces(spec: Spec): Consuming[] {
  return spec.operations.flatMap((operation) => {
    if (operation.kind !== "update") return [];
    return spec.schemas
      .fields(operation.body)
      .flatMap(([name, { "x-consumes": consumes, enum: options }]) => {
        const value = options?.find((option) => typeof option === "string");
        return consumes && typeof value === "string" ? [{ operation, name, value, consumes }] : [];
      });
  });
}

export function consume(call: Call, at: Consuming): Promise<Consumed> {
  const { target, operation } = call;
  const { name, value, consumes } = at;
  return target.once(`consume ${operation.id} ${name}`, async () => {
    const id = target.settings.fixtures[consumes.fixture];
    if (id === undefined)
      throw new Untestable("no-fixture", `give --fixture ${consumes.fixture}=ID to test this; it is used up`);
    const attempts = new Map<RefusedFor, Attempts>();
    let before = await readBack(call, id);
    const usedUpBefore = isSameInAnyCasing(before.resource[name], value)
      ? new Untestable(
          "used-up",
          `${consumes.fixture}=${id} is used up, its ${name} was ${value} before; give another: --fixture ${consumes.fixture}=ID`,
        )
      : undefined;
    for (const kind of REFUSED) {
      const plans = await attemptsFor(call, at, id, kind);
      if (plans.length === 0) continue;
      const answers: Answer[] = [];
      for (const plan of plans) answers.push(await target.send(plan, { role: "rejected" }));
      const after = await readBack(call, id);
      attempts.set(kind, { plans, answers, before, after });
      before = after;
    }
    const make = async (shown: JsonObject) => ({ ...(await otherBody(call, shown)), [name]: value });
    const send = async () => (await updatesInTurn(call, id, [{ what: name, make }]))[0];
    const first = await send();
    // A rejection uses nothing up and may be an accident, so the update is sent again.
    const step = first && isRejected(first.answer) ? await send() : first;
    if (!step) throw new Untestable("no-data", `${name} ${value} was not sent`);
    return { id, attempts, step, ...(usedUpBefore ? { usedUpBefore } : {}) };
  });
}

async function attemptsFor(
  call: Call,
  { name, value }: Consuming,
  id: string,
  kind: RefusedFor,
): Promise<RequestPlan[]> {
  const { target, operation, version } = call;
  const { settings } = target;
  const sent = { ...(await call.body("full", nextVariation(target))), [name]: value };
  const plan = updateRequest(operation, id, version, sent);
  switch (kind) {
    case "fault":
      // Bodies come last: a service may show another state right after one of them.
      return [
        ...refusedHeaders(operation).map((headers) => withHeaders(plan, headers)),
        ...(await faulty(call, name, sent)).map((body) => updateRequest(operation, id, version, body)),
      ];
    case "token":
      return [null, `Bearer conformance-unknown-${target.runId}`].map((authorization) => ({
        ...withHeaders(plan, { authorization }),
        authorizationLabel: "an unknown token",
      }));
    case "unknown space": {
      const { space } = operation;
      if (!space || !hasUnknownSpace(target, space.schema)) return [];
      return [withHeaders(plan, { [space.name]: unknownSpace(target, space.schema) })];
    }
    default:
      return operation.space && settings.secondSpace !== undefined ? [{ ...plan, space: "second" }] : [];
  }
}

const FAULTS = 2;

async function faulty(call: Call, name: string, sent: JsonObject): Promise<JsonObject[]> {
  const { target, operation } = call;
  const { body = {} } = operation;
  const supply = await call.supply();
  const faults = bodyViolations(body, supply).filter(
    (fault) =>
      fault.pointer !== "" && fault.pointer.split("/")[1] !== name && isConfirmed(fault, sent, body, supply),
  );
  const first = target.settings.seed % Math.max(faults.length, 1);
  return [...faults.slice(first), ...faults.slice(0, first)]
    .slice(0, FAULTS)
    .map((fault) => fault.breaking(sent));
}

function sentIn({ body }: RequestPlan): JsonObject {
  return body?.kind === "json" && isObject(body.value) ? body.value : {};
}

export function mustBeUsedUp({ step, usedUpBefore }: Consumed, { name, value }: Consuming): void {
  if (usedUpBefore) throw usedUpBefore;
  if (isSameInAnyCasing(step.before?.resource[name], value))
    throw new Untestable("no-data", `it was ${value} before`);
  if (!isAccepted(step.answer))
    throw new Untestable("control-rejected", "the update was rejected", [step.answer]);
}

export function mustLeaveAlone(
  { plans, answers, before, after }: Attempts,
  { name, value }: Consuming,
): void {
  if (isSameInAnyCasing(before.resource[name], value))
    throw new Untestable("no-data", `it was ${value} before`);
  const rejected = plans.filter((_, index) => answers[index] && isRejected(answers[index]));
  const evidence = [...answers, after];
  // Another space may get a success that changes nothing. Other rules judge that.
  if (isSameInAnyCasing(after.resource[name], value))
    throw new Violation(`${name} still ${String(before.resource[name])}`, `${name} ${value}`, evidence, {
      difference: "changed",
    });
  const changed = changes(before.resource, after.resource);
  const sent = plans.map(sentIn);
  throwDifferences(
    changed.filter(({ pointer }) => {
      const field = pointer.split("/")[1] ?? "";
      const shown = pick(after.resource, new Set([field]));
      return sent.some((body) => field in body && changes(pick(body, new Set([field])), shown).length === 0);
    }),
    evidence,
    "still ",
    "changed",
  );
  if (rejected.length === 0) throw new Untestable("no-data", "nothing was rejected", evidence);
}

/**
 * @throws Untestable if an update without the one-way change does not show the same fields either, which has
 * its own finding
 */
export function plainUpdateShows(call: Call, pointers: Set<string>): void {
  const { target, operation } = call;
  const faults = target
    .history()
    .journal.sightings.filter(
      ({ kind, duty, fits }) =>
        !fits && kind.updates.includes(operation) && (duty === "echo" || duty === "stored"),
    );
  if (faults.some(({ field }) => pointers.has(`/${field}`)))
    throw new Untestable("control-rejected", "an update without it does not show the same fields either");
}

export interface ConsumingPlace extends Consuming {
  detail: string;
}

interface ShownPlace extends ConsumingPlace {
  update: Consuming;
  requirement: string;
  filter?: string;
}

export function shownPlaces(spec: Spec, of: "read" | "list"): ShownPlace[] {
  return consumingPlaces(spec).flatMap((update) => {
    const reader = readerOf(spec, update.operation);
    const same = reader?.sameRecord;
    if (!reader || !same) return [];
    const after = `after ${update.operation.key} with ${update.name}`;
    if (of === "read")
      return [{ ...update, update, operation: reader, requirement: same.requirement, detail: after }];
    const list = operationById(spec, same.list);
    const filter = list.list?.filters.find((candidate) => candidate.filter === `/${update.name}`)?.name;
    return filter === undefined
      ? []
      : [
          {
            ...update,
            update,
            operation: list,
            requirement: "FILTER-COMPLETE",
            filter,
            detail: `${filter} ${after}`,
          },
        ];
  });
}

export async function* changedAgain(
  call: Call,
  at: Consuming,
): AsyncGenerator<{ tried: string; status: number }> {
  const { target, operation, version } = call;
  const { id } = await consume(call, at);
  for (const [tried, body] of [
    [`${at.name} ${at.value} again`, { [at.name]: at.value }],
    ["other fields", await call.body("full", 4)],
  ] as const) {
    yield { tried, status: (await sendBody(target, updateRequest(operation, id, version, body))).status };
    // Only a read shows whether the one-way change was taken back.
    await readBack(call, id);
  }
}
