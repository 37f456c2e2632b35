import { expect, test } from "vitest";
import { proxyFor } from "../../../client/sending/network.ts";

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
