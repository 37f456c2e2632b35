/**
 * Runs the suite on a library, whose API two files describe. Its resources, names, headers, keys, limits and
 * kinds of rules differ from those of the payments API.
 */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import type { CheckResult } from "../../reports/report.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { STAGES } from "../../spec/model/check.ts";
import { allChecks } from "../../suites/index.ts";
import { command, inFolder } from "../command/command.ts";
import { commitShare } from "../commit-seed.ts";
import { type Ran, runChecks } from "../suites/run-checks.ts";
import { BRANCH, BUGS, type Bug, OTHER_BRANCH, startLibrary, TOKEN } from "./library-service.ts";

const folder = new URL("./library/", import.meta.url);
const file = (name: string) => ({ name, text: readFileSync(new URL(name, folder), "utf8") });
const library = loadSpec(file("openapi.yaml"), file("requirements.yaml"));

const described = ({ id, outcome, reason, message }: CheckResult) =>
  `${outcome} ${reason ?? ""} ${id}: ${message ?? ""}`;

/** Bugs that depth quick may miss, because it samples. They are tested at depth full. */
const DEEP: ReadonlySet<Bug> = new Set([
  "unknown book numbers are read as far as they are numbers",
  "a loan is ended without a token",
]);

async function run(
  bug: Bug | undefined,
  pick: (check: Check) => boolean,
  serviceVersion = "all",
): Promise<Ran> {
  const server = await startLibrary(bug);
  const depth = bug === undefined || DEEP.has(bug) ? ("full" as const) : ("quick" as const);
  const settings = { token: TOKEN, space: BRANCH, secondSpace: OTHER_BRANCH, serviceVersion, depth };
  return runChecks(library, { baseUrl: server.baseUrl, ...settings }, pick).finally(() => server.close());
}

test("every sentence of the edition is tested", () => {
  const tested = new Set(allChecks(library).flatMap(({ requirements }) => requirements));
  expect([...library.requirements.keys()].filter((id) => !tested.has(id))).toEqual([]);
});

test("the checks use all stages, and name nothing of the package's own edition", () => {
  const checks = allChecks(library);
  const stages = checks.flatMap(({ stage, probes = [] }) => [stage, ...probes.map((probe) => probe.stage)]);
  expect(new Set(stages)).toEqual(new Set(STAGES));
  const words = /webhook|payment|payout|ussd|financial|countr|momo|caph|spc-/i;
  expect(checks.filter(({ id, title }) => words.test(id) || words.test(title)).map(({ id }) => id)).toEqual(
    [],
  );
});

/** Checks that may be skipped on a busy machine: if the loan is new, no earlier value of its note is known. */
const MARKUP_IN_LOANS = ["ECHO", "STORED"].map(
  (duty) => `updates/UPDATE-${duty} PATCH /books/{book_no}/loans/{loan_id} markup`,
);

describe("a library that conforms to the edition", () => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await run(undefined, () => true);
  });

  test("fails nothing, and only the listed checks are skipped", () => {
    // The outcome of this check is ignored: no year has more books than fit on a page.
    const few = "filters/LIST-LIMIT-DEFAULT GET /books year ";
    // An ISBN has at most one letter, at its end, so chance decides whether it can be sent in another casing.
    const byChance = [few, "uniqueness/UNIQUE-SPELLING POST /books isbn", ...MARKUP_IN_LOANS];
    const results = ran.results.filter(({ id }) => !byChance.some((beginning) => id.startsWith(beginning)));
    const open = results.filter(({ outcome }) => outcome !== "pass" && outcome !== "note");
    expect(open.map(described).sort()).toEqual([
      // The library may reject leap seconds, and does.
      "skip declined creates/CREATE-ECHO POST /books/{book_no}/loans declinable due: leap second: due: leap second was answered 400",
      "skip declined updates/UPDATE-ECHO PATCH /books/{book_no}/loans/{loan_id} declinable due: leap second: due: leap second was answered 400",
      // The ids of books are numbers, which have no casing.
      "skip no-data reads/READ-SPELLING GET /books/{book_no}: no id or code was sent in other casing",
    ]);
  });
});

