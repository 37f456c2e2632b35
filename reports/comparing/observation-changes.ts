import { globMatcher } from "../../spec/glob.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Observation } from "../report.ts";

export interface ObservationChange {
  requirement: string;
  operation: string;
  practice?: string;
  subject: string;
  old: string;
  new: string;
  failing: boolean;
}

/** Equal changes at many operations, such as from status 400 to 422. */
export interface Decision {
  about: string;
  old: string;
  new: string;
  count: number;
  operations: string[];
  example: { operation: string; subject: string };
  failing: boolean;
}

interface ObservedValues {
  about: Observation;
  values: Set<string>;
  statuses: Set<number | undefined>;
}

interface Changed extends ObservationChange {
  rejected?: { old: number; new: number };
}

interface ChangesOptions {
  failOnChanges?: readonly string[];
  /** Requirements that are a MUST or a SHOULD: whether a service accepts such a request is no decision of its own. */
  binding?: ReadonlySet<string>;
}

/** Returns the observations that changed, each alone and together as decisions of the service. */
export function observationChanges(
  before: Observation[],
  after: Observation[],
  { failOnChanges = [], binding = new Set() }: ChangesOptions = {},
): { observations: ObservationChange[]; decisions: Decision[] } {
  const [olds, news] = [bySubject(before), bySubject(after)];
  const chosen = globMatcher([...failOnChanges]);
  const changes: Changed[] = [];
  for (const [key, now] of news) {
    const was = olds.get(key);
    if (was === undefined || joinedValues(was) === joinedValues(now)) continue;
    const { requirement, operation, practice, subject } = now.about;
    const [from, to] = [rejectionStatus(was), rejectionStatus(now)];
    changes.push({
      requirement,
      operation,
      ...(practice === undefined ? {} : { practice }),
      subject,
      old: joinedValues(was),
      new: joinedValues(now),
      failing: [requirement, operation, practice ?? requirement].some(chosen),
      ...(from === undefined || to === undefined ? {} : { rejected: { old: from, new: to } }),
    });
  }
  return {
    observations: changes.map(({ rejected: _, ...change }) => change),
    decisions: decisionsOf(
      changes.filter(({ rejected, requirement }) => rejected || !binding.has(requirement)),
    ),
  };
}

/** Returns the observed values by subject. Merged reports may have several values for a subject. */
function bySubject(observations: Observation[]): Map<string, ObservedValues> {
  const groups = new Map<string, ObservedValues>();
  for (const observation of observations) {
    const { requirement, operation, subject, value, status } = observation;
    const key = JSON.stringify([requirement, operation, subject]);
    const group = groups.get(key) ?? { about: observation, values: new Set(), statuses: new Set() };
    group.values.add(value);
    group.statuses.add(status);
    groups.set(key, group);
  }
  return groups;
}

function joinedValues({ values }: ObservedValues): string {
  return [...values].sort().join("; ");
}

function rejectionStatus({ statuses }: ObservedValues): number | undefined {
  const [status] = statuses;
  return statuses.size === 1 && status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

/**
 * Returns the changes as decisions of the service, the failing ones first. Equal changes are one decision,
 * whatever the fault.
 */
function decisionsOf(changes: readonly Changed[]): Decision[] {
  const groups = groupedBy(changes, (change) => {
    const { rejected, practice, requirement } = change;
    return JSON.stringify(
      rejected === undefined || rejected.old === rejected.new
        ? [practice ?? requirement, change.old, change.new]
        : [rejected.old, rejected.new],
    );
  });
  const decisions = [...groups.values()].map(decisionOf);
  return decisions.sort((a, b) => Number(b.failing) - Number(a.failing) || b.count - a.count);
}

/** Returns equal changes at several operations as one decision. */
function decisionOf(changes: readonly Changed[]): Decision {
  const [first] = changes;
  if (first === undefined) throw new Error("a decision without a change");
  const { rejected, practice, requirement, operation, subject } = first;
  const subjects = new Set(changes.map((change) => change.subject));
  const isStatus = changes.length > 1 && rejected !== undefined && rejected.old !== rejected.new;
  const about = subjects.size === 1 ? subject : (practice ?? requirement);
  return {
    about: isStatus ? "status of rejections" : about,
    old: isStatus ? String(rejected.old) : first.old,
    new: isStatus ? String(rejected.new) : first.new,
    count: changes.length,
    operations: [...new Set(changes.map((change) => change.operation))],
    example: { operation, subject },
    failing: changes.some(({ failing }) => failing),
  };
}
