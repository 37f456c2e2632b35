import { expect, test } from "vitest";
import { readHistory } from "../../../history/lines.ts";
import { startReference } from "../../../reference/index.ts";
import { compareOutcomes, rejudge } from "../../../runner/judging/rejudge.ts";
import { runLoop } from "../../../runner/loop.ts";
import { planChecks } from "../../../runner/planning/plan.ts";
import { Session } from "../../../runner/session.ts";
import { allChecks } from "../../../suites/index.ts";
import { commitShare } from "../../commit-seed.ts";
import { settingsFor } from "../../prove/run.ts";
import { spec } from "../../spec/package-spec.ts";

const checks = allChecks(spec).filter(({ suite }) => suite === "deliveries");

const RUNS: [defect: string | undefined, broken: string[]][] = [
  [undefined, []],
  ["delivery-headers-lower-cased@webhook-create", ["DELIVERY-HEADERS"]],
  ["delivery-once-active@webhook-update", ["DELIVERY-INACTIVE"]],
  ["delivery-of-first-events@webhook-update", ["DELIVERY-SUBSCRIBED"]],
  ["delivery-with-first-headers@webhook-update", ["DELIVERY-HEADERS"]],
];
test.each(commitShare(RUNS, 3))(
  "deliveries of a service with the defect %s are judged the same after they are written and read",
  async (defect, broken) => {
    const service = await startReference(defect === undefined ? {} : { defects: [defect] });
    try {
      const settings = settingsFor(service, 1, {});
      const session = new Session(spec, settings);
      const { results } = await runLoop(session, planChecks(spec, settings, checks), {});
      const failed = results.filter(({ outcome }) => outcome === "fail").flatMap((each) => each.requirements);
      expect(failed).toEqual(broken);
      const lines = [...session.recorded.history(false)];
      const read = readHistory(lines, spec);
      expect(read.deliveries.length).toBeGreaterThan(2);
      const { differ, compared } = compareOutcomes(rejudge(spec, checks, read), results, spec);
      expect([differ, compared]).toEqual([[], checks.length]);
      // Custom headers may have secret values, so the file must not show them.
      expect(lines.filter((line) => line.includes("Every Delivery"))).toEqual([]);
    } finally {
      await service.close();
    }
  },
);
