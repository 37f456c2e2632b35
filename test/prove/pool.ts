/** Runs jobs in several worker processes at the same time. */

import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job } from "./job.ts";
import type { Reply } from "./worker.ts";

const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
/** Options of Node.js, as for the processes of the tests (vitest.config.ts). */
const ENGINE = ["--interrupt-budget=300000", "--max-semi-space-size=64"];
/** Milliseconds after which a job is aborted and its process ended. */
const TIMEOUT_MS = 10 * 60_000;

export class Pool {
  readonly #idle: (ChildProcess | undefined)[];
  readonly #waiting: (() => void)[] = [];

  /** `size` is the most jobs at the same time. */
  constructor(size: number) {
    this.#idle = Array.from({ length: size }, () => undefined);
  }

  /** Never rejects: an error is returned as a Reply. */
  async perform(job: Job): Promise<Reply> {
    while (this.#idle.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const kept = this.#idle.pop();
    const worker = kept?.connected
      ? kept
      : fork(fileURLToPath(WORKER), { execArgv: ENGINE, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const reply = await answer(worker, job);
    this.#idle.push(worker);
    this.#waiting.shift()?.();
    return reply;
  }

  close(): void {
    for (const worker of this.#idle.splice(0)) worker?.kill();
  }
}

function answer(worker: ChildProcess, job: Job): Promise<Reply> {
  return new Promise((resolve) => {
    const end = (reply: Reply) => {
      clearTimeout(timer);
      worker.off("message", end);
      worker.off("exit", gone);
      resolve(reply);
    };
    const gone = (code: number | null, signal: string | null) =>
      end({ error: `the process ended (${signal ?? code}) before the run did` });
    const timer = setTimeout(() => {
      worker.kill("SIGKILL");
      end({ error: `the run had not ended after ${TIMEOUT_MS / 60_000} minutes` });
    }, TIMEOUT_MS);
    worker.on("message", end);
    worker.on("exit", gone);
    worker.send(job);
  });
}
