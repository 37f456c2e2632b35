import { defineConfig } from "vitest/config";

/** The project's own tests. Many start whole runs, so both timeouts are only there to end what hangs. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    maxWorkers: "100%",
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
