/** Reading a resource repeatedly does not change it, whatever others change meanwhile. */

import type { Call } from "../../client/call.ts";
import { Untestable, Violation } from "../../client/check.ts";
import { validRequest } from "../../client/subjects.ts";
import { type Answer, asText, isAccepted, resultOf, type Target } from "../../client/target.ts";
import { usualVersion } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo } from "../../generators/request.ts";
import { isDateTime } from "../../spec/formats.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { type Listed, listedAgain, listedOn, pickedRecords } from "../shared/listed-records.ts";
import { readOtherwise, type Share } from "./between-readings.ts";
import { isClock, type VolatilePart, volatileParts, withoutClock } from "./volatile-parts.ts";

const RECORDS_REPEATED = 2;
const READS_COMPARED = 4;
const READS_TO_CONFIRM = 8;
const PAUSE = 15;
const PAIRS = 9;
const PAIR_GAP = 3;
const SLOW_READS = 3;
const SLOW_PAUSE = 1_100;

interface Readings {
  plan: RequestPlan;
  answers: Answer[];
  seen: boolean;
  changedOnce: boolean;
  changedLater: boolean;
  /** The rejection that ended the readings, because others may remove a record. */
  rejected?: Answer;
}

/**
 * Reads resources repeatedly, before other reads. @throws Violation if no two readings in a row are equal, or
 * if only the first reading of several records differs
 */
export async function mustReadTheSame(call: Call): Promise<void> {
  const { target, operation } = call;
  const plans = await plansToRepeat(call);
  const all = await target.exclusive(`read ${operation.sameRecord?.list ?? operation.id}`, async () => {
    const listed = call.isUsual ? await listShown(target, operation) : [];
    // The readings follow each other, so that a seed always gives the same order of requests.
    const readings: Readings[] = [];
    for (const [index, plan] of plans.entries())
      readings.push(await readTwice(target, operation, plan, { index, of: plans.length }));
    if (listed.length > 0) await mustLeaveTheListAlone(target, operation, listed);
    return readings;
  });
  if (!all.some(({ seen }) => seen)) {
    const gone = all.find(({ rejected }) => rejected)?.rejected;
    if (!gone) throw new Untestable("no-data", "there is nothing to read");
    throw new Untestable("control-rejected", `a valid read was answered ${gone.status}`, [gone]);
  }
  if (operation.list) return;
  await mustNotChangeAtFirst(target, operation, all);
  if (all.every(({ changedOnce, changedLater, rejected }) => changedOnce || changedLater || rejected))
    throw new Untestable("drift", "the resource changed between two reads");
}

async function plansToRepeat(call: Call): Promise<RequestPlan[]> {
  const { target, operation, version } = call;
  const { sameRecord, pathParameter } = operation;
  if (!call.isUsual) return [await call.valid()];
  if (!sameRecord) {
    const plan = await validRequest(target, operation, version);
    const other = pathParameter?.fixture && target.settings.fixtures[pathParameter.fixture.write ?? ""];
    return other === undefined || other === plan.path ? [plan] : [plan, { ...plan, path: other }];
  }
  const [field = "id"] = sameRecord.by;
  const picked = await pickedRecords(target, operationById(target.spec, sameRecord.list), version);
  const paths = picked.map(({ item }) => asText(item[field])).filter((value) => value !== undefined);
  return paths.slice(0, RECORDS_REPEATED).map((path) => ({ ...requestTo(operation, version), path }));
}

async function listShown(target: Target, operation: Operation): Promise<Listed[]> {
  const { sameRecord } = operation;
  if (!sameRecord) return [];
  const list = operationById(target.spec, sameRecord.list);
  const picked = await pickedRecords(target, list, usualVersion(target, operation));
  return picked.slice(0, RECORDS_REPEATED);
}

/** Reads a thing twice, with other reads in between that must not change it. The first answer is shared. */
async function readTwice(
  target: Target,
  operation: Operation,
  plan: RequestPlan,
  share: Share,
): Promise<Readings> {
  // Further readings share no connection, because some are sent at the same time.
  const sequential = { ...plan, sequence: `${operation.id} ${plan.version} ${plan.path}` };
  const first = await target.ask(sequential, "read 1");
  if (!isAccepted(first)) return ended(plan, [], first);
  await target.pause(PAUSE);
  await readOtherwise(target, sequential, share);
  const second = await target.send(sequential, { role: "read 2", valid: true });
  if (!isAccepted(second)) {
    await target.send(sequential, { role: "read 3", valid: true });
    return ended(plan, [first], second);
  }
  const [before, after] = [first, second].map((answer) => shownBy(target.spec, operation, answer));
  if (!sameJson(before, after) || isClock(after, second))
    return readRepeatedly(target, operation, plan, READS_COMPARED, [first, second]);
  const seen = operation.list ? Array.isArray(before) && before.length > 0 : isObject(before);
  return { plan, answers: [first, second], seen, changedOnce: false, changedLater: false };
}

function ended(plan: RequestPlan, answers: Answer[], rejected: Answer): Readings {
  return { plan, answers, seen: false, changedOnce: false, changedLater: false, rejected };
}

async function readRepeatedly(
  target: Target,
  operation: Operation,
  plan: RequestPlan,
  readings: number,
  answers: Answer[] = [],
): Promise<Readings> {
  while (answers.length < readings) {
    if (answers.length > 0) await target.pause(PAUSE);
    const answer = await target.send(plan, { role: `read ${answers.length + 1}`, valid: true });
    if (!isAccepted(answer)) return ended(plan, answers, answer);
    answers.push(answer);
  }
  const look = (answer: Answer) => shownBy(target.spec, operation, answer);
  const shown = answers.map(look);
  const identity = operation.list?.identity;
  const [part] = volatileParts(shown, identity);
  if (part && (await differsAtOnce(target, plan, look, part, identity)))
    throw volatileViolation(answers, part);
  if (answers.some((answer) => isClock(look(answer), answer)))
    await mustNotTick(target, operation, plan, look);
  const [atFirst = false, ...later] = shown.slice(1).map((value, index) => !sameJson(value, shown[index]));
  return {
    plan,
    answers,
    seen: true,
    changedOnce: atFirst && !later.includes(true),
    changedLater: later.includes(true),
  };
}

