import type { Observation } from "./report.ts";

export interface Difference {
  requirement: string;
  statement: string;
  practice?: string;
  subject: string;
  operations: string[];
  values: { value: string; services: number[] }[];
}

interface Behaviour {
  about: Observation;
  operations: Set<string>;
  seen: Map<number, Map<string, Set<string>>>;
}

/** Behaviour that differs between at least two services, where the specification is silent. */
export function behaviourDifferences(
  runs: readonly { observations: readonly Observation[]; openStatements: Readonly<Record<string, string>> }[],
): Difference[] {
  const behaviours = new Map<string, Behaviour>();
  for (const [service, { observations }] of runs.entries())
    for (const observation of observations) note(behaviours, service, observation);
  const statements: Record<string, string> = Object.assign({}, ...runs.map((run) => run.openStatements));
  const found = [...behaviours.values()].flatMap((behaviour) => differenceOf(behaviour, statements) ?? []);
  return found.sort((a, b) => (a.requirement < b.requirement ? -1 : Number(a.requirement > b.requirement)));
}

function note(behaviours: Map<string, Behaviour>, service: number, about: Observation): void {
  const { requirement, practice, subject, operation, value } = about;
  const key = JSON.stringify([requirement, practice, subject]);
  const behaviour = behaviours.get(key) ?? { about, operations: new Set(), seen: new Map() };
  const values = behaviour.seen.get(service) ?? new Map<string, Set<string>>();
  behaviours.set(key, behaviour);
  behaviour.operations.add(operation);
  behaviour.seen.set(service, values);
  values.set(operation, (values.get(operation) ?? new Set()).add(value));
}

function differenceOf(
  { about, operations, seen }: Behaviour,
  statements: Record<string, string>,
): Difference | undefined {
  const overall = groupedBy(seen, (own) => distinct([...own.values()].flatMap((values) => [...values])));
  // Services may show the same values at different operations, which only the details reveal.
  const values = overall.length > 1 || !differsSomewhere(seen) ? overall : groupedBy(seen, inDetail);
  if (values.length < 2) return undefined;
  const { requirement, practice, subject } = about;
  return {
    requirement,
    statement: statements[requirement] ?? requirement,
    ...(practice === undefined ? {} : { practice }),
    subject,
    operations: [...operations].sort(),
    values,
  };
}

function groupedBy(
  seen: Behaviour["seen"],
  labelOf: (own: Map<string, Set<string>>) => string,
): Difference["values"] {
  const groups = new Map<string, number[]>();
  for (const [service, own] of seen) {
    const label = labelOf(own);
    groups.set(label, [...(groups.get(label) ?? []), service]);
  }
  return [...groups]
    .map(([value, services]) => ({ value, services }))
    .sort((a, b) => b.services.length - a.services.length);
}

function distinct(values: readonly string[]): string {
  return [...new Set(values)].sort().join(" or ");
}

function inDetail(own: Map<string, Set<string>>): string {
  const parts = [...own].map(([operation, values]) => `${operation}: ${distinct([...values])}`);
  return parts.sort().join("; ");
}

function differsSomewhere(seen: Behaviour["seen"]): boolean {
  const at = new Map<string, Set<string>>();
  for (const own of seen.values())
    for (const [operation, values] of own)
      at.set(operation, (at.get(operation) ?? new Set()).add(distinct([...values])));
  return [...at.values()].some((labels) => labels.size > 1);
}
