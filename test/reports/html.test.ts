import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failures } from "../../reports/findings.ts";
import { renderHtml } from "../../reports/html/render.ts";
import { launchBrowser, skipBrowserTests } from "../browser.ts";
import { commitShare } from "../commit-seed.ts";
import { check, exchange, failing, HOSTILE, hostile, large, reportOf, typicalReport } from "./example.ts";
import { accessibilityFaults, overflow, withPage } from "./page.ts";

describe("the page of a report, as text", () => {
  it("holds verdict, failures and untested requirements without any script", () => {
    const page = renderHtml(typicalReport()).replaceAll(/<script[\s\S]*?<\/script>/g, "");
    for (const part of [
      "Not conformant",
      "IDEMPOTENCY-REPEAT",
      "fa-8",
      "replay report.json",
      "FILTER-STATUS",
    ]) {
      expect(page).toContain(part);
    }
  });

  it("shows what is assumed about the service, with the exchanges that show it", () => {
    const page = renderHtml(typicalReport());
    expect(page).toContain("Assumed about this service");
    expect(page).toContain("POST /webhooks 409 (entry 1228), POST /webhooks no answer (entry 1235)");
    expect(renderHtml(reportOf([failing()]))).not.toContain("Assumed");
  });

  it("is the same each time", () => {
    expect(renderHtml(typicalReport())).toBe(renderHtml(typicalReport()));
  });

  it("shows no byte of a service as markup", () => {
    const page = renderHtml(hostile());
    const benign = renderHtml(hostile(HOSTILE.replaceAll(/[<>&"']/g, "x")));
    const tags = (text: string) =>
      text
        .match(/<\/?[a-z!][^\s>]*/gi)
        ?.sort()
        .join() ?? "";
    expect(tags(page)).toBe(tags(benign));
    expect(page.replaceAll(/[\t\n]/g, "")).not.toMatch(/\p{Cc}|\p{Cs}|[\u2028\u2029\u202e]/u);
  });

  it("stays within its size, whatever was sent", () => {
    const body = `{"x":"${"y".repeat(5_000_000)}"}`;
    const evidence = [exchange({ response: { status: 200, headers: {}, body }, offending: "/x" })];
    const checks = Array.from({ length: 300 }, (_, index) =>
      failing({ id: `a/${index}`, expected: `kind ${String.fromCodePoint(0x4e00 + index)}`, evidence }),
    );
    expect(renderHtml(reportOf(checks)).length).toBeLessThan(4_000_000);
    expect(renderHtml(hostile(HOSTILE.repeat(5_000))).length).toBeLessThan(4_000_000);
    expect(renderHtml(large(5_000)).length).toBeLessThan(4_000_000);
  });

  it("shows the part at fault, and names missing parts", () => {
    const show = (offending: string) =>
      renderHtml(reportOf([failing({ evidence: [exchange({ offending })] })]));
    expect(show("/pagination/count")).toContain("&quot;count&quot;: <mark>3</mark>");
    expect(show("status")).toContain("<mark>200</mark>");
    expect(show("header:X-Request-Id")).toMatch(/<mark><span class="name">x-request-id/);
    expect(show("/pagination/total")).toContain("nothing at <code>/pagination/total</code>");
    expect(show("header:retry-after")).toContain("no retry-after header");
  });
});

describe.skipIf(skipBrowserTests)("the page of a report, in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ["a typical run", () => typicalReport()],
    ["hostile bytes", () => hostile()],
    [
      "hostile bytes that end scripts and comments",
      () => hostile("</script><!--<script>window.pwned=1</script>-->"),
    ],
    ["5,000 checks", () => large()],
    ["no check", () => reportOf([], { problem: "connection refused" })],
  ])("runs no foreign script, requests nothing and logs no error: %s", async (_, build) => {
    await withPage(browser, renderHtml(build()), async ({ page, requests, complaints }) => {
      const rows = await page.locator("#results summary").all();
      for (const row of rows) await row.click();
      // A script fills a row in after the click. Wait until all rows are filled in.
      await expect.poll(() => page.locator("#results .opened").count()).toBe(rows.length);
      expect(await page.evaluate("window.pwned")).toBeUndefined();
      expect(await page.locator("script").count()).toBe(2);
      expect(requests).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it("scrolls to the part at fault, at any position in a body", async () => {
    const items = Array.from({ length: 200 }, (_, id) => ({ id }));
    const body = JSON.stringify({ result: items, pagination: { count: 7 } });
    const evidence = [
      exchange({ offending: "/pagination/count", response: { status: 200, headers: {}, body } }),
    ];
    await withPage(browser, renderHtml(reportOf([failing({ evidence })])), async ({ page }) => {
      const mark = page.locator(".finding pre.body mark");
      expect(await mark.textContent()).toBe("7");
      const [inside, outside] = [
        await mark.boundingBox(),
        await page.locator(".finding pre.body").boundingBox(),
      ];
      const [top = 0, height = 0] = [outside?.y, outside?.height];
      expect(inside?.y).toBeGreaterThan(top);
      expect(inside?.y).toBeLessThan(top + height);
      expect(await page.evaluate("scrollY")).toBe(0);
    });
  });

  it("allows no script and no request to other hosts", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page, complaints }) => {
      await page.evaluate(`(() => {
        const script = document.createElement("script");
        script.textContent = "window.pwned = 1";
        const image = document.createElement("img");
        image.src = "https://service.example.test/x.png";
        document.body.append(script, image);
      })()`);
      await expect.poll(() => complaints.length).toBe(2);
      expect(complaints.join()).toMatch(/script-src/);
      expect(complaints.join()).toMatch(/img-src/);
      expect(await page.evaluate("window.pwned")).toBeUndefined();
    });
  });

  it.each([
    ["a typical run", () => typicalReport()],
    ["hostile bytes", () => hostile()],
    ["5,000 checks", () => large()],
    ["no check", () => reportOf([])],
  ])("fits windows from 320 pixels on: %s", async (_, build) => {
    await withPage(browser, renderHtml(build()), async ({ page }) => {
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      for (const width of [320, 768, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page)).toBe(0);
      }
    });
  });

  const looks = [
    { colorScheme: "light", width: 1280, of: "a typical run", build: typicalReport },
    { colorScheme: "dark", width: 320, of: "a typical run", build: typicalReport },
    { colorScheme: "dark", width: 1280, of: "hostile bytes", build: () => hostile() },
  ] as const;
  it.each(commitShare(looks, 3))(
    "has no serious accessibility fault: $of, $colorScheme, $width",
    async (one) => {
      const { colorScheme, width, build } = one;
      await withPage(
        browser,
        renderHtml(build()),
        async ({ page }) => {
          await page.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
          );
          await page.locator("#results .opened").first().waitFor();
          expect(await accessibilityFaults(page)).toEqual([]);
        },
        { colorScheme, viewport: { width, height: 900 } },
      );
    },
  );

  it("filters by outcome, level, suite and operation, and counts the matches", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page }) => {
      const status = page.locator("#results-status");
      await page.getByRole("checkbox", { name: /Fail/ }).check();
      await expect.poll(() => status.textContent()).toContain("3 of 86 checks match");
      await page.getByRole("checkbox", { name: /Warn/ }).check();
      await expect.poll(() => status.textContent()).toContain("10 of 86");
      await page.getByRole("combobox", { name: "Level" }).selectOption("MUST");
      await expect.poll(() => status.textContent()).toContain("3 of 86");
      await page.getByRole("combobox", { name: "Suite" }).selectOption("lists");
      await expect.poll(() => status.textContent()).toContain("2 of 86");
      await page.getByRole("combobox", { name: "Operation" }).selectOption("GET /v1/ussd-otps");
      await expect.poll(() => status.textContent()).toContain("1 of 86");
      await page.getByRole("button", { name: "Clear" }).click();
      await expect.poll(() => status.textContent()).toContain("86 of 86");
    });
  });

  it("searches titles, ids and messages of 5,000 checks, and shows the matches in parts", async () => {
    const report = large();
    report.checks[4321] = check({
      id: "lists/needle",
      title: "one in a haystack",
      outcome: "note",
      message: "Zanzibar",
    });
    await withPage(browser, renderHtml(report), async ({ page }) => {
      const items = page.locator("#results > li");
      expect(await items.count()).toBe(25);
      await page.getByRole("button", { name: "Show more" }).click();
      expect(await items.count()).toBe(50);
      expect(
        await page.evaluate("document.activeElement === document.querySelectorAll('#results summary')[25]"),
      ).toBe(true);
      await page.getByLabel("Search").fill("zanzibar haystack");
      await expect.poll(() => items.count()).toBe(1);
      await items.locator("summary").press("Enter");
      await expect.poll(() => items.textContent()).toContain("lists/needle");
      await page.getByLabel("Search").fill("no such thing");
      await expect.poll(() => page.locator("#results-status").textContent()).toBe("No check matches.");
    });
  });

  it("links cells of the matrix and requirements to their checks, and checks to the evidence", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page }) => {
      await page.locator("#matrix td.fail a").first().click();
      await expect.poll(() => page.locator("#results > li").count()).toBe(3);
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("checks-title");
      await page.locator("#requirements a[data-search=IDEMPOTENCY-REPEAT]").click();
      await expect.poll(() => page.locator("#results > li").count()).toBe(2);
      await page.locator("#results summary").first().click();
      await page.getByRole("link", { name: "See the exchange" }).click();
      await expect.poll(() => page.evaluate("location.hash")).toBe("#failures-1");
    });
  });

  it("works with the keyboard alone", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page }) => {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the report");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await page.locator("#results summary").first().focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("#results details[open] .opened").count()).toBe(1);
      await page.getByRole("checkbox", { name: /Pass/ }).focus();
      await page.keyboard.press("Space");
      await expect.poll(() => page.locator("#results-status").textContent()).toContain("70 of 86");
    });
  });

  it("copies the command that repeats a failure", async () => {
    await withPage(
      browser,
      renderHtml(typicalReport()),
      async ({ page }) => {
        await page.getByRole("button", { name: "Copy: Replay" }).first().click();
        await expect.poll(() => page.locator("button.copy").first().textContent()).toMatch(/Copied|Selected/);
        const copied = await page.evaluate<string>(
          "navigator.clipboard.readText().catch(() => getSelection().toString())",
        );
        const [first] = failures(typicalReport());
        expect(copied).toBe(`payments-conformance replay report.json ${first?.first.id}`);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
  });

  it("shows everything important without JavaScript", async () => {
    await withPage(
      browser,
      renderHtml(typicalReport()),
      async ({ page }) => {
        const text = await page.locator("body").textContent();
        for (const part of ["Not conformant", "LIST-COUNT", "FILTER-STATUS", "needs JavaScript"]) {
          expect(text).toContain(part);
        }
        expect(await page.locator("#filters").isVisible()).toBe(false);
      },
      { javaScriptEnabled: false },
    );
  });

  it("has headings in order, and one of the first level", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page }) => {
      const ranks = await page.evaluate<number[]>(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map((each) => Number(each.tagName[1]))",
      );
      expect(ranks.filter((rank) => rank === 1)).toHaveLength(1);
      for (const [index, rank] of ranks.entries()) {
        expect(rank - (ranks[index - 1] ?? 0)).toBeLessThanOrEqual(1);
      }
    });
  });

  it("prints the evidence of every failure, and no control", async () => {
    await withPage(browser, renderHtml(typicalReport()), async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await page.locator(".finding > details:not([open])").evaluateAll((all) => all.length)).toBe(0);
      expect(await page.locator("button.copy").first().isVisible()).toBe(false);
    });
  });
});
