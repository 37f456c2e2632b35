/** Writes docs/proof.md from a proof, and reads the page, so that a test can compare it with a new proof. */

import { type Defect, defects, nullServices, variants } from "../../reference/index.ts";
import { table } from "../markdown-table.ts";
import type { Figure } from "./figures.ts";
import { type DefectProof, isClean, isLocated } from "./judge.ts";
import type { Proof } from "./prove.ts";

/** Settings of the proof that the page mentions. */
export interface Background {
  figures: readonly Figure[];
  /** All checks ran on one in `wholeShare` defects. */
  wholeShare: number;
  /** On a variant that does not depend on time, one in `variantShare` checks ran. */
  variantShare: number;
  /** One in `sample` defects was tested. The seed picks them. */
  sample: number;
  seed: number;
  /** The number of services on which the suite ran again later (`--onto`). */
  provedAgain: number;
}

/** Returns the text of docs/proof.md. */
export function page(proof: Proof, background: Background): string {
  const { figures, wholeShare, variantShare, sample, provedAgain } = background;
  const known = new Set(proof.defects.map(({ name }) => name));
  const met = defects.filter(({ name }) => known.has(name));
  return `${[
    "# Proof",
    "<!-- Written by `npm run prove`. Don't edit. -->",
    "What does the suite find, and what does it leave alone? `npm run prove` runs it on the reference service " +
      "of this repository: without a defect, with each of its defects in turn, as each of its conforming " +
      "variants, and on servers that do not implement the API at all. It ends with exit code 1 if a figure " +
      "below falls short, or if this page differs from the result.",
    table(
      ["Figure", "Value"],
      figures.map(({ name, value }) => [name, value]),
    ),
    `\`\`\`sh\n${commandOf(background)}\n\`\`\``,
    "## Settings",
    `${wholeBut(wholeShare, variantShare)} with everything that the reference offers: both ` +
      "spaces, all fixtures, deliveries to the suite itself, 10 cases for each property, 8 requests in flight, one fixed seed. The reference as it " +
      "should be, and the variants that bear on time or change while they are read, run several times with " +
      `random seeds.${provedAgain === 0 ? "" : ` After a change, ${provedAgain} of all these were proved anew, the others not.`}`,
    "## Defects",
    ...(sample === 1
      ? []
      : [
          `This proof met a sample: ${met.length} of the ${defects.length} defects that there are, picked by the seed. ` +
            "What stands below is of these alone.",
        ]),
    "An operator is one way in which services go wrong; a defect is an operator at a place of an operation, and in some " +
      "cases only where its name says so. A number is how many of them there are at an operation, all of them found " +
      "there by a finding of the right level on a requirement that they break; `a/b` says that only a of b were. " +
      "`=` counts those that can't be told from a sound service.",
    ...operatorSections(proof, met),
    "### Not found",
    listOr("None.", missed(proof, met)),
    "### Not to be told from a sound service",
    listOr(
      "None.",
      met.flatMap(({ name, does, equivalent }) =>
        equivalent === undefined ? [] : [`${code(name)}: ${does} ${equivalent}`],
      ),
    ),
    "### Defects that no operator makes",
    table(
      ["Defect", "Requirements", "Operations", "Found", "What it does"],
      met
        .filter(({ name }) => !name.includes("@"))
        .map(({ name, requirements, operations, does }) => [
          code(name),
          requirements.join(", "),
          operations.map(code).join("<br>"),
          yes(proof.defects.some((known) => known.name === name && isLocated(known))),
          does,
        ]),
    ),
    "### What they stir up",
    "Of the defects that met all checks: findings on other requirements or at other operations, which follow from the same fault.",
    listOr(
      "Nothing.",
      proof.defects
        .filter(({ met, stirred }) => met === "whole" && stirred.length > 0)
        .map(({ name, stirred }) => `${code(name)}: ${shortened(stirred)}`),
    ),
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
  ].join("\n\n")}\n`;
}

function commandOf({ wholeShare, variantShare, sample, seed }: Background): string {
  const options = [
    ...(sample === 1 ? [] : [`--sample ${sample}`, `--seed ${seed}`]),
    `--whole-share ${wholeShare}`,
    ...(variantShare === 1 ? [] : [`--variant-share ${variantShare}`]),
  ];
  return `npm run prove -- ${options.join(" ")}`;
}

function wholeBut(wholeShare: number, variantShare: number): string {
  return [
    "A defect is met by the checks on the requirements that it breaks, at its operations; where those miss it, by those of " +
      "depth full, with up to five further seeds; then by all checks at its operations, and by all checks there are. One in " +
      `${wholeShare} defects meets all checks at once.`,
    ...(variantShare === 1
      ? []
      : [
          `A variant that does not bear on time is met by one in ${variantShare} of the checks, others for each variant.`,
        ]),
    "Every other run is a whole run. All are",
  ].join(" ");
}

/** Sections about the defects, grouped by the first requirement that they break. */
function operatorSections(proof: Proof, met: readonly Defect[]): string[] {
  const proofs = new Map(proof.defects.map((known) => [known.name, known]));
  const operatorOf = (name: string) => name.split("@")[0] ?? name;
  const operators = [
    ...new Set(met.filter(({ name }) => name.includes("@")).map(({ name }) => operatorOf(name))),
  ];
  const columns = [...new Set(met.flatMap(({ operations }) => operations))].sort();
  const cell = (members: readonly Defect[]) => {
    const detectable = members.filter(({ equivalent }) => equivalent === undefined);
    const found = detectable.filter(({ name }) => proofs.get(name)?.found).length;
    const equal = members.length - detectable.length;
    return [
      ...(detectable.length === 0
        ? []
        : [found === detectable.length ? `${found}` : `**${found}/${detectable.length}**`]),
      ...(equal === 0 ? [] : [`${equal}=`]),
    ].join(" ");
  };
  const sections: string[] = [];
  for (let first = 0; first < columns.length; first += COLUMNS) {
    const part = columns.slice(first, first + COLUMNS);
    const rows = operators.flatMap((operator) => {
      const members = met.filter(({ name }) => name.startsWith(`${operator}@`));
      const cells = part.map((operation) =>
        cell(members.filter(({ operations }) => operations.includes(operation))),
      );
      return cells.every((text) => text === "") ? [] : [[code(operator), ...cells]];
    });
    sections.push(table(["Operator", ...part.map(code)], rows));
  }
  return sections;
}

/** The most operations that one table shows as columns. */
const COLUMNS = 9;

function missed(proof: Proof, met: readonly Defect[]): string[] {
  const proofs = new Map(proof.defects.map((known) => [known.name, known]));
  return met
    .filter(({ name, equivalent }) => equivalent === undefined && !isFoundEverywhere(proofs.get(name)))
    .map(({ name, requirements, does }) => `${code(name)} (${requirements.join(", ")}): ${does}`);
}

function isFoundEverywhere(proof: DefectProof | undefined): boolean {
  return proof !== undefined && isLocated(proof);
}

function listOr(none: string, lines: readonly string[]): string {
  return lines.length === 0 ? none : lines.map((line) => `- ${line}`).join("\n");
}

function shortened(texts: readonly string[]): string {
  const most = 6;
  const others = texts.length - most;
  return `${texts.slice(0, most).join("; ")}${others > 0 ? `; and ${others} more` : ""}`;
}

/**
 * Returns the lines of a page that do not change from run to run: which operations find each defect, and the
 * warnings of each variant.
 */
export function stableLines(markdown: string): string[] {
  let section = "";
  const lines: string[] = [];
  for (const line of markdown.split("\n")) {
    const heading = /^## (.*)$/.exec(line);
    if (heading) section = heading[1] ?? "";
    const cells = line.startsWith("| ") ? line.slice(2, -2).split(" | ") : [];
    const stable = STABLE_CELLS[section];
    if (
      stable !== undefined &&
      cells.length > 1 &&
      !/^(Defect|Operator|Variant|Requirement|---)/.test(cells[0] ?? "")
    )
      lines.push(`${section}: ${cells.slice(0, stable).join(", ")}`);
  }
  return lines;
}

/** By section, how many cells at the start of each row do not change from run to run. */
const STABLE_CELLS: Record<string, number> = {
  Defects: COLUMNS + 1,
  "Conforming services": 3,
};

function code(text: string): string {
  return `\`${text}\``;
}

function yes(holds: boolean | undefined): string {
  return holds ? "yes" : "**no**";
}
