/** A server that passes every call on to another server, and records the calls. */

import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Call {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  status: number;
  answerHeaders: IncomingHttpHeaders;
}

export interface Tap {
  baseUrl: string;
  calls: Call[];
  close(): Promise<void>;
}

/** Starts a server that passes calls on to `target`, a base URL. */
export async function startTap(target: string): Promise<Tap> {
  const calls: Call[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const onward = request(target + url, { method, headers });
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      onward.write(chunk);
    });
    incoming.on("end", () => onward.end());
    onward.on("error", () => outgoing.destroy());
    onward.on("response", (answer) => {
      const { statusCode: status = 0, headers: answerHeaders } = answer;
      const body = Buffer.concat(chunks).toString();
      calls.push({ method, url, headers, body, status, answerHeaders });
      outgoing.writeHead(status, answerHeaders);
      answer.pipe(outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
