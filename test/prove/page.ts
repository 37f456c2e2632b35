/** docs/proof.md: written from a proof, and read back to see whether it still tells the truth. */

import { type Defect, defects, nullServices, variants } from "../../reference/index.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import type { Figure } from "./figures.ts";
import type { Gap } from "./gaps.ts";
import { type DefectProof, isClean, isLocated, isQuiet } from "./judge.ts";
import type { Proof } from "./prove.ts";

/** What the page tells beside the proof itself. */
export interface Background {
  figures: readonly Figure[];
  gaps: readonly Gap[];
  /** A defect met all checks on its requirements, and one in so many of the others. */
  share: number;
  /** A variant that does not bear on time met one in so many of all checks. */
  variantShare: number;
  /** How many of all were proved later than the others (`--onto`). */
  anew: number;
}

/** The page, as Markdown. */
export function page(
  spec: Spec,
  proof: Proof,
  { figures, gaps, share, variantShare, anew }: Background,
): string {
  return `${[
    "# Proof",
    "<!-- Written by `npm run prove`. Don't edit. -->",
    "A conformance suite is worth what it finds, and what it leaves alone. `npm run prove` tries this one on the " +
      "reference service of this repository: as it should be, with each of its defects in turn, as each of its " +
      "conforming variants, and on servers that are no such service at all. It ends with exit code 1 when any " +
      "figure below falls short, or when this page no longer says what the run found.",
    table(
      ["Figure", "Value"],
      figures.map(({ name, value }) => [name, value]),
    ),
    `\`\`\`sh\n${commandOf(share, variantShare)}\n\`\`\``,
    "## Settings",
    `${wholeBut(share, variantShare)} with everything that the reference offers: both ` +
      "spaces, all fixtures, deliveries to the suite itself, 10 cases for each property, 8 requests in flight, one fixed seed. The reference as it " +
      "should be, and the variants that bear on time or change while they are read, run several times with " +
      `random seeds.${anew === 0 ? "" : ` After a change, ${anew} of all these were proved anew, the others not.`}`,
    "## Defects",
    "Each is one way to break the specification, switched on alone. *Found*: a finding on its requirement, of the " +
      "level that the requirement has. *Located*: such a finding at each operation at fault. *Alone*: no finding " +
      "that the defect does not explain.",
    ...defectSections(spec, proof),
    "## Conforming services",
    "Each differs from the reference and still conforms. *Clean*: no finding but warnings at the requirements " +
      "named, which are recommendations that it follows otherwise.",
    table(
      ["Variant", "Clean", "Warns", "What it does", "Why it conforms"],
      variants.map((variant) => [
        code(variant.name),
        yes(proof.variants.some((known) => known.name === variant.name && isClean(known))),
        (variant.warns ?? []).join(", "),
        variant.description,
        variant.why,
      ]),
    ),
    "## Null services",
    "Servers that answer without being such a service. None may be taken for a conforming one, and each run must " +
      "end in a report.",
    table(
      ["Service", "Verdict", "Checks that pass", "What it does"],
      proof.nullServices.map(({ name, verdict, passing }) => [
        code(name),
        verdict,
        `${(100 * passing).toFixed(0)} %`,
        nullServices.find((service) => service.name === name)?.description ?? "",
      ]),
    ),
    "## Stability",
    "Runs with different seeds; no check may come out otherwise in one than in another. Against variants, some of " +
      "which change while they are read, a check may also say nothing.",
    table(
      ["Service", "Runs", "Checks that differed"],
      proof.stability.map(({ name, runs, differing }) => [name, `${runs}`, `${differing.length}`]),
    ),
    "## Checks without a defect",
    gaps.length === 0
      ? "None: every check that can complain has found a defect at its operation."
      : table(
          ["Requirement", "Operation", "Suite", "Why there is none"],
          gaps.map(({ requirement, operation, suite, reason = "" }) => [
            requirement,
            code(operation),
            suite,
            reason,
          ]),
        ),
  ].join("\n\n")}\n`;
}

function commandOf(share: number, variantShare: number): string {
  const options = [
    ...(share === 1 ? [] : [`--share ${share}`]),
    ...(variantShare === 1 ? [] : [`--variant-share ${variantShare}`]),
  ];
  return ["npm run prove", ...(options.length === 0 ? [] : ["--", ...options])].join(" ");
}

function wholeBut(share: number, variantShare: number): string {
  if (share === 1 && variantShare === 1) return "Every run is a whole run";
  return [
    ...(share === 1
      ? []
      : [
          `A defect is met by all checks on its requirements and by one in ${share} of the others, others for each ` +
            "defect, and by all checks where these do not find it.",
        ]),
    ...(variantShare === 1
      ? []
      : [
          `A variant that does not bear on time is met by one in ${variantShare} of the checks, others for each variant.`,
        ]),
    "Every other run is a whole run. All are",
  ].join(" ");
}

function defectSections(spec: Spec, proof: Proof): string[] {
  const suiteOf = new Map(
    allChecks(spec)
      .flatMap(({ requirements, suite }) => requirements.map((id) => [id, suite] as const))
      .reverse(),
  );
  const areas = new Map<string, Defect[]>();
  for (const defect of defects) {
    const area = suiteOf.get(defect.requirement) ?? "others";
    areas.set(area, [...(areas.get(area) ?? []), defect]);
  }
  const proofs = new Map(proof.defects.map((known) => [known.name, known]));
  return [...areas].flatMap(([area, members]) => [
    `### ${area[0]?.toUpperCase()}${area.slice(1)}`,
    table(
      [
        "Defect",
        "Requirement",
        "Level",
        "Operations",
        "Found",
        "Located",
        "Alone",
        "Found by",
        "What it does",
      ],
      members.map((defect) => defectRow(defect, proofs.get(defect.name))),
    ),
  ]);
}

function defectRow(defect: Defect, proof: DefectProof | undefined): string[] {
  return [
    code(defect.name),
    defect.requirement,
    defect.level,
    defect.operations.map(code).join("<br>"),
    yes(proof?.found),
    yes(proof && isLocated(proof)),
    yes(proof && isQuiet(proof)),
    foundBy(proof?.checks ?? []),
    defect.description,
  ];
}

/** Checks by suite: how many of each. Their ids name the requirement and operation, which stand beside. */
function foundBy(checks: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const check of checks) {
    const suite = check.split("/")[0] ?? check;
    counts.set(suite, (counts.get(suite) ?? 0) + 1);
  }
  return [...counts].map(([suite, count]) => `${suite} (${count})`).join(", ");
}

/**
 * What a page says that does not change from run to run: of each defect the requirement, level, operations, found,
 * located and alone; of each variant whether it is clean and where it warns; the gaps. One line of text each.
 */
export function stableLines(markdown: string): string[] {
  let section = "";
  const lines: string[] = [];
  for (const line of markdown.split("\n")) {
    const heading = /^## (.*)$/.exec(line);
    if (heading) section = heading[1] ?? "";
    const cells = line.startsWith("| ") ? line.slice(2, -2).split(" | ") : [];
    const stable = STABLE_CELLS[section];
    if (stable !== undefined && cells.length > 1 && !/^(Defect|Variant|Requirement|---)/.test(cells[0] ?? ""))
      lines.push(`${section}: ${cells.slice(0, stable).join(", ")}`);
  }
  return lines;
}

/** How many cells of a row, from the first, are the same whenever nothing has changed. */
const STABLE_CELLS: Record<string, number> = {
  Defects: 7,
  "Conforming services": 3,
  "Checks without a defect": 3,
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function yes(holds: boolean | undefined): string {
  return holds ? "yes" : "**no**";
}
