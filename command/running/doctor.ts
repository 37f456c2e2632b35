import { count, shown } from "../../reports/text.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { type Flags, valuesFrom } from "../flags.ts";
import { print } from "../output.ts";
import { EXIT } from "./exit-codes.ts";
import { type PreparedFromOptions, prepareRun } from "./prepare.ts";

/** Sends only the preflight, and names settings that allow more checks. */
export async function doctorCommand(flags: Flags): Promise<number> {
  const preparation = await prepareRun(valuesFrom(flags));
  const { spec, settings } = preparation;
  const session = new Session(spec, settings);
  try {
    const problem = await session.preflight();
    const target = settings.embedded ? "the embedded reference service" : settings.baseUrl;
    const asked = count(session.requests, "question");
    if (problem === null)
      print(`ok   ${shown(target, 300)} answers, and takes the settings (${asked} asked)\n`);
    else print(`BAD  ${shown(problem, 2_000)}\n`);
    const { fixtures, remarks } = session.prepared;
    for (const remark of remarks) print(`BAD  ${shown(remark, 2_000)}\n`);
    for (const line of furtherSettings(preparation, fixtures)) print(`more ${line}\n`);
    return problem === null && remarks.length === 0 ? EXIT.ok : EXIT.notJudged;
  } finally {
    await session.close();
    await preparation.close();
  }
}

/** Says which checks each missing setting would allow. */
function furtherSettings(
  { spec, settings, planned }: PreparedFromOptions,
  given: Readonly<Record<string, string>>,
): string[] {
  const lines: string[] = [];
  const tried = planned.filter(({ skip }) => skip === undefined);
  const add = (offer: string, checks: readonly PlannedCheck[], where: string) => {
    if (checks.length > 0) lines.push(`${offer}: up to ${count(checks.length, "check")}, ${where}`);
  };
  for (const [name, operations] of resourceFixtures(spec)) {
    if (given[name] !== undefined) continue;
    const waiting = tried.filter(({ check }) => operations.includes(check.operation));
    add(`--fixture ${name}=ID`, waiting, operations.join(", "));
  }
  const checksOf = (suite: string) => tried.filter(({ check }) => check.suite === suite);
  if (settings.secondSpace === undefined)
    add("--second-space ID", checksOf("isolation"), "isolation of spaces");
  if (settings.callbackUrl === undefined)
    add("--callback-url URL --callback-port N", checksOf("deliveries"), "deliveries");
  if (settings.readOnly)
    add(
      "without --read-only",
      planned.filter(({ skip }) => skip?.reason === "read-only"),
      "all that writes",
    );
  return lines;
}

/** Returns the operations that need each fixture. */
function resourceFixtures(spec: PreparedFromOptions["spec"]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { key, parameters, kind, sameRecord } of spec.operations) {
    for (const { fixture, madeBy } of parameters) {
      const name = kind === "update" ? fixture?.write : fixture?.read;
      // A list shows this resource, or the run creates it.
      if (name === undefined || madeBy !== undefined || (kind === "read" && sameRecord !== undefined))
        continue;
      found.set(name, [...(found.get(name) ?? []), key]);
    }
  }
  return found;
}
