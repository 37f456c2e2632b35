/** Limits of query parameters (sections 4 and 8): what is inside is accepted, what is outside is rejected. */

import { type Check, Untestable } from "../client/check.ts";
import { control, versionAccepted } from "../client/controls.ts";
import { namedValues } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import { isAccepted, isRejected, itemsOf, type Target } from "../client/target.ts";
import { mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { type ParameterProbe, parameterEdges, parameterViolations } from "../generators/parameters.ts";
import { withQuery } from "../generators/request.ts";
import { allCountryCodes } from "../spec/formats.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { check, perVersion } from "../trials/derive.ts";
import { noteRejection } from "./access.ts";

const SUITE = "limits";

export function limitChecks(spec: Spec): Check[] {
  return spec.operations
    .filter((operation) => operation.kind === "list" || operation.kind === "read")
    .flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === "query")
        .flatMap((parameter) => parameterChecks(spec, operation, parameter)),
    );
}

function parameterChecks(spec: Spec, operation: Operation, parameter: Parameter): Check[] {
  const cursor = parameter.role === "cursor-after" || parameter.role === "cursor-before";
  const edges = cursor ? [] : parameterEdges(parameter, spec.schemas);
  const violations = parameterViolations(parameter, spec.schemas);
  return [
    ...edges.flatMap((edge) => edgeChecks(spec, operation, parameter, edge)),
    ...(parameter.required && edges.length === 0 ? acceptedChecks(spec, operation, parameter) : []),
    ...violations.flatMap((probe) => violationChecks(spec, operation, parameter, probe)),
    ...(parameter.required ? missingChecks(spec, operation, parameter) : []),
    ...(parameter.requirements["nothing-found"] ? [nothingFoundCheck(operation, parameter)] : []),
    ...spellingNotes(operation, parameter),
  ];
}

/** The requirement that a violation of a parameter's rule breaks: the parameter's own word, else its role's. */
function rejectionRequirement(parameter: Parameter, probe: ParameterProbe): string {
  const own = parameter.requirements[probe.constraint];
  if (own) return own;
  if (parameter.role === "page-size") return "LIST-LIMIT-REJECTED";
  if (parameter.role === "cursor-after" || parameter.role === "cursor-before") return "CURSOR-TOO-LONG";
  if (parameter.role === "filter" && probe.constraint === "enum") return "FILTER-ENUM";
  return "PARAMETER-INVALID";
}

function edgeChecks(spec: Spec, operation: Operation, parameter: Parameter, edge: ParameterProbe): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: parameter.role === "page-size" ? "LIST-LIMIT-ACCEPTED" : "PARAMETER-ACCEPTED",
    operation,
    detail: `${parameter.name}=${edge.text}`,
    title: `${operation.key} accepts ${parameter.name}=${edge.text}`,
    stage: "read",
    async run(target, version) {
      await versionAccepted(target, operation, version);
      const plan = withQuery(await validRequest(target, operation, version), { [parameter.name]: edge.text });
      target.exercised(`${operation.key} query/${parameter.name} ${edge.constraint}`, true);
      mustAccept(await target.send(plan, { valid: true }), `${parameter.name}=${edge.text}`);
    },
  });
}

function acceptedChecks(spec: Spec, operation: Operation, parameter: Parameter): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "PARAMETER-ACCEPTED",
    operation,
    detail: parameter.name,
    title: `${operation.key} accepts a valid ${parameter.name}`,
    stage: "read",
    async run(target, version) {
      await versionAccepted(target, operation, version);
      const plan = await validRequest(target, operation, version);
      target.exercised(`${operation.key} query/${parameter.name} required`, true);
      const answer = await target.send(plan, { valid: true });
      // That a value is taken which neither the user nor the service names is expected, but not stated.
      if (isRejected(answer) && (await namedValues(target, parameter)).length === 0) {
        throw new Untestable("no-data", `no ${parameter.name} is known that the service surely takes`, [
          answer.exchange,
        ]);
      }
      mustAccept(answer, `a valid ${parameter.name}`);
    },
  });
}

function violationChecks(
  spec: Spec,
  operation: Operation,
  parameter: Parameter,
  probe: ParameterProbe,
): Check[] {
  const requirement = rejectionRequirement(parameter, probe);
  const shown = probe.text.length > 20 ? `${probe.text.length} characters` : probe.text;
  const what = `${parameter.name}=${shown}`;
  return perVersion(spec, {
    suite: SUITE,
    requirement,
    operation,
    detail: `${parameter.name} ${probe.constraint} ${shown}`,
    title: `${operation.key} rejects ${what} (${probe.constraint})`,
    stage: "read",
    cause: parameter.cursor === undefined ? "invalid-parameter" : "invalid-cursor",
    async run(target, version) {
      await control(target, operation, version);
      const plan = withQuery(await validRequest(target, operation, version), {
        [parameter.name]: probe.text,
      });
      target.exercised(`${operation.key} query/${parameter.name} ${probe.constraint}`, false);
      const answer = await target.send(plan, { role: "probe" });
      if (spec.requirements.get(requirement)?.level === "NOTE") {
        target.observe(requirement, operation.key, what, told(answer.status));
        return;
      }
      noteRejection(target, operation, `${parameter.name} ${probe.constraint}`, answer);
      mustReject(answer, what);
    },
  });
}

