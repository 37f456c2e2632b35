import type { Settings } from "../../spec/model/settings.ts";

/** Settings for tests that send no request: nobody listens at the address. */
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
