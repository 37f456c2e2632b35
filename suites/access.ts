/** Access (section 5): the bearer token and the space, on every operation, the ones that are only named included. */

import { type Check, Untestable } from "../client/check.ts";
import { control, freshRequest, inTurn } from "../client/controls.ts";
import { withSpace } from "../client/samples.ts";
import { isForbiddenSpace, literalPrefix } from "../client/spaces.ts";
import { sendBody, validRequest } from "../client/subjects.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../client/target.ts";
import { mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { check } from "../trials/derive.ts";

const SUITE = "access";

/** A way of not being authenticated: what to send for Authorization, and what to call it in reports. */
interface Credential {
  requirement: string;
  detail?: string;
  title: string;
  /** null sends no header; undefined when the token can't be altered so. */
  header(token: string, target: Target): string | null | undefined;
}

const CREDENTIALS: Credential[] = [
  { requirement: "AUTH-MISSING", title: "without Authorization", header: () => null },
  {
    requirement: "AUTH-UNKNOWN-TOKEN",
    title: "with an unknown token",
    header: (_, target) => `Bearer conformance-unknown-${target.runId}`,
  },
  { requirement: "AUTH-EMPTY-TOKEN", title: "with a scheme and no token", header: () => "Bearer" },
  // An empty header is a missing one.
  {
    requirement: "AUTH-MISSING",
    detail: "empty header",
    title: "with an empty Authorization",
    header: () => "",
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "cut short",
    title: "with the token cut short by a character",
    header: (token) => (token.length < 2 ? undefined : `Bearer ${token.slice(0, -1)}`),
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "appended",
    title: "with a character appended to the token",
    header: (token) => `Bearer ${token}x`,
  },
  {
    requirement: "AUTH-ALTERED-TOKEN",
    detail: "other casing",
    title: "with the token in other casing",
    header: (token) => (swapCase(token) === token ? undefined : `Bearer ${swapCase(token)}`),
  },
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic credentials",
    title: "with the token as Basic credentials",
    header: (token) => `Basic ${Buffer.from(`${token}:`).toString("base64")}`,
  },
  {
    requirement: "AUTH-OTHER-SCHEME",
    detail: "Basic token",
    title: "with the token under the Basic scheme",
    header: (token) => `Basic ${token}`,
  },
  { requirement: "AUTH-BARE-TOKEN", title: "with the token and no scheme", header: (token) => token },
];

function swapCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (part) =>
    part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase(),
  );
}

export function accessChecks(spec: Spec): Check[] {
  return spec.operations.flatMap((operation) => [
    ...(operation.open ? [] : credentialChecks(operation)),
    ...(operation.space && operation.response ? spaceChecks(operation) : []),
    ...(!operation.space && operation.response && operation.method === "GET"
      ? [withoutSpaceCheck(operation)]
      : []),
  ]);
}

function credentialChecks(operation: Operation): Check[] {
  return [
    ...CREDENTIALS.map((credential) => credentialCheck(operation, credential)),
    ...(operation.kind === "named" || operation.kind === "other" ? [] : [schemeCaseCheck(operation)]),
    ...rejectionNotes(operation),
  ];
}

function isWrite(operation: Operation): boolean {
  return operation.method !== "GET";
}

function stageOf(operation: Operation): "read" | "write" {
  return isWrite(operation) ? "write" : "read";
}

function credentialCheck(operation: Operation, credential: Credential): Check {
  return check({
    suite: SUITE,
    requirement: credential.requirement,
    operation,
    ...(credential.detail === undefined ? {} : { detail: credential.detail }),
    title: `${operation.key} ${credential.title} is rejected`,
    stage: stageOf(operation),
    writes: isWrite(operation),
    cause: "unauthenticated",
    async run(target) {
      const value = credential.header(target.settings.token, target);
      if (value === undefined) throw new Untestable("no-data", `the token can't be altered so`);
      const label = credential.title.replace(/^with(out)? /, "");
      if (operation.kind === "named" || operation.kind === "other") {
        await namedCredential(target, operation, value, label);
        return;
      }
      await control(target, operation, usualVersion(target, operation));
      const plan = await freshRequest(target, operation, usualVersion(target, operation));
      const answer = await inTurn(target, operation, () => sendUnauthenticated(target, plan, value, label));
      noteRejection(target, operation, credential.title, answer);
      mustReject(answer, `${operation.key} ${credential.title}`);
    },
  });
}

