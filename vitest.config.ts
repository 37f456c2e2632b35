import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest begin first, so that no processor is idle at the end. */
const FIRST = [
  "test/prove/quick.test.ts",
  "test/profiles/profile.test.ts",
  "test/command/run.test.ts",
  "test/suites/null-services.test.ts",
  "test/docs/executed.test.ts",
  "test/recipes/runs.test.ts",
  "test/command/certify.test.ts",
  "test/runner/bounds.test.ts",
  "test/hostile/hostile.test.ts",
  "test/independence/agreement.test.ts",
  "test/independence/mock.test.ts",
  "test/reports/comparison-noise.test.ts",
  "test/reports/html.test.ts",
  "test/command/judge.test.ts",
  "test/command/stops-and-disks.test.ts",
  "test/history/written.test.ts",
  "test/judging/others.test.ts",
  "test/profiles/kept.test.ts",
  "test/editions/library.test.ts",
];
/**
 * The projects in the order in which their files begin. Their files are not mixed, because only files that follow
 * each other share a process.
 */
const PROJECTS = ["sharing", "alone"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const first = FIRST.findIndex((name) => moduleId.endsWith(name));
      return first === -1 ? PROJECTS.indexOf(project.name) : first - FIRST.length;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** These tests mock a module of Node, so they must not share their modules with other tests. */
const MOCKING = [
  "test/client/sending/load-limits.test.ts",
  "test/client/sending/rate-limits.test.ts",
  "test/client/sending/transient-faults.test.ts",
];

/**
 * Flags of V8. As in command/engine.ts, code is optimized later than by default, but not as late as there, because
 * these processes last longer. New objects get more room, so that garbage is collected less often.
 */
const ENGINE = ["--interrupt-budget=300000", "--max-semi-space-size=64"];

/** The tests of the project. Many start whole runs, so the timeouts only end tests that hang. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          // These tests share a few processes and their modules, so that the specification is read only a few times.
          name: "sharing",
          include: ["test/**/*.test.ts"],
          exclude: MOCKING,
          isolate: false,
          execArgv: ENGINE,
        },
      },
      { extends: true, test: { name: "alone", include: MOCKING, execArgv: ENGINE } },
    ],
    setupFiles: ["test/property-seed.ts"],
    // Runs of the suite mostly wait for responses, so there are more workers than processors.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
