/** Reads change nothing (row 53): what is read again and again stays the same. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { sampleItems } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import { type Answer, asText, isAccepted, itemsOf, resultOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type RequestPlan, requestTo } from "../generators/request.ts";
import { isDateTime } from "../spec/formats.ts";
import { isObject, sameJson } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { check } from "../trials/derive.ts";

const READS_COMPARED = 4;
const PAUSE = 15;
const PAIRS = 9;
const PAIR_GAP = 3;
const READS_TO_CONFIRM = 8;
const RECORDS_REPEATED = 6;
/** Readings of what shows whole seconds, so far apart that each falls into another one. */
const SLOW_READS = 3;
const SLOW_PAUSE = 1_100;
/** Between a service's clock and the time that it shows as now. */
const JUST_NOW = 2_500;

/** What reading one thing again and again showed. */
interface Readings {
  plan: RequestPlan;
  answers: Answer[];
  /** Whether there was anything to see. */
  seen: boolean;
  /** Whether it was one thing at the first reading, and another at every later one. */
  changedOnce: boolean;
  /** Whether a later reading differs from the one before it. */
  changedLater: boolean;
  /** The answer that ended the reading: others may remove a record meanwhile. */
  rejected?: Answer;
}

/**
 * Read again and again: where no two readings in a row are the same, reading is what changes it. So it is where the
 * first reading, and no other, changes one record after another. Therefore it comes before other checks read the
 * records, and what is read of one list is read in turns: a list is not at fault for what its records' reads change.
 */
export function stableCheck(operation: Operation): Check {
  return check({
    suite: "reads",
    requirement: "READ-STABLE",
    operation,
    title: `${operation.key} read again gives the same${operation.sameRecord ? ", and so does the list" : ""}`,
    stage: "repeat",
    async run(target) {
      const plans = await plansToRepeat(target, operation);
      const all = await target.exclusive(`read ${operation.sameRecord?.list ?? operation.id}`, async () => {
        const readings: Readings[] = [];
        for (const plan of plans) readings.push(await readRepeatedly(target, operation, plan));
        await mustLeaveTheListAlone(target, operation);
        return readings;
      });
      if (!all.some(({ seen }) => seen)) {
        const gone = all.find(({ rejected }) => rejected)?.rejected;
        if (!gone) throw new Untestable("no-data", "there is nothing to read");
        throw new Untestable("control-rejected", `a valid read was answered ${gone.status}`, [gone.exchange]);
      }
      if (operation.list) return;
      await mustNotChangeAtFirst(target, operation, all);
      if (all.every(({ changedOnce, changedLater, rejected }) => changedOnce || changedLater || rejected))
        throw new Untestable("drift", "what was read changed between two readings");
    },
  });
}

/** Throws a Violation where several records changed at their first reading, and none of them ever after. */
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
    first.answers.slice(0, 2).map((answer) => answer.exchange),
  );
}

/**
 * Throws a Violation where the list shows something else of a record after each read of it alone, and the same as long
 * as nobody reads it.
 */
async function mustLeaveTheListAlone(target: Target, operation: Operation): Promise<void> {
  const { sameRecord } = operation;
  if (!sameRecord) return;
  const list = operationById(target.spec, sameRecord.list);
  const [field = "id"] = sameRecord.by;
  const page = await validRequest(target, list, usualVersion(target, list));
  const look = async (wanted?: string) => {
    const answer = await target.send(page, { role: "list", valid: true });
    const item = itemsOf(answer).find(
      (candidate) => wanted === undefined || asText(candidate[field]) === wanted,
    );
    return { answer, item: item && documentedOnly(target.spec, list, item), path: asText(item?.[field]) };
  };
  const rest = (seen: { answer: Answer; item: unknown }) =>
    target.pause(isClock(seen.item, seen.answer) ? SLOW_PAUSE : PAUSE);
  let before = await look();
  const { path } = before;
  if (path === undefined) return;
  const plan = { ...requestTo(operation, usualVersion(target, operation)), path };
  let evidence: Answer["exchange"][] = [];
  for (let count = 1; count < READS_COMPARED; count++) {
    await rest(before);
    const read = await target.send(plan, { role: `read ${count}`, valid: true });
    const after = await look(path);
    if (!isAccepted(read) || after.item === undefined || sameJson(before.item, after.item)) return;
    evidence = [before.answer, read, after.answer].map(({ exchange }) => exchange);
    before = after;
  }
  for (let count = 1; count < READS_COMPARED; count++) {
    await rest(before);
    if (!sameJson((await look(path)).item, before.item)) return;
  }
  throw new Violation(
    "a read that changes nothing",
    `after each read ${list.key} shows something else`,
    evidence,
  );
}

/** A few requests to read again: several records where there are several. */
async function plansToRepeat(target: Target, operation: Operation): Promise<RequestPlan[]> {
  const plan = await validRequest(target, operation, usualVersion(target, operation));
  const { sameRecord, pathParameter } = operation;
  if (!sameRecord) {
    const other = pathParameter?.fixture && target.settings.fixtures[pathParameter.fixture.write ?? ""];
    return other === undefined || other === plan.path ? [plan] : [plan, { ...plan, path: other }];
  }
  const [field = "id"] = sameRecord.by;
  const items = await sampleItems(target, operationById(target.spec, sameRecord.list));
  const paths = items.map((item) => asText(item[field])).filter((value) => value !== undefined);
  const step = Math.max(1, Math.floor(paths.length / RECORDS_REPEATED));
  return [
    plan,
    ...paths
      .filter((_, index) => index % step === 0)
      .slice(0, RECORDS_REPEATED)
      .map((path) => ({ ...plan, path })),
  ];
}

