/** A browser for tests of pages: the Chromium of the machine, which no test downloads. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Quiet and self-contained: no sandbox in containers, no background traffic. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The path of the browser: `CHROMIUM`, else where Debian installs it; undefined if there is none. */
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
