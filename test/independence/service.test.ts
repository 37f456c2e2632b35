/**
 * Runs the suite on a service that was written from the specification alone. It passes, and the suite finds
 * bugs that are planted in it.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, inFolder, reportIn } from "../command/command.ts";
import { isTurn } from "../commit-seed.ts";
import { BUGS } from "./planted/index.ts";
import { meet } from "./planted/meet.ts";
import { type Started, start } from "./service/start.ts";

/** SHOULD requirements that the service breaks: its cursors are not signed, and it trims names. */
const RESERVATIONS = ["CURSOR-UNKNOWN", "CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"];

describe.runIf(isTurn(2, 4))("behind a reverse proxy", () => {
  let service: Started;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  test("it is conformant, and its warnings name only what it breaks", async () => {
    const { baseUrl, token, space, secondSpace } = service;
    const fixtures = Object.entries(service.fixtures).flatMap(([name, value]) => [
      "--fixture",
      `${name}=${value}`,
    ]);
    const args = ["--base-url", baseUrl, "--token", token, "--space", space, "--second-space", secondSpace];
    await inFolder(async (cwd) => {
      const { code } = await command(["run", ...args, ...fixtures, "--reporter", "silent"], { cwd });
      const report = reportIn(cwd);
      const found = report.checks
        .filter(({ outcome }) => ["fail", "warn", "unsteady"].includes(outcome))
        .filter(({ requirements }) => !requirements.every((id) => RESERVATIONS.includes(id)))
        .map(({ outcome, id, message }) => `${outcome} ${id}: ${message}`);
      expect(
        found,
        "test/independence/service differs from the specification, or the suite is wrong",
      ).toEqual([]);
      expect(report.verdict).toBe("conformant");
      expect(code).toBe(0);
    });
  });
});

/** A sample of the bugs, with some of each file. `npm run planted` tries every bug. */
const SOME = [
  "references-unique-in-all-spaces",
  "keys-of-all-spaces-in-one-table",
  "key-looked-up-before-the-work",
  "webhook-list-cached",
  "filters-lost-behind-a-cursor",
  "single-code-cached",
  "cancelling-forgets-the-rest",
  "payout-update-loses-charges",
];

describe("a planted bug is found at its operation", () => {
  test.each(SOME)("%s", async (name) => {
    const bug = BUGS.find((each) => each.name === name);
    if (bug === undefined) throw new Error(`there is no bug ${name}`);
    const { own } = await meet(bug, 1);
    expect(own.length, `${bug.breaks.join(", ")} at ${bug.at.join(", ")}`).toBeGreaterThan(0);
  });
});
