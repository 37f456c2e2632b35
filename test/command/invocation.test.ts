import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { invocation } from "../../command/invocation.ts";
import { command, inFolder } from "./command.ts";

test("the suite is called through npx unless a shell finds it", () =>
  inFolder(async (folder) => {
    const [local, global] = [join(folder, "node_modules", ".bin"), join(folder, "bin")];
    for (const bin of [local, global]) {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "payments-conformance"), "");
    }
    const called = (...path: string[]) => invocation({ PATH: path.join(delimiter) });
    expect(called(folder)).toBe("npx payments-conformance");
    // npm adds node_modules/.bin to the PATH of the processes that it starts. A user's shell lacks it.
    expect(called(folder, local)).toBe("npx payments-conformance");
    expect(called(folder, local, global)).toBe("payments-conformance");
    expect(invocation({})).toBe("npx payments-conformance");
  }));

test("hints name the edition and the profile that were given", () =>
  inFolder(async (cwd) => {
    const given = ["--spec", join(process.cwd(), "spec")];
    const env = { PATH: "/nowhere" };
    const listed = await command(["list", ...given], { cwd, env });
    const [hint = ""] = /npx payments-conformance explain --spec \S+ [A-Z-]+$/m.exec(listed.stdout) ?? [];
    const explained = await command(hint.split(" ").slice(2), { cwd, env });
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain(`npx payments-conformance run --spec ${given[1]} --only `);
  }));