function sendUnauthenticated(
  target: Target,
  plan: RequestPlan,
  value: string | null,
  label: string,
): Promise<Answer> {
  const probe = { ...withHeaders(plan, { authorization: value }), authorizationLabel: label };
  return target.send(probe, { role: "probe" });
}

/**
 * An operation that is only named has no request that is known to be valid, so a rejection counts only where it can
 * be told from the rejection of everything: by 401 or 403, or by differing from the answer to the good token.
 */
async function namedCredential(
  target: Target,
  operation: Operation,
  value: string | null,
  label: string,
): Promise<void> {
  const plan = namedRequest(target, await validRequest(target, operation, usualVersion(target, operation)));
  const answer = await sendUnauthenticated(target, plan, value, label);
  noteRejection(target, operation, label, answer);
  mustReject(answer, `${operation.key} ${label}`);
  if (answer.status === 401 || answer.status === 403) return;
  const known = isWrite(operation)
    ? undefined
    : await target.once(`named ${operation.id}`, () => target.send(plan));
  if (known && (isAccepted(known) || known.status !== answer.status)) return;
  throw new Untestable(
    "control-rejected",
    `the answer ${answer.status} may be the answer to everything: no request to ${operation.key} is known to be valid`,
    [answer.exchange],
  );
}

/** Whether they carry a space is not shown, so the space is sent: without it a service may reject for that alone. */
export function namedRequest(target: Target, plan: RequestPlan): RequestPlan {
  const key = target.spec.operations.find((operation) => operation.idempotencyKey)?.idempotencyKey;
  const spaced = withSpace(target, plan);
  if (plan.operation.method !== "POST") return spaced;
  return {
    ...(key ? withHeaders(spaced, { [key.name]: headerText(key.schema, target.unique()) }) : spaced),
    body: { kind: "json", value: {} },
  };
}

function schemeCaseCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "AUTH-SCHEME-CASE",
    operation,
    title: `${operation.key} takes the scheme name in lower case`,
    stage: stageOf(operation),
    writes: isWrite(operation),
    async run(target) {
      await control(target, operation, usualVersion(target, operation));
      const plan = await freshRequest(target, operation, usualVersion(target, operation));
      const lower = withHeaders(plan, { authorization: `bearer ${target.settings.token}` });
      mustAccept(
        await inTurn(target, operation, () =>
          sendBody(target, { ...lower, authorizationLabel: "bearer, in lower case" }, "probe"),
        ),
        `"bearer" in lower case`,
      );
    },
  });
}

function rejectionNotes(operation: Operation): Check[] {
  return (["REJECTION-STATUS", "REJECTION-CHALLENGE", "SILENCE-ERROR-BODY"] as const).map((requirement) =>
    check({
      suite: SUITE,
      requirement,
      operation,
      title: `how ${operation.key} rejects a call without Authorization`,
      stage: stageOf(operation),
      writes: isWrite(operation),
      async run(target) {
        const plan = namedRequest(target, requestTo(operation, usualVersion(target, operation)));
        const answer = await target.once(`unauthenticated ${operation.id}`, () =>
          sendUnauthenticated(target, plan, null, "Authorization"),
        );
        if (requirement === "REJECTION-STATUS")
          noteRejection(target, operation, "without Authorization", answer);
        else if (requirement === "REJECTION-CHALLENGE") {
          const scheme = answer.headers["www-authenticate"]?.split(" ")[0] ?? "none";
          target.observe(requirement, operation.key, `WWW-Authenticate on ${answer.status}`, scheme);
        } else target.observe(requirement, operation.key, "form", bodyForm(answer));
      },
    }),
  );
}

