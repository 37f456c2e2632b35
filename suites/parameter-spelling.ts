/** Spellings of query parameters that the specification says nothing about (section 4): recorded, never judged. */

import type { Call } from "../client/call.ts";
import { isAccepted, itemsOf } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { type Place, rule, suiteOf } from "../trials/rule.ts";

const suite = "limits";
const stage = "read";

/** What became of a request, as an observation says it. */
export function told(status: number): string {
  return `${status >= 200 && status < 300 ? "accepted" : "rejected"} (${status})`;
}

interface SpelledPlace extends Place {
  parameter: Parameter;
}

interface Spelling {
  requirement: string;
  detail: string;
  applies(parameter: Parameter): boolean;
  texts(call: Call, parameter: Parameter): Promise<string[]>;
}

const SPELLINGS: Spelling[] = [
  {
    requirement: "PARAMETER-SPELLING",
    detail: "empty value",
    applies: ({ required }) => !required,
    texts: async () => [""],
  },
  {
    requirement: "PARAMETER-SPELLING",
    detail: "unusual numbers",
    applies: ({ role }) => role === "page-size",
    texts: async () => ["05", "+5", "1e1"],
  },
  {
    requirement: "FILTER-SPELLING",
    detail: "lower case",
    applies: ({ schema }) => schema.format === "country-code",
    texts: async (call, { name }) =>
      (await call.valid()).query.filter(([each]) => each === name).map(([, value]) => value.toLowerCase()),
  },
];

function queryParameters(spec: Spec, applies: (parameter: Parameter) => boolean): SpelledPlace[] {
  return spec.operations
    .filter(({ kind }) => kind === "list" || kind === "read")
    .flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === "query" && applies(parameter))
        .map((parameter) => ({ operation, parameter })),
    );
}

const spelled = SPELLINGS.map(({ requirement, detail, applies, texts }) =>
  rule({
    suite,
    requirement,
    over: (spec) =>
      queryParameters(spec, applies).map((place) => ({
        ...place,
        detail: `${place.parameter.name} ${detail}`,
      })),
    title: ({ operation, parameter }) => `what ${operation.key} makes of ${parameter.name}: ${detail}`,
    stage,
    turns: ({ parameter }) => `${parameter.role ?? "filter"} ${detail}`,
    async run(call, { operation, parameter }) {
      const plan = await call.valid();
      for (const text of await texts(call, parameter)) {
        const answer = await call.send(withQuery(plan, { [parameter.name]: text }));
        call.target.observe(requirement, operation.key, `${parameter.name}=${text}`, told(answer.status));
      }
    },
  }),
);

const repeated = rule({
  suite,
  requirement: "PARAMETER-SPELLING",
  over: (spec) =>
    queryParameters(spec, ({ role }) => role === "page-size").map((place) => ({
      ...place,
      detail: `${place.parameter.name} repeated`,
    })),
  title: ({ operation, parameter }) => `what ${operation.key} makes of ${parameter.name} sent twice`,
  stage,
  turns: ({ parameter }) => `${parameter.role ?? "filter"} repeated`,
  async run(call, { operation, parameter: { name } }) {
    const plan = await call.valid();
    const query: [string, string][] = [...plan.query, [name, "1"], [name, "2"]];
    const answer = await call.send({ ...plan, query });
    const size = isAccepted(answer) ? `, ${itemsOf(answer).length} items` : "";
    const value = `${told(answer.status)}${size}`;
    call.target.observe("PARAMETER-SPELLING", operation.key, `${name}=1&${name}=2`, value);
  },
});

export const spellingNotes = suiteOf(...spelled, repeated);
