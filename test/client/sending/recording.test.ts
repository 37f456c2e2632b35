import { describe, expect, test } from "vitest";
import { credentialOf } from "../../../client/sending/recording.ts";

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