/** Throws a Violation where no two readings in a row are the same. */
async function readRepeatedly(
  target: Target,
  operation: Operation,
  plan: RequestPlan,
  readings = READS_COMPARED,
): Promise<Readings> {
  const answers: Answer[] = [];
  for (let count = 0; count < readings; count++) {
    if (count > 0) await target.pause(PAUSE);
    const answer = await target.send(plan, { role: `read ${count + 1}`, valid: true });
    if (!isAccepted(answer))
      return { plan, answers, seen: false, changedOnce: false, changedLater: false, rejected: answer };
    answers.push(answer);
  }
  const look = (answer: Answer) => documentedOnly(target.spec, operation, resultOf(answer));
  const shown = answers.map(look);
  const identity = operation.list?.identity;
  const [restless] = restlessParts(shown, identity);
  if (restless && (await differsAtOnce(target, plan, look, restless, identity)))
    throw restlessViolation(answers, restless);
  if (answers.some((answer) => isClock(look(answer), answer)))
    await mustNotTick(target, operation, plan, look);
  const [atFirst = false, ...later] = shown.slice(1).map((value, index) => !sameJson(value, shown[index]));
  return {
    plan,
    answers,
    seen: shown.some(
      (value) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
    changedOnce: atFirst && !later.includes(true),
    changedLater: later.includes(true),
  };
}

function restlessViolation(answers: Answer[], restless: Restless): Violation {
  return new Violation(
    "the same answer to the same read",
    `${restless.name} differs each time`,
    answers.slice(0, 2).map((answer) => answer.exchange),
  );
}

/**
 * Whether two readings at nearly the same time show two things, too. What others change is mostly the same in both,
 * however often they do; what reading changes is not, and neither is a time of day in milliseconds.
 */
async function differsAtOnce(
  target: Target,
  plan: RequestPlan,
  look: (answer: Answer) => unknown,
  restless: Restless,
  identity: string | undefined,
): Promise<boolean> {
  let differing = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const read = (n: number) => target.send(plan, { role: `at once ${n}`, valid: true });
    const answers = await Promise.all([read(1), target.pause(PAIR_GAP).then(() => read(2))]);
    const parts = restlessParts(answers.map(look), identity);
    if (parts.some(({ name }) => name === restless.name)) differing++;
  }
  return differing > (2 / 3) * PAIRS;
}

/**
 * Throws a Violation where each reading sets a time, shown in whole seconds, to that of the reading. What others change
 * again and again does not look like that: not only a time differs, or it is not always the reading's.
 */
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
  const [restless] = restlessParts(answers.map(look), operation.list?.identity);
  const [first, ...others] =
    restless?.values.map((value, index) => withoutClock(value, answers[index])) ?? [];
  if (restless && others.every((other) => sameJson(first, other))) throw restlessViolation(answers, restless);
}

/** Whether a value holds a time in whole seconds that is the time of the answer. */
function isClock(value: unknown, answer: Answer): boolean {
  return !sameJson(value, withoutClock(value, answer));
}

/** A value without the times in whole seconds that are the time of the answer. */
function withoutClock(value: unknown, answer: Answer | undefined): unknown {
  const now = Date.parse(answer?.headers.date ?? "") || Date.now();
  const isNow = (part: unknown) => {
    const time = typeof part === "string" && isDateTime(part) ? Date.parse(part) : Number.NaN;
    return time % 1000 === 0 && Math.abs(time - now) < JUST_NOW;
  };
  const text = JSON.stringify(value, (_, part: unknown) => (isNow(part) ? "now" : part));
  return text === undefined ? undefined : JSON.parse(text);
}

/** What is another at each reading: its name, and what it was each time. */
interface Restless {
  name: string;
  values: unknown[];
}

/**
 * What differs from each reading to the next: the record, or one that all readings of a list hold. Others may add
 * and change records while they are read, but not the same one between every two readings.
 */
function restlessParts(shown: unknown[], identity: string | undefined): Restless[] {
  const [first] = shown;
  const differs = ({ values }: Restless) =>
    values.slice(1).every((value, index) => !sameJson(value, values[index]));
  if (!Array.isArray(first)) return [{ name: "the record", values: shown }].filter(differs);
  if (identity === undefined) return [];
  const records = shown.map(
    (list) =>
      new Map((Array.isArray(list) ? list.filter(isObject) : []).map((item) => [item[identity], item])),
  );
  return [...(records[0]?.keys() ?? [])]
    .filter((id) => records.every((byId) => byId.has(id)))
    .map((id) => ({ name: String(id), values: records.map((byId) => byId.get(id)) }))
    .filter(differs);
}

/** result without fields that the specification does not name: a time of day among them is no fault. */
function documentedOnly(spec: Spec, operation: Operation, value: unknown): unknown {
  const { resource } = operation;
  if (!resource) return value;
  return Array.isArray(value)
    ? value.map((item) => spec.schemas.documented(resource, item))
    : spec.schemas.documented(resource, value);
}
