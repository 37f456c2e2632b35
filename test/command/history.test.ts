/** `history.ndjson` has every exchange of a run, one per line, without secrets. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHistory } from "../../history/lines.ts";
import { isTurn } from "../commit-seed.ts";
import { spec } from "../spec/package-spec.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference, withServer } from "./targets.ts";

const fileIn = (cwd: string) => join(cwd, "conformance-report", "history.ndjson");
const historyIn = (cwd: string) => readHistory(readFileSync(fileIn(cwd), "utf8").split("\n"), spec);
const FEW = ["--only", "LIST-COUNT", "--seed", "7"];

test("history.ndjson holds each request and answer once, and no secret", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const flags = [
        ...flagsFor(service),
        "--only",
        "CREATE-ECHO",
        "--only",
        "REJECTION-CHALLENGE",
        "--seed",
        "7",
      ];
      const { code } = await command(["run", ...flags], { cwd });
      expect(code).toBe(0);
      const { head, entries, spec: edition, suite } = historyIn(cwd);
      const { run, spec: reported, suite: own } = reportIn(cwd);
      expect([head.seed, head.spaces, edition.sha256, suite]).toEqual([
        7,
        [service.space],
        reported.sha256,
        own,
      ]);
      expect(entries).toHaveLength(run.requests);
      expect(entries.map(({ index }) => index)).toEqual(entries.map((_, index) => index));
      const text = readFileSync(fileIn(cwd), "utf8");
      expect(text).not.toContain(service.token);
      expect(text).toContain('"token":"token 1"');
      // The run creates a webhook with a secret of its own, and the service shows another one.
      const secrets = [...text.matchAll(/\\"hmac256\\":\{\\"secret\\":\\"(.*?)\\"/g)].map(
        ([, secret]) => secret,
      );
      expect(secrets.length).toBeGreaterThan(1);
      expect(secrets.filter((secret) => !/^secret-?\d+x*$/.test(secret ?? ""))).toEqual([]);
    }),
  ));

test("--no-history writes no history, and removes that of an earlier run", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      await command(["run", ...flagsFor(service), ...FEW], { cwd });
      expect(existsSync(fileIn(cwd))).toBe(true);
      const { code } = await command(["run", ...flagsFor(service), ...FEW, "--no-history"], { cwd });
      expect([code, existsSync(fileIn(cwd))]).toEqual([0, false]);
    }),
  ));

describe("history.ndjson is written for each exit code of a run that began:", () => {
  test("1, something fails", () =>
    withReference({ defects: ["count-one-more@banks"] }, (service) =>
      inFolder(async (cwd) => {
        const { code } = await command(["run", ...flagsFor(service), "--only", "LIST-COUNT", "--read-only"], {
          cwd,
        });
        expect([code, historyIn(cwd).entries.length]).toEqual([1, reportIn(cwd).run.requests]);
      }),
    ));

  test.runIf(isTurn(0, 2))("3, the target can't be judged", () =>
    withServer(
      (_, response) => response.writeHead(503).end(),
      (baseUrl) =>
        inFolder(async (cwd) => {
          const flags = flagsFor({ baseUrl, token: "token-1234", space: "spc-1" });
          const { code } = await command(["run", ...flags], { cwd });
          expect(code).toBe(3);
          expect(historyIn(cwd).entries.length).toBeGreaterThan(0);
        }),
    ),
  );

  test.runIf(isTurn(1, 2))("130, interrupted", () =>
    withReference({ latencyMs: 20 }, (service) =>
      inFolder(async (cwd) => {
        let sent = false;
        const { code } = await command(["run", ...flagsFor(service), "--reporter", "plain"], {
          cwd,
          onOutput: (text, kill) => {
            if (sent || !text.includes("Running")) return;
            sent = true;
            setTimeout(() => kill("SIGINT"), 400);
          },
        });
        expect(code).toBe(130);
        expect(historyIn(cwd).entries.length).toBeGreaterThan(0);
      }),
    ),
  );
});

test.runIf(isTurn(0, 2))("a history that can't be written does not change the verdict", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      let blocked = false;
      const { code, stderr } = await command(
        ["run", ...flagsFor(service), ...FEW, "--reporter", "plain", "--rate", "10"],
        {
          cwd,
          onOutput: (text) => {
            if (blocked || !text.includes("Running")) return;
            blocked = true;
            mkdirSync(fileIn(cwd), { recursive: true });
          },
        },
      );
      expect([code, reportIn(cwd).verdict]).toEqual([0, "conformant"]);
      expect(stderr).toMatch(/cannot write \S*history\.ndjson: EISDIR/);
    }),
  ),
);
