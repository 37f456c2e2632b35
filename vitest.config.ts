import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Takes by far the longest, in processes of its own, so it begins first. */
const FIRST = "test/prove/quick.test.ts";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = sorted.filter(({ moduleId }) => moduleId.endsWith(FIRST));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}

/** The project's own tests. Many start whole runs, so the timeouts only end tests that hang. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/property-seed.ts"],
    maxWorkers: "100%",
    // As command/engine.ts: optimizing code costs more than it saves.
    execArgv: ["--interrupt-budget=1000000"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
