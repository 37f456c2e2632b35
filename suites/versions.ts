/** Versions (section 9): each is accepted everywhere, and a later one shows all that an earlier one shows. */

import type { Call } from "../client/call.ts";
import { offending, Untestable, Violation } from "../client/check.ts";
import { type Answer, isAccepted, isRejected, resultOf } from "../client/target.ts";
import { allowedVersions } from "../client/version-choice.ts";
import { withHeaders } from "../generators/request.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { unknownVersions } from "../trials/other-versions.ts";
import { operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";
import {
  faultsEachTime,
  fieldFaults,
  shownUnder,
  type VersionFault,
  versionFaults,
} from "../trials/versions-compared.ts";
import { writeFaults } from "../trials/writes-compared.ts";

/** Operations with a documented shape. */
function shownOperations(spec: Spec): Operation[] {
  return operationsOf(spec, "list", "read", "create", "update");
}

const stageOf = ({ method }: Operation) => (method === "GET" ? "read" : "write");

const accepted = (stage: "read" | "write") =>
  rule({
    requirement: "VERSION-ACCEPTED",
    over: (spec) =>
      shownOperations(spec)
        .filter((operation) => stageOf(operation) === stage)
        .map((operation) => ({ operation })),
    title: ({ operation }) => `${operation.key} is accepted`,
    versions: "each",
    async run(call, { operation }) {
      const { version } = call;
      const answer = await call.controlAnswer();
      if (isRejected(answer) && hasOwnAcceptance(operation)) {
        // A call that is rejected under every version has another reason, which another rule reports.
        const versions = call.versions;
        const all = await Promise.all(versions.map((other) => call.under(other).controlAnswer()));
        if (all.every(isRejected))
          throw new Untestable("control-rejected", "it is rejected under every version alike", [answer]);
      }
      call.mustServe(answer, version === null ? "a call without a version" : `version ${version}`);
    },
  });

/** True if other rules say that a valid call is accepted; a list without parameters has none. */
function hasOwnAcceptance({ kind, parameters }: Operation): boolean {
  return (
    kind !== "list" ||
    parameters.some(
      (parameter) => parameter.in === "query" && (parameter.required || parameter.role === "page-size"),
    )
  );
}

const unknown = (stage: "read" | "write") =>
  rule({
    requirement: "VERSION-UNKNOWN",
    // If any version is allowed, none is unknown.
    over: (spec) =>
      shownOperations(spec)
        .filter((operation) => operation.version?.schema.enum && stageOf(operation) === stage)
        .map((operation) => ({ operation })),
    title: ({ operation }) => `${operation.key} rejects a version that is not allowed`,
    cause: "unknown-version",
    async run(call, { operation }) {
      await call.control();
      for (const value of unknownVersions(call)) {
        const plan = await call.under(null).fresh();
        const answer = await call.send(withHeaders(plan, { [operation.version?.name ?? ""]: value }));
        call.mustReject(answer, `version ${value}`, "unknown version");
      }
    },
  });

/** An operation under two versions, one after the other, and the requirement that a difference breaks. */
interface Compared extends Place {
  older: string;
  newer: string;
  requirement: string;
}

function compared(spec: Spec, operation: Operation, requirements: string[]) {
  const versions = allowedVersions(spec, operation);
  return versions.slice(1).flatMap((newer, index) => {
    const older = versions[index] ?? newer;
    const detail = `${older} to ${newer}`;
    return requirements.map((requirement) => ({ operation, older, newer, requirement, detail }));
  });
}

const FIELDS = ["VERSION-FIELDS", "VERSION-VALUES"];

const comparedTitle = ({ operation, older, newer, requirement }: Compared) =>
  `${operation.key} shows the same ${requirement.slice(8).toLowerCase()} under ${newer} as under ${older}`;

/** @throws Untestable if the user allows one version alone; Violation if a requirement is broken */
function judge(
  { requirement, older, newer }: Compared,
  faults: VersionFault[],
  before: Answer | undefined,
  after: Answer | undefined,
): void {
  const fault = faults.find((one) => one.requirement === requirement);
  if (!fault) return;
  throw new Violation(`under ${newer}, as under ${older}: ${fault.expected}`, fault.actual, [
    before,
    after && offending(after, fault.offending),
  ]);
}

function mustBeFree(call: Call): void {
  const { target } = call;
  const { serviceVersion } = target.settings;
  if (serviceVersion !== "all")
    throw new Untestable("not-selected", `only version ${serviceVersion} is sent`);
}

const reads = rule({
  over: (spec) =>
    operationsOf(spec, "list", "read").flatMap((operation) =>
      compared(spec, operation, operation.kind === "list" ? [...FIELDS, "VERSION-MEMBERS"] : FIELDS),
    ),
  title: comparedTitle,
  async run(call, at) {
    mustBeFree(call);
    const { target, operation } = call;
    const under = await shownUnder(call.under(at.older));
    const over = await shownUnder(call.under(at.newer));
    const find = (one: typeof under, other: typeof under) =>
      versionFaults(target.spec, operation, one, other).filter(
        (fault) => fault.requirement === at.requirement,
      );
    const faults = find(under, over);
    if (faults.length > 0) {
      const afresh = (which: "older" | "newer") =>
        shownUnder(call.under(at[which]), (plan) => target.send(plan, { valid: true }));
      const lasting = await faultsEachTime(faults, afresh, find);
      judge(at, lasting.faults, lasting.older.answers[0], lasting.newer.answers[0]);
    }
    const compared = [...under.records.keys()].some((id) => over.records.has(id));
    if (!compared) throw new Untestable("no-data", "there is nothing to compare");
  },
});

const writes = rule({
  over: (spec) =>
    operationsOf(spec, "create", "update").flatMap((operation) => compared(spec, operation, FIELDS)),
  title: comparedTitle,
  async run(call, at) {
    mustBeFree(call);
    const { faults, before, after } = await writeFaults(call, at.older, at.newer);
    judge(at, faults, before, after);
  },
});

function isNothing(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

const named = rule({
  over: (spec) =>
    operationsOf(spec, "named").flatMap((operation) =>
      operation.method === "GET" && operation.since === undefined ? compared(spec, operation, FIELDS) : [],
    ),
  title: comparedTitle,
  async run(call, at) {
    mustBeFree(call);
    const { target } = call;
    const look = async (version: string, ask = (plan: Answer["plan"]) => call.ask(plan)) =>
      ask(call.withSpace(await call.under(version).valid()));
    const [under, over] = [await look(at.older), await look(at.newer)];
    if (!isAccepted(under) || !isAccepted(over))
      throw new Untestable("not-shown", "no request to it is known to be valid", [over]);
    if (isNothing(resultOf(under))) throw new Untestable("no-data", "there is nothing to compare", [under]);
    const find = (one: Answer, other: Answer) => fieldFaults(resultOf(one), resultOf(other), "/result");
    const faults = find(under, over).filter((fault) => fault.requirement === at.requirement);
    if (faults.length === 0) return;
    const afresh = (which: "older" | "newer") =>
      look(at[which], (plan) => target.send(plan, { valid: true }));
    const lasting = await faultsEachTime(faults, afresh, find);
    judge(at, lasting.faults, lasting.older, lasting.newer);
  },
});

export const versionChecks = suiteOf(
  "versions",
  accepted("read"),
  accepted("write"),
  unknown("read"),
  unknown("write"),
  reads,
  named,
  writes,
);
