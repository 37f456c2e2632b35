import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import { isTurn } from "../commit-seed.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const NAME = "cancellablePaymentCode";
const STATUS = ["--only", "CANCEL-STATUS", "--only", "GET /banks"];

/** Ids of payment codes that are neither cancelled nor fixtures. */
async function openCodes({ baseUrl, token, space, fixtures }: RunningService): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, "service-space-id": space };
  const response = await fetch(`${baseUrl}/v1/payment-codes?limit=50`, { headers });
  const { result } = (await response.json()) as { result: { id: string; status: string }[] };
  const open = result.filter(({ status }) => status === "pending").map(({ id }) => id);
  return open.filter((id) => !Object.values(fixtures).some((value) => value.split(",").includes(id)));
}

/** The flags for the service, with a payment code to update. */
function targetFlags(service: RunningService): string[] {
  return [...flagsFor(service), "--fixture", `mutablePaymentCode=${service.fixtures.mutablePaymentCode}`];
}

/**
 * The outcomes of the two checks of cancelling: one sends the new status with other fields, one sends it alone. For a
 * skipped check, the reason.
 */
function cancelling({ checks }: Report): (string | undefined)[] {
  return ["", " alone"].map((form) => {
    const check = checks.find(({ id }) =>
      id.endsWith(`CANCEL-STATUS PATCH /payment-codes/{id} status${form}`),
    );
    return check?.reason ?? check?.outcome;
  });
}

describe("a fixture that a run uses up", { timeout: 120_000 }, () => {
  test.runIf(isTurn(0, 2))(
    "is replaced by the next unused ids of a list; report and doctor say when there are none left",
    () =>
      withReference({}, (service) =>
        inFolder(async (cwd) => {
          const [first = "", second = "", third = ""] = await openCodes(service);
          const target = [...targetFlags(service), "--fixture", `${NAME}=${first},${second},${third}`];
          for (const alone of ["pass", "no-fixture"]) {
            expect((await command(["run", ...STATUS, ...target], { cwd })).stderr).toBe("");
            expect(cancelling(reportIn(cwd))).toEqual(["pass", alone]);
            expect(reportIn(cwd).verdict).toBe("conformant");
          }
          const last = await command(["run", ...STATUS, ...target], { cwd });
          expect(last.code).toBe(3);
          expect(cancelling(reportIn(cwd))).toEqual(["used-up", "used-up"]);
          expect(last.stdout).toContain(`--fixture ${NAME}=ID`);
          expect(last.stdout).not.toContain("more data on the service");
          const doctor = await command(["doctor", ...target], { cwd });
          expect(doctor.code).toBe(3);
          expect(doctor.stdout).toContain(
            `BAD  the fixture ${NAME}=${first} is used up: its status is cancelled already.`,
          );
        }),
      ),
  );

  test.runIf(isTurn(1, 2))("comes from --fixture-command, which is called again for another", () =>
    withReference({}, (service) =>
      inFolder(async (cwd) => {
        const [first = "", second = ""] = await openCodes(service);
        // Prints the first id at the first call, and the second id at all later ones.
        const make = `if [ -f made ]; then id=${second}; else id=${first}; touch made; fi; echo "{\\"${NAME}\\": \\"$id\\"}"`;
        const target = [...targetFlags(service), "--fixture-command", make];
        for (const outcome of ["pass", "pass", "used-up"]) {
          await command(["run", ...STATUS, ...target], { cwd });
          expect(cancelling(reportIn(cwd))[0]).toBe(outcome);
          expect(JSON.stringify(reportIn(cwd))).not.toContain("touch made");
        }
      }),
    ),
  );
});

describe("a fixture command", () => {
  test.each([
    ["fails", "echo no luck >&2; exit 7", "the fixture command failed with exit code 7: no luck"],
    ["prints no JSON", "echo pc_1", "must print a JSON object of fixtures, not pc_1"],
    ["prints nothing", "true", "must print a JSON object of fixtures, not nothing"],
    [
      "prints an unknown name",
      `echo '{"payuot": "a"}'`,
      "printed payuot, which is no fixture; did you mean payout?",
    ],
    [
      "prints a number",
      `echo '{"payout": 1}'`,
      "gives payout a value that is neither a text nor a list of texts",
    ],
  ])("that %s ends the run before anything is judged", (_, line, message) =>
    withReference({}, (service) =>
      inFolder(async (cwd) => {
        const args = ["run", "--only", "LIST-COUNT", ...flagsFor(service), "--fixture-command", line];
        expect((await command(args, { cwd })).code).toBe(3);
        expect(reportIn(cwd).problem).toContain(message);
      }),
    ),
  );

  test("finds the target in its environment, and its fixtures are used", () =>
    withReference({}, (service) =>
      inFolder(async (cwd) => {
        const line = `node -e 'const e = process.env; if (e.PAYMENTS_CONFORMANCE_TOKEN !== "${service.token}" || e.PAYMENTS_CONFORMANCE_SPACE !== "${service.space}" || e.PAYMENTS_CONFORMANCE_BASE_URL !== "${service.baseUrl}") process.exit(1); console.log(JSON.stringify({ payout: ["gone", "${service.fixtures.payout}"] }))'`;
        const args = ["run", "--only", "GET /payouts/{id}", ...flagsFor(service), "--fixture-command", line];
        expect((await command(args, { cwd })).code).toBe(0);
        const tested = reportIn(cwd).checks.filter(({ outcome }) => outcome === "pass");
        expect(tested.length).toBeGreaterThan(5);
      }),
    ));
});

test("no command in a report is run by replay", () =>
  withReference({ defects: ["count-one-more@banks"] }, (service) =>
    inFolder(async (cwd) => {
      await command(["run", "--only", "LIST-COUNT", ...flagsFor(service)], { cwd });
      const file = join(cwd, "conformance-report", "report.json");
      const report = JSON.parse(readFileSync(file, "utf8"));
      report.run.options.fixtureCommand = "touch planted; echo '{}'";
      writeFileSync(file, JSON.stringify(report));
      const { code } = await command(["replay", file, "--token", service.token], { cwd });
      expect(code).toBe(1);
      expect(existsSync(join(cwd, "planted"))).toBe(false);
    }),
  ));
