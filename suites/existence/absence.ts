import type { Answer } from "../../history/answers/answers.ts";
import { type ComparedAnswer, isAnsweredAlike, unknownPath } from "../../history/answers/unknown-paths.ts";
import { type Entry, pathId, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";

const ABSENT_STATUSES = new Set([404, 405, 501]);
/** Statuses that a gateway in front of the service may answer. */
const OF_GATEWAYS = new Set([401, 403, 407, 429]);

/** True for statuses that do not show that the operation exists. */
export function saysNothing({ status }: Answer): boolean {
  return ABSENT_STATUSES.has(status) || OF_GATEWAYS.has(status) || status >= 500;
}

/**
 * Returns an answer that shows the operation to be absent, or `undefined`. A 404 shows absence only if the
 * resource exists, or its provider is absent, too.
 */
export function answerOfAbsence(
  history: History,
  operation: Operation,
  namesExisting: (answer: Answer) => boolean,
): Answer | undefined {
  const answers = history.answers.to(operation);
  if (!answers.every(saysNothing)) return undefined;
  const peer = peerOf(history.spec, operation);
  return answers.find(
    (answer) =>
      ABSENT_STATUSES.has(answer.status) &&
      history.isOfRound(answer.entry) &&
      (answer.status !== 404 ||
        namesExisting(answer) ||
        (peer && answerOfAbsence(history, peer, namesExisting))),
  );
}

/** Returns the operation that makes or reads the resource of the path. */
export function peerOf(spec: Spec, operation: Operation): Operation | undefined {
  const { pathParameter, sameRecord, readBack } = operation;
  const id = pathParameter && (pathParameter.madeBy ?? sameRecord?.list ?? readBack?.read);
  return id === undefined ? undefined : operationById(spec, id);
}

/** Returns the name of the fixture for the path. */
export function fixtureOf({ pathParameter, kind }: Operation): string | undefined {
  return pathParameter?.fixture?.[kind === "read" ? "read" : "write"];
}

/** Returns an answer that shows absence even if the id names nothing. */
export function absenceDespiteId(history: History, operation: Operation): Answer | undefined {
  return answerOfAbsence(history, operation, (answer) => {
    const given = history.head.fixtures[fixtureOf(answer.operation) ?? ""];
    const id = pathId(answer.entry);
    return id === undefined || id === given || isLikeNothing(history, answer);
  });
}

function isLikeNothing({ answers, entries }: History, { operation }: Answer): boolean {
  const here = answers.to(operation).map(({ entry }) => entry);
  const [start = ""] = unknownPath(operation.path).split("{");
  const nowhere = entries.filter(
    (entry) =>
      entry.operation === null &&
      entry.request.method === operation.method &&
      entry.request.url.includes(start),
  );
  return ["token", "none"].every((kind) => {
    const [one, other] = [here, nowhere].map((some) =>
      some.find(({ credential }) => credential.kind === kind),
    );
    return one && other && isAnsweredAlike(shownIn(one), shownIn(other));
  });
}

function shownIn(entry: Entry): ComparedAnswer {
  const { request, response } = entry;
  return { path: request.url, status: statusOf(entry), text: "body" in response ? response.body.text : "" };
}
