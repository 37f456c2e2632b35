/** Reads of resources that do not exist. */

import type { Call } from "../client/call.ts";
import { offending, Untestable, Violation } from "../client/check.ts";
import { type Answer, asText, isAccepted, isServerError, resourceOf, type Target } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import { identityOf } from "../spec/identity.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { operationsOf } from "./rule.ts";

/**
 * Reads of other resources whose ids should be unknown here, those with the same kind of space first, since a
 * service is more likely to mix them up. Without reads whose records have no id, and reads of parts of one thing.
 */
export function strangersTo(spec: Spec, operation: Operation): Operation[] {
  const shape = ({ resource }: Operation) => resource && spec.schemas.flatten(resource);
  const { properties = {} } = shape(operation) ?? {};
  if (!identitiesOf(spec, operation).every((field) => field in properties)) return [];
  const collection = ({ path }: Operation) => path.slice(0, path.indexOf("{"));
  const others = operationsOf(spec, "read").filter(
    (other) =>
      other.pathParameter &&
      other.outer.length === 0 &&
      shape(other) !== shape(operation) &&
      collection(other) !== collection(operation),
  );
  const isNear = ({ space }: Operation) => (space === undefined) === (operation.space === undefined);
  return [...others.filter(isNear), ...others.filter((other) => !isNear(other))];
}

/** The path value of a resource that can be read, if there is one. */
export async function knownTo(call: Call): Promise<string | undefined> {
  try {
    return (await call.control()).plan.path;
  } catch (error) {
    if (error instanceof Untestable) return undefined;
    throw error;
  }
}

export function readUnknown(call: Call, id: string): Promise<Answer> {
  const { target, operation, version } = call;
  return target.send({ ...requestTo(operation, version), path: id }, { role: "probe" });
}

/** Throws a Violation if a read of an unknown id is not rejected. */
export function mustNotFind(call: Call, id: string, answer: Answer): void {
  const { target, operation } = call;
  if (isServerError(answer))
    throw new Untestable("server-error", `an unknown id was answered ${answer.status}`, [answer]);
  if (answer.status >= 400) return;
  // An id that looks unknown may exist by chance: then the shown record has it.
  const resource = resourceOf(answer);
  const by = identitiesOf(target.spec, operation);
  if (isAccepted(answer) && resource && by.some((field) => asText(resource[field]) === id)) return;
  throw notRejected(`the unknown id ${describeValue(id, 60)}`, answer);
}

/** The fields of a record by which it is read. */
function identitiesOf(spec: Spec, operation: Operation): string[] {
  return operation.sameRecord?.by ?? [identityOf(spec, operation)];
}

export function notRejected(what: string, answer: Answer): Violation {
  return new Violation(`a read of ${what} to be rejected (4xx)`, `status ${answer.status}`, [
    offending(answer, "status"),
  ]);
}

export interface UnknownId {
  detail: string;
  /** Similar ids share the versions: each is tried under the version that this number gives. */
  number?: number;
  /** The requirement, if it is not READ-UNKNOWN. */
  requirement?: string;
  /** Ids of one sort take turns at depth quick; ids without a sort are all tried. */
  sort?: string;
  make(known: string, target: Target): string;
}

/** Unknown ids made from known ids and codes by removing or adding something. */
export const NEARLY_KNOWN: UnknownId[] = [
  { detail: "cut short", make: (known) => known.slice(0, -1) },
  { detail: "appended", make: (known) => `${known}x` },
  // Some databases ignore blanks at the end of a text.
  { detail: "space behind", requirement: "READ-UNKNOWN-BLANKS", make: (known) => `${known} ` },
  { detail: "space before", number: 2, make: (known) => ` ${known}` },
];

export const UNKNOWN_IDS: UnknownId[] = [
  { detail: "made up", make: (_, target) => `conformance-${target.runId}` },
  ...NEARLY_KNOWN,
  { detail: "long", sort: "characters", number: 0, make: () => "a".repeat(300) },
  { detail: "very long", sort: "characters", number: 1, make: () => "a".repeat(2000) },
  { detail: "encoded slash", sort: "characters", number: 2, make: (known) => `${known}/x` },
  { detail: "quotes", number: 3, make: () => `'"' OR '1'='1` },
  { detail: "spaces", sort: "characters", number: 4, make: () => "no such id" },
  { detail: "non-ASCII", sort: "characters", number: 5, make: () => "идентификатор-💸" },
  { detail: "percent", sort: "characters", number: 6, make: () => "100%" },
  { detail: "wildcard", sort: "characters", number: 7, make: () => "*" },
  { detail: "markup", sort: "characters", number: 8, make: () => "<b>id</b>" },
  { detail: "NUL", sort: "characters", number: 9, make: (known) => `${known}\u0000` },
];

/**
 * Lists with the same shape as the list of an operation, and with another name: the operation does not know their
 * items. A list with the same name may show the same items.
 */
export function otherKinds(spec: Spec) {
  return operationsOf(spec, "read").flatMap((operation) => {
    const { sameRecord, resource } = operation;
    if (!sameRecord || !resource) return [];
    const own = operationById(spec, sameRecord.list);
    const shape = spec.schemas.flatten(resource);
    return operationsOf(spec, "list")
      .filter(
        (list) =>
          list.resource &&
          list.resource.$ref !== own.resource?.$ref &&
          spec.schemas.flatten(list.resource) === shape,
      )
      .flatMap((other) =>
        sameRecord.by.map((field) => ({
          operation,
          field,
          own,
          other,
          detail: `${field} of ${other.key}`,
        })),
      );
  });
}
