import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins first, because it takes by far the longest. It starts processes of its own. */
const FIRST = "test/prove/quick.test.ts";
/**
 * The projects in the order in which their files begin. Only files that follow each other share a process.
 */
const PROJECTS = ["alone", "sharing"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) =>
      moduleId.endsWith(FIRST) ? -1 : PROJECTS.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Tests of these folders share one process and its modules, so that the specification is read once. */
const SHARING = "client|fuzz|generators|history|reports|spec|suites";
/** Tests that replace a module of Node for all code that they import. */
const MOCKING = [
  "test/client/sending/load-limits.test.ts",
  "test/client/sending/rate-limits.test.ts",
  "test/client/sending/transient-faults.test.ts",
];

/**
 * Flags of Node: code is optimized later than usual, as in command/engine.ts, but earlier in processes that
 * last longer. New objects get more room, so that garbage is collected less often.
 */
function engine(interruptBudget: number): string[] {
  return [`--interrupt-budget=${interruptBudget}`, "--max-semi-space-size=64"];
}

/** The tests of the project. Many start whole runs, so the timeouts only end tests that hang. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "sharing",
          include: [`test/@(${SHARING})/**/*.test.ts`],
          exclude: MOCKING,
          isolate: false,
          execArgv: engine(300_000),
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: [`test/!(${SHARING})/**/*.test.ts`, ...MOCKING],
          execArgv: engine(1_000_000),
        },
      },
    ],
    setupFiles: ["test/property-seed.ts"],
    // A run waits for much of its time, so there are more workers than processors.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
