import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../runner/package-root.ts";

/** A file that each build writes, so its time is that of the build. */
const BUILT = "dist/spec/loading/checked-edition.json";

/**
 * Returns a source file that changed since the last `npm run build`, or undefined. @throws Error if there was no
 * build
 */
export function changedSinceBuild(): string | undefined {
  const root = packageRoot();
  if (!existsSync(join(root, BUILT))) throw new Error("these tests run dist, which npm run build makes");
  const timeOf = (file: string) => statSync(join(root, file)).mtimeMs;
  const builtAt = timeOf(BUILT);
  return readdirSync(join(root, "dist"))
    .filter((folder) => existsSync(join(root, folder)) && !folder.startsWith("."))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .find((file) => /\.(ts|yaml)$/.test(file) && timeOf(file) > builtAt);
}
