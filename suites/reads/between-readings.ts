import { Call } from "../../client/call.ts";
import { hasUnknownSpace } from "../../client/spaces.ts";
import type { Target } from "../../client/target.ts";
import { allowedOf, defaultVersion, sampledFrom, sampleNumber } from "../../client/version-choice.ts";
import { sendWithoutToken } from "../../client/without-token.ts";
import { parameterViolations } from "../../generators/parameters.ts";
import { type RequestPlan, withQuery } from "../../generators/request.ts";
import type { ListPage } from "../../history/lists.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { rotated } from "../../spec/ordered.ts";
import { smallestSize } from "../../spec/page-sizes.ts";
import { answerInUnknownSpace } from "../updates/rejected-updates.ts";

/** Selects each `of`-th read, from `index` on. */
export interface Share {
  index: number;
  of: number;
}

/** Sends other reads between two that must get the same answer. */
export async function readOtherwise(target: Target, plan: RequestPlan, { index, of }: Share): Promise<void> {
  const { operation, version } = plan;
  // Depth quick sends faulty reads only under the default version.
  const isByDefault = version === defaultVersion(target, operation) || target.settings.depth === "full";
  const reads: (() => Promise<unknown>)[] = [];
  if (isByDefault) {
    reads.push(() => sendWithoutToken(target, plan));
    if (!operation.sameRecord) reads.push(() => readUnknownSpace(target, plan));
    reads.push(() => readUnknownId(target, plan));
  }
  reads.push(async () => {
    const others = allowedOf(target, operation).filter((other) => other !== version);
    const [other] = sampledFrom(target.settings.seed, operation.key, others);
    if (other !== undefined) await target.ask({ ...plan, version: other });
  });
  const own = reads.filter((_, number) => number % of === index);
  // A read may change only the next answer, so the seed picks the last read: another one for each version.
  const first = sampleNumber(target.settings.seed, `between reads ${operation.key} ${index}`);
  const place = allowedOf(target, operation).indexOf(version);
  for (const read of rotated(own, first + place)) await read();
  if (index > 0) return;
  for (const pages of otherPages(target, plan)) {
    await target.send(plan, { role: "between", valid: true });
    for (const page of pages) await target.send(page, { role: "probe" });
  }
}

/** A faulty service may apply a page size to the next request, too. */
function otherPages(target: Target, plan: RequestPlan): RequestPlan[][] {
  const { operation } = plan;
  const { list } = operation;
  if (!list || plan.version !== defaultVersion(target, operation)) return [];
  const { spec, settings } = target;
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const sampled = <T>(items: readonly T[]) => sampledFrom(settings.seed, `beside ${operation.key}`, items);
  const faults = (list.limit ? [list.limit] : queries).flatMap((parameter) =>
    parameterViolations(parameter, spec.schemas).map((fault) => ({ ...fault, name: parameter.name })),
  );
  const isTooLarge = ({ constraint }: { constraint: string }) => constraint === "maximum";
  // A size that is too large is remembered most likely, so it comes last.
  const faulty = [
    ...sampled(faults.filter((fault) => !isTooLarge(fault))),
    ...sampled(faults.filter(isTooLarge)),
  ].map(({ name, text }) => ({ [name]: text }));
  const filters = list.filters.flatMap(({ name, schema }) =>
    (spec.schemas.flatten(schema).enum ?? []).flatMap((value) =>
      typeof value === "string" ? [{ [name]: value }] : [],
    ),
  );
  const second = secondPage(target, plan);
  const others = sampled(second ? [...filters, ...faulty.slice(0, 1)] : filters);
  // A faulty service may take the second page from the latest list, or start again after a rejection.
  const betweenSeconds = second && others.length > 0 ? [second, ...others, second] : others;
  return [faulty, besideItems(target, operation), betweenSeconds]
    .filter((queries) => queries.length > 0)
    .map((queries) => queries.map((query) => withQuery(plan, query)));
}

/** A faulty service may page backwards at the next request, too. */
function besideItems(target: Target, operation: Operation): Record<string, string>[] {
  const { after, before, limit } = operation.list ?? {};
  const page = target
    .history()
    .lists.pages(operation)
    .find(({ ids }) => ids.length > ITEMS_BETWEEN);
  const first = page?.ids[0];
  const later = page?.ids[ITEMS_BETWEEN];
  if (!before || first === undefined || later === undefined) return [];
  const size = limit ? { [limit.name]: String(smallestSize(operation)) } : {};
  const preceding = { ...size, [before.name]: later };
  if (after?.cursor !== "item") return [preceding];
  const between = { ...preceding, [after.name]: first };
  return [between, preceding, between];
}

function secondPage(target: Target, plan: RequestPlan): Record<string, string> | undefined {
  const { list } = plan.operation;
  const { next } = target.history().lists.pages(plan.operation).find(isOf(plan)) ?? {};
  return list?.after?.cursor === "token" && typeof next === "string"
    ? { [list.after.name]: next }
    : undefined;
}

function isOf({ query, version }: RequestPlan): (page: ListPage) => boolean {
  return ({ entry }) => entry.version === version && sameJson(entry.request.query, query);
}

const ITEMS_BETWEEN = 3;

export async function readUnknownSpace(target: Target, { operation, version }: RequestPlan): Promise<void> {
  if (operation.space && hasUnknownSpace(target, operation.space.schema))
    await answerInUnknownSpace(new Call(target, operation, version));
}

async function readUnknownId(target: Target, plan: RequestPlan): Promise<void> {
  const { kind, pathParameter } = plan.operation;
  if (kind === "read" && pathParameter)
    await target.send({ ...plan, path: `conformance-${target.runId}` }, { role: "probe" });
}