function missingChecks(spec: Spec, operation: Operation, parameter: Parameter): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "PARAMETER-REQUIRED",
    operation,
    detail: parameter.name,
    title: `${operation.key} without ${parameter.name} is rejected`,
    stage: "read",
    cause: "invalid-parameter",
    async run(target, version) {
      await control(target, operation, version);
      const plan = withQuery(await validRequest(target, operation, version), { [parameter.name]: null });
      target.exercised(`${operation.key} query/${parameter.name} required`, false);
      const answer = await target.send(plan, { role: "probe" });
      noteRejection(target, operation, `without ${parameter.name}`, answer);
      mustReject(answer, `${operation.key} without ${parameter.name}`);
    },
  });
}

/** A legal filter value that nothing matches is answered with an empty success (row 48). */
function nothingFoundCheck(operation: Operation, parameter: Parameter): Check {
  const requirement = parameter.requirements["nothing-found"] ?? "FILTER-NOTHING-FOUND";
  return check({
    suite: SUITE,
    requirement,
    operation,
    detail: parameter.name,
    title: `${operation.key} answers an assigned ${parameter.name} under which there is nothing with an empty success`,
    stage: "read",
    async run(target) {
      const version = usualVersion(target, operation);
      await control(target, operation, version);
      const supported = new Set(await namedValues(target, parameter));
      // Antarctica, Bouvet Island, Heard and McDonald Islands: assigned, and without banks.
      const candidates = ["AQ", "BV", "HM"].filter(
        (code) => allCountryCodes().includes(code) && !supported.has(code),
      );
      for (const code of candidates) {
        const plan = withQuery(await validRequest(target, operation, version), { [parameter.name]: code });
        const answer = await target.send(plan, { valid: true });
        mustAccept(answer, `${parameter.name}=${code}`);
        if (itemsOf(answer).length === 0) return;
      }
      throw new Untestable("no-data", `every ${parameter.name} that was tried has items`);
    },
  });
}

/** Spellings that the specification says nothing about: recorded, never judged. */
function spellingNotes(operation: Operation, parameter: Parameter): Check[] {
  const note = (requirement: string, detail: string, texts: (target: Target) => Promise<string[]>): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      detail: `${parameter.name} ${detail}`,
      title: `what ${operation.key} makes of ${parameter.name}: ${detail}`,
      stage: "read",
      async run(target) {
        const plan = await validRequest(target, operation, usualVersion(target, operation));
        for (const text of await texts(target)) {
          const answer = await target.send(withQuery(plan, { [parameter.name]: text }));
          target.observe(requirement, operation.key, `${parameter.name}=${text}`, told(answer.status));
        }
      },
    });
  const notes: Check[] = [];
  if (!parameter.required) notes.push(note("PARAMETER-SPELLING", "empty value", async () => [""]));
  if (parameter.role === "page-size") {
    notes.push(
      note("PARAMETER-SPELLING", "unusual numbers", async () => ["05", "+5", "1e1"]),
      repeatedNote(operation, parameter),
    );
  }
  if (parameter.schema.format === "country-code") {
    notes.push(
      note("FILTER-SPELLING", "lower case", async (target) => {
        const plan = await validRequest(target, operation, null);
        return plan.query.filter(([name]) => name === parameter.name).map(([, value]) => value.toLowerCase());
      }),
    );
  }
  return notes;
}

function repeatedNote(operation: Operation, parameter: Parameter): Check {
  return check({
    suite: SUITE,
    requirement: "PARAMETER-SPELLING",
    operation,
    detail: `${parameter.name} repeated`,
    title: `what ${operation.key} makes of ${parameter.name} sent twice`,
    stage: "read",
    async run(target) {
      const plan = await validRequest(target, operation, usualVersion(target, operation));
      const query: [string, string][] = [...plan.query, [parameter.name, "1"], [parameter.name, "2"]];
      const answer = await target.send({ ...plan, query });
      const size = isAccepted(answer) ? `, ${itemsOf(answer).length} items` : "";
      target.observe(
        "PARAMETER-SPELLING",
        operation.key,
        `${parameter.name}=1&${parameter.name}=2`,
        `${told(answer.status)}${size}`,
      );
    },
  });
}

function told(status: number): string {
  return `${status >= 200 && status < 300 ? "accepted" : "rejected"} (${status})`;
}
