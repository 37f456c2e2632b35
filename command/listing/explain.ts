import type { Check } from "../../client/check.ts";
import { count } from "../../reports/text.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Requirement, Spec } from "../../spec/model/spec.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { operationWithKey } from "../../spec/operations.ts";
import { type SpecificationText, sectionsOf } from "../../spec/specification-text.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { invocation } from "../invocation.ts";
import { variableOf } from "../options/names.ts";
import { print } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { editionFlags, readCatalogue, shellWord, wrap } from "./catalogue.ts";
import { exampleRequest } from "./example-request.ts";

const BINDING: Record<Requirement["level"], string> = {
  MUST: "a violation fails the run",
  SHOULD: "a violation is a warning, and fails the run under --strict",
  NOTE: "the specification is silent; what the service does is recorded, and judged only by a vendor profile",
};

const FINDS_LESS =
  "A whole run judges every answer that it gets. Alone, this judges the answers to a few requests, and finds less.";

/**
 * Prints the meaning of a requirement or check, and returns the exit code.
 * @throws UsageError if the id is not known.
 */
export function explainCommand(id: string, flags: Flags): number {
  const { spec, checks, rulesOff, specification } = readCatalogue(flags.spec, flags.profile);
  const more = editionFlags(flags);
  const requirement = spec.requirements.get(id);
  const check = checks.find((check) => check.id === id) ?? checks.find((check) => check.sampledGroup === id);
  if (requirement !== undefined) print(explainRequirement(requirement, checks, more, specification));
  else if (check !== undefined) print(explainCheck(check, spec, more));
  else {
    const off = rulesOff.get(id);
    if (off !== undefined)
      throw new UsageError(
        `${id} is off: this edition has no such requirement (${count(off, "check")} for it)`,
      );
    const known = [...spec.requirements.keys(), ...checks.map((check) => check.id)];
    throw new UsageError(`there is no requirement or check ${id}${didYouMean(id, known)}`);
  }
  return EXIT.ok;
}

function sectionWords(section: string, specification: SpecificationText | undefined): string {
  const found = specification && sectionsOf(specification.text).get(section);
  const where = found ? ` (${specification.file}:${found.line})` : "";
  return `${section} of the specification${where}`;
}

/** Returns the requirement in words: its sentence, its section and its checks. */
function explainRequirement(
  requirement: Requirement,
  checks: readonly Check[],
  more: string,
  specification: SpecificationText | undefined,
): string {
  const { id, row, level, section, statement, untested } = requirement;
  const testing = checks.filter((check) => check.requirements.includes(id));
  const lines = [id, "", wrap(statement, "  "), ""];
  lines.push(`  Level    ${level}: ${BINDING[level]}`);
  lines.push(`  Section  ${sectionWords(section, specification)}`);
  lines.push(`  Row      ${row} of the reading (docs/reading.md)`);
  if (untested !== undefined) return [...lines, "", wrap(`Not tested: ${untested}`, "  "), ""].join("\n");
  lines.push("", `  Tested by ${count(testing.length, "check")}:`);
  for (const [operation, members] of groupedBy(testing, ({ operation }) => operation)) {
    lines.push("", `  ${operation}`);
    for (const { id: check, title } of members) lines.push(`    ${check}`, wrap(title, "      "));
  }
  return [...lines, ...runAlone(id, more, testing)].join("\n");
}

/** Returns the check in words: its operation, its requirements and an example request. */
function explainCheck(check: Check, spec: Spec, more: string): string {
  const operation = operationWithKey(spec, check.operation);
  const lines = [check.id, "", wrap(check.title, "  "), ""];
  lines.push(
    `  Operation  ${check.operation}${operation === undefined ? "" : ` (section ${operation.section})`}`,
  );
  lines.push(`  Suite      ${check.suite}`);
  if (check.sampledGroup !== undefined)
    lines.push(
      `  Rotated    one of its group at ${check.alwaysSampled ? "either depth" : "depth quick"}, picked by the seed, as ${check.sampledGroup}`,
    );
  lines.push(`  Sends      ${sentMethods(check, operation?.method)}`);
  lines.push("", "  Requirements:");
  for (const id of check.requirements) {
    const requirement = spec.requirements.get(id);
    if (requirement === undefined) continue;
    lines.push(`    ${id} (${requirement.level}, section ${requirement.section})`);
    lines.push(wrap(requirement.statement, "      "));
  }
  if (operation !== undefined && operation.kind !== "named") {
    lines.push("", "  The least that a valid call carries:", "");
    lines.push(...exampleRequest(operation, spec).map((line) => `    ${line}`.trimEnd()));
  }
  return [...lines, ...runAlone(check.id, more, [check])].join("\n");
}

function runAlone(id: string, more: string, checks: readonly Check[]): string[] {
  const judgesOthers = checks.some(({ probes }) => probes?.length === 0);
  return [
    "",
    "  Run it alone, against the reference service or your own:",
    `    ${invocation()} run${more} --only ${shellWord(id)}`,
    `    ${invocation()} run${more} --base-url <url> --space <id> --only ${shellWord(id)}`,
    `    (with the token in ${variableOf("token")})`,
    ...(judgesOthers ? ["", wrap(FINDS_LESS, "  ")] : []),
    "",
  ];
}

function sentMethods(check: Check, method: string | undefined): string {
  return check.writes
    ? `${method ?? "requests"}, which writes; skipped under --read-only`
    : "only what changes nothing";
}
