import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { badgeSvg } from "../../reports/board/badge.ts";
import { type Board, boardOf, type Place, runOf } from "../../reports/board/board.ts";
import schema from "../../reports/board.schema.json" with { type: "json" };
import { renderBoardHtml } from "../../reports/html/board.ts";
import { renderHtml } from "../../reports/html/render.ts";
import type { Report } from "../../reports/report.ts";
import { matcher } from "../../spec/matcher.ts";
import { launchBrowser, skipBrowserTests } from "../browser.ts";
import { check, failing, HOSTILE, hostile, reportOf, typicalReport } from "./example.ts";
import { accessibilityFaults, overflow, withPage } from "./page.ts";

const NOW = new Date("2026-04-01T00:00:00Z");
const match = matcher<Board>(schema);

/** A conformant report of the service `name`. The run was on this day of March. */
function good(name: string, day = 1, change: Partial<Report> = {}): Report {
  const { requirements, checks: all } = typicalReport();
  const suiteOf = (id: string) => all.find((each) => each.requirements.includes(id))?.suite ?? "lists";
  const checks = requirements.map(({ id }) => check({ id, requirements: [id], suite: suiteOf(id) }));
  const report = reportOf(checks);
  const startedAt = `2026-03-${String(day).padStart(2, "0")}T10:00:00Z`;
  return {
    ...report,
    target: { ...report.target, baseUrl: `https://${name}.example.test/api` },
    run: { ...report.run, startedAt },
    ...change,
  };
}

/** A report of the service `name` with violations, warnings and waived violations. */
function bad(name: string, change: Partial<Report> = {}): Report {
  const report = typicalReport();
  return { ...report, target: { ...report.target, baseUrl: `https://${name}.example.test/api` }, ...change };
}

function boardFrom(reports: Report[], place: Partial<Place> = {}, broken: Board["broken"] = []): Board {
  const runs = reports.map((report, index) =>
    runOf(report, { file: `r${index}/report.json`, page: `./r${index}/report.html`, now: NOW, ...place }),
  );
  const board = boardOf(runs, broken, NOW);
  const matched = match(JSON.parse(JSON.stringify(board)));
  expect(matched.matches ? [] : matched.errors).toEqual([]);
  return board;
}

const only = (board: Board) => {
  const [group, ...others] = board.specifications;
  if (group === undefined) throw new Error("no specification");
  expect(others).toEqual([]);
  return group;
};

