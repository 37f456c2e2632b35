import { expect, test } from "vitest";
import type { Target } from "../../client/target.ts";
import { requestTo, withBody, withHeaders } from "../../generators/request.ts";
import { versionsOf } from "../../spec/versions.ts";
import { runRule } from "../../suites/shared/run-rule.ts";
import { updateRules } from "../../suites/updates/rules.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { listOf, samples } from "../spec/samples.ts";
import { resultOf } from "./fakes.ts";

const LIST = operation("GET /webhooks");
const CREATE = operation("POST /webhooks");
const UPDATE = operation("PATCH /webhooks/{id}");

const keepsName = updateRules(spec).find(({ id }) => id === `updates/UPDATE-KEEPS ${UPDATE.key} name`);

const requestOf = (one: typeof LIST) =>
  withHeaders(requestTo(one, versionsOf(spec, one)[0] ?? null), { [one.space?.name ?? ""]: "spc-tests" });

const sentTo = (target: Target, one: typeof LIST, body: object) =>
  target.send(withBody({ ...requestOf(one), path: "wh-1" }, body), { valid: true });

/**
 * Tries the rule after an update of the metadata and after one of the name, which the service answers only when the
 * rule has been judged once. A list follows. A service that is mixed up renames at the first update, too.
 */
function judgedBesideUpdate({ isMixedUp }: { isMixedUp: boolean }) {
  let name = "one";
  let answer = () => {};
  let isStored = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const stored = new Promise<void>((resolve) => {
    isStored = resolve;
  });
  const webhook = () => ({ ...samples.Webhook, id: "wh-1", name });
  return resultOf(
    async ({ method, body }) => {
      if (method === "GET") return { status: 200, body: listOf([webhook()], 1) };
      if (method === "POST") return { status: 201, body: webhook() };
      if (!body.includes("name")) {
        if (isMixedUp) name = "none";
        return { status: 200, body: webhook() };
      }
      name = "two";
      isStored();
      await held;
      return { status: 200, body: webhook() };
    },
    async (target) => {
      const { id: _, createTime: __, ...sent } = samples.Webhook;
      const list = () => target.send(requestOf(LIST), { valid: true });
      await sentTo(target, CREATE, { ...sent, name });
      await list();
      await sentTo(target, UPDATE, { metadata: {} });
      if (isMixedUp) await list();
      const renaming = sentTo(target, UPDATE, { name: "two" });
      await stored;
      await list();
      const verdict = keepsName?.verdict;
      if (!verdict) throw new Error("there is no such rule");
      const rule = { probes: [], verdict, observed: () => [], followUp: () => undefined };
      const judged = runRule(target, { ...rule, namesWhoAsked: false });
      setImmediate(answer);
      const [result] = await Promise.all([judged, renaming]);
      return result;
    },
  );
}

test("a changed value is no violation if a write that is still unanswered sets it", async () => {
  expect(await judgedBesideUpdate({ isMixedUp: false })).toMatchObject({ outcome: "skip" });
});

test("a changed value is a violation if an answered write changed it, whatever is unanswered", async () => {
  expect(await judgedBesideUpdate({ isMixedUp: true })).toMatchObject({ outcome: "fail" });
});
