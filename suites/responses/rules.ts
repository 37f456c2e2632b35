/** Rules about single answers (sections 2 and 4). */

import type { Answer, Page } from "../../history/answers/answers.ts";
import type { AnswerFault } from "../../history/answers/shape-faults.ts";
import { header, mediaType } from "../../history/entry.ts";
import { counted } from "../../spec/counted.ts";
import { idText } from "../../spec/identity.ts";
import type { ListShape, Operation } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";

export interface AnswerRule {
  requirement: string;
  appliesTo(operation: Operation): boolean;
  /** True if the rule needs only the number of items, which even huge pages show. */
  isOfSize?: true;
  /** Undefined if the rule does not apply. */
  check(answer: Answer): AnswerFault | null | undefined;
}

const everywhere = () => true;
const isDocumented = ({ response }: Operation) => response !== undefined;

/** Other rules judge redirects of faulty requests. */
const status: AnswerRule = {
  requirement: "STATUS-200",
  appliesTo: isDocumented,
  check({ status, isValid }) {
    const isRedirect = status >= 300 && status < 400;
    if (status < 200 || status >= 400 || (isRedirect && !isValid)) return undefined;
    if (status === 200) return null;
    return { expected: "status 200", actual: `status ${status}`, offending: "status" };
  },
};

const contentType: AnswerRule = {
  requirement: "JSON-CONTENT-TYPE",
  appliesTo: isDocumented,
  check({ isSuccess, entry: { response } }) {
    if (!isSuccess || !("status" in response)) return undefined;
    const type = header(response.headers, "content-type");
    if (isJsonContentType(type)) return null;
    if (type === undefined && response.isPartial) return undefined;
    return {
      expected: "a JSON content type",
      actual: type ?? "no content type",
      offending: "header:content-type",
    };
  },
};

export function isJsonContentType(value: string | undefined): boolean {
  const type = mediaType(value) ?? "";
  return type === "application/json" || /^[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json$/.test(type);
}

const body: AnswerRule = {
  requirement: "JSON-BODY",
  appliesTo: isDocumented,
  check({ isSuccess, json, entry: { response } }) {
    if (!isSuccess || !("status" in response) || response.body.cut) return undefined;
    if (json !== undefined) return null;
    const { text, unreadable } = response.body;
    const isPacked = unreadable === "not-unpacked";
    const actual = isPacked ? "not packed as its Content-Encoding says" : describeValue(text, 60);
    return { difference: "not-json", expected: "a body that is JSON", actual, offending: "" };
  },
};

export const SUCCESS_RULES: readonly AnswerRule[] = [status, contentType, body];

const count = pageRule("LIST-COUNT", everywhere, ({ length, pagination }) => {
  const shown = pagination?.count;
  if (length === undefined || typeof shown !== "number") return undefined;
  if (shown === length) return null;
  const offending = "/pagination/count";
  return { difference: "wrong-number", expected: `count ${length}`, actual: `count ${shown}`, offending };
});

const pageMaximum: AnswerRule = {
  ...pageRule(
    "LIST-PAGE-MAXIMUM",
    ({ limit }) => limit?.schema.maximum !== undefined,
    ({ length }, { operation }) => atMost(operation.list?.limit?.schema.maximum, length),
  ),
  isOfSize: true,
};

const limitRespected: AnswerRule = {
  ...pageRule(
    "LIST-LIMIT-RESPECTED",
    ({ limit }) => limit !== undefined,
    ({ length }, answer) => atMost(sizeAsked(answer), length),
  ),
  isOfSize: true,
};

/** Returns the fault if there are more items than allowed, null if not, and `undefined` without a limit or items. */
function atMost(most: number | undefined, length: number | undefined): AnswerFault | null | undefined {
  if (most === undefined || !length) return undefined;
  if (length <= most) return null;
  return {
    difference: "too-many",
    expected: `at most ${counted(most, "item")}`,
    actual: counted(length, "item"),
    offending: "/result",
  };
}

function sizeAsked({ operation, entry }: Answer): number | undefined {
  const limit = operation.list?.limit;
  const [asked, ...others] = queryValues(entry, limit?.name);
  if (asked === undefined || others.length > 0 || !/^[1-9]\d*$/.test(asked)) return undefined;
  const size = Number(asked);
  return size <= (limit?.schema.maximum ?? size) ? size : undefined;
}

const idsUnique = pageRule(
  "LIST-IDS-UNIQUE",
  ({ identity }) => identity !== undefined,
  ({ items }, { operation }) => {
    const { identity = "id" } = operation.list ?? {};
    const ids = items.map((item) => item[identity]).filter((id) => idText(id) !== undefined);
    if (ids.length < 2) return undefined;
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice === undefined) return null;
    return {
      difference: "repeated",
      expected: `each ${identity} once`,
      actual: `${describeValue(twice)} twice`,
      offending: "/result",
    };
  },
);

const total = pageRule(
  "LIST-TOTAL",
  (list) => list.total,
  ({ pagination }) => {
    const { count, total } = pagination ?? {};
    if (typeof total !== "number" || typeof count !== "number") return undefined;
    if (total >= count) return null;
    return {
      difference: "too-few",
      expected: `a total of at least ${count}`,
      actual: `total ${total}`,
      offending: "/pagination/total",
    };
  },
);

/** The specification does not define `next` on `before` pages. */
const cursorForm = pageRule(
  "CURSOR-FORM",
  ({ after }) => after !== undefined,
  ({ pagination }, { operation, entry }) => {
    const { after, before } = operation.list ?? {};
    if (!pagination || queryValues(entry, before?.name).length > 0) return undefined;
    const { next } = pagination;
    const offending = "/pagination/next";
    if (next === "") return { expected: "null or a non-empty string", actual: '""', offending };
    const limit = after?.schema.maxLength;
    if (typeof next !== "string" || limit === undefined || [...next].length <= limit) return null;
    const actual = `${[...next].length} characters`;
    return { difference: "too-many", expected: `at most ${limit} characters`, actual, offending };
  },
);

function pageRule(
  requirement: string,
  appliesTo: (list: ListShape) => boolean,
  check: (page: Page, answer: Answer) => AnswerFault | null | undefined,
): AnswerRule {
  return {
    requirement,
    appliesTo: ({ list }) => list !== undefined && appliesTo(list),
    check: (answer) => (answer.page ? check(answer.page, answer) : undefined),
  };
}

function queryValues({ request }: Answer["entry"], name: string | undefined): string[] {
  return request.query.filter(([candidate]) => candidate === name).map(([, value]) => value);
}

export const ANSWER_RULES: readonly AnswerRule[] = [
  ...SUCCESS_RULES,
  count,
  pageMaximum,
  limitRespected,
  idsUnique,
  total,
  cursorForm,
];
