import { randomInt } from "node:crypto";
import { join } from "node:path";
import type { Check } from "../../client/check.ts";
import { withProfile } from "../../profiles/promises.ts";
import { checkPaths, readProfile } from "../../profiles/read-profile.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { namesOf, type PlannedCheck, planChecks, untriedOf } from "../../runner/planning/plan.ts";
import { withinRequestBudget } from "../../runner/planning/request-budget.ts";
import { readWaivers, refuseIdleWaivers } from "../../runner/reporting/waivers.ts";
import type { PreparedRun } from "../../runner/run.ts";
import { startEmbedded } from "../../runner/starting/embedded.ts";
import { globMatcher } from "../../spec/glob.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { asLines, SpecError } from "../../spec/loading/source.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { notOffered, withOffers } from "../../spec/offers.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { allChecks, checksOf } from "../../suites/index.ts";
import type { OptionValues } from "../options/options.ts";
import { checkAgainstSpec, readSpecFiles, reportedOptions, toSettings } from "../options/settings.ts";
import { readBaseline } from "../reports/baseline.ts";

export interface PreparedFromOptions extends PreparedRun {
  files: ReturnType<typeof readSpecFiles>;
}

/**
 * Returns everything that a run needs. Without `baseUrl`, starts the embedded service.
 * @throws UsageError if an option is wrong
 */
export async function prepareRun(
  values: OptionValues,
  { suggestProfile = false }: { suggestProfile?: boolean } = {},
): Promise<PreparedFromOptions> {
  const { files, spec, profile, absent } = readEdition(values);
  const waivers = values.waivers === undefined ? [] : readWaivers(values.waivers);
  const baseline = readBaseline(values);
  const seed = baseline?.seed ?? derivedSeed(values, spec);
  const embedded = values.baseUrl === undefined ? await startEmbedded() : undefined;
  try {
    const settings: Settings = {
      ...toSettings(values, seed, embedded),
      ...(profile ? { profile } : {}),
      ...(absent === undefined ? {} : { notOffered: absent }),
      ...(suggestProfile ? { suggestProfile, depth: "full" } : {}),
    };
    const { checks: all, rulesOff } = checksOf(spec, profile);
    const whole = planChecks(spec, settings, all);
    const { requestBudget, depth } = settings;
    const planned =
      requestBudget === undefined ? whole : withinRequestBudget(whole, { ...requestBudget, depth });
    refuseIdleRequirements(
      spec,
      planned.map(({ check }) => check),
    );
    refuseIdlePatterns(planned, settings);
    refuseIdleWaivers(waivers, all, spec.requirements.keys());
    return {
      spec,
      settings,
      planned,
      untried: untriedOf(all, planned),
      rulesOff: [...rulesOff.keys()],
      options: reportedOptions(values, settings),
      waivers,
      ...(baseline === undefined ? {} : { baseline }),
      files,
      ...(files.specification ? { specification: files.specification } : {}),
      close: async () => embedded?.close(),
    };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

/** Returns the specification with the profile, both checked against the options. */
export function readEdition(values: OptionValues) {
  const files = readSpecFiles(values.spec ?? join(packageRoot(), "spec"));
  const plain = parseSpec(files);
  checkAgainstSpec(values, plain);
  const profile =
    values.profile === undefined ? undefined : readProfile(values.profile, plain, allChecks(plain));
  if (profile) checkPaths(profile, values.paths ?? "as-shown");
  const offers = values.offers ?? profile?.offers;
  const absent = offers === undefined ? undefined : notOffered(plain, offers);
  return { files, spec: withOffers(withProfile(plain, profile), absent), profile, absent };
}

/**
 * Returns the seed if none was given: a random one, or for a shard one of the edition. All shards must
 * generate the same values.
 */
function derivedSeed({ shard }: OptionValues, { sha256 }: Spec): number {
  return shard === undefined ? randomInt(0, 2 ** 32) : Number.parseInt(sha256.slice(0, 8), 16);
}

export function parseSpec(files: ReturnType<typeof readSpecFiles>): Spec {
  try {
    return loadSpec(files.openapi, files.requirements);
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Checks that some check tests each requirement of another edition.
 * @throws UsageError with the lines of the requirements that no check tests.
 */
export function refuseIdleRequirements(spec: Spec, checks: readonly Check[]): void {
  const tested = new Set(checks.flatMap(({ requirements }) => requirements));
  const idle = [...spec.requirements.values()].filter(
    ({ id, untested }) => untested === undefined && !tested.has(id),
  );
  if (idle.length === 0) return;
  const { requirements } = parseSpec(readSpecFiles(join(packageRoot(), "spec")));
  const unknown = idle.filter(({ id }) => !requirements.has(id));
  if (unknown.length === 0) return;
  const mistakes = unknown.map(
    ({ id, line }) =>
      `${spec.catalogue}:${line ?? 1}: nothing tests ${id}${didYouMean(id, requirements.keys())} (name it in x-requirements, or say in untested why it can't be)`,
  );
  throw new UsageError(asLines(mistakes));
}

/** Returns all names by which `--only` and `--skip` can choose these checks. */
function presentNames(planned: readonly PlannedCheck[]): Set<string> {
  return new Set(
    planned.flatMap(({ check }) => [
      check.sampledGroup ?? check.id,
      check.id,
      check.suite,
      check.operation,
      ...check.requirements,
    ]),
  );
}

/**
 * Checks that each pattern of `--only` and `--skip` fits some check.
 * @throws UsageError if one fits none.
 */
export function refuseIdlePatterns(planned: readonly PlannedCheck[], settings: Settings): void {
  for (const [flag, patterns] of [
    ["--only", settings.only],
    ["--skip", settings.skip],
  ] as const) {
    for (const pattern of patterns) {
      const fits = globMatcher([pattern]);
      if (!planned.some(({ check }) => namesOf(check).some(fits)))
        throw new UsageError(`${flag} ${pattern} fits no check${didYouMean(pattern, presentNames(planned))}`);
    }
  }
  if (planned.length > 0 && planned.every(({ skip }) => skip?.reason === "not-selected")) {
    throw new UsageError("--only, --skip and --service-version together leave no check to run");
  }
}
