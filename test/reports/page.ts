/** Opens a rendered page in the browser, for tests of HTML reports. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export interface Opened {
  page: Page;
  /** URLs that the page requested. The page itself is not among them. */
  requests: string[];
  /** Console messages and uncaught errors of the page. */
  complaints: string[];
}

/** Writes `source` to a file, opens it in the browser, passes the page to `use`, and cleans up. */
export async function withPage(
  browser: Browser,
  source: string,
  use: (opened: Opened) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-page-"));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  try {
    const file = join(folder, "page.html");
    writeFileSync(file, source);
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    const address = pathToFileURL(file).href;
    page.on("request", (request) => {
      const url = request.url().split("#")[0] ?? "";
      if (url !== address && url !== "data:,") requests.push(url);
    });
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    await use({ page, requests, complaints });
  } finally {
    await context.close();
    rmSync(folder, { recursive: true });
  }
}

/** The serious and critical accessibility problems that axe-core finds, one per line. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The page's security policy forbids a script element, but not that a test evaluates a script.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const result = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  }>("axe.run(document, { resultTypes: ['violations'] })");
  return result.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary}`),
    );
}

/** By how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
