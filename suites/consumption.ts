/** Updates that use a resource up (section 3): cancelling a payment code, together with other fields, once. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { subjectLock, versionAccepted } from "../client/controls.ts";
import { baseQueries } from "../client/samples.ts";
import { sendBody, subjectOf } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../client/target.ts";
import { mustAccept } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { requestTo, withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeDifferences, isSameInAnyCasing } from "../trials/compare.ts";
import { check, operationsOf } from "../trials/derive.ts";
import { echoFaults } from "../trials/echo.ts";
import { findInList } from "../trials/own-items.ts";
import { evidenceOf, readPages } from "../trials/pages.ts";
import { readBack, readerOf, type Seen } from "../trials/read-back.ts";
import { mustAgree } from "../trials/same-record.ts";
import { readSettled } from "../trials/settled-reads.ts";

const SUITE = "updates";

interface Consumed {
  sent: JsonObject;
  answer: Answer;
  seen: Seen | undefined;
}

export function consumptionChecks(spec: Spec): Check[] {
  return operationsOf(spec, "update").flatMap((operation) =>
    Object.entries(spec.schemas.flatten(operation.body ?? {}).properties ?? {}).flatMap(([name, child]) => {
      const schema = spec.schemas.flatten(child);
      const consumes = schema["x-consumes"];
      const value = schema.enum?.find((option) => option !== null);
      return consumes && value !== undefined ? fieldChecks(spec, operation, name, value, consumes) : [];
    }),
  );
}

function fieldChecks(
  spec: Spec,
  operation: Operation,
  name: string,
  value: unknown,
  consumes: { fixture: string; status: string; together: string; again: string },
): Check[] {
  const sketch = {
    suite: SUITE,
    operation,
    detail: name,
    stage: "write",
    writes: true,
    consumes: true,
  } as const;
  /** Done once: the fixture can be used up only once. */
  const consume = (target: Target): Promise<Consumed> =>
    target.once(`consume ${operation.id} ${name}`, async () => {
      const id = fixture(target);
      const sent = { ...(await validBody(target, operation, "full", 3)), [name]: value };
      const version = usualVersion(target, operation);
      const plan = withBody({ ...requestTo(operation, version), path: id }, sent);
      const answer = await sendBody(target, plan, "update");
      const seen = isAccepted(answer)
        ? await readSettled(target, operation, id, version, { sent })
        : undefined;
      return { sent, answer, seen };
    });
  const fixture = (target: Target): string => {
    const id = target.settings.fixtures[consumes.fixture];
    if (id === undefined)
      throw new Untestable("no-fixture", `give --fixture ${consumes.fixture}=ID to test this; it is used up`);
    return id;
  };
  const evidence = (consumed: Consumed) => [
    consumed.answer.exchange,
    ...(consumed.seen?.exchange ? [consumed.seen.exchange] : []),
  ];
  const reader = readerOf(spec, operation);
  const list = reader?.sameRecord && operationById(spec, reader.sameRecord.list);
  const filter = list?.list?.filters.find((candidate) => candidate.filter === `/${name}`);
  const after = `after ${operation.key} with ${name}`;
  const accepted = async (target: Target): Promise<void> => {
    const { answer } = await consume(target);
    if (!isAccepted(answer)) throw new Untestable("control-rejected", "the update was rejected");
  };
  return [
    ...(reader?.sameRecord
      ? [
          check({
            ...sketch,
            requirement: reader.sameRecord.requirement,
            operation: reader,
            detail: after,
            title: `${reader.key} and the list agree on a resource ${after}`,
            async run(target) {
              await accepted(target);
              await mustAgree(target, reader, fixture(target), operation);
            },
          }),
        ]
      : []),
    ...(list && filter
      ? [
          check({
            ...sketch,
            requirement: "FILTER-COMPLETE",
            operation: list,
            detail: `${filter.name} ${after}`,
            title: `${list.key} shows under ${filter.name} what has become ${String(value)}`,
            async run(target) {
              await accepted(target);
              await mustBeUnder(target, list, filter.name, name, value, fixture(target));
            },
          }),
        ]
      : []),
    check({
      ...sketch,
      requirement: consumes.status,
      title: `${operation.key} with ${name} ${String(value)} makes it ${String(value)}`,
      async run(target) {
        await versionAccepted(target, operation, usualVersion(target, operation));
        const consumed = await consume(target);
        mustAccept(consumed.answer, `${name} ${String(value)}`);
        for (const resource of [resourceOf(consumed.answer), consumed.seen?.resource]) {
          if (resource && !isSameInAnyCasing(resource[name], value)) {
            throw new Violation(
              `${name} ${String(value)}`,
              `${name} ${String(resource[name])}`,
              evidence(consumed),
            );
          }
        }
      },
    }),
    check({
      ...sketch,
      requirement: consumes.together,
      title: `${operation.key} with ${name} ${String(value)} updates the other fields in the same call`,
      async run(target) {
        const consumed = await consume(target);
        if (!isAccepted(consumed.answer)) throw new Untestable("control-rejected", "the update was rejected");
        const { [name]: _, ...others } = consumed.sent;
        for (const resource of [resourceOf(consumed.answer), consumed.seen?.resource]) {
          const faults = resource ? await echoFaults(target, operation, others, resource) : [];
          if (faults.length > 0) {
            await plainUpdateShows(target, operation, new Set(faults.map((fault) => fault.pointer)));
            const { expected, actual } = describeDifferences(faults);
            throw new Violation(expected, actual, evidence(consumed));
          }
        }
      },
    }),
    check({
      ...sketch,
      requirement: consumes.again,
      title: `what ${operation.key} makes of a change to what is already ${String(value)}`,
      async run(target) {
        await consume(target);
        const id = fixture(target);
        for (const [what, body] of [
          [`${name} ${String(value)} again`, { [name]: value }],
          ["other fields", await validBody(target, operation, "full", 4)],
        ] as const) {
          const answer = await sendBody(
            target,
            withBody({ ...requestTo(operation, usualVersion(target, operation)), path: id }, body),
          );
          target.observe(
            consumes.again,
            operation.key,
            what,
            `${isAccepted(answer) ? "accepted" : "rejected"} (${answer.status})`,
          );
        }
      },
    }),
  ];
}

