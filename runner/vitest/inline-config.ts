import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vitest/node";
import { packageRoot } from "../package-root.ts";
import type { RunInput } from "./protocol.ts";

const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";
const HERE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Returns the options with which Vitest runs the suite. One worker is used, so that rate limit and budget
 * exist once. Retries would hide defects.
 */
export function vitestOptions(input: RunInput): InlineConfig {
  const root = packageRoot();
  return {
    root,
    include: [
      relative(root, join(HERE, `conformance.test.${EXTENSION}`))
        .split(sep)
        .join("/"),
    ],
    exclude: [],
    provide: { conformance: input },
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    maxConcurrency: 100_000,
    sequence: { concurrent: false, shuffle: false },
    retry: 0,
    bail: 0,
    testTimeout: 0,
    hookTimeout: 0,
    watch: false,
    // No cache, because the package's folder may be read-only.
    cache: false,
    server: { deps: { external: [/\/dist\//, /\/node_modules\//] } },
  };
}
