import { groupedBy } from "../../spec/grouped.ts";
import { findingSections, underCauses } from "../findings.ts";
import { mustCounts } from "../headline.ts";
import { anchorOf } from "../html/finding.ts";
import { reasonsOf } from "../outcome.ts";
import type { Level, Observation, Report, RequirementResult, Verdict } from "../report.ts";
import { behaviourDifferences, type Difference } from "./differences.ts";

type CellState = "held" | "violated" | "warned" | "waived" | "unsteady" | "not exercised";

export interface Cell {
  state: CellState;
  message?: string;
  anchor?: string;
}

type Doubt = "partial" | "expired" | "certificate changed";

export interface RunFacts {
  file: string;
  startedAt: string;
  suite: string;
  depth?: "quick" | "full";
  verdict: Verdict;
  doubts: Doubt[];
  labels: Record<string, string>;
  musts: { total: number; held: number; violated: number; waived: number; untested: number };
  certifiedUntil?: string;
  page?: string;
}

export interface BoardRequirement {
  id: string;
  level: Level;
  section: string;
  chapter: string;
  statement: string;
}

export interface BoardRun {
  facts: RunFacts;
  spec: { title: string; sha256: string };
  service: { name: string; vendor: string; baseUrl: string };
  requirements: BoardRequirement[];
  cells: Record<string, Cell>;
  observations: Observation[];
  openStatements: Record<string, string>;
}

export interface BoardService {
  name: string;
  vendor: string;
  baseUrl: string;
  badge?: string;
  run: RunFacts;
  cells: Record<string, Cell>;
  earlier: RunFacts[];
}

export interface Board {
  schemaVersion: 1;
  generatedAt: string;
  /** Only reports of the same specification are comparable. */
  specifications: {
    title: string;
    sha256: string;
    services: BoardService[];
    requirements: BoardRequirement[];
    differences: Difference[];
  }[];
  broken: { file: string; problem: string }[];
}

export interface BesideReport {
  validUntil?: string;
  changed: boolean;
}

export interface Place {
  file: string;
  page?: string;
  certificate?: BesideReport;
  now: Date;
}

/** Returns the facts that a board shows of this report. */
export function runOf(report: Report, { file, page, certificate, now }: Place): BoardRun {
  const { spec, target, run, suite, depth, verdict, labels = {}, requirements, checks } = report;
  const { total, held, failing, waived } = mustCounts(report);
  const lapsed = checks.some((check) => check.waived !== undefined && isPast(check.waived.expires, now));
  const validUntil = certificate?.validUntil;
  const expired = lapsed || (validUntil !== undefined && Date.parse(validUntil) <= now.getTime());
  const doubts: [Doubt, boolean][] = [
    ["partial", run.partial || run.options.shard !== undefined],
    ["expired", expired],
    ["certificate changed", certificate?.changed === true],
  ];
  const name = target.embedded ? "the embedded reference service" : target.baseUrl;
  const rows = requirements.filter(({ level }) => level !== "NOTE");
  const chapters = new Map(checks.flatMap((check) => check.requirements.map((id) => [id, check.suite])));
  const cellOf = cellsOf(report, now);
  return {
    facts: {
      file,
      startedAt: run.startedAt,
      suite: suite.version,
      ...(depth === undefined ? {} : { depth }),
      verdict,
      doubts: doubts.flatMap(([doubt, holds]) => (holds ? [doubt] : [])),
      labels,
      musts: { total, held, violated: failing, waived, untested: total - held - failing - waived },
      ...(validUntil === undefined ? {} : { certifiedUntil: validUntil }),
      ...(page === undefined ? {} : { page }),
    },
    spec: { title: spec.title, sha256: spec.sha256 },
    service: {
      name: labels.service ?? labels.vendor ?? name,
      vendor: labels.vendor ?? "",
      baseUrl: target.embedded ? "" : target.baseUrl,
    },
    requirements: rows.map(({ id, level, section, statement }) => ({
      id,
      level,
      section,
      chapter: chapters.get(id) ?? "",
      statement,
    })),
    cells: Object.fromEntries(rows.map((requirement) => [requirement.id, cellOf(requirement)])),
    observations: report.observations,
    openStatements: Object.fromEntries(
      requirements.filter(({ level }) => level === "NOTE").map(({ id, statement }) => [id, statement]),
    ),
  };
}