const PAGES_SEARCHED = 12;

/** Throws a Violation where a list shows a value of an item, but does not show the item under that value. */
async function mustBeUnder(
  target: Target,
  list: Operation,
  filter: string,
  field: string,
  value: unknown,
  id: string,
): Promise<void> {
  const shown = async () => {
    const item = await findInList(target, list, id, { until: (candidate) => candidate[field] === value });
    if (item?.[field] !== value)
      throw new Untestable("no-data", `${list.key} does not show ${id} with ${field} ${String(value)}`);
  };
  await shown();
  const deadline = Date.now() + target.settings.visibilityDelay;
  const [query = []] = await baseQueries(target, list, 1);
  for (let pause = 50; ; pause *= 2) {
    const reading = await readPages(target, list, {
      version: usualVersion(target, list),
      query: [...query, [filter, String(value)]],
      limit: list.list?.limit?.schema.maximum,
      mostPages: PAGES_SEARCHED,
    });
    if (reading.ids.includes(id)) return;
    if (!reading.complete)
      throw new Untestable("budget", `${list.key} under ${filter} is too long to search for ${id}`);
    if (Date.now() + pause > deadline) {
      await shown();
      throw new Violation(`${id} under ${filter}=${String(value)}`, "left out", evidenceOf(reading));
    }
    await target.pause(pause);
  }
}

/** Throws Untestable where an update that uses nothing up does not show the same fields either: that is found elsewhere. */
async function plainUpdateShows(target: Target, operation: Operation, pointers: Set<string>): Promise<void> {
  const id = await subjectOf(target, operation, "write").catch(() => undefined);
  if (id === undefined) return;
  const faults = await target.exclusive(subjectLock(operation), async () => {
    const sent = await validBody(target, operation, "full", 3);
    const plan = withBody({ ...requestTo(operation, usualVersion(target, operation)), path: id }, sent);
    const answer = await sendBody(target, plan, "control");
    const seen = isAccepted(answer) ? await readBack(target, operation, id) : undefined;
    const shown = [resourceOf(answer), seen?.resource].filter((resource) => resource !== undefined);
    return (await Promise.all(shown.map((resource) => echoFaults(target, operation, sent, resource)))).flat();
  });
  if (faults.some((fault) => pointers.has(fault.pointer))) {
    throw new Untestable("control-rejected", "an update without it does not show the same fields either");
  }
}
