import { Call } from "../../client/call.ts";
import { hasUnknownSpace } from "../../client/spaces.ts";
import type { Target } from "../../client/target.ts";
import {
  allowedOf,
  defaultVersion,
  sampledFrom,
  sampleNumber,
  sendsAll,
} from "../../client/version-choice.ts";
import { sendWithoutToken, withoutToken } from "../../client/without-token.ts";
import { parameterViolations } from "../../generators/parameters.ts";
import { type RequestPlan, withQuery } from "../../generators/request.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { rotated } from "../../spec/ordered.ts";
import { smallestSize } from "../../spec/page-sizes.ts";
import { sendInUnknownSpace } from "../updates/rejected-updates.ts";

/** Selects the reads whose number is `index` modulo `total`. */
export interface Share {
  index: number;
  total: number;
}

/** Sends other reads between two that must get the same answer. */
export async function sendReadsBetween(target: Target, plan: RequestPlan, share: Share): Promise<void> {
  const { operation, version } = plan;
  const own = otherReads(target, plan).filter((_, number) => number % share.total === share.index);
  // A read may change only the next answer, so the seed picks the last read: another one for each version.
  const sample = sampleNumber(target.settings.seed, `between reads ${operation.key} ${share.index}`);
  for (const read of rotated(own, sample + allowedOf(target, operation).indexOf(version))) await read();
  if (share.index === 0 && operation.list && version === defaultVersion(target, operation))
    await sendOtherPages(target, plan);
}

/** Returns reads that must not change the answer to this one: faulty ones, and one under another version. */
function otherReads(target: Target, plan: RequestPlan): (() => Promise<unknown>)[] {
  const { operation, version } = plan;
  const faulty = [
    () => sendWithoutToken(target, plan),
    ...(operation.sameRecord ? [] : [() => readUnknownSpace(target, plan)]),
    async () => {
      if (operation.kind === "read" && operation.pathParameter)
        await target.send({ ...plan, path: `conformance-${target.runId}` }, { role: "probe" });
    },
  ];
  const others = allowedOf(target, operation).filter((other) => other !== version);
  const [other] = sampledFrom(target.settings.seed, operation.key, others);
  const underOther = async () => {
    if (other !== undefined) await target.ask({ ...plan, version: other });
  };
  // Depth quick sends faulty reads only under the default version.
  const sendsFaulty = version === defaultVersion(target, operation) || sendsAll(target);
  return [...(sendsFaulty ? faulty : []), underOther];
}

/** Reads the list with faulty queries and with other pages. */
async function sendOtherPages(target: Target, plan: RequestPlan): Promise<void> {
  const faulty = faultyQueries(target, plan.operation);
  // A faulty service may apply a page size to the next request, too.
  for (const queries of [faulty, besideItems(target, plan.operation)]) {
    if (queries.length === 0) continue;
    await target.send(plan, { role: "between", valid: true });
    for (const query of queries) await target.send(withQuery(plan, query), { role: "probe" });
  }
  await readAroundSecondPage(target, plan, faulty.slice(0, 1));
}

/** Returns queries with one faulty parameter each, last a too large size, which is remembered most likely. */
function faultyQueries({ spec, settings }: Target, operation: Operation): Record<string, string>[] {
  const { limit } = operation.list ?? {};
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const faults = (limit ? [limit] : queries).flatMap((parameter) =>
    parameterViolations(parameter, spec.schemas).map((fault) => ({ ...fault, name: parameter.name })),
  );
  const isTooLarge = ({ constraint }: { constraint: string }) => constraint === "maximum";
  return [faults.filter((fault) => !isTooLarge(fault)), faults.filter(isTooLarge)]
    .flatMap((some) => sampledFrom(settings.seed, `beside ${operation.key}`, some))
    .map(({ name, text }) => ({ [name]: text }));
}

/**
 * Reads the second page with other requests before it. A faulty service may take the second page from the
 * latest list, or start again after a rejection. Without a second page, the list is read under one of its
 * filters.
 */
async function readAroundSecondPage(
  target: Target,
  plan: RequestPlan,
  faulty: readonly Record<string, string>[],
): Promise<void> {
  const { operation, version } = plan;
  const { schemas } = target.spec;
  const filtered = (operation.list?.filters ?? []).flatMap(({ name, schema }) =>
    (schemas.flatten(schema).enum ?? []).flatMap((value) =>
      typeof value === "string" ? [withQuery(plan, { [name]: value })] : [],
    ),
  );
  const next = secondPage(target, plan);
  const second = next && withQuery(plan, next);
  const others = second
    ? [
        ...faulty.map((query) => withQuery(plan, query)),
        ...[withoutToken(target, plan)].filter((each) => each !== undefined),
        ...allowedOf(target, operation)
          .filter((other) => other !== version)
          .map((other) => ({ ...plan, version: other })),
      ]
    : [];
  const [between] = sampledFrom(target.settings.seed, `beside ${operation.key}`, [...filtered, ...others]);
  if (!between) return;
  await target.send(plan, { role: "between", valid: true });
  for (const each of second ? [second, between, second] : [between])
    await target.send(each, { role: "probe" });
}

/** Returns the queries for pages beside an item. The next request may page backwards, too. */
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
  const isOfPlan = ({ entry }: ListPage) =>
    entry.version === plan.version && sameJson(entry.request.query, plan.query);
  const { next } = target.history().lists.pages(plan.operation).find(isOfPlan) ?? {};
  return list?.after?.cursor === "token" && typeof next === "string"
    ? { [list.after.name]: next }
    : undefined;
}

const ITEMS_BETWEEN = 3;

/** Sends the read in a space that does not exist. */
export async function readUnknownSpace(target: Target, { operation, version }: RequestPlan): Promise<void> {
  if (operation.space && hasUnknownSpace(target, operation.space.schema))
    await sendInUnknownSpace(new Call(target, operation, version));
}
