/**
 * What passes on servers that are no service at all. A pass needs a subject: whatever passes here is truly so of the
 * answers that such a server gives, and the list says why.
 */

import { describe, expect, test } from "vitest";
import { startNullService } from "../../reference/index.ts";
import { spec } from "../spec/package-spec.ts";
import { runChecks } from "./run-checks.ts";

/** Suites whose checks conclude from what is read alone. */
const SUITES = ["reads", "versions", "responses"];

/** By null service: the requirements of the checks that pass, and why each is truly so. */
const ANY_JSON = {
  "NO-SERVER-ERROR": "it never answers 5xx",
  "STATUS-200": "it always answers 200",
  "JSON-CONTENT-TYPE": "it says application/json",
  "JSON-BODY": "its bodies are JSON",
};
const NO_ENVELOPE = {
  ...ANY_JSON,
  "PAGINATION-ABSENT": "it shows no pagination, beside single resources neither",
};
const PASSES: Record<string, Record<string, string>> = {
  "empty-object": NO_ENVELOPE,
  echo: NO_ENVELOPE,
  "empty-list": {
    ...ANY_JSON,
    "SUCCESS-TRUE": "success is true",
    "MESSAGES-ARRAY": "messages is an array",
    "RESULT-LIST": "result is a list where one is due",
    "PAGINATION-PRESENT": "pagination stands beside it",
    "PAGINATION-FIELDS": "count and next are of their types",
    "LIST-COUNT": "count is 0, and so many items there are",
    "LIST-TOTAL": "total is an integer and not below count",
    "CURSOR-FORM": "next is null",
    "VERSION-ACCEPTED": "lists are answered with a list under every version",
  },
};

describe.each(Object.keys(PASSES))("%s", (name) => {
  test("passes in nothing but what it keeps", async () => {
    const service = await startNullService(name);
    try {
      const { token, space, fixtures, baseUrl } = service;
      const { results } = await runChecks(
        spec,
        { token, space, fixtures: { ...fixtures }, baseUrl, readOnly: true },
        ({ suite }) => SUITES.includes(suite),
      );
      const passed = results.filter(({ outcome }) => outcome === "pass");
      const kept = new Set(passed.flatMap(({ requirements }) => requirements));
      expect([...kept].sort()).toEqual(Object.keys(PASSES[name] ?? {}).sort());
    } finally {
      await service.close();
    }
  });
});
