import { Agent, request } from "undici";
import type { Recording } from "./recorder.ts";

export async function replay(baseUrl: string, { calls, concurrency }: Recording): Promise<void> {
  const dispatcher = new Agent({ connections: concurrency });
  const queue = calls.values();
  const lane = async () => {
    for (const { method, url, headers, body } of queue) {
      const answer = await request(baseUrl + url, { method: method as "GET", headers, body, dispatcher });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await dispatcher.close();
}
