/** The installed shells accept the completion scripts, and the scripts contain all commands and options. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { flagOf } from "../../command/options/names.ts";
import { OPTION_NAMES } from "../../command/options/options.ts";
import { command, inFolder } from "./command.ts";

const SHELLS = ["bash", "zsh", "fish"];

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await inFolder((cwd) => command(["completion", shell], { cwd }));
  expect(code).toBe(0);
  return stdout;
}

test.each(SHELLS)(
  "%s completes every command and every option, and the shell accepts the script",
  async (shell) => {
    const script = await scriptFor(shell);
    for (const name of ["run", "serve", "doctor", "certify"]) expect(script).toContain(name);
    for (const name of OPTION_NAMES) expect(script).toContain(flagOf(name).slice(shell === "fish" ? 2 : 0));
    const { error, status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (error) expect(error).toMatchObject({ code: "ENOENT" });
    else expect([status, stderr]).toEqual([0, ""]);
  },
);

test.each([
  ["the commands", ["ce"], ["certify"]],
  ["the options of a command", ["run", "--dep"], ["--depth"]],
  ["the words of an option", ["run", "--depth", "q"], ["quick"]],
  ["no option of another command", ["init", "--dep"], []],
])("bash completes %s", async (_, typed, expected) => {
  const script = await scriptFor("bash");
  const words = ["payments-conformance", ...typed].map((word) => `'${word}'`).join(" ");
  const asked = `COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _payments_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", `${script}\n${asked}`], { encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual(expected);
});

test("an unknown shell is wrong use, and the nearest one is named", async () => {
  const { code, stderr } = await inFolder((cwd) => command(["completion", "bsh"], { cwd }));
  expect(code).toBe(2);
  expect(stderr).toContain("did you mean bash?");
});
