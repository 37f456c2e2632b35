/** Isolation (section 5): a request in one space never shows or changes what is in another, existing or not. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { control, inTurn } from "../client/controls.ts";
import { unknownSpace } from "../client/spaces.ts";
import { createdResource, identityOf, sendBody, validRequest } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import {
  type Answer,
  asQuery,
  asText,
  isAccepted,
  itemsOf,
  nextOf,
  resourceOf,
  type Target,
} from "../client/target.ts";
import { mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withBody, withHeaders, withQuery } from "../generators/request.ts";
import { type JsonObject, sameJson, valueAt } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { changes, describeDifferences, restlessFields } from "../trials/compare.ts";
import { check } from "../trials/derive.ts";
import { smallestSize } from "../trials/pages.ts";
import { readBack } from "../trials/read-back.ts";
import { beginAnew, onSubject } from "../trials/settled-reads.ts";
import { nextSalt, pick, readOnce } from "../trials/updating.ts";
import { noteRejection } from "./access.ts";
import { freshKey } from "./idempotency.ts";

const SUITE = "isolation";
/** Small pages: a leak may begin behind the first cursor. */
const SMALL_PAGE = 10;
const MOST_PAGES = 12;

export function isolationChecks(spec: Spec): Check[] {
  return spec.operations
    .filter((operation) => operation.space && operation.response)
    .flatMap((operation) => [
      unknownSpaceRejected(operation),
      ...(operation.kind === "list" ? [...listChecks(operation)] : []),
      ...(operation.kind === "read" ? readChecks(operation) : []),
      ...(operation.kind === "update" ? updateChecks(operation) : []),
      ...(operation.kind === "create" ? createChecks(operation) : []),
    ]);
}

/** The request in a space that does not exist, or in the second one. */
function elsewhere(target: Target, plan: RequestPlan, where: "unknown" | "second"): RequestPlan {
  if (where === "unknown")
    return withHeaders(plan, {
      [plan.operation.space?.name ?? ""]: unknownSpace(target, plan.operation.space?.schema ?? {}),
    });
  if (target.settings.secondSpace === undefined)
    throw new Untestable("no-second-space", "give --second-space to test this");
  return { ...plan, space: "second" };
}

/**
 * The ways to ask elsewhere: with the second space's own token, and with the first one, which may be good for both
 * spaces. Whatever it is good for, what is in one space is not shown in the other.
 */
function waysElsewhere(target: Target, plan: RequestPlan, where: "unknown" | "second"): RequestPlan[] {
  const probe = elsewhere(target, plan, where);
  const { token, secondToken } = target.settings;
  if (where === "unknown" || secondToken === undefined || secondToken === token) return [probe];
  return [
    probe,
    { ...withHeaders(probe, { authorization: `Bearer ${token}` }), authorizationLabel: "the first token" },
  ];
}

function stageOf(operation: Operation): "read" | "write" {
  return operation.method === "GET" ? "read" : "write";
}

function unknownSpaceRejected(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "SPACE-UNKNOWN",
    operation,
    title: `${operation.key} rejects a well-formed space id that names no space`,
    stage: stageOf(operation),
    writes: operation.method !== "GET",
    cause: "unknown-space",
    async run(target) {
      const version = usualVersion(target, operation);
      await control(target, operation, version);
      const plan = elsewhere(target, await fullRequest(target, operation, version), "unknown");
      const answer = await inTurn(target, operation, () => target.send(plan, { role: "probe" }));
      noteRejection(target, operation, "unknown space", answer);
      mustReject(answer, "a space id that names no space");
    },
  });
}

