/** Starts Chromium for tests of HTML pages. It must be installed: no test downloads it. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Containers allow no sandbox, and requests of the browser's own would disturb the tests. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The path of the browser: `CHROMIUM`, or the path on Debian. Undefined if there is no browser. */
function findChromium(): string | undefined {
  const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return existsSync(path) ? path : undefined;
}

/**
 * True if tests that need a browser are skipped: only on a developer's machine without a browser. In CI a
 * missing browser is a failure (run `test/install-browser.sh` first).
 */
export const skipBrowserTests = findChromium() === undefined && process.env.CI === undefined;

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium found; run test/install-browser.sh");
  return chromium.launch({ executablePath, args: FLAGS });
}
