import type { Check } from "../../client/check.ts";
import type { Probe } from "../../client/target.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import { checkFinder } from "./plan.ts";

export class ChecksById {
  readonly tried = new Map<string, Check>();
  readonly probes = new Map<string, Probe>();
  #ofDepth: ((facts: CheckFacts) => Check) | undefined;

  constructor(
    private readonly spec: Spec,
    private readonly settings: Settings,
  ) {}

  checkThatSends(id: string): string | undefined {
    if (this.tried.has(id)) return id;
    const all = [...this.tried.values()];
    return all.find(({ probes }) => probes.some((probe) => probe.id === id))?.id;
  }

  unproven(reasons: Readonly<Record<string, string>>): Record<string, string> {
    const expecting = [...this.tried.values()].filter(({ cause }) => cause !== undefined);
    const shared = expecting.flatMap(({ id, probes }) =>
      probes.flatMap((probe) => (reasons[probe.id] === undefined ? [] : [[id, reasons[probe.id] ?? ""]])),
    );
    return { ...(Object.fromEntries(shared) as Record<string, string>), ...reasons };
  }

  of(facts: CheckFacts): Check {
    this.#ofDepth ??= checkFinder(allChecks(this.spec, this.settings.profile), this.settings);
    return this.#ofDepth(facts);
  }
}
