import { describe, expect, test } from "vitest";
import { NotTested } from "../../../client/check.ts";
import { wireRequest } from "../../../client/sending/wire.ts";
import { requestTo, withBody, withHeaders, withQuery } from "../../../generators/request.ts";
import { targetPath } from "../../../spec/path-readings.ts";
import { exampleSettings } from "../../runner/settings.ts";
import { operation, spec } from "../../spec/package-spec.ts";

const settings = exampleSettings({ baseUrl: "http://service/base", token: "first-token", space: "spc-one" });
const hooks = operation("GET /webhooks");
const create = operation("POST /webhooks");
const payout = operation("GET /payouts/{id}");

const wire = (plan: Parameters<typeof wireRequest>[0], change = {}) =>
  wireRequest(plan, { ...settings, ...change }, spec, "pc-key");

describe("every request", () => {
  test("has the token and the space, and no version unless one is asked for", () => {
    const { headers, method, url, body } = wire(requestTo(hooks, null));
    expect({ method, url, body }).toEqual({ method: "GET", url: "http://service/base/webhooks", body: null });
    expect(headers).toMatchObject({ authorization: "Bearer first-token", "service-space-id": "spc-one" });
    expect(Object.keys(headers)).not.toContain("service-version");
    expect(Object.keys(headers)).not.toContain("idempotency-key");
    expect(Object.keys(headers)).not.toContain("content-type");
  });

  test("has a version, an idempotency key and a content type if the plan says so", () => {
    const { headers, body } = wire(withBody(requestTo(create, "caph.2025-06-20"), { name: "é" }));
    expect(headers).toMatchObject({
      "service-version": "caph.2025-06-20",
      "idempotency-key": "pc-key",
      "content-type": "application/json",
    });
    expect(body).toBe('{"name":"é"}');
  });

  test("has no space if the operation takes none", () => {
    expect(Object.keys(wire(requestTo(operation("GET /banks"), null)).headers)).not.toContain(
      "service-space-id",
    );
  });
});

test("a request lacks or replaces headers if its plan says so", () => {
  const plan = withHeaders(requestTo(create, null), {
    Authorization: null,
    "Service-Space-Id": "spc-other",
    "Idempotency-Key": "",
    "X-More": "1",
  });
  const { headers } = wire(plan);
  expect(Object.keys(headers)).not.toContain("authorization");
  expect(headers).toMatchObject({ "service-space-id": "spc-other", "idempotency-key": "", "x-more": "1" });
});

test("a body that is no JSON is sent unchanged, with or without a content type", () => {
  const text = (contentType: string | null) =>
    wire({ ...requestTo(create, null), body: { kind: "text", text: "{", contentType } });
  expect(text("text/plain")).toMatchObject({ body: "{", headers: { "content-type": "text/plain" } });
  expect(Object.keys(text(null).headers)).not.toContain("content-type");
});

describe("the second space", () => {
  const plan = { ...requestTo(hooks, null), space: "second" as const };

  test("has its own token", () => {
    const { headers } = wire(plan, { secondSpace: "spc-two", secondToken: "second-token" });
    expect(headers).toMatchObject({ authorization: "Bearer second-token", "service-space-id": "spc-two" });
  });

  test("has the first token if it has none", () => {
    const { headers } = wire(plan, { secondSpace: "spc-two" });
    expect(headers).toMatchObject({ authorization: "Bearer first-token", "service-space-id": "spc-two" });
  });
});

describe("paths and queries", () => {
  test.each([
    ["plain", "plain"],
    ["a/b", "a%2Fb"],
    ["100%", "100%25"],
    ["q?x#y", "q%3Fx%23y"],
    ["no such id", "no%20such%20id"],
    ["💸é", "%F0%9F%92%B8%C3%A9"],
    ["$& $1", "%24%26%20%241"],
    ["..x", "..x"],
  ])("%j is encoded in a path as %s", (id, encoded) => {
    const { path, url } = wire({ ...requestTo(payout, null), path: id });
    expect(path).toBe(`/payouts/${encoded}`);
    expect(new URL(url).pathname).toBe(`/base/payouts/${encoded}`);
  });

  test("a query keeps its order, repetitions and every character", () => {
    const plan = withQuery(requestTo(hooks, null), { after: "a+b c&d=é", limit: "" });
    const { path } = wire({ ...plan, query: [...plan.query, ["limit", "2"]] });
    expect(path).toBe("/webhooks?after=a%2Bb%20c%26d%3D%C3%A9&limit=&limit=2");
  });

  test("paths have the prefix of the chosen path reading", () => {
    expect(targetPath("/webhooks", "as-shown", spec)).toBe("/webhooks");
    expect(targetPath("/webhooks", "v1", spec)).toBe("/v1/webhooks");
    expect(targetPath("/v1/payments", "v1", spec)).toBe("/v1/payments");
    expect(targetPath("/v1x", "v1", spec)).toBe("/v1/v1x");
    expect(wire({ ...requestTo(payout, null), path: "p" }, { paths: "v1" }).url).toBe(
      "http://service/base/v1/payouts/p",
    );
  });

  test("a path other than the operation's own is sent unchanged", () => {
    const { path } = wire(
      { ...requestTo(payout, null), path: "p", pathOverride: "/elsewhere/{id}" },
      { paths: "v1" },
    );
    expect(path).toBe("/elsewhere/p");
  });
});

test("the placeholder of the token in reports is kept beside the request", () => {
  expect(wire({ ...requestTo(hooks, null), authorizationLabel: "none" }).authorizationLabel).toBe("none");
  expect(wire(requestTo(hooks, null)).authorizationLabel).toBeUndefined();
});

test("a text with half a surrogate pair can't be put into a URL", () => {
  expect(() => wire({ ...requestTo(payout, null), path: "po_\ud800" })).toThrow(/can't be put into a URL/);
  expect(() => wire(withQuery(requestTo(hooks, null), { after: "\udfff" }))).toThrow(NotTested);
});
