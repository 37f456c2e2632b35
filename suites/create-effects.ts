import { Violation } from "../client/check.ts";
import { listOf, markedField, namedListOf } from "../client/relations.ts";
import { hasHadEnough } from "../client/subjects.ts";
import { uniqueFields } from "../client/supply.ts";
import { isAccepted, isRejected } from "../client/target.ts";
import type { Operation } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { mustLeaveNothing, refusedSoFar } from "../trials/left-behind.ts";
import {
  brokenCalls,
  type Cause,
  freed,
  nothingRejected,
  rejections,
  unauthenticatedCalls,
  underUsedKey,
} from "../trials/refused-creates.ts";
import { operationsWithBody, type Place, rule, suiteOf } from "../trials/rule.ts";

const CAUSES: Cause[] = [
  {
    requirement: "CREATE-NO-EFFECT",
    detail: "broken bodies",
    title: ({ key }) => `a rejected ${key} creates nothing`,
    calls: brokenCalls,
    others: true,
  },
  {
    requirement: "AUTH-NO-EFFECT",
    detail: "created",
    title: ({ key }) => `${key} without authentication creates nothing`,
    calls: unauthenticatedCalls,
    others: false,
  },
];

interface CausePlace extends Place {
  cause: Cause;
}

interface UniqueCause extends CausePlace {
  name: string;
}

/** Judged when all else was written, for all rejected calls of the run. */
const byTheList = rule<CausePlace & { list: Operation }>({
  stage: "aftermath",
  requirement: ({ cause }) => cause.requirement,
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) => {
      const list = listOf(spec, operation) ?? namedListOf(spec, operation);
      if (!list || markedField(spec, operation) === undefined) return [];
      return CAUSES.map((cause) => ({ operation, list, cause, detail: `${cause.detail}, by the list` }));
    }),
  title: ({ operation, cause }) => cause.title(operation),
  async run(call, { list, cause }) {
    const { target, operation } = call;
    const earlier = cause.others ? await refusedSoFar(call) : [];
    // A list without a documented shape is only an additional witness: the rejected calls so far suffice for
    // it.
    const full = await hasHadEnough(target, operation);
    const enough = earlier.length > 0 && (full || list.list === undefined);
    // Bodies with a fault were rejected before, but no call without required headers was.
    const valid = await call.body();
    // In a confirmation there are only its own calls.
    const alone = earlier.length === 0;
    const own = enough
      ? []
      : await rejections(call, cause, valid, { headersAlone: !alone, everywhere: alone });
    const conflicting = cause.others && !(full && enough) ? await underUsedKey(call) : [];
    await mustLeaveNothing(call, list, [...earlier, ...own, ...conflicting]);
  },
});

/** A unique value is free after all calls with it were rejected. */
const byUniqueValue = rule<UniqueCause>({
  requirement: ({ cause }) => cause.requirement,
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      uniqueFields(spec, operation.body ?? {}).flatMap((name) =>
        CAUSES.map((cause) => ({ operation, name, cause, detail: `${cause.detail}, by ${name}` })),
      ),
    ),
  title: ({ operation, cause }) => cause.title(operation),
  async run(call, { cause, name }) {
    const { target, operation } = call;
    // One valid call shows for all causes that the value was free. If it was not, each cause is tested alone.
    const together = await target.once(`freed ${operation.id} ${name}`, async () => freed(call, CAUSES));
    if (!together.refused.has(cause)) throw nothingRejected();
    if (isAccepted(together.answer)) return;
    const { answer, refused } = await freed(call, [cause]);
    const before = refused.get(cause);
    if (!before) throw nothingRejected();
    if (!isRejected(answer)) return;
    throw new Violation(
      `${name} ${describeValue(together.valid[name])} to be free after the call with it was rejected`,
      `status ${answer.status}`,
      [...before.slice(-1).map((one) => one.answer), answer],
    );
  },
});

export const noEffectChecks = suiteOf("creates", byTheList, byUniqueValue);
