import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordedFindings } from "../../command/reports/recorded-findings.ts";
import type { Report } from "../../reports/report.ts";
import type { RecordedFinding } from "../../runner/confirming/shortening.ts";
import { runLoop } from "../../runner/loop.ts";
import { Session } from "../../runner/session.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { isTurn } from "../commit-seed.ts";
import { ownChecks, ownSpec, settingsFor } from "../prove/run.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const DEFECT = "history-not-stored@webhook-update.apiVersion:after-other";
const REPORT = join("conformance-report", "report.json");
const spec = ownSpec();

test.runIf(isTurn(0, 2))(
  "the recorded requests of a finding show it again, but not on a sound service",
  async () => {
    await inFolder(async (cwd) => {
      const found = await withReference({ defects: [DEFECT] }, async (service) => {
        await command(["run", ...flagsFor(service), "--only", "updates/UPDATE-STORED*", "--seed", "1"], {
          cwd,
        });
        const findings = failing(reportIn(cwd));
        const replayed = recordedFindings(join(cwd, REPORT), findings, spec);
        expect([...replayed.keys()]).toEqual(findings.map(({ id }) => id));
        expect(await outcomesOn(service, replayed)).toEqual(findings.map(() => "fail"));
        return replayed;
      });
      expect(found.size).toBeGreaterThan(0);
      await withReference({}, async (service) => {
        expect(await outcomesOn(service, found)).not.toContain("fail");
      });
    });
  },
  60_000,
);

test("a finding without its requests in the history is left out", async () => {
  await inFolder(async (cwd) => {
    await withReference({ defects: ["messages-missing@banks"] }, (service) =>
      command(["run", ...flagsFor(service), "--only", "MESSAGES-ARRAY"], { cwd }),
    );
    const findings = failing(reportIn(cwd));
    const file = join(cwd, REPORT);
    expect(recordedFindings(file, findings, spec).size).toBe(findings.length);
    const others = findings.map((each) => ({ ...each, evidence: [] }));
    expect(recordedFindings(file, others, spec).size).toBe(0);
    writeFileSync(join(cwd, "conformance-report", "history.ndjson"), "no history");
    expect(recordedFindings(file, findings, spec).size).toBe(0);
    expect(recordedFindings(join(cwd, "report.json"), findings, spec).size).toBe(0);
  });
}, 60_000);

function failing({ checks }: Report): CheckResult[] {
  return checks.filter(({ outcome }) => outcome === "fail");
}

/**
 * Replays the recorded requests of findings on a service. Returns the outcomes of the checks that found them. The
 * probes of these checks are not sent.
 */
async function outcomesOn(
  service: Parameters<typeof settingsFor>[0],
  replayed: ReadonlyMap<string, RecordedFinding>,
): Promise<string[]> {
  const session = new Session(spec, settingsFor(service, 1, {}), {}, replayed);
  const planned = ownChecks()
    .filter(({ id }) => replayed.has(id))
    .map((check) => ({ check: { ...check, probes: [] } }));
  const { results } = await runLoop(session, planned);
  return results.map(({ outcome }) => outcome);
}
