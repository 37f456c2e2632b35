/** A proxy that passes everything on to a service and changes some answers. */

import { createServer, type IncomingHttpHeaders, request } from "node:http";

interface ProxiedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Returns the answer to send in place of the service's. Undefined leaves the service's answer as it is. */
export type Alter = (
  method: string,
  path: string,
  answer: ProxiedAnswer,
  sent: IncomingHttpHeaders,
) => ProxiedAnswer | undefined;

/** Starts a proxy before the service at `origin`, passes its base URL to `use`, and closes it afterwards. */
export async function withProxy<T>(
  origin: string,
  alter: Alter,
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = createServer((call, reply) => {
    const { method = "GET", url = "/" } = call;
    const headers = { ...call.headers, "accept-encoding": "identity" };
    const passed = request(`${origin}${url}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const { "content-length": _, "transfer-encoding": __, connection: ___, ...kept } = answer.headers;
        const plain = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)]));
        const whole = {
          status: answer.statusCode ?? 500,
          headers: plain,
          body: Buffer.concat(chunks).toString(),
        };
        const shown = alter(method, url.split("?")[0] ?? url, whole, call.headers) ?? whole;
        reply.writeHead(shown.status, shown.headers).end(shown.body);
      });
    });
    passed.on("error", () => reply.destroy());
    call.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("not listening");
    return await use(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
