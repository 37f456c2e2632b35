/** Calls with an invalid Authorization (section 5), and the proof that they are rejected for it. */

import { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { otherPaths, pathNotUnderTest } from "../client/other-path.ts";
import { withSpace } from "../client/samples.ts";
import { type Answer, isAccepted, type Target } from "../client/target.ts";
import { mustReject } from "../client/verdicts.ts";
import { requestTo as bareRequest, type RequestPlan, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Operation } from "../spec/model/spec.ts";
import { refusedTogether } from "./refused-updates.ts";
import { type Credential, withCredential } from "./wrong-credentials.ts";

/** True if no valid request to an operation is known, because it has no documented shape or no checks. */
export function isNamedOnly({ kind }: Operation): boolean {
  return kind === "named" || kind === "other";
}

/**
 * A request to an operation without a documented shape. It carries a space, since a service may reject a call
 * without one.
 */
export function namedRequest(target: Target, plan: RequestPlan): RequestPlan {
  const key = target.spec.operations.find((operation) => operation.idempotencyKey)?.idempotencyKey;
  const spaced = withSpace(target, plan);
  if (plan.operation.method !== "POST") return spaced;
  return {
    ...(key ? withHeaders(spaced, { [key.name]: headerText(key.schema, target.unique()) }) : spaced),
    body: { kind: "json", value: {} },
  };
}

/**
 * The answer to a request that is valid except for its credentials, sent once. If no valid one can be made, it has
 * another fault too.
 */
export function answerTo(call: Call, credential: Credential): Promise<Answer> {
  const { target, operation, version } = call;
  return target.once(`${operation.id} ${version ?? "none"} ${credential.title}`, async () => {
    const together = await refusedTogether(call, credential.title);
    return together ?? call.send(withCredential(target, await requestTo(call, credential), credential));
  });
}

async function requestTo(call: Call, { again }: Credential): Promise<RequestPlan> {
  const { target, operation, version } = call;
  if (isNamedOnly(operation)) return namedRequest(target, await call.valid());
  if (again && operation.idempotencyKey && call.isUsual) {
    const { plan, answer } = await call.plain("full");
    if (isAccepted(answer)) return plan;
  }
  try {
    return await call.fresh();
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return namedRequest(target, bareRequest(operation, version));
  }
}

/** Checks that a request with wrong credentials is rejected, and rejected for these. */
export async function mustBeTurnedAway(call: Call, credential: Credential): Promise<void> {
  const { target, operation } = call;
  const named = isNamedOnly(operation);
  const usual = new Call(target, operation);
  if (!named) await usual.control();
  const answer = await answerTo(call, credential);
  call.noteRejection(credential.title, answer);
  if (named && answer.status === NOT_IMPLEMENTED)
    throw new Untestable("not-shown", "it says that it is not implemented", [answer]);
  mustReject(answer, `${operation.key} ${credential.title}`);
  // A 401 or 403 is about access; any other rejection may be about the version, or about everything.
  if (isAboutAccess(answer)) {
    if (named) await mustBeLetIn(target);
    return;
  }
  if (named) await mustDifferFromAll(call, answer);
  else if (call.version !== usual.version) await call.control();
}

/** A possible answer for an operation that the service does not have. */
const NOT_IMPLEMENTED = 501;

function isAboutAccess({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

/** @throws Untestable unless the good token is accepted somewhere: otherwise everyone is rejected */
async function mustBeLetIn(target: Target): Promise<void> {
  const letIn = await target.once("let in", async () => {
    for (const operation of target.spec.operations.filter(({ kind }) => kind === "list"))
      if (await isLetIn(new Call(target, operation))) return true;
    return false;
  });
  if (!letIn) throw new Untestable("control-rejected", "the good token is let in nowhere");
}

async function isLetIn(call: Call): Promise<boolean> {
  try {
    return isAccepted(await call.ask(await call.valid()));
  } catch (error) {
    if (error instanceof Untestable) return false;
    throw error;
  }
}

/** @throws Untestable if the rejection equals that of every request, since no valid request is known */
async function mustDifferFromAll(call: Call, answer: Answer): Promise<void> {
  const { target, operation } = call;
  if (operation.method === "GET") {
    const known = await call.ask(namedRequest(target, await call.valid()));
    if (isAccepted(known) || known.status !== answer.status) return;
  }
  throw new Untestable(
    "control-rejected",
    `the answer ${answer.status} may be the answer to everything: no request to ${operation.key} is known to be valid`,
    [answer],
  );
}

/**
 * Checks that the other reading of an operation's path, if it answers, demands credentials too. With valid ones,
 * only reads are sent there; for writes, the lists show whether the path answers.
 */
export async function mustBeTurnedAwayAt(call: Call, other: string, credential: Credential): Promise<void> {
  const { target, operation } = call;
  const there = (plan: RequestPlan) => ({
    ...plan,
    pathOverride: pathNotUnderTest(target, operation, other),
  });
  if (operation.method === "GET") mustAnswer(await call.ask(there(await call.valid())), other);
  else mustAnswer(await answerOfOtherReading(call), other);
  const answer = await call.send(withCredential(target, there(await call.fresh()), credential));
  mustReject(answer, `${operation.key} on ${other} ${credential.title}`);
}

function mustAnswer(answer: Answer, other: string): void {
  if (isAccepted(answer)) return;
  throw new Untestable("not-shown", `what is not under test, as ${other}, was answered ${answer.status}`, [
    answer,
  ]);
}

/** The answer of a list without required parameters on the other reading of its path. */
function answerOfOtherReading(call: Call): Promise<Answer> {
  const { target } = call;
  return target.once("other reading", async () => {
    const { spec } = target;
    const list = spec.operations.find(
      (operation) =>
        operation.kind === "list" &&
        otherPaths(spec, operation).length > 0 &&
        !operation.parameters.some((each) => each.in === "query" && each.required),
    );
    const [other] = list ? otherPaths(spec, list) : [];
    if (!list || other === undefined) throw new Untestable("no-data", "no list has another path");
    const plan = await new Call(target, list).valid();
    return target.ask({ ...plan, pathOverride: pathNotUnderTest(target, list, other) });
  });
}
