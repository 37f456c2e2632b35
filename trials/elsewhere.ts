/** Requests sent in another space than the one that holds what they are about (section 5), and what they may not show. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { unknownSpace } from "../client/spaces.ts";
import { identityOf } from "../client/subjects.ts";
import {
  type Answer,
  isAccepted,
  isServerError,
  itemsOf,
  resourceOf,
  type Target,
} from "../client/target.ts";
import { type RequestPlan, withHeaders, withQuery } from "../generators/request.ts";
import type { Exchange } from "../reports/report.ts";
import { type JsonObject, sameJson } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { largestSize } from "./pages.ts";

/** A space that does not exist, or the user's second one. */
export type Elsewhere = "unknown" | "second";

/** What to call it in titles. */
export const NAMES: Record<Elsewhere, string> = {
  unknown: "a space that does not exist",
  second: "the second space",
};

/** The same request in another space, with that space's own token. Throws Untestable where the user named none. */
export function moved(target: Target, plan: RequestPlan, where: Elsewhere): RequestPlan {
  const { space } = plan.operation;
  if (where === "unknown")
    return withHeaders(plan, { [space?.name ?? ""]: unknownSpace(target, space?.schema ?? {}) });
  if (target.settings.secondSpace === undefined)
    throw new Untestable("no-second-space", "give --second-space to test this");
  return { ...plan, space: "second" };
}

/**
 * The ways to ask elsewhere: with the second space's own token, and with the first one, which may be good for both
 * spaces. Whatever it is good for, what is in one space is not shown in the other.
 */
export function waysElsewhere(target: Target, plan: RequestPlan, where: Elsewhere): RequestPlan[] {
  const probe = moved(target, plan, where);
  const { token, secondToken } = target.settings;
  if (where === "unknown" || secondToken === undefined || secondToken === token) return [probe];
  return [
    probe,
    { ...withHeaders(probe, { authorization: `Bearer ${token}` }), authorizationLabel: "the first token" },
  ];
}

/** A list's request for as many items as it gives at once; any other request as it is. */
export function whole(plan: RequestPlan): RequestPlan {
  const limit = plan.operation.list?.limit;
  return limit ? withQuery(plan, { [limit.name]: String(largestSize(plan.operation)) }) : plan;
}

/** The answer to a valid request that names a space that does not exist, asked once for all who judge it. */
export function answerInUnknownSpace(call: Call): Promise<Answer> {
  const { target, operation, version } = call;
  return target.once(`unknown space ${operation.id} ${version ?? "none"}`, async () =>
    call.send(moved(target, whole(await call.fresh()), "unknown")),
  );
}

/** Items of a list by id, each with the exchange that showed it. */
export type ItemsOf = Map<string, { item: JsonObject; exchange: Exchange }>;

/** The items of answers of one list. */
export function itemsById(operation: Operation, answers: Answer[]): ItemsOf {
  const identity = operation.list?.identity ?? "id";
  return new Map(
    answers.flatMap((answer) =>
      itemsOf(answer).map((item) => [String(item[identity]), { item, exchange: answer.exchange }] as const),
    ),
  );
}

/** Throws a Violation when an answer in one space shows an item of another: the same id, and the same record. */
export function mustShowNoneOf(others: ItemsOf, answer: Answer): void {
  mustNotFail(answer);
  if (!isAccepted(answer)) return;
  const { operation } = answer.plan;
  for (const [index, item] of itemsOf(answer).entries()) {
    const other = others.get(String(item[operation.list?.identity ?? "id"]));
    // Ids may be unique in a space only; the same id is the same resource when the record is the same too.
    if (other && sameJson(other.item, item)) {
      throw new Violation(
        "nothing of the other space",
        `its item ${String(item[operation.list?.identity ?? "id"])}`,
        [other.exchange, { ...answer.exchange, offending: `/result/${index}` }],
      );
    }
  }
}

/** Throws a Violation when an answer shows the resource that another answer shows. */
export function mustNotShow(own: Answer, answer: Answer, target: Target): void {
  mustNotFail(answer);
  const { operation } = own.plan;
  const shown = isAccepted(answer) ? resourceOf(answer) : undefined;
  const resource = resourceOf(own);
  const identity = identityOf(target.spec, operation);
  if (!shown || !resource || shown[identity] !== resource[identity]) return;
  const schema = operation.resource && target.spec.schemas.flatten(operation.resource);
  const fixed = schema?.["x-fixed"] ?? [identity];
  // The same id may name another resource there; the same id and time of creation do not.
  if (fixed.every((name) => sameJson(shown[name], resource[name]))) {
    throw new Violation("nothing of the other space", `its resource ${String(shown[identity])}`, [
      own.exchange,
      answer.exchange,
    ]);
  }
}

function mustNotFail(answer: Answer): void {
  if (isServerError(answer))
    throw new Untestable("server-error", `answered ${answer.status}`, [answer.exchange]);
}
