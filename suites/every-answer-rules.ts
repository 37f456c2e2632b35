/** What any answer keeps by itself, whatever was asked (sections 2.1, 2.2 and 4): held against every answer of the run. */

import { isServerError, queryOf } from "../client/target.ts";
import { mediaType } from "../profiles/watch-answers.ts";
import { counted } from "../spec/counted.ts";
import type { Operation } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import type { AnswerRule, SeenAnswer, SeenPage } from "../trials/every-answer.ts";
import type { Fault } from "../trials/shape-faults.ts";

const everywhere = () => true;
const shown = ({ response }: Operation) => response !== undefined;

/** A rule about the pages of some lists. */
function ofPages(
  requirement: string,
  over: (list: NonNullable<Operation["list"]>) => boolean,
  look: (page: SeenPage, seen: SeenAnswer) => Fault | null | undefined,
): AnswerRule {
  return {
    requirement,
    over: ({ list }) => list !== undefined && over(list),
    look: (seen) => (seen.page ? look(seen.page, seen) : undefined),
  };
}

/** `application/json` and every `+json` type, in any casing and with any parameters. */
export function isJsonContentType(header: string | undefined): boolean {
  const type = mediaType(header) ?? "";
  return type === "application/json" || /^[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json$/.test(type);
}

/** The page size that was asked for, where it is one that the list allows; undefined else. */
function sizeAsked({ answer: { plan } }: SeenAnswer): number | undefined {
  const limit = plan.operation.list?.limit;
  const asked = queryOf(plan, limit?.name);
  const size = asked !== undefined && /^[1-9]\d*$/.test(asked) ? Number(asked) : undefined;
  return size !== undefined && size <= (limit?.schema.maximum ?? size) ? size : undefined;
}

function atMost(most: number | undefined, length: number | undefined): Fault | null | undefined {
  if (most === undefined || !length) return undefined;
  return length <= most
    ? null
    : { expected: `at most ${counted(most, "item")}`, actual: counted(length, "item"), offending: "/result" };
}

export const EVERY_ANSWER: readonly AnswerRule[] = [
  {
    requirement: "NO-SERVER-ERROR",
    over: everywhere,
    look: ({ answer }) =>
      isServerError(answer)
        ? { expected: "no server error", actual: `status ${answer.status}`, offending: "status" }
        : null,
  },
  {
    requirement: "STATUS-200",
    over: shown,
    look: ({ answer: { status }, valid }) => {
      const redirected = status >= 300 && status < 400;
      if (status < 200 || status >= 400 || (redirected && !valid)) return undefined;
      return status === 200
        ? null
        : { expected: "status 200", actual: `status ${status}`, offending: "status" };
    },
  },
  {
    requirement: "JSON-CONTENT-TYPE",
    over: shown,
    look: ({ answer, success }) => {
      const type = answer.headers["content-type"];
      if (!success) return undefined;
      const expected = "a JSON content type";
      return isJsonContentType(type)
        ? null
        : { expected, actual: type ?? "no content type", offending: "header:content-type" };
    },
  },
  {
    requirement: "JSON-BODY",
    over: shown,
    look: ({ answer, success }) => {
      if (!success) return undefined;
      const expected = "a body that is JSON";
      return answer.json === undefined
        ? { expected, actual: describeValue(answer.text, 60), offending: "" }
        : null;
    },
  },
  ofPages("LIST-COUNT", everywhere, ({ length, pagination }) => {
    const count = pagination?.count;
    if (length === undefined || typeof count !== "number") return undefined;
    return count === length
      ? null
      : { expected: `count ${length}`, actual: `count ${count}`, offending: "/pagination/count" };
  }),
  {
    ...ofPages(
      "LIST-PAGE-MAXIMUM",
      ({ limit }) => limit?.schema.maximum !== undefined,
      ({ length }, { answer }) => atMost(answer.plan.operation.list?.limit?.schema.maximum, length),
    ),
    ofSize: true,
  },
  {
    ...ofPages(
      "LIST-LIMIT-RESPECTED",
      ({ limit }) => limit !== undefined,
      ({ length }, seen) => atMost(sizeAsked(seen), length),
    ),
    ofSize: true,
  },
  ofPages(
    "LIST-IDS-UNIQUE",
    ({ identity }) => identity !== undefined,
    ({ items }, { answer }) => {
      const { identity = "id" } = answer.plan.operation.list ?? {};
      const ids = items.map((item) => item[identity]).filter((id) => id !== undefined && id !== null);
      if (ids.length < 2) return undefined;
      const twice = ids.find((id, index) => ids.indexOf(id) < index);
      return twice === undefined
        ? null
        : {
            expected: `each ${identity} once`,
            actual: `${describeValue(twice)} twice`,
            offending: "/result",
          };
    },
  ),
  ofPages(
    "LIST-TOTAL",
    ({ total }) => total,
    ({ pagination }) => {
      const { count, total } = pagination ?? {};
      if (typeof total !== "number" || typeof count !== "number") return undefined;
      return total >= count
        ? null
        : {
            expected: `a total of at least ${count}`,
            actual: `total ${total}`,
            offending: "/pagination/total",
          };
    },
  ),
  ofPages(
    "CURSOR-FORM",
    ({ after }) => after !== undefined,
    ({ pagination }, { answer: { plan } }) => {
      const { after, before } = plan.operation.list ?? {};
      // What next means on a page before an item is left open.
      if (!pagination || queryOf(plan, before?.name) !== undefined) return undefined;
      const { next } = pagination;
      const offending = "/pagination/next";
      if (next === "") return { expected: "null or a non-empty string", actual: '""', offending };
      const limit = after?.schema.maxLength;
      if (typeof next !== "string" || limit === undefined || [...next].length <= limit) return null;
      return {
        expected: `at most ${limit} characters`,
        actual: `${[...next].length} characters`,
        offending,
      };
    },
  ),
];
