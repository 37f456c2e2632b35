/** All suites together: every check that can be derived from a Spec. */

import type { Check, Suite } from "../client/check.ts";
import { type Profile, withProfile } from "../profiles/promises.ts";
import { SpecError } from "../spec/loading/source.ts";
import type { Spec } from "../spec/model/spec.ts";
import { accessChecks } from "./access.ts";
import { responseChecks } from "./answers.ts";
import { bodyChecks } from "./bodies.ts";
import { bodyEdgeChecks } from "./body-edges.ts";
import { bodyFields } from "./body-fields.ts";
import { bodyNotes } from "./body-notes.ts";
import { bodyNulls } from "./body-nulls.ts";
import { consumptionChecks } from "./consumption.ts";
import { createDefaults } from "./create-defaults.ts";
import { noEffectChecks } from "./create-effects.ts";
import { createTexts, suspectTexts } from "./create-texts.ts";
import { createdListed, createEchoes } from "./creates.ts";
import { cursorChecks } from "./cursors.ts";
import { deliveryChecks } from "./deliveries.ts";
import { deliveryUpdates } from "./delivery-updates.ts";
import { filterValueChecks } from "./filter-values.ts";
import { filterChecks } from "./filters.ts";
import { idempotencyChecks } from "./idempotency.ts";
import { isolationChecks } from "./isolation.ts";
import { itemCursorChecks } from "./item-cursors.ts";
import { keyDistinct } from "./key-distinct.ts";
import { keyReuse } from "./key-reuse.ts";
import { limitChecks } from "./limits.ts";
import { listChecks } from "./lists.ts";
import { namedEffectChecks } from "./named-effects.ts";
import { namedChecks } from "./named-only.ts";
import { spellingNotes } from "./parameter-spelling.ts";
import { profileChecks } from "./profile.ts";
import { readChecks, readsAgain } from "./reads.ts";
import { references } from "./references.ts";
import { spaceChecks } from "./spaces.ts";
import { uniquenessChecks } from "./uniqueness.ts";
import { uniquenessNotes } from "./uniqueness-notes.ts";
import { unissuedCursors } from "./unissued-cursors.ts";
import { unknownIds } from "./unknown-ids.ts";
import { updateKeeps } from "./update-keeps.ts";
import { updateNotes } from "./update-notes.ts";
import { updateRejections } from "./update-rejections.ts";
import { updateTexts } from "./update-texts.ts";
import { updateEchoes, updatesStored } from "./updates.ts";
import { versionNotes } from "./version-notes.ts";
import { versionChecks } from "./versions.ts";

const SUITES: Suite[] = [
  versionChecks,
  versionNotes,
  accessChecks,
  spaceChecks,
  limitChecks,
  spellingNotes,
  listChecks,
  unissuedCursors,
  cursorChecks,
  itemCursorChecks,
  filterChecks,
  filterValueChecks,
  readChecks,
  unknownIds,
  references,
  readsAgain,
  isolationChecks,
  namedChecks,
  namedEffectChecks,
  createEchoes,
  createDefaults,
  createTexts,
  createdListed,
  noEffectChecks,
  suspectTexts,
  bodyEdgeChecks,
  bodyFields,
  bodyNulls,
  bodyChecks,
  bodyNotes,
  uniquenessChecks,
  uniquenessNotes,
  idempotencyChecks,
  keyDistinct,
  keyReuse,
  updateEchoes,
  updateTexts,
  updatesStored,
  updateKeeps,
  updateNotes,
  updateRejections,
  consumptionChecks,
  deliveryChecks,
  deliveryUpdates,
  responseChecks,
];

/**
 * The checks of a Spec, in the order in which they are started, and after them those of a profile. Throws SpecError
 * when two have one id, or one names a requirement that neither the catalogue nor the profile has.
 */
export function allChecks(plain: Spec, profile?: Profile): Check[] {
  const spec = withProfile(plain, profile);
  const own = SUITES.flatMap((suite) => suite(spec));
  const checks = profile ? [...own, ...profileChecks(spec, profile, own)] : own;
  const ids = new Set<string>();
  const lacking = new Map<string, string>();
  for (const { id, requirements, operation } of checks) {
    if (ids.has(id)) throw new SpecError(`two checks have the id ${id}`);
    ids.add(id);
    for (const requirement of requirements)
      if (!spec.requirements.has(requirement)) lacking.set(requirement, operation);
  }
  const [first] = lacking;
  if (first) {
    const all = lacking.size === 1 ? "" : ` (it lacks ${[...lacking.keys()].join(", ")})`;
    throw new SpecError(
      `${spec.catalogue}:1: the catalogue lacks ${first[0]}, which the checks of ${first[1]} are for${all}`,
    );
  }
  return checks;
}
