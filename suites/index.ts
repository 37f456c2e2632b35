import type { Check, Suite } from "../client/check.ts";
import { type Profile, withProfile } from "../profiles/promises.ts";
import { SpecError } from "../spec/loading/source.ts";
import { memoized } from "../spec/memoized.ts";
import type { Spec } from "../spec/model/spec.ts";
import { acceptedAgain } from "./accepted-again.ts";
import { accessRules } from "./access/rules.ts";
import { bodyEdges } from "./bodies/edges.ts";
import { bodyRules } from "./bodies/rules.ts";
import { cancellationRules } from "./cancellation/rules.ts";
import { createRules } from "./creates/rules.ts";
import { createTexts } from "./creates/texts.ts";
import { cursorRules } from "./cursors/rules.ts";
import { deliveryRules } from "./deliveries/rules.ts";
import { existenceRules } from "./existence/rules.ts";
import { filterRules } from "./filters/rules.ts";
import { idempotencyRules } from "./idempotency/rules.ts";
import { isolationRules } from "./isolation/rules.ts";
import { isolationOfWrites } from "./isolation/writes.ts";
import { itemCursorRules } from "./item-cursors/rules.ts";
import { paginationRules } from "./pagination/rules.ts";
import { parameterRules } from "./parameters/rules.ts";
import { profileRules } from "./profile/rules.ts";
import { readRules } from "./reads/rules.ts";
import { responseChecks } from "./responses/checks.ts";
import { spaceRules } from "./spaces/rules.ts";
import { undocumentedRules } from "./undocumented/rules.ts";
import { uniquenessRules } from "./uniqueness/rules.ts";
import { unknownIdRules, updatesAccepted } from "./updates/accepted.ts";
import { concurrentRules } from "./updates/concurrent/rules.ts";
import { filteredRules } from "./updates/lists/filtered.ts";
import { updateObservations } from "./updates/observations.ts";
import { updateRules } from "./updates/rules.ts";
import { updateDetails, updateTexts } from "./updates/texts/rules.ts";
import { versionRules } from "./versions/rules.ts";

const SUITES: Suite[] = [
  versionRules,
  accessRules,
  spaceRules,
  parameterRules,
  paginationRules,
  cursorRules,
  itemCursorRules,
  filterRules,
  isolationOfWrites,
  undocumentedRules,
  createTexts,
  bodyEdges,
  bodyRules,
  updateTexts,
  updateRules,
  concurrentRules,
  filteredRules,
  readRules,
  createRules,
  uniquenessRules,
  idempotencyRules,
  isolationRules,
  updateDetails,
  updateObservations,
  updatesAccepted,
  unknownIdRules,
  cancellationRules,
  deliveryRules,
  existenceRules,
  ...acceptedAgain,
  responseChecks,
];

export interface ChecksOfSpec {
  checks: Check[];
  /** The number of omitted checks of each requirement that the edition lacks. */
  rulesOff: ReadonlyMap<string, number>;
}

/**
 * Returns the checks of all suites and of the profile, without those of requirements that the edition lacks.
 * @throws SpecError if two checks share an id
 */
export const checksOf = memoized((plain: Spec, profile: Profile | undefined): ChecksOfSpec => {
  const spec = withProfile(plain, profile);
  const own = SUITES.flatMap((suite) => suite(spec));
  const all = profile ? [...own, ...profileRules(profile, own)(spec)] : own;
  const ids = new Set<string>();
  const rulesOff = new Map<string, number>();
  const checks: Check[] = [];
  for (const check of all) {
    if (ids.has(check.id)) throw new SpecError(`two checks have the id ${check.id}`);
    ids.add(check.id);
    const lacking = check.requirements.filter((id) => !spec.requirements.has(id));
    for (const id of lacking) rulesOff.set(id, (rulesOff.get(id) ?? 0) + 1);
    if (lacking.length === 0) checks.push(check);
  }
  return { checks, rulesOff };
});

export function allChecks(spec: Spec, profile?: Profile): Check[] {
  return checksOf(spec, profile).checks;
}
