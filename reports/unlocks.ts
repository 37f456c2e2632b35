import { hardlyTested, silentOperations, untestedMusts } from "./outcome.ts";
import type { CheckResult, OperationResult, Remedy, Report, SkipReason } from "./report.ts";
import { count } from "./text.ts";

export interface Unlock {
  /** The setting as the user types it (`--fixture payout=ID`), or in words. */
  offer: string;
  isOption: boolean;
  checks: number;
  operations: string[];
}

/** Returns the settings that would allow more checks. Settings that allow the most checks come first. */
export function unlocks(report: Pick<Report, "checks" | "problem" | "judged" | "run">): Unlock[] {
  if (report.problem !== undefined || report.judged !== undefined) return [];
  const found = new Map<string, Unlock>();
  for (const check of report.checks) {
    const offered = offerFor(check, report.run.options);
    if (offered === undefined) continue;
    const unlock = found.get(offered.offer) ?? { ...offered, checks: 0, operations: [] };
    unlock.checks += 1;
    if (!unlock.operations.includes(check.operation)) unlock.operations.push(check.operation);
    found.set(offered.offer, unlock);
  }
  return [...found.values()].sort((a, b) => b.checks - a.checks || a.offer.localeCompare(b.offer, "en"));
}

/** Returns settings that would make the run conclusive. */
export function decidingOffers(
  report: Pick<Report, "checks" | "problem" | "requirements" | "operations" | "run">,
): string[] {
  const open = new Set(untestedMusts(report.requirements).map(({ id }) => id));
  const silent = new Set(silentOperations(report).map(({ operation }) => operation));
  const checks = report.checks.filter(
    ({ requirements, operation }) => requirements.some((id) => open.has(id)) || silent.has(operation),
  );
  return unlocks({ ...report, checks }).map(({ offer }) => offer);
}

export function unlockWords({ offer, checks, operations }: Unlock): string {
  const words = count(checks, "more check");
  if (operations.every((operation) => offer.includes(operation))) return words;
  const named = operations.slice(0, 3).join(", ");
  const more = operations.length > 3 ? ` and ${count(operations.length - 3, "more operation")}` : "";
  return `${words}, ${named}${more}`;
}

type Offer = Pick<Unlock, "offer" | "isOption">;

const OPTION_FOR: Partial<Record<SkipReason, string>> = {
  "no-second-space": "--second-space ID",
  "no-callback": "--callback-url URL --callback-port N",
};

const OTHER_OFFER_FOR: Partial<Record<SkipReason, string>> = {
  "read-only": "without --read-only",
  budget: "a space with shorter lists: these were too long to read to the end",
  drift: "a space that others leave alone while the run reads",
  "rate-limited": "with a lower --rate, or without the limit of the service",
  shard: "the other shards, put together with merge",
};

const AT_OPERATION: Partial<Record<SkipReason, (operation: string) => string>> = {
  "no-fixture": (operation) => `more values for ${operation}, as fixtures`,
  "used-up": (operation) => `more values for ${operation}, as fixtures`,
  "no-data": (operation) => `more data on the service for ${operation}`,
};

/** Options that leave checks out, as the report and as the command line name them. */
const LEAVE_OUT = [
  ["only", "--only"],
  ["skip", "--skip"],
  ["preset", "--preset"],
  ["within", "--within"],
] as const;

function withoutChoice(options: Report["run"]["options"]): Offer | undefined {
  const isGiven = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  const given = LEAVE_OUT.filter(([name]) => isGiven(options[name]));
  const flags = given.map(([, flag]) => flag).join(" and ");
  const without = flags === "" ? [] : [`without ${flags}`];
  const { serviceVersion = "all" } = options;
  const words = [...without, ...(serviceVersion === "all" ? [] : ["under every --service-version"])].join(
    ", ",
  );
  return words === "" ? undefined : { offer: words, isOption: false };
}

function offerFor(
  { outcome, reason, remedy, operation }: CheckResult,
  options: Report["run"]["options"],
): Offer | undefined {
  if (outcome !== "skip" || reason === undefined) return undefined;
  if (remedy !== undefined) return offerOf(remedy);
  if (reason === "not-selected" || reason === "left-out") return withoutChoice(options);
  const option = OPTION_FOR[reason];
  if (option !== undefined) return { offer: option, isOption: true };
  const otherwise = AT_OPERATION[reason]?.(operation) ?? OTHER_OFFER_FOR[reason];
  return otherwise === undefined ? undefined : { offer: otherwise, isOption: false };
}

function offerOf(remedy: Remedy): Offer {
  if ("fixture" in remedy) return { offer: `--fixture ${remedy.fixture}`, isOption: true };
  if ("raise" in remedy) return { offer: `with a larger ${remedy.raise}`, isOption: false };
  return { offer: `a space that takes more by ${remedy.room}`, isOption: false };
}

export function hardlyTestedWords(
  report: Pick<Report, "operations">,
): { operation: string; words: string }[] {
  return hardlyTested(report).map((result) => ({
    operation: result.operation,
    words: operationInWords(result),
  }));
}

function operationInWords({ shown, successes, musts, scopeReason }: OperationResult): string {
  const silent = shown && successes === 0 ? "no success seen, " : "";
  const why = scopeReason === undefined ? "" : ` (${scopeReason})`;
  return `${silent}${musts.tested} of ${musts.total - musts.notSelected} MUST checks tested${why}`;
}
