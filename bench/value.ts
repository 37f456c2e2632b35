/** `npm run value` counts the found defects of the proof for each requirement and operation. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defects } from "../reference/index.ts";
import { packageRoot } from "../runner/package-root.ts";

const proof = readFileSync(join(packageRoot(), "docs/proof.md"), "utf8");
const [, after = ""] = proof.split("### Not found\n");
const [missed = ""] = after.split("\n### ");
const counts: Record<string, Record<string, number>> = {};
for (const { name, requirements, operations, equivalent } of defects) {
  if (
    equivalent !== undefined ||
    !proof.includes(name.split("@")[0] ?? name) ||
    missed.includes(`\`${name}\``)
  )
    continue;
  // A defect of two requirements counts half for each.
  const share = 1 / requirements.length;
  for (const requirement of requirements) {
    const known = counts[requirement] ?? {};
    counts[requirement] = known;
    for (const operation of operations) known[operation] = (known[operation] ?? 0) + share;
  }
}
const sorted = Object.keys(counts)
  .sort()
  .map((requirement) => {
    const found = Object.entries(counts[requirement] ?? {}).sort(([a], [b]) => a.localeCompare(b, "en"));
    return [
      requirement,
      Object.fromEntries(found.map(([operation, n]) => [operation, Math.round(n * 10) / 10])),
    ];
  });
writeFileSync(
  join(packageRoot(), "runner/planning/value.json"),
  `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
);
