import { groupedBy } from "../../spec/grouped.ts";
import type { Observation } from "../report.ts";

export interface Difference {
  requirement: string;
  statement: string;
  practice?: string;
  subject: string;
  operations: string[];
  values: { value: string; services: number[] }[];
}

type ServiceObservation = Observation & { service: number };

/** Returns the behaviours that the specification leaves open and in which the services differ. */
export function behaviourDifferences(
  runs: readonly { observations: readonly Observation[]; openStatements: Readonly<Record<string, string>> }[],
): Difference[] {
  const seen = runs.flatMap(({ observations }, service) =>
    observations.map((observation) => ({ ...observation, service })),
  );
  const behaviours = groupedBy(seen, ({ requirement, practice, subject }) =>
    JSON.stringify([requirement, practice, subject]),
  );
  const statements: Record<string, string> = Object.assign({}, ...runs.map((run) => run.openStatements));
  const found = [...behaviours.values()].flatMap((own) => differenceOf(own, statements) ?? []);
  return found.sort((a, b) => (a.requirement < b.requirement ? -1 : Number(a.requirement > b.requirement)));
}

/** Returns how the services differ in one behaviour, or `undefined` if they do not. */
function differenceOf(
  seen: ServiceObservation[],
  statements: Record<string, string>,
): Difference | undefined {
  const overall = groupedByService(seen, valuesOf);
  // Services with equal values in all may still show them at different operations.
  const values = overall.length > 1 || !differsSomewhere(seen) ? overall : groupedByService(seen, inDetail);
  const [first] = seen;
  if (first === undefined || values.length < 2) return undefined;
  const { requirement, practice, subject } = first;
  return {
    requirement,
    statement: statements[requirement] ?? requirement,
    ...(practice === undefined ? {} : { practice }),
    subject,
    operations: [...new Set(seen.map(({ operation }) => operation))].sort(),
    values,
  };
}

/** Returns the values of one behaviour, each with the services that show it. */
function groupedByService(
  seen: ServiceObservation[],
  labelOf: (own: ServiceObservation[]) => string,
): Difference["values"] {
  const services = groupedBy(seen, ({ service }) => String(service));
  return [...groupedBy(services, ([, own]) => labelOf(own))]
    .map(([value, members]) => ({ value, services: members.map(([service]) => Number(service)) }))
    .sort((a, b) => b.services.length - a.services.length);
}

function valuesOf(own: ServiceObservation[]): string {
  return [...new Set(own.map(({ value }) => value))].sort().join(" or ");
}

function inDetail(own: ServiceObservation[]): string {
  const parts = [...groupedBy(own, ({ operation }) => operation)];
  return parts
    .map(([operation, members]) => `${operation}: ${valuesOf(members)}`)
    .sort()
    .join("; ");
}

function differsSomewhere(seen: ServiceObservation[]): boolean {
  const places = groupedBy(seen, ({ operation }) => operation);
  return [...places.values()].some((members) => groupedByService(members, valuesOf).length > 1);
}
