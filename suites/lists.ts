/** Lists (sections 2.2 and 8): page sizes, their default, totals, and what may be sent as a cursor. */

import { Untestable, Violation } from "../client/check.ts";
import { createOf } from "../client/relations.ts";
import { baseQueries } from "../client/samples.ts";
import { nextOf, paginationOf } from "../client/target.ts";
import { counted } from "../spec/counted.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { sizesAsked, usualQuery, walk } from "../trials/corpus.ts";
import { defaultPages, type Total, wrongTotal } from "../trials/first-pages.ts";
import { evidenceOf } from "../trials/pages.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";

/** Values of a required parameter under which totals are compared. */
const MOST_QUERIES = 3;

function lists(spec: Spec) {
  return operationsOf(spec, "list").map((operation) => ({ operation }));
}

function sized(spec: Spec) {
  return lists(spec).flatMap(({ operation }) =>
    operation.list?.limit ? [{ operation, limit: operation.list.limit }] : [],
  );
}

function withTotal(spec: Spec) {
  return lists(spec).filter(({ operation }) => operation.list?.total);
}

/** The page size that stands for none; undefined where the specification names none. */
function usualSize({ schema }: Parameter): number | undefined {
  return typeof schema.default === "number" ? schema.default : undefined;
}

const limitAccepted = rule({
  requirement: "LIST-LIMIT-ACCEPTED",
  over: (spec) =>
    sized(spec)
      .filter(({ limit }) => limit.schema.maximum !== undefined)
      .map((place) => ({ ...place, detail: "any" })),
  title: ({ operation, limit: { name, schema } }) =>
    `${operation.key} accepts every ${name} from ${schema.minimum ?? 1} to ${schema.maximum}, and gives no more items`,
  versions: "each",
  async run(call, { limit }) {
    for (const size of sizesAsked(call)) {
      const { answers } = await walk(call, { size, mostPages: 1 });
      if (answers[0]) await call.mustTake(answers[0], `${limit.name}=${size}`);
    }
  },
});

/** What a run makes itself may be what makes a list long enough: then it is looked at last. */
const limitDefault = rule({
  requirement: "LIST-LIMIT-DEFAULT",
  over: (spec) =>
    sized(spec).flatMap((place) => {
      const usual = usualSize(place.limit);
      return usual === undefined ? [] : [{ ...place, usual, late: createOf(spec, place.operation) }];
    }),
  title: ({ operation, limit, usual }) =>
    `${operation.key} without ${limit.name} gives the page of ${limit.name}=${usual}`,
  stage: ({ late }) => (late ? "aftermath" : "read"),
  versions: "each",
  async run(call, { limit, usual }) {
    const { asked, left, differ } = await defaultPages(call, usual, await usualQuery(call));
    if (differ) {
      throw new Violation(
        `the ${asked.ids.length} items of ${limit.name}=${usual}`,
        left.ids.length === asked.ids.length ? "other items" : counted(left.ids.length, "item"),
        evidenceOf(asked, left),
      );
    }
    // A list shorter than the default looks the same whatever the default is. Where there is no next page to ask for,
    // a page that is full tells that it is not.
    const isShort = call.operation.list?.after ? asked.complete : asked.ids.length < usual;
    if (isShort) throw new Untestable("no-data", `the list is no longer than ${usual} items`);
  },
});

const totalExact = rule({
  requirement: "LIST-TOTAL-EXACT",
  over: withTotal,
  title: ({ operation }) =>
    `total on the first page of ${operation.key} is the number of items that following next reaches`,
  versions: "each",
  async run(call) {
    let whole = false;
    const most = call.isUsual ? MOST_QUERIES : 1;
    for (const query of await baseQueries(call.target, call.operation, most)) {
      const wrong = await wrongTotal(
        call,
        query,
        ({ total, reached, complete }) => complete && total !== reached,
      );
      if (wrong)
        throw totalViolation(wrong, `total ${wrong.reached}, the number of items that next leads to`);
      whole ||= (await walk(call, { query })).complete;
    }
    if (!whole) throw new Untestable("budget", "the list is longer than is read");
  },
});

const totalNotBelow = rule({
  requirement: "LIST-TOTAL",
  over: (spec) => withTotal(spec).map((place) => ({ ...place, detail: "over all pages" })),
  title: ({ operation }) =>
    `total on the first page of ${operation.key} is no smaller than the number of items that its pages show`,
  versions: "each",
  async run(call) {
    const query = await usualQuery(call);
    const wrong = await wrongTotal(call, query, ({ total, reached }) => total < reached);
    if (wrong)
      throw totalViolation(wrong, `a total of at least ${wrong.reached}, for so many items were shown`);
    if ((await walk(call, { query })).ids.length === 0) throw new Untestable("no-data", "the list is empty");
  },
});

function totalViolation({ total, page }: Total, expected: string): Violation {
  return new Violation(expected, `total ${total}`, evidenceOf(page));
}

const totalElsewhere = rule({
  requirement: "TOTAL-ELSEWHERE",
  notes: "totalElsewhere",
  over: (spec) => lists(spec).filter(({ operation }) => !operation.list?.total),
  title: ({ operation }) => `${operation.key}: total where it is not documented`,
  async run(call) {
    const { total } = paginationOf(await call.control());
    const word = total === undefined ? "absent" : "present";
    call.note("TOTAL-ELSEWHERE", "totalElsewhere", { word });
  },
});

const nextWithoutCursor = rule({
  requirement: "NEXT-WITHOUT-CURSOR",
  notes: "nextWithoutCursor",
  over: (spec) => lists(spec).filter(({ operation }) => !operation.list?.after),
  title: ({ operation }) => `${operation.key}: next where no cursor parameter is shown`,
  async run(call) {
    const word = nextOf(await call.control()) === null ? "none" : "cursor";
    call.note("NEXT-WITHOUT-CURSOR", "nextWithoutCursor", { word });
  },
});

export const listChecks = suiteOf(
  "lists",
  limitAccepted,
  limitDefault,
  totalExact,
  totalNotBelow,
  totalElsewhere,
  nextWithoutCursor,
);
