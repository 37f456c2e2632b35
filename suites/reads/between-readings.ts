import { Call } from "../../client/call.ts";
import { hasUnknownSpace } from "../../client/spaces.ts";
import type { Target } from "../../client/target.ts";
import { allowedOf, drawnFrom, usualVersion } from "../../client/version-choice.ts";
import { sendWithoutToken } from "../../client/without-token.ts";
import { parameterViolations } from "../../generators/parameters.ts";
import { type RequestPlan, withQuery } from "../../generators/request.ts";
import { answerInUnknownSpace } from "../updates/refused-updates.ts";

export interface Share {
  index: number;
  of: number;
}

/**
 * None of these reads may change the next reading. Each record gets a share of them. If a list shows the
 * records, `readRecords` sends the reads with unknown ids and spaces.
 */
export async function readOtherwise(target: Target, plan: RequestPlan, { index, of }: Share): Promise<void> {
  const { operation, version } = plan;
  const reads = [
    () => sendWithoutToken(target, plan),
    ...(operation.sameRecord
      ? []
      : [() => readUnknownSpace(target, plan), () => readUnknownId(target, plan)]),
    async () => {
      const others = allowedOf(target, operation).filter((other) => other !== version);
      const [other] = drawnFrom(target.settings.seed, operation.key, others);
      if (other !== undefined) await target.ask({ ...plan, version: other });
    },
  ];
  const own = reads.filter((_, at) => at % of === index);
  // The last read is picked by the seed: many services go wrong only right after a request.
  const [last] = drawnFrom(target.settings.seed, `between reads ${operation.key} ${index}`, own);
  for (const read of own) if (read !== last) await read();
  await last?.();
  if (index > 0) return;
  for (const page of otherPages(target, plan)) {
    await target.send(plan, { role: "between", valid: true });
    await target.send(page, { role: "probe" });
  }
}

/**
 * Under the default version, other requests to a list: one with a faulty parameter, a page before an item, and
 * one under a filter. A service may take a part of them for a part of the next request.
 */
function otherPages(target: Target, plan: RequestPlan): RequestPlan[] {
  const { operation } = plan;
  const { list } = operation;
  if (!list || plan.version !== usualVersion(target, operation)) return [];
  const { spec, settings } = target;
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const drawn = <T>(items: readonly T[]) => drawnFrom(settings.seed, `beside ${operation.key}`, items);
  const faulty = drawn(
    (list.limit ? [list.limit] : queries).flatMap((parameter) =>
      parameterViolations(parameter, spec.schemas).map(({ text }) => ({ name: parameter.name, text })),
    ),
  );
  const [item] = target
    .history()
    .lists.pages(operation)
    .flatMap(({ ids }) => ids.slice(1, 2));
  const before = list.before && item !== undefined ? [{ name: list.before.name, text: item }] : [];
  const filtered = drawn(
    list.filters.flatMap(({ name, schema }) =>
      (spec.schemas.flatten(schema).enum ?? []).flatMap((value) =>
        typeof value === "string" ? [{ name, text: value }] : [],
      ),
    ),
  );
  return [...faulty, ...before, ...filtered].map(({ name, text }) => withQuery(plan, { [name]: text }));
}

export async function readUnknownSpace(target: Target, { operation, version }: RequestPlan): Promise<void> {
  if (operation.space && hasUnknownSpace(target, operation.space.schema))
    await answerInUnknownSpace(new Call(target, operation, version));
}

export async function readUnknownId(target: Target, plan: RequestPlan): Promise<void> {
  const { kind, pathParameter } = plan.operation;
  if (kind === "read" && pathParameter)
    await target.send({ ...plan, path: `conformance-${target.runId}` }, { role: "probe" });
}