describe("a bug of the library is found", () => {
  /** The bug, the requirement that it breaks, the operation where it shows, and the chapter that finds it. */
  const bugs: [bug: Bug, requirement: string, operation: string, suite: string][] = [
    ["years of 2101 are taken", "CREATE-INVALID", "POST /books", "bodies"],
    ["a price of a thousand is taken", "UPDATE-INVALID", "PUT /books/{book_no}", "bodies"],
    ["a price of 7 cents is taken", "CREATE-INVALID", "POST /books", "bodies"],
    ["a subject may stand twice", "CREATE-INVALID", "POST /books", "bodies"],
    ["sizes take other fields", "CREATE-INVALID", "POST /books", "bodies"],
    ["an author without a name is taken", "CREATE-REQUIRED", "POST /books", "bodies"],
    ["any binding is taken", "CREATE-INVALID", "POST /books", "bodies"],
    ["the same ISBN is taken twice", "UNIQUE-REJECTED", "POST /books", "uniqueness"],
    ["a second request makes a second book", "KEY-REPLAY", "POST /books", "idempotency"],
    ["any text is a request id", "PARAMETER-INVALID", "POST /books", "idempotency"],
    ["the year is no filter", "FILTER-SOUND", "GET /books", "filters"],
    ["loans for reading only are lent too", "FILTER-SOUND", "GET /books", "filters"],
    ["books are not lent by default", "CREATE-DEFAULT", "POST /books", "creates"],
    ["a page has six books by default", "LIST-LIMIT-DEFAULT", "GET /books", "pagination"],
    ["a page has as many books as is asked for", "LIST-LIMIT-REJECTED", "GET /books", "limits"],
    ["the last page of loans is left out", "CREATE-LISTED", "POST /books/{book_no}/loans", "creates"],
    ["the author's birthday is lost", "CREATE-ECHO", "POST /books", "creates"],
    ["a replaced price is not stored", "UPDATE-STORED", "PUT /books/{book_no}", "updates"],
    ["an extension forgets the note", "UPDATE-KEEPS", "PATCH /books/{book_no}/loans/{loan_id}", "updates"],
    ["an extended loan begins anew", "UPDATE-IDENTITY", "PATCH /books/{book_no}/loans/{loan_id}", "updates"],
    [
      "unknown book numbers are read as far as they are numbers",
      "READ-UNKNOWN",
      "GET /books/{book_no}",
      "reads",
    ],
    ["former members are members", "FILTER-SOUND", "GET /members", "filters"],
    ["the total is text", "RESOURCE-FIELDS", "GET /books", "responses"],
    ["every day is a day", "PARAMETER-INVALID", "GET /opening-hours", "limits"],
    ["a loan is ended without a token", "AUTH-MISSING", "DELETE /books/{book_no}/loans/{loan_id}", "access"],
    ["a book lists the loans of all books", "FILTER-SOUND", "GET /books/{book_no}/loans", "reads"],
    ["a loan is read with any book", "READ-UNKNOWN", "GET /books/{book_no}/loans/{loan_id}", "reads"],
    ["a book that is not there is lent", "READ-UNKNOWN", "POST /books/{book_no}/loans", "reads"],
    ["a binding needs no kind", "CREATE-INVALID", "POST /books", "bodies"],
    ["a member is left out of a grade", "FILTER-COMPLETE", "GET /members", "filters"],
    ["books of all branches are lent", "ISOLATION-WRITES", "POST /books/{book_no}/loans", "reads"],
  ];

  // Each commit tests one bug in three.
  test.each(commitShare(bugs, 6))("%s: it breaks %s at %s", async (bug, requirement, operation, suite) => {
    const { results } = await run(bug, (check) => check.suite === suite, "none");
    const found = results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    const named = found.filter(
      (result) => result.requirements.includes(requirement) && result.operation === operation,
    );
    expect(named.length, found.map(described).join("\n")).toBeGreaterThan(0);
    for (const { evidence } of named) expect(evidence.length).toBeGreaterThan(0);
  });

  test("every bug of the library is tested above", () => {
    expect(new Set(bugs.map(([bug]) => bug))).toEqual(new Set(BUGS));
  });
});

test("the command accepts the folder of the edition, and the edition's names of fixtures", () =>
  inFolder(async (cwd) => {
    const server = await startLibrary();
    const address = ["--base-url", server.baseUrl, "--token", TOKEN, "--space", BRANCH];
    const edition = [
      "run",
      "--spec",
      folder.pathname,
      "--only",
      "GET /members",
      "--reporter",
      "plain",
      ...address,
    ];
    const good = await command([...edition, "--fixture", "memberCode=ost-0"], { cwd });
    expect(good.code, good.stderr + good.stdout).toBe(0);
    const asked = server.asked.length;
    const bad = await command([...edition, "--fixture", "memberCod=ost-0"], { cwd });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("no fixture named memberCod; did you mean memberCode?");
    expect(server.asked).toHaveLength(asked);
    await server.close();
  }));
