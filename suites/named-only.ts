/** Operations that are only named (section 4.17): whether they exist, and the envelope where they answer. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { validRequest } from "../client/subjects.ts";
import { type Answer, isAccepted, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { RequestPlan } from "../generators/request.ts";
import { isObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { namedRequest } from "../trials/credentials.ts";
import { check, operationsOf } from "../trials/derive.ts";

const SUITE = "named-only";

export function namedChecks(spec: Spec): Check[] {
  return operationsOf(spec, "named").flatMap((operation) => [
    existsNote(operation),
    ...(operation.method === "GET" ? [envelopeCheck(operation), listCheck(operation)] : []),
  ]);
}

async function plain(target: Target, operation: Operation): Promise<RequestPlan> {
  return namedRequest(target, await validRequest(target, operation, usualVersion(target, operation)));
}

function ask(target: Target, operation: Operation): Promise<Answer> {
  return target.once(`named ${operation.id}`, async () =>
    target.send(await plain(target, operation), { role: "read" }),
  );
}

function existsNote(operation: Operation): Check {
  const write = operation.method !== "GET";
  return check({
    suite: SUITE,
    requirement: "NAMED-EXISTS",
    operation,
    title: `whether ${operation.key} exists, and what it answers`,
    stage: write ? "write" : "read",
    writes: write,
    async run(target) {
      if (write && !target.settings.postNamedOnly) {
        throw new Untestable("not-shown", "it may do anything, so it is sent only with --post-named-only");
      }
      const answer = await ask(target, operation);
      target.observe("NAMED-EXISTS", operation.key, "status", String(answer.status));
    },
  });
}

/** A 200 answer, or Untestable: nothing promises that there is one. */
async function answered(target: Target, operation: Operation): Promise<Answer> {
  const answer = await ask(target, operation);
  if (!isAccepted(answer)) {
    throw new Untestable("not-shown", `answered ${answer.status}; no request to it is known to be valid`, [
      answer.exchange,
    ]);
  }
  return answer;
}

function envelopeCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "NAMED-ENVELOPE",
    operation,
    title: `a 200 answer to ${operation.key} has the envelope`,
    stage: "read",
    async run(target) {
      const answer = await answered(target, operation);
      const { json } = answer;
      const fail = (expected: string, actual: string, offending: string): never => {
        throw new Violation(expected, actual, [{ ...answer.exchange, offending }]);
      };
      if (!isObject(json)) return fail("an object", describeValue(json ?? answer.text, 60), "");
      if (json.success !== true) fail("success true", describeValue(json.success), "/success");
      if (!Array.isArray(json.messages))
        fail("messages, an array", describeValue(json.messages), "/messages");
      const { result } = json;
      if (!isObject(result) && !Array.isArray(result) && result !== null) {
        fail("result, an object, a list or null", describeValue(result), "/result");
      }
    },
  });
}

function listCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "NAMED-LIST",
    operation,
    title: `a list that ${operation.key} answers has pagination, and nothing else has`,
    stage: "read",
    async run(target) {
      const answer = await answered(target, operation);
      const { json } = answer;
      if (!isObject(json)) throw new Untestable("control-rejected", "the answer has no envelope");
      const fail = (expected: string, actual: string, offending: string): never => {
        throw new Violation(expected, actual, [{ ...answer.exchange, offending }]);
      };
      const { result, pagination } = json;
      if (isObject(result) && pagination !== undefined)
        fail("no pagination beside a single result", describeValue(pagination), "/pagination");
      if (!Array.isArray(result)) return;
      const strange = result.findIndex((item) => !isObject(item));
      if (strange !== -1) fail("a list of objects", describeValue(result[strange]), `/result/${strange}`);
      if (!isObject(pagination))
        return fail("pagination beside a list", describeValue(pagination), "/pagination");
      if (pagination.count !== result.length)
        fail(`count ${result.length}`, describeValue(pagination.count), "/pagination/count");
    },
  });
}
