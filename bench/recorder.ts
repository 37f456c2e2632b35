import { startTap } from "../test/independence/tap.ts";

interface RecordedCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface Recording {
  calls: RecordedCall[];
  concurrency: number;
}

export interface Recorder {
  baseUrl: string;
  calls: RecordedCall[];
  close(): Promise<void>;
}

const OWN = new Set(["host", "connection", "content-length", "transfer-encoding"]);

/** Returns a recorder whose `calls` are complete once it is closed. */
export async function startRecorder(target: string): Promise<Recorder> {
  const tap = await startTap(target);
  const calls: RecordedCall[] = [];
  return {
    baseUrl: tap.baseUrl,
    calls,
    close: async () => {
      await tap.close();
      for (const { method, url, headers, body } of tap.calls) {
        const kept = Object.entries(headers).filter(([name]) => !OWN.has(name));
        calls.push({
          method,
          url,
          headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value ?? "")])),
          body: body === "" ? null : body,
        });
      }
    },
  };
}
