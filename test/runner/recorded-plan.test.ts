import { expect, test } from "vitest";
import { recordedPlan } from "../../runner/planning/recorded-plan.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { ownSpec } from "../prove/run.ts";
import { exampleSettings } from "./settings.ts";

const spec = ownSpec();
const settings = exampleSettings({ fixtures: { mutablePayout: "pot_new" } });
const head = { ...HEAD, spaces: ["spc-a", "spc-b"], fixtures: { mutablePayout: "pot_old" } };

function planOf(build: (history: HistoryBuilder) => HistoryBuilder) {
  const [entry] = build(new HistoryBuilder(spec)).entries;
  if (!entry) throw new Error("the history is empty");
  return recordedPlan(entry, head, settings);
}

test("an update goes to the same resource with the same body and version", () => {
  const plan = planOf((history) =>
    history.updates("w1", { name: "b" }, {}, { space: "spc-a", version: "caph.2025-06-20" }),
  );
  expect(plan).toMatchObject({
    operation: { id: "updateWebhook" },
    path: "w1",
    version: "caph.2025-06-20",
    body: { kind: "json", value: { name: "b" } },
  });
  expect(plan.space).toBeUndefined();
  expect(plan.headers).not.toHaveProperty("authorization");
  expect(plan.headers).not.toHaveProperty("service-space-id");
});

test("a request is sent to the second space, to an unknown one or without one as recorded", () => {
  const inSpace = (space: string | null) => planOf((history) => history.reads("w1", {}, { space }));
  expect(inSpace("spc-b").space).toBe("second");
  expect(inSpace("spc-unknown").headers["service-space-id"]).toBe("spc-unknown");
  expect(inSpace(null).headers["service-space-id"]).toBeNull();
});

test("a wrong token is made from the token of this run, in the way in which it was wrong", () => {
  const sent = (kind: "none" | "altered" | "bare") =>
    planOf((history) => history.reads("w1", {}, { credential: { kind, token: null } })).headers.authorization;
  expect(sent("none")).toBeNull();
  expect(sent("altered")).toBe("Bearer token-for-testsx");
  expect(sent("bare")).toBe("token-for-tests");
});

test("a fixture of the recorded run becomes the one of this run", () => {
  const plan = planOf((history) => history.answers("GET /payouts/{id}", {}, { path: "pot_old" }));
  expect(plan.path).toBe("pot_new");
});

test("a request to no operation can't be sent again", () => {
  expect(() =>
    planOf((history) => history.answers("GET /webhooks", {}, { operation: null, url: "/nothing" })),
  ).toThrow("a recorded request can't be sent again: GET /nothing");
});
