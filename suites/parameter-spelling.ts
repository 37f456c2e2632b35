/** Spellings of query parameters on which the specification is silent (section 4): recorded, never judged. */

import type { Call } from "../client/call.ts";
import { isAccepted, itemsOf } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { rule, suiteOf } from "../trials/rule.ts";

interface Spelling {
  practice: "emptyParameters" | "unusualNumbers" | "lowerCaseCodes";
  requirement: string;
  detail: string;
  applies(parameter: Parameter): boolean;
  texts(call: Call, parameter: Parameter): Promise<string[]>;
}

const SPELLINGS: Spelling[] = [
  {
    requirement: "PARAMETER-SPELLING",
    practice: "emptyParameters",
    detail: "empty value",
    applies: ({ required }) => !required,
    texts: async () => [""],
  },
  {
    requirement: "PARAMETER-SPELLING",
    practice: "unusualNumbers",
    detail: "unusual numbers",
    applies: ({ role }) => role === "page-size",
    texts: async () => ["05", "+5", "1e1"],
  },
  {
    requirement: "FILTER-SPELLING",
    practice: "lowerCaseCodes",
    detail: "lower case",
    applies: ({ schema }) => schema.format === "country-code",
    texts: async (call, { name }) =>
      (await call.valid()).query.filter(([each]) => each === name).map(([, value]) => value.toLowerCase()),
  },
];

function queryParameters(spec: Spec, applies: (parameter: Parameter) => boolean) {
  return spec.operations
    .filter(({ kind }) => kind === "list" || kind === "read")
    .flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === "query" && applies(parameter))
        .map((parameter) => ({ operation, parameter })),
    );
}

const spelled = SPELLINGS.map(({ requirement, practice, detail, applies, texts }) =>
  rule({
    requirement,
    notes: practice,
    over: (spec) =>
      queryParameters(spec, applies).map((place) => ({
        ...place,
        detail: `${place.parameter.name} ${detail}`,
      })),
    title: ({ operation, parameter }) => `how ${operation.key} treats ${parameter.name}: ${detail}`,
    group: ({ parameter }) => `${parameter.role ?? "filter"} ${detail}`,
    async run(call, { parameter }) {
      const plan = await call.valid();
      for (const text of await texts(call, parameter)) {
        const answer = await call.send(withQuery(plan, { [parameter.name]: text }));
        call.note(requirement, practice, { status: answer.status }, { field: parameter.name, tried: text });
      }
    },
  }),
);

const repeated = rule({
  requirement: "PARAMETER-SPELLING",
  notes: "repeatedParameters",
  over: (spec) =>
    queryParameters(spec, ({ role }) => role === "page-size").map((place) => ({
      ...place,
      detail: `${place.parameter.name} repeated`,
    })),
  title: ({ operation, parameter }) => `how ${operation.key} treats ${parameter.name} sent twice`,
  group: ({ parameter }) => `${parameter.role ?? "filter"} repeated`,
  async run(call, { parameter: { name } }) {
    const plan = await call.valid();
    const query: [string, string][] = [...plan.query, [name, "1"], [name, "2"]];
    const answer = await call.send({ ...plan, query });
    const items = isAccepted(answer) ? { items: itemsOf(answer).length } : {};
    call.note(
      "PARAMETER-SPELLING",
      "repeatedParameters",
      { status: answer.status, ...items },
      { field: name },
    );
  },
});

export const spellingNotes = suiteOf("limits", ...spelled, repeated);
