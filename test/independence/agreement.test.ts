import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startReference } from "../../reference/index.ts";
import { isTurn } from "../commit-seed.ts";
import { runSuite, settingsFor } from "../prove/run.ts";
import { accepted, refused } from "./disagreements.ts";
import { type Prism, startProxy } from "./prism.ts";
import { type Call, startTap, type Tap } from "./tap.ts";

/** A violation that Prism reports about a call. The first part of `location` is `request` or `response`. */
interface Complaint {
  location: string[];
  message: string;
}

/** Chapters of rules that an OpenAPI document can't express. */
const SKIPPED = ["access", "cursors", "isolation", "item-cursors", "deliveries"];

function complaints({ answerHeaders }: Call, side: "request" | "response"): Complaint[] {
  const all = JSON.parse(String(answerHeaders["sl-violations"] ?? "[]")) as Complaint[];
  return all.filter(({ location }) => location[0] === side);
}

const line = ({ method, url, body, status }: Call) =>
  `${method} ${url.slice(0, 100)} ${body.slice(0, 200)} ${status}`;

// Other commits run the mock (mock.test.ts) or the service behind a proxy (service.test.ts) instead.
describe.runIf(isTurn(1, 4))("a run through Prism", () => {
  let service: RunningService;
  let proxy: Prism;
  let tap: Tap;

  // The suite sends its requests to the reference service through Prism. Prism judges requests and responses by
  // the OpenAPI document alone.
  beforeAll(async () => {
    service = await startReference();
    proxy = await startProxy(service.baseUrl);
    tap = await startTap(proxy.baseUrl);
    const settings = settingsFor(service, 1, {
      serviceVersion: "none",
      runs: 4,
      timeout: 60_000,
      skip: SKIPPED,
    });
    await runSuite({ ...settings, baseUrl: tap.baseUrl });
  }, 10 * 60_000);

  afterAll(async () => {
    await tap.close();
    await proxy.close();
    await service.close();
  });

  test("Prism finds no violation in an answer of the reference service", () => {
    const answered = tap.calls.filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThan(400);
    expect(answered.filter((call) => complaints(call, "response").length > 0).map(line)).toEqual([]);
  });

  test("Prism and the reference service agree on many valid and many faulty requests", () => {
    const agreed = tap.calls.filter((call) => call.status >= 400 === complaints(call, "request").length > 0);
    const refusedByBoth = agreed.filter(({ status }) => status >= 400);
    expect(refusedByBoth.length).toBeGreaterThan(200);
    expect(agreed.length - refusedByBoth.length).toBeGreaterThan(400);
  });

  test("only for known reasons, the reference service accepts what Prism rejects", () => {
    const unexplained = tap.calls
      .filter(({ status }) => status === 200)
      .flatMap((call) =>
        complaints(call, "request")
          .filter(({ message }) => !accepted.some(({ fits }) => fits(call, message)))
          .map(({ message }) => `${message}: ${line(call)}`),
      );
    expect(unexplained).toEqual([]);
  });

  test("only for known reasons, the reference service rejects what Prism accepts", () => {
    const differing = tap.calls.filter(
      (call) => call.status >= 400 && complaints(call, "request").length === 0,
    );
    expect(differing.filter((call) => !refused.some(({ fits }) => fits(call))).map(line)).toEqual([]);
    // If a listed reason fits no call, it is out of date.
    expect(refused.filter(({ fits }) => !differing.some(fits)).map(({ name }) => name)).toEqual([]);
  });
});