describe("a board", () => {
  it("shows each requirement of each service, with message and place of a violation", () => {
    const { services, requirements } = only(boardFrom([good("a"), bad("b")]));
    expect(services.map(({ name }) => name)).toEqual([
      "https://b.example.test/api",
      "https://a.example.test/api",
    ]);
    const [b, a] = services;
    expect(a?.cells["LIST-COUNT"]).toEqual({ state: "held" });
    expect(b?.cells["LIST-COUNT"]).toMatchObject({ state: "violated" });
    expect(b?.cells["LIST-COUNT"]?.message).toContain("pagination.count");
    expect(b?.cells["VERSION-UNKNOWN"]).toMatchObject({ state: "warned" });
    expect(b?.cells["FIELD-TYPES"]).toMatchObject({ state: "waived" });
    expect(b?.cells["FILTER-STATUS"]).toMatchObject({
      state: "not exercised",
      message: "the service holds nothing to test with",
    });
    expect(requirements.find(({ id }) => id === "LIST-COUNT")).toMatchObject({
      chapter: "lists",
      level: "MUST",
      section: "2.2",
    });
    expect(requirements.map(({ level }) => level)).not.toContain("NOTE");
  });

  it("links to places that the report's own page has", () => {
    const report = bad("b");
    const page = renderHtml(report);
    const [service] = only(boardFrom([report])).services;
    const anchors = Object.values(service?.cells ?? {}).flatMap(({ anchor }) => anchor ?? []);
    expect(anchors.length).toBeGreaterThan(3);
    for (const anchor of anchors) expect(page).toContain(`id="${anchor}"`);
  });

  it("counts the newest run of a service and keeps the others for its trend", () => {
    const runs = [good("a", 2), bad("b"), good("a", 9), good("a", 5)];
    const { services } = only(boardFrom(runs));
    const a = services.find(({ name }) => name.includes("a.example"));
    expect(a?.run.startedAt).toContain("03-09");
    expect(a?.earlier.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(["05", "02"]);
    expect(services).toHaveLength(2);
  });

  it("compares runs of one specification only", () => {
    const other = good("c", 3, {
      spec: { ...good("c").spec, sha256: "0f".repeat(32), title: "Another API" },
    });
    const board = boardFrom([other, good("a"), good("b")]);
    expect(board.specifications.map(({ services }) => services.length)).toEqual([2, 1]);
    const page = renderBoardHtml(board);
    expect(page).toContain("2 specifications, which are not compared");
    expect(page).toContain("Services (Another API, 0f0f0f0f0f0f)");
  });

  const PARTIAL = { run: { ...good("a").run, partial: true } };
  const { run } = good("a");
  const SHARD = { run: { ...run, options: { ...run.options, shard: { index: 1, total: 2 } } } };
  const waived = { reason: "Later.", expires: "2026-03-30" };
  const known = failing({ id: "known", requirements: ["LIST-COUNT"], waived });
  it.each<[string, Report, Partial<Place>, string[]]>([
    ["a partial run", good("a", 1, PARTIAL), {}, ["partial"]],
    ["a shard", good("a", 1, SHARD), {}, ["partial"]],
    [
      "an expired certificate",
      good("a"),
      { certificate: { validUntil: "2026-03-31T00:00:00Z", changed: false } },
      ["expired"],
    ],
    ["a changed certificate", good("a"), { certificate: { changed: true } }, ["certificate changed"]],
    ["a waiver that is over", reportOf([...good("a").checks, known]), {}, ["expired"]],
  ])("never shows %s as green", (_, report, place, doubts) => {
    const conformant: Report = { ...report, verdict: "conformant" };
    const board = boardFrom([conformant], place);
    const [service] = only(board).services;
    expect(service?.run.doubts).toEqual(doubts);
    const page = renderBoardHtml(board);
    expect(page).toContain('<header class="banner inconclusive">');
    expect(page).not.toContain('class="badge pass"');
    expect(page).toMatch(/<td class="pass doubtful">/);
    expect(page).not.toMatch(/<td class="pass">/);
    if (service === undefined) throw new Error("no service");
    expect(badgeSvg(service.run)).not.toContain("#17623a");
    expect(badgeSvg(service.run)).toContain(doubts[0]);
  });

  it("shows a waived violation as violated once its waiver is over", () => {
    const [service] = only(boardFrom([reportOf([known])])).services;
    expect(service?.cells["LIST-COUNT"]?.state).toBe("violated");
    const later = { ...known, waived: { ...waived, expires: "2026-04-01" } };
    expect(only(boardFrom([reportOf([later])])).services[0]?.cells["LIST-COUNT"]?.state).toBe("waived");
  });

  it("names waivers on the badge of a service that is conformant but for them", () => {
    const later = { ...known, waived: { ...waived, expires: "2026-04-01" } };
    const report: Report = { ...reportOf([...good("a").checks, later]), verdict: "conformant" };
    const [service] = only(boardFrom([report])).services;
    expect(service && badgeSvg(service.run)).toContain("conformant but for waivers, ");
  });

  it("shows a service as green if it is conformant and nothing speaks against it", () => {
    const certificate = { validUntil: "2026-04-02T00:00:00Z", changed: false };
    const board = boardFrom([good("a")], { certificate });
    const page = renderBoardHtml(board);
    expect(page).toContain('<header class="banner conformant">');
    expect(page).toContain("certified until 2026-04-02 00:00:00 UTC");
    expect(
      badgeSvg(only(board).services[0]?.run ?? ({ ...board.specifications[0]?.services[0]?.run } as never)),
    ).toContain("conformant, 11 of 11");
  });

  it("lists where services differ and the specification is silent", () => {
    const seen = (...values: [operation: string, subject: string, value: string][]): Partial<Report> => ({
      observations: values.map(([operation, subject, value]) => ({
        requirement: "SILENCE",
        operation,
        subject,
        value,
      })),
    });
    const reports = [
      good(
        "a",
        3,
        seen(
          ["GET /a", "unknown token", "401"],
          ["GET /b", "unknown token", "401"],
          ["GET /a", "order", "x"],
        ),
      ),
      good(
        "b",
        2,
        seen(["GET /a", "unknown token", "403"], ["GET /a", "order", "y"], ["GET /b", "order", "x"]),
      ),
      good(
        "c",
        1,
        seen(["GET /b", "unknown token", "401"], ["GET /a", "order", "x"], ["GET /b", "order", "y"]),
      ),
    ];
    const { differences } = only(boardFrom(reports));
    expect(differences).toMatchObject([
      {
        subject: "unknown token",
        operations: ["GET /a", "GET /b"],
        values: [
          { value: "401", services: [0, 2] },
          { value: "403", services: [1] },
        ],
      },
      {
        subject: "order",
        values: [
          { value: "x or y", services: [1, 2] },
          { value: "x", services: [0] },
        ],
      },
    ]);
    // Both services show x and y, but at different operations.
    const [swapped] = only(boardFrom(reports.slice(1))).differences.filter(
      ({ subject }) => subject === "order",
    );
    expect(swapped?.values.map(({ value }) => value)).toEqual([
      "GET /a: y; GET /b: x",
      "GET /a: x; GET /b: y",
    ]);
    expect(
      only(boardFrom([good("a", 1, seen(["GET /a", "z", "1"])), good("b", 1, seen(["GET /a", "z", "1"]))]))
        .differences,
    ).toEqual([]);
  });

  it("names broken files, and holds no byte of a report as markup", () => {
    const broken = [{ file: "x<y>.json", problem: `no report ${HOSTILE}` }];
    const page = renderBoardHtml(boardFrom([hostile(), good("a")], {}, broken));
    expect(page).toContain("1 file is broken");
    expect(page).toContain("x&lt;y&gt;.json");
    const tags = (text: string) =>
      text
        .match(/<\/?[a-z!][^\s>]*/gi)
        ?.sort()
        .join() ?? "";
    const benign = HOSTILE.replaceAll(/[<>&"']/g, "x");
    const other = [{ file: "xxyx.json", problem: `no report ${benign}` }];
    expect(tags(page)).toBe(tags(renderBoardHtml(boardFrom([hostile(benign), good("a")], {}, other))));
  });

  it("stays below 2 MB for 50 services in which everything is violated", () => {
    const ids = Array.from({ length: 190 }, (_, index) => `REQUIREMENT-NUMBER-${index}`);
    const checks = ids.map((id) => failing({ id, requirements: [id] }));
    const requirements = ids.map((id) => ({
      ...(reportOf([]).requirements[0] as Report["requirements"][number]),
      id,
      outcome: "fail" as const,
      checks: [id],
    }));
    const reports = Array.from({ length: 50 }, (_, index) =>
      bad(`service-${index}`, { checks, requirements }),
    );
    expect(Buffer.byteLength(renderBoardHtml(boardFrom(reports)))).toBeLessThan(2_000_000);
  });
});

describe.skipIf(skipBrowserTests)("the page of a board, in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const labelled = (name: string, day: number, vendor: string, build: string) =>
    good(name, day, { labels: { vendor, build } });
  const example = () =>
    boardFrom(
      [
        labelled("a", 3, "Acme", "1"),
        labelled("a", 2, "Acme", "1"),
        labelled("b", 4, "Acme", "2"),
        bad("c", { labels: { vendor: "Borealis", build: "2" } }),
        good("d", 5, { run: { ...good("d").run, partial: true } }),
      ],
      {},
      [{ file: "broken.json", problem: "it is no JSON" }],
    );

  it.each([
    ["light", { colorScheme: "light" as const }],
    ["dark", { colorScheme: "dark" as const }],
    ["390 pixels wide", { viewport: { width: 390, height: 844 } }],
  ])("is accessible, fits and requests nothing: %s", async (_, options) => {
    await withPage(
      browser,
      renderBoardHtml(example()),
      async ({ page, requests, complaints }) => {
        expect(await overflow(page)).toBe(0);
        expect(await accessibilityFaults(page)).toEqual([]);
        expect(requests).toEqual([]);
        expect(complaints).toEqual([]);
      },
      options,
    );
  });

  it("runs nothing of hostile bytes", async () => {
    const board = boardFrom([hostile(), good("a")], {}, [{ file: HOSTILE, problem: HOSTILE }]);
    await withPage(browser, renderBoardHtml(board), async ({ page, complaints }) => {
      expect(await page.evaluate("window.pwned")).toBeUndefined();
      expect(await overflow(page)).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  it("filters rows by chapter, level and cell, and columns by vendor and label", async () => {
    await withPage(browser, renderBoardHtml(example()), async ({ page }) => {
      const rows = () => page.locator("table.board tbody tr:visible").count();
      const columns = () => page.locator("table.board thead th:visible").count();
      const choose = (name: string, label: string) => page.selectOption(`#filter-${name}`, { label });
      const all = await rows();
      expect(await columns()).toBe(5);
      await choose("chapter", "lists");
      expect(await rows()).toBeLessThan(all);
      await choose("level", "SHOULD");
      expect(await page.locator("table.board tbody tr:visible").allTextContents()).toEqual([
        expect.stringContaining("LIST-ORDER"),
      ]);
      await page.click("button[type=reset]");
      await expect.poll(rows).toBe(all);
      await choose("vendor", "Acme");
      expect(await columns()).toBe(3);
      expect(await page.locator("tr[data-service]:visible").count()).toBe(2);
      await choose("label", "build=2");
      expect(await columns()).toBe(2);
      await choose("cell", "violated somewhere");
      expect(await rows()).toBe(0);
      await choose("vendor", "Borealis");
      expect(await rows()).toBeGreaterThan(0);
      expect(await page.textContent("#filters-status")).toMatch(
        /^\d+ requirements and 1 services are shown\.$/,
      );
      const links = await page
        .locator("td.fail:visible a")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(link).toMatch(/^\.\/r3\/report\.html#failures-\d+$/);
    });
  });

  it("shows everything without JavaScript, and prints without the form", async () => {
    await withPage(
      browser,
      renderBoardHtml(example()),
      async ({ page }) => {
        expect(await page.locator("#filters").isVisible()).toBe(false);
        expect(await page.locator("td.fail").count()).toBeGreaterThan(0);
        expect(await page.locator("svg.trend").count()).toBe(4);
        await page.emulateMedia({ media: "print" });
        expect(await page.locator("table.board").isVisible()).toBe(true);
        expect(await overflow(page)).toBe(0);
      },
      { javaScriptEnabled: false },
    );
  });
});
