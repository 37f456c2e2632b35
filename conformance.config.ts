/** `npx vitest run --config conformance.config.ts` runs the suite, as `payments-conformance run` does. */
export { default } from "./runner/vitest/config.ts";