function isPast(lastDay: string, now: Date): boolean {
  return Date.parse(lastDay) + 86_400_000 <= now.getTime();
}

/** Returns a function from a requirement to its cell in the board. */
function cellsOf(report: Report, now: Date): (requirement: RequirementResult) => Cell {
  const known = new Map(report.checks.map((check) => [check.id, check]));
  const shown = violationsById(report);
  return ({ id, outcome, checks, waived, scopeReason }) => {
    const own = checks.flatMap((check) => known.get(check) ?? []);
    if (outcome === "pass" || outcome === "note") return { state: "held" };
    if (outcome === "skip") {
      const message = scopeReason ?? reasonsOf(own);
      return { state: "not exercised", ...(message === "" ? {} : { message }) };
    }
    if (outcome === "unsteady") return { state: "unsteady", ...shown.get(id) };
    const covered = own.every((check) => check.waived === undefined || !isPast(check.waived.expires, now));
    if (waived === true && covered) return { state: "waived", ...shown.get(id) };
    return { state: outcome === "warn" ? "warned" : "violated", ...shown.get(id) };
  };
}

/** Returns the message of each failing check, with the anchor of its finding on the report's page. */
function violationsById(report: Report): Map<string, { message: string; anchor: string }> {
  const found = new Map<string, { message: string; anchor: string }>();
  const all = Object.entries(findingSections(report)).flatMap(([section, findings]) =>
    underCauses(findings).flatMap(({ finding, following }, index) =>
      [finding, ...following].map(({ first, checks }) => ({
        requirements: checks.flatMap(({ requirements }) => requirements),
        violation: { message: first.message ?? first.title, anchor: anchorOf(section, index) },
      })),
    ),
  );
  for (const { requirements, violation } of all)
    for (const id of requirements) if (!found.has(id)) found.set(id, violation);
  return found;
}

/** Returns the board of these runs: services by specification, each with its newest run first. */
export function boardOf(runs: readonly BoardRun[], broken: Board["broken"], now: Date): Board {
  const groups = [...groupedBy(runs, ({ spec }) => spec.sha256).values()].map((members) => {
    const services = [...groupedBy(members, ({ service }) => JSON.stringify(service)).values()];
    for (const own of services)
      own.sort((a, b) => Date.parse(b.facts.startedAt) - Date.parse(a.facts.startedAt));
    services.sort(([a], [b]) => Date.parse(b?.facts.startedAt ?? "") - Date.parse(a?.facts.startedAt ?? ""));
    const newest = services.flatMap(([first]) => first ?? []);
    const requirements = new Map(
      newest.flatMap((run) => run.requirements).map((requirement) => [requirement.id, requirement]),
    );
    return {
      title: newest[0]?.spec.title ?? "",
      sha256: newest[0]?.spec.sha256 ?? "",
      services: services.flatMap(([run, ...earlier]) =>
        run === undefined
          ? []
          : [
              {
                ...run.service,
                run: run.facts,
                cells: run.cells,
                earlier: earlier.map(({ facts }) => facts),
              },
            ],
      ),
      requirements: [...requirements.values()],
      differences: behaviourDifferences(newest),
    };
  });
  groups.sort((a, b) => b.services.length - a.services.length);
  addAddressToEqualNames(groups.flatMap(({ services }) => services));
  return { schemaVersion: 1, generatedAt: now.toISOString(), specifications: groups, broken: [...broken] };
}

function addAddressToEqualNames(services: BoardService[]): void {
  for (const [first, ...others] of groupedBy(services, ({ name }) => name).values()) {
    const same = first === undefined || others.length === 0 ? [] : [first, ...others];
    for (const service of same.filter(({ name, baseUrl }) => baseUrl !== "" && name !== baseUrl))
      service.name = `${service.name}, ${service.baseUrl.replace(/^https?:\/\//, "")}`;
  }
}

export function isGreen({ verdict, doubts }: Pick<RunFacts, "verdict" | "doubts">): boolean {
  return verdict === "conformant" && doubts.length === 0;
}

export function stateInWords({ verdict, doubts, musts }: RunFacts): string {
  const words = {
    conformant: musts.waived > 0 ? "conformant but for waivers" : "conformant",
    nonconformant: "not conformant",
    inconclusive: "inconclusive",
  }[verdict];
  return isGreen({ verdict, doubts }) || doubts.length === 0 ? words : `${words} (${doubts.join(", ")})`;
}
