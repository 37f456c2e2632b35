/** A worker process, which runs the jobs that it is sent one after the other. */

import type { Digest } from "./digest.ts";
import { type Job, perform } from "./job.ts";

export type Reply = { digest: Digest } | { error: string };

process.on("message", async (job: Job) => {
  let reply: Reply;
  try {
    reply = { digest: await perform(job) };
  } catch (error) {
    reply = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(reply);
});
process.on("disconnect", () => process.exit());
