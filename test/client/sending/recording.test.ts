import { afterEach, describe, expect, test, vi } from "vitest";
import { NoAnswer } from "../../../client/sending/dispatch.ts";
import { credentialOf, Recorder } from "../../../client/sending/recording.ts";
import { requestTo } from "../../../generators/request.ts";
import { operation, spec } from "../../spec/package-spec.ts";

afterEach(() => void vi.useRealTimers());

describe("the credential of a request", () => {
  const tokens = { token: "sk_test_Abcdef", secondToken: "sk_other" };
  test.each([
    [undefined, "none", null],
    ["", "empty-header", null],
    ["Bearer", "empty-token", null],
    ["Bearer sk_test_Abcdef", "token", "token 1"],
    ["bearer sk_test_Abcdef", "token", "token 1"],
    ["Bearer sk_other", "token", "token 2"],
    ["sk_test_Abcdef", "bare", "token 1"],
    ["Basic c2s6", "other-scheme", null],
    ["Bearer SK_TEST_ABCDEF", "altered", null],
    ["Bearer sk_test_Abcde", "altered", null],
    ["Bearer made-up", "unknown", null],
  ])("of %j is %s", (header, kind, token) => {
    expect(credentialOf(header, tokens)).toEqual({ kind, token });
  });
});

test("the times of two requests stay near if the clock of the machine is set between them", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const recorder = new Recorder({ token: "t" }, spec);
  const begin = () => {
    const wire = {
      method: "GET",
      url: "http://127.0.0.1/countries",
      path: "/countries",
      headers: {},
      body: null,
    };
    const exchange = { request: wire, startedAt: "2026-01-01T00:00:00.000Z", durationMs: 0 };
    const outgoing = { plan: requestTo(operation("GET /countries"), null), wire };
    recorder
      .begin(outgoing, { asker: "a", round: 1, valid: true })
      .failed(new NoAnswer("closed", "it closed"), exchange, 0);
  };
  begin();
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  begin();
  const [first, second] = recorder.entries.map(({ startedAt }) => startedAt);
  expect((second ?? 0) - (first ?? 0)).toBeLessThan(3_600_000);
});