async function fullRequest(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<RequestPlan> {
  const plan = await validRequest(target, operation, version);
  return operation.body ? withBody(plan, await validBody(target, operation, "full")) : plan;
}

/** The first items of a list in a space, by id. */
async function itemsIn(
  target: Target,
  operation: Operation,
  where: "first" | "second",
): Promise<Map<string, { item: JsonObject; exchange: Answer["exchange"] }>> {
  return target.once(`items of ${operation.id} in ${where}`, async () => {
    const limit = operation.list?.limit;
    let plan = await validRequest(target, operation, usualVersion(target, operation));
    if (limit?.schema.maximum !== undefined)
      plan = withQuery(plan, { [limit.name]: String(Math.min(limit.schema.maximum, SMALL_PAGE)) });
    const found = new Map<string, { item: JsonObject; exchange: Answer["exchange"] }>();
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await target.send({ ...plan, space: where }, { valid: true });
      if (!isAccepted(answer)) {
        if (page > 0) break;
        throw new Untestable(
          "control-rejected",
          `${operation.key} in the ${where} space was answered ${answer.status}`,
          [answer.exchange],
        );
      }
      for (const item of itemsOf(answer))
        found.set(String(item[operation.list?.identity ?? "id"]), { item, exchange: answer.exchange });
      const next = nextOf(answer);
      const after = operation.list?.after;
      if (next === null || !after) break;
      plan = withQuery(plan, { [after.name]: next });
    }
    return found;
  });
}

/** Throws a Violation when an answer in one space shows an item of another: the same id, and the same record. */
function mustShowNoneOf(
  operation: Operation,
  others: Map<string, { item: JsonObject; exchange: Answer["exchange"] }>,
  answer: Answer,
  what: string,
): void {
  const identity = operation.list?.identity ?? "id";
  for (const [index, item] of itemsOf(answer).entries()) {
    const other = others.get(String(item[identity]));
    // Ids may be unique in a space only; the same id is the same resource when the record is the same too.
    if (other && sameJson(other.item, item)) {
      throw new Violation(`nothing of the other space ${what}`, `its item ${String(item[identity])}`, [
        other.exchange,
        { ...answer.exchange, offending: `/result/${index}` },
      ]);
    }
  }
}

function listChecks(operation: Operation): Check[] {
  const sketch = { suite: SUITE, operation, stage: "read" } as const;
  const { list } = operation;
  const lists = (
    where: "unknown" | "second",
    requirement: string,
    detail: string | undefined,
    query: (target: Target, others: ItemsOf) => Promise<Record<string, string> | undefined>,
  ): Check =>
    check({
      ...sketch,
      requirement,
      ...(detail === undefined ? {} : { detail }),
      title: `${operation.key} in ${where === "unknown" ? "a space that does not exist" : "the second space"}${detail ? ` (${detail})` : ""} shows nothing of the first`,
      async run(target) {
        const plan = await validRequest(target, operation, usualVersion(target, operation));
        elsewhere(target, plan, where);
        const others = await itemsIn(target, operation, "first");
        if (others.size === 0) throw new Untestable("no-data", "the first space has nothing to show");
        // What a list belongs to in one space is not there in the other.
        if (where === "second" && operation.outer.length === 0) await itemsIn(target, operation, "second");
        const added = await query(target, others);
        if (!added) throw new Untestable("no-data", "nothing to ask for");
        for (const probe of waysElsewhere(target, withQuery(plan, added), where)) {
          const answer = await target.send(probe, { role: "probe" });
          if (isAccepted(answer)) mustShowNoneOf(operation, others, answer, "");
          else if (answer.status >= 500)
            throw new Untestable("server-error", `answered ${answer.status}`, [answer.exchange]);
        }
      },
    });
  const everyPage = () =>
    check({
      ...sketch,
      requirement: "ISOLATION-LISTS",
      detail: "every page",
      title: `no page of ${operation.key} in the second space shows anything of the first, nor the reverse`,
      async run(target) {
        elsewhere(target, requestTo(operation, null), "second");
        const first = await itemsIn(target, operation, "first");
        const second = await itemsIn(target, operation, "second");
        if (first.size === 0 && second.size === 0)
          throw new Untestable("no-data", "neither space has anything to show");
        for (const [id, { item, exchange }] of second) {
          const other = first.get(id);
          if (other && sameJson(other.item, item))
            throw new Violation("each item in one space only", `${id} in both`, [other.exchange, exchange]);
        }
      },
    });
  const limit = list?.limit;
  const whole = async () =>
    limit?.schema.maximum === undefined ? {} : { [limit.name]: String(limit.schema.maximum) };
  return [
    lists("unknown", "ISOLATION-UNKNOWN-SPACE", undefined, whole),
    lists("second", "ISOLATION-LISTS", undefined, whole),
    ...(operation.outer.length > 0 ? [] : [everyPage()]),
    ...(list?.after
      ? [
          lists("second", "ISOLATION-LISTS", "cursor of the first space", async (target) => {
            const { after } = list;
            if (!after) return undefined;
            if (after.cursor === "item") {
              const [id] = (await itemsIn(target, operation, "first")).keys();
              return id === undefined ? undefined : { [after.name]: id };
            }
            const plan = await validRequest(target, operation, usualVersion(target, operation));
            const reading = await target.send(
              limit ? withQuery(plan, { [limit.name]: smallestSize(operation) }) : plan,
              {
                valid: true,
              },
            );
            const next = nextOf(reading);
            return next === null ? undefined : { [after.name]: next };
          }),
        ]
      : []),
    ...(list?.filters ?? []).map((filter) =>
      lists("second", "ISOLATION-LISTS", `filter ${filter.name}`, async (_, others) => {
        const value = [...others.values()]
          .map(({ item }) => asQuery(valueAt(item, filter.filter ?? "")))
          .find((found) => found !== undefined);
        return value !== undefined ? { [filter.name]: value, ...(await whole()) } : undefined;
      }),
    ),
  ];
}