/** Content type and, for JSON objects, the names of the fields. */
function bodyForm(answer: Answer): string {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const { json } = answer;
  const fields = typeof json === "object" && json !== null ? ` {${Object.keys(json).sort().join(", ")}}` : "";
  return answer.text === "" ? "empty" : `${type}${fields}`;
}

/** Records the status that a probe is answered with; what it gives cause to reject is the check's own word. */
export function noteRejection(target: Target, operation: Operation, probe: string, answer: Answer): void {
  const shown = { ...answer.exchange, offending: "status" };
  target.observe("REJECTION-STATUS", operation.key, probe, String(answer.status), [shown]);
}

interface SpaceProbe {
  requirement: string;
  detail: string;
  title: string;
  value(space: string, limit: number, prefix: string): string | null;
}

const SPACE_PROBES: SpaceProbe[] = [
  { requirement: "SPACE-MISSING", detail: "no header", title: "without the space header", value: () => null },
  {
    requirement: "SPACE-MISSING",
    detail: "empty header",
    title: "with an empty space header",
    value: () => "",
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "without prefix",
    title: "with the space id without its prefix",
    value: (space, _, prefix) => space.slice(prefix.length) || "space",
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "prefix in capitals",
    title: "with the prefix in capitals",
    value: (space, _, prefix) => `${prefix.toUpperCase()}${space.slice(prefix.length)}`,
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "text before prefix",
    title: "with a character before the prefix",
    value: (space) => `x${space}`,
  },
  {
    requirement: "SPACE-LENGTH",
    detail: "maxLength",
    // Its valid neighbour would be an existing space with an id of the very length, which nobody can ask for.
    title: "with a space id one character over the limit (there is no valid neighbour to compare with)",
    value: (space, limit) => space.padEnd(limit + 1, "x").slice(0, limit + 1),
  },
];

function spaceChecks(operation: Operation): Check[] {
  const { space } = operation;
  if (!space) return [];
  const limit = space.schema.maxLength;
  const prefix = literalPrefix(space.schema.pattern);
  const applies = ({ requirement, detail }: SpaceProbe) => {
    if (requirement === "SPACE-MISSING") return space.required;
    if (requirement === "SPACE-LENGTH") return limit !== undefined;
    // What is done to the beginning needs a pattern that has one.
    return space.schema.pattern !== undefined && (prefix !== "" || detail === "text before prefix");
  };
  return SPACE_PROBES.filter(applies).map((probe) =>
    check({
      suite: SUITE,
      requirement: probe.requirement,
      operation,
      detail: probe.detail,
      title: `${operation.key} ${probe.title} is rejected`,
      stage: stageOf(operation),
      writes: isWrite(operation),
      cause: probe.requirement === "SPACE-MISSING" ? "missing-space" : "invalid-space",
      async run(target) {
        const value = probe.value(target.settings.space, limit ?? 0, prefix);
        if (
          probe.requirement === "SPACE-PATTERN" &&
          value !== null &&
          !isForbiddenSpace(space.schema, value)
        ) {
          throw new Untestable("no-data", `${value} keeps the pattern`);
        }
        await control(target, operation, usualVersion(target, operation));
        const plan = await freshRequest(target, operation, usualVersion(target, operation));
        const answer = await inTurn(target, operation, () =>
          target.send(withHeaders(plan, { [space.name]: value }), { role: "probe" }),
        );
        noteRejection(target, operation, probe.title, answer);
        mustReject(answer, `${operation.key} ${probe.title}`);
      },
    }),
  );
}

function withoutSpaceCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "REFERENCE-WITHOUT-SPACE",
    operation,
    title: `${operation.key} answers without a space header`,
    stage: "read",
    async run(target) {
      const plan = await validRequest(target, operation, usualVersion(target, operation));
      const answer = await target.send(plan, { valid: true });
      if (isRejected(answer) && isRejected(await target.send(withSpace(target, plan)))) {
        throw new Untestable("control-rejected", `it is answered ${answer.status} with a space header too`, [
          answer.exchange,
        ]);
      }
      mustAccept(answer, `${operation.key} without a space header`);
    },
  });
}
