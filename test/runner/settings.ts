import type { Settings } from "../../spec/model/settings.ts";

/** Settings for tests. Nobody listens at the address, so a test that sends requests changes it. */
export function exampleSettings(change: Partial<Settings> = {}): Settings {
  return {
    baseUrl: "http://127.0.0.1:1",
    embedded: false,
    token: "token-for-tests",
    space: "spc-tests",
    fixtures: {},
    serviceVersion: "all",
    paths: "as-shown",
    readOnly: false,
    only: [],
    skip: [],
    seed: 1,
    depth: "full",
    runs: 10,
    concurrency: 8,
    timeout: 1_000,
    visibilityDelay: 0,
    postNamedOnly: false,
    ...change,
  };
}