type ItemsOf = Awaited<ReturnType<typeof itemsIn>>;

function readChecks(operation: Operation): Check[] {
  const reads = (where: "unknown" | "second", requirement: string): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      title: `${operation.key} in ${where === "unknown" ? "a space that does not exist" : "the second space"} does not show a resource of the first`,
      stage: "read",
      async run(target) {
        const plan = await validRequest(target, operation, usualVersion(target, operation));
        const probes = waysElsewhere(target, plan, where);
        const own = await control(target, operation, usualVersion(target, operation));
        for (const probe of probes)
          mustNotShow(operation, target, own, await target.send(probe, { role: "probe" }));
      },
    });
  return [
    reads("unknown", "ISOLATION-UNKNOWN-SPACE"),
    reads("second", "ISOLATION-READS"),
    ...(operation.sameRecord && operation.outer.length === 0 ? [reverseRead(operation)] : []),
  ];
}

/** Throws a Violation when an answer shows the resource that another answer shows. */
function mustNotShow(operation: Operation, target: Target, own: Answer, answer: Answer): void {
  const identity = identityOf(target.spec, operation);
  const shown = isAccepted(answer) ? resourceOf(answer) : undefined;
  const resource = resourceOf(own);
  if (answer.status >= 500)
    throw new Untestable("server-error", `answered ${answer.status}`, [answer.exchange]);
  if (shown && resource && shown[identity] === resource[identity]) {
    const fixed = (operation.resource && target.spec.schemas.flatten(operation.resource)["x-fixed"]) ?? [
      identity,
    ];
    // The same id may name another resource there; the same id and time of creation do not.
    if (fixed.every((name) => sameJson(shown[name], resource[name]))) {
      throw new Violation("nothing of the other space", `its resource ${String(shown[identity])}`, [
        own.exchange,
        answer.exchange,
      ]);
    }
  }
}