/**
 * @throws Violation if several records changed after their first reading and never again. A first reading
 * can't be repeated, so this is not confirmed.
 */
async function mustNotChangeAtFirst(target: Target, operation: Operation, all: Readings[]): Promise<void> {
  const changed = all.filter(({ changedOnce }) => changedOnce);
  const [first] = changed;
  if (!first || changed.length < 2 || all.some(({ changedLater }) => changedLater)) return;
  for (const { plan } of changed) {
    const more = await readRepeatedly(target, operation, plan, READS_TO_CONFIRM);
    if (more.changedOnce || more.changedLater || more.rejected) return;
  }
  throw new Violation(
    "the same answer to the same read",
    `${changed.length} of ${all.length} records changed at their first reading, and not again`,
    first.answers.slice(0, 2),
    { certain: true, difference: "answers-differ" },
  );
}

async function mustLeaveTheListAlone(
  target: Target,
  operation: Operation,
  before: readonly Listed[],
): Promise<void> {
  const [first] = before;
  if (!first) return;
  const list = first.page.plan.operation;
  const onPage = before.filter(({ page }) => page === first.page);
  const page = await target.send(first.page.plan, { role: "list", valid: true });
  const show = ({ item }: Listed) => documentedOnly(target.spec, list, item);
  const moved = onPage.find((listed) => {
    const now = listedOn(page, listed);
    return now && (!sameJson(show(listed), show(now)) || isClock(show(now), page));
  });
  if (!moved) return;
  const [field = "id"] = operation.sameRecord?.by ?? [];
  const path = asText(moved.item[field]);
  if (path === undefined) return;
  const plan = { ...requestTo(operation, usualVersion(target, operation)), path };
  const rest = (listed: Listed) => target.pause(isClock(show(listed), listed.page) ? SLOW_PAUSE : PAUSE);
  let last = await listedAgain(target, moved);
  let evidence: Answer[] = [];
  for (let count = 1; count < READS_COMPARED; count++) {
    if (!last) return;
    await rest(last);
    const read = await target.send(plan, { role: `read ${count}`, valid: true });
    const after = await listedAgain(target, moved);
    if (!isAccepted(read) || !after || sameJson(show(last), show(after))) return;
    evidence = [last.page, read, after.page];
    last = after;
  }
  for (let count = 1; count < READS_COMPARED; count++) {
    if (!last) return;
    await rest(last);
    const again = await listedAgain(target, moved);
    if (!again || !sameJson(show(again), show(last))) return;
  }
  throw new Violation(
    "a read that changes nothing",
    `after each read ${list.key} shows something else`,
    evidence,
    { difference: "changed" },
  );
}

function volatileViolation(answers: Answer[], part: VolatilePart): Violation {
  return new Violation(
    "the same answer to the same read",
    `${part.name} differs each time`,
    answers.slice(0, 2),
    { difference: "answers-differ" },
  );
}

/**
 * True if most pairs of readings at nearly the same time differ. Others change both readings of a pair alike;
 * reading itself, or a time in milliseconds, does not.
 */
async function differsAtOnce(
  target: Target,
  plan: RequestPlan,
  look: (answer: Answer) => unknown,
  part: VolatilePart,
  identity: string | undefined,
): Promise<boolean> {
  let differing = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const read = (n: number) => target.send(plan, { role: `at once ${n}`, valid: true });
    const answers = await Promise.all([read(1), target.pause(PAIR_GAP).then(() => read(2))]);
    const parts = volatileParts(answers.map(look), identity);
    if (parts.some(({ name }) => name === part.name)) differing++;
  }
  return differing > (2 / 3) * PAIRS;
}

async function mustNotTick(
  target: Target,
  operation: Operation,
  plan: RequestPlan,
  look: (answer: Answer) => unknown,
): Promise<void> {
  const answers: Answer[] = [];
  for (let count = 0; count <= SLOW_READS; count++) {
    if (count > 0) await target.pause(SLOW_PAUSE);
    const answer = await target.send(plan, { role: `read ${count + 1}`, valid: true });
    if (!isAccepted(answer)) return;
    answers.push(answer);
  }
  const [part] = volatileParts(answers.map(look), operation.list?.identity);
  const [first, ...others] = part?.values.map((value, index) => withoutClock(value, answers[index])) ?? [];
  if (part && others.every((other) => sameJson(first, other))) throw volatileViolation(answers, part);
}

/** The documented part of an answer. A time in another field is no violation. */
function shownBy(spec: Spec, operation: Operation, answer: Answer): unknown {
  return documentedOnly(spec, operation, resultOf(answer));
}

function documentedOnly(spec: Spec, { resource }: Operation, value: unknown): unknown {
  if (!resource) return value;
  const documented = (item: unknown) => withPlainTimes(spec.schemas.documented(resource, item));
  return Array.isArray(value) ? value.map(documented) : documented(value);
}

/** The value with date-times in UTC and milliseconds. */
function withPlainTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainTimes);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withPlainTimes(part)]));
  if (typeof value !== "string" || !isDateTime(value) || /\.\d{4}/.test(value)) return value;
  const time = Date.parse(value.toUpperCase());
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}
