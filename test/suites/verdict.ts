import type { History } from "../../history/history.ts";
import type { RuleResult } from "../../history/result.ts";
import { allChecks } from "../../suites/index.ts";
import type { ListScenario } from "../history/list-scenario.ts";
import { spec } from "../spec/package-spec.ts";

const checks = allChecks(spec);

/** The result of a requirement's check for the scenario's list. `detail` is the end of the check's id. */
export function verdict(scenario: ListScenario, requirement: string, detail = ""): RuleResult {
  const check = checks.find(
    ({ id, requirements, operation }) =>
      requirements.includes(requirement) && operation === scenario.list.key && id.endsWith(detail),
  );
  if (check === undefined) throw new Error(`no rule on ${requirement} at ${scenario.list.key}`);
  const judge: (history: History) => RuleResult = check.verdict;
  return judge(scenario.history);
}
