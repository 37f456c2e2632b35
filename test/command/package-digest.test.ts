import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dirHash, packageResource } from "../../command/certificates/package-digest.ts";
import { inFolder } from "./command.ts";

test("the digest of a folder matches the shell command that in-toto describes", () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, "b", "c"), { recursive: true });
    for (const name of ["z", "B.txt", "b/é", "b/c/d", "b.txt"]) writeFileSync(join(folder, name), name);
    const command = "find . -type f | cut -c3- | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -f1 -d' '";
    const sum = execFileSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
    const digest = dirHash(folder);
    expect(digest).toBe(sum.trim());
    // Files that npm adds are not part of the package.
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules", "x"), "");
    expect(dirHash(folder)).toBe(digest);
    writeFileSync(join(folder, "z"), "other");
    expect(dirHash(folder)).not.toBe(digest);
  }));

test("a checkout is not mistaken for the published package", () => {
  const { name, uri, digest } = packageResource();
  expect(name).toBe("payments-conformance (checkout)");
  expect(uri).toMatch(/^pkg:npm\/payments-conformance@\d/);
  expect(Object.keys(digest)).toEqual(["dirHash"]);
});
