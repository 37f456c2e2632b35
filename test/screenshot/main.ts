/**
 * `npm run screenshot`: writes docs/report.png and docs/finding.png. They show the report of a run on the
 * reference service with two defects.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXIT } from "../../command/running/exit-codes.ts";
import { startReference } from "../../reference/index.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { launchBrowser } from "../browser.ts";

const DEFECTS = ["count-of-all@webhooks", "key-race@webhook-create"];
const SIZE = { width: 1280, height: 1060 };

const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), "payments-conformance-"));
try {
  await runSuite();
  await photograph(join(folder, "report.html"), join(root, "docs"));
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the compiled command on a service in this process. The reports are then in `folder`. */
async function runSuite(): Promise<void> {
  const service = await startReference({ defects: DEFECTS });
  try {
    const fixtures = Object.entries(service.fixtures).flatMap(([name, value]) => [
      "--fixture",
      `${name}=${value}`,
    ]);
    const args = ["run", "--base-url", service.baseUrl, "--space", service.space, ...fixtures];
    args.push("--second-space", service.secondSpace, "--seed", "1", "--out", folder);
    const env = { ...process.env, PAYMENTS_CONFORMANCE_TOKEN: service.token };
    const run = spawn(process.execPath, [join(root, "dist", "command", "bin.js"), ...args], {
      cwd: folder,
      env,
      stdio: "inherit",
    });
    const [code] = await once(run, "close");
    if (code !== EXIT.fails) throw new Error(`the run ended with ${code}; there is nothing to show`);
  } finally {
    await service.close();
  }
}

/** Writes pictures of the top of the page and of its first failure. */
async function photograph(page: string, pictures: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: SIZE, colorScheme: "light" });
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(page).href);
    await tab.screenshot({ path: join(pictures, "report.png") });
    await tab
      .locator("#failures article")
      .first()
      .screenshot({ path: join(pictures, "finding.png") });
  } finally {
    await browser.close();
  }
}
