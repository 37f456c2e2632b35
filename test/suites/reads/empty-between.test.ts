import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import type { Spec } from "../../../spec/model/spec.ts";
import { notEmptyBetween } from "../../../suites/reads/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const OLDER = "caph.2025-06-20";
const NEWER = "caph.2025-08-23";
const LIST = "GET /v1/ussd-otps";
const [check] = notEmptyBetween(spec, "reads").filter(({ operation }) => operation === LIST);

/**
 * The outcome for a history in which one list is read several times. `lists` has the ids that each answer shows,
 * `spaces` and `versions` its space (by default spc-main) and its version (by default the newer one).
 */
function judge(
  lists: readonly string[][],
  { spaces = [], versions = [] }: { spaces?: string[]; versions?: string[] } = {},
): string | undefined {
  const past = new HistoryBuilder(spec);
  for (const [at, ids] of lists.entries()) {
    const result = ids.map((id) => ({ id }));
    const pagination = { count: ids.length, next: null };
    past.answers(
      LIST,
      { success: true, messages: [], result, pagination },
      { space: spaces[at] ?? "spc-main", version: versions[at] ?? NEWER },
    );
  }
  return check?.verdict?.(new History(spec, { ...HEAD, spaces: ["spc-main", "spc-other"] }, past.entries))
    .outcome;
}

describe("a list between two lists that show the same resource", () => {
  test("shows resources", () => {
    expect(judge([["a"], ["a"], ["a"]])).toBe("held");
  });

  test("must not be empty", () => {
    expect(judge([["a"], [], ["a"]])).toBe("violated");
    expect(judge([["a", "b"], [], [], ["b"]])).toBe("violated");
  });

  test("may be empty in another space", () => {
    expect(judge([["a"], [], ["a"]], { spaces: ["spc-main", "spc-other"] })).toBe("held");
  });
});

test("a list may be empty under one version", () => {
  expect(judge([["a"], [], ["a"]], { versions: [NEWER, OLDER] })).toBe("held");
  expect(judge([["a"], [], ["a"], ["a"]], { versions: [NEWER, OLDER, NEWER, OLDER] })).toBe("violated");
});

test("a list may become empty, and show other resources later", () => {
  expect(judge([["a"], []])).toBe("not-exercised");
  expect(judge([["a"], [], ["b"]])).toBe("held");
  expect(judge([[], ["a"]])).toBe("not-exercised");
});

interface Place {
  path: string;
  outer?: Record<string, string>;
}

test("a list may lack a resource of the run for a while, also below a parent, and one that nothing updates", () => {
  const loaded = (edition: string, requirements: string) =>
    loadSpec(file(`test/editions/${edition}/openapi.yaml`), file(requirements));
  /** Two outcomes: without and with a create of the resource that lists show, then lack, then show. */
  function outcomes(
    edition: Spec,
    path: string,
    parents: () => HistoryBuilder,
    place: Place,
    shown: JsonObject,
  ) {
    const list = (items: JsonObject[]) =>
      [`GET ${path}`, { result: items, pagination: { next: null } }, place] as const;
    return [parents(), parents().answers(`POST ${path}`, { result: shown }, { ...place, sent: {} })].map(
      (past) => {
        past
          .answers(...list([shown]))
          .answers(...list([]))
          .answers(...list([shown]));
        const own = notEmptyBetween(edition, "reads").find(({ operation }) => operation === `GET ${path}`);
        return own?.verdict?.(new History(edition, HEAD, past.entries)).outcome;
      },
    );
  }
  const orchard = loaded("orchard", "spec/requirements.yaml");
  const groves = () =>
    new HistoryBuilder(orchard).answers("POST /v2/groves", { result: { id: "g1" } }, { sent: {} });
  expect(outcomes(orchard, "/v2/groves/{grove}/rows", groves, { path: "g1" }, { row: 1 })).toEqual([
    "violated",
    "held",
  ]);
  const clinic = loaded("clinic", "test/editions/clinic/requirements.yaml");
  const VISIT = "00000000-0000-4000-8000-000000000001";
  const visits = () =>
    new HistoryBuilder(clinic)
      .answers("POST /patients", { result: { id: "p1" } }, { sent: {} })
      .answers("POST /patients/{patient}/visits", { result: { id: VISIT } }, { path: "p1", sent: {} });
  const place = { outer: { patient: "p1" }, path: VISIT };
  const doses = "/patients/{patient}/visits/{visit}/doses";
  expect(outcomes(clinic, doses, visits, place, { id: 1 })).toEqual(["violated", "held"]);
});
