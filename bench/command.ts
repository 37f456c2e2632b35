import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../command/bin.js", import.meta.url));

export interface Cost {
  wallMs: number;
  cpuMs: number;
  peakBytes: number;
}

/** A started command. `ended` rejects unless the exit code is 1 or 3. */
export interface Measured {
  child: ChildProcess;
  ended: Promise<Cost>;
}

export function started(args: readonly string[], folder: string): Measured {
  const file = join(mkdtempSync(join(tmpdir(), "cost-")), "cost.json");
  const begin = performance.now();
  const child = spawn(process.execPath, ["--import", hook(file), MAIN, ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<Cost>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code !== 1 && code !== 3) reject(new Error(`the command ended with ${code}`));
      else
        resolve({ ...(JSON.parse(readFileSync(file, "utf8")) as Cost), wallMs: performance.now() - begin });
    });
  });
  return { child, ended };
}

function hook(file: string): string {
  const code = `
    import { writeFileSync } from "node:fs";
    process.on("exit", () => {
      const { user, system } = process.cpuUsage();
      const peakBytes = process.resourceUsage().maxRSS * 1024;
      writeFileSync(${JSON.stringify(file)}, JSON.stringify({ cpuMs: (user + system) / 1000, peakBytes }));
    });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
