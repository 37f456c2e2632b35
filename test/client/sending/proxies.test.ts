import { afterEach, expect, test, vi } from "vitest";
import { openConnections, proxyCredentials, proxyFor } from "../../../client/sending/network.ts";
import { UsageError } from "../../../spec/usage-error.ts";

const P = "http://user:pass@proxy:8080";
const named = (variable: string) => ({ address: "http://proxy:8080", variable });

test.each<[string, Record<string, string>, ReturnType<typeof proxyFor>]>([
  ["http://a.example", {}, undefined],
  ["http://a.example", { HTTP_PROXY: P }, named("HTTP_PROXY")],
  ["http://a.example", { HTTP_PROXY: "http://other:1", http_proxy: P }, named("http_proxy")],
  ["http://a.example", { HTTPS_PROXY: P }, undefined],
  ["https://a.example", { HTTPS_PROXY: P }, named("HTTPS_PROXY")],
  ["https://a.example", { HTTP_PROXY: P }, named("HTTP_PROXY")],
  ["http://a.example", { HTTP_PROXY: P, NO_PROXY: "*" }, undefined],
  ["http://a.example", { HTTP_PROXY: P, NO_PROXY: "b.example, a.example" }, undefined],
  ["http://deep.a.example", { HTTP_PROXY: P, NO_PROXY: ".a.example" }, undefined],
  ["http://deep.a.example", { HTTP_PROXY: P, no_proxy: "*.a.example" }, undefined],
  ["http://xa.example", { HTTP_PROXY: P, NO_PROXY: "a.example" }, named("HTTP_PROXY")],
  ["http://a.example", { HTTP_PROXY: P, NO_PROXY: "a.example:8443" }, named("HTTP_PROXY")],
  ["https://a.example:8443", { HTTP_PROXY: P, NO_PROXY: "a.example:8443" }, undefined],
  ["http://[::1]:80", { HTTP_PROXY: P, NO_PROXY: "[::1]" }, undefined],
])("requests to %s under %j go through %j", (url, environment, proxy) => {
  expect(proxyFor(url, environment)).toEqual(proxy);
});

afterEach(() => vi.unstubAllEnvs());

test("the credentials of a proxy are read as they are sent", () => {
  expect(proxyCredentials({ HTTP_PROXY: "http://user:p%40ss@proxy:8080" })).toEqual(["p@ss", "user"]);
});

test("a password that is not percent-encoded is a mistake in the variable, and not shown", () => {
  const address = "http://user:100%@proxy:8080";
  expect(proxyCredentials({ http_proxy: address })).toEqual(["user"]);
  vi.stubEnv("http_proxy", address);
  const open = () => openConnections({ timeout: 1_000, concurrency: 1 });
  expect(open).toThrow(UsageError);
  expect(open).toThrow(/^http_proxy has a % in its user name or password that begins no escape: /);
  expect(open).not.toThrow(/100%/);
});
