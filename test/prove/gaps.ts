/** Checks that no defect shows to be able to find anything. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { globMatcher } from "../../runner/glob.ts";
import { packageRoot } from "../../runner/package-root.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";

/** The checks of one suite on one requirement at one operation; they differ in the version header and the like. */
export interface Gap {
  requirement: string;
  operation: string;
  suite: string;
  checks: string[];
  /** Why no defect is needed, from the committed file. */
  reason?: string;
}

/** An entry of the committed file: globs, and why what they fit needs no defect. */
export interface Excuse {
  requirements?: string[];
  operations?: string[];
  suites?: string[];
  reason: string;
}

/** The committed reasons. */
export function readExcuses(): Excuse[] {
  const text = readFileSync(join(packageRoot(), "test/prove/without-defect.yaml"), "utf8");
  return (parse(text) as Excuse[] | null) ?? [];
}

/**
 * Groups of checks of which none is among `detecting` (ids), each with its reason where there is one; and the
 * excuses that fit no such group, which nobody needs any more. Checks that only observe never find anything.
 */
export function findGaps(
  spec: Spec,
  detecting: Iterable<string>,
  excuses: readonly Excuse[],
): { gaps: Gap[]; idle: Excuse[] } {
  const found = new Set(detecting);
  const groups = new Map<string, Gap>();
  for (const { id, requirements, operation, suite } of allChecks(spec)) {
    for (const requirement of requirements) {
      if (spec.requirements.get(requirement)?.level === "NOTE") continue;
      const key = `${requirement} ${operation} ${suite}`;
      const group = groups.get(key) ?? { requirement, operation, suite, checks: [] };
      groups.set(key, group);
      group.checks.push(id);
    }
  }
  const idle = new Set(excuses);
  const gaps = [...groups.values()]
    .filter(({ checks }) => !checks.some((check) => found.has(check)))
    .map((gap) => {
      const excuse = excuses.find((candidate) => fits(candidate, gap));
      if (excuse === undefined) return gap;
      idle.delete(excuse);
      return { ...gap, reason: excuse.reason };
    });
  return { gaps, idle: [...idle] };
}

function fits({ requirements, operations, suites }: Excuse, gap: Gap): boolean {
  const one = (patterns: string[] | undefined, text: string) =>
    patterns === undefined || globMatcher(patterns)(text);
  return one(requirements, gap.requirement) && one(operations, gap.operation) && one(suites, gap.suite);
}