/** A resource of the second space, read in the first. */
function reverseRead(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "ISOLATION-READS",
    operation,
    detail: "the reverse",
    title: `${operation.key} in the first space does not show a resource of the second`,
    stage: "read",
    async run(target) {
      const { sameRecord } = operation;
      elsewhere(target, requestTo(operation, null), "second");
      const list = target.spec.operations.find((candidate) => candidate.id === sameRecord?.list);
      if (!list || !sameRecord) return;
      const [field = "id"] = sameRecord.by;
      const [entry] = (await itemsIn(target, list, "second")).values();
      const path = asText(entry?.item[field]);
      if (path === undefined) throw new Untestable("no-data", "the second space has nothing to read");
      const plan: RequestPlan = { ...requestTo(operation, usualVersion(target, operation)), path };
      const own = await target.send({ ...plan, space: "second" }, { role: "control", valid: true });
      if (!isAccepted(own))
        throw new Untestable("control-rejected", `the read in its own space was answered ${own.status}`, [
          own.exchange,
        ]);
      mustNotShow(operation, target, own, await target.send(plan, { role: "probe" }));
    },
  });
}

function updateChecks(operation: Operation): Check[] {
  const updates = (where: "unknown" | "second", requirement: string): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      title: `${operation.key} in ${where === "unknown" ? "a space that does not exist" : "the second space"} neither shows nor changes a resource of the first`,
      stage: "write",
      writes: true,
      async run(target) {
        elsewhere(target, requestTo(operation, null), where);
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          const { answer: own, resource: before } = await beginAnew(target, operation, id, version);
          const names = new Set(
            Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}),
          );
          const plan = withBody(
            { ...requestTo(operation, version), path: id },
            await validBody(target, operation, "full", nextSalt(target)),
          );
          for (const probe of waysElsewhere(target, plan, where)) {
            const answer = await target.send(probe, { role: "probe" });
            mustNotShow(operation, target, own, answer);
            const after = (await readBack(target, operation, id, { version })).resource;
            let differences = changes(pick(before, names), pick(after, names), new Set());
            if (differences.length > 0) {
              const restless = await restlessFields(target, () => readOnce(target, operation, id, version));
              differences = differences.filter(({ pointer }) => !restless.has(pointer));
            }
            if (differences.length > 0) {
              const { expected, actual } = describeDifferences(differences);
              throw new Violation(`still ${expected}`, actual, [answer.exchange]);
            }
          }
        });
      },
    });
  return [updates("unknown", "ISOLATION-UNKNOWN-SPACE"), updates("second", "ISOLATION-WRITES")];
}

/** A create elsewhere with the key of one here is the service's own choice, as long as it does not show what is here. */
function createChecks(operation: Operation): Check[] {
  const key = operation.idempotencyKey;
  if (!key) return [];
  const shared = (where: "unknown" | "second", requirement: string): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      title: `${operation.key} in ${where === "unknown" ? "a space that does not exist" : "the second space"} with a key of the first does not show what it made there`,
      stage: "write",
      writes: true,
      async run(target) {
        const version = usualVersion(target, operation);
        elsewhere(target, requestTo(operation, version), where);
        const body = await validBody(target, operation, "full");
        const plan = withHeaders(withBody(requestTo(operation, version), body), {
          [key.name]: freshKey(target, key, 40),
        });
        const own = await sendBody(target, plan, "first space");
        createdResource(target, operation, own);
        const [probe = plan, ...others] = waysElsewhere(target, plan, where);
        const answer = await target.send(probe, { role: "probe" });
        for (const other of others)
          mustNotShow(operation, target, own, await target.send(other, { role: "probe" }));
        target.observe(
          "KEY-REUSE",
          operation.key,
          `used in ${where === "unknown" ? "an unknown" : "another"} space`,
          isAccepted(answer) ? "accepted" : `rejected (${answer.status})`,
        );
        mustNotShow(operation, target, own, answer);
      },
    });
  return [shared("unknown", "ISOLATION-UNKNOWN-SPACE"), shared("second", "ISOLATION-KEYS")];
}
