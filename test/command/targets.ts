/** Services for tests of the command. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as send,
} from "node:http";
import { type ReferenceOptions, type RunningService, startReference } from "../../reference/index.ts";

export function flagsFor(target: Pick<RunningService, "baseUrl" | "token" | "space">): string[] {
  return ["--base-url", target.baseUrl, "--token", target.token, "--space", target.space];
}

/** Starts a reference service, passes it to `use`, and closes it afterwards. */
export async function withReference<T>(
  options: ReferenceOptions,
  use: (service: RunningService) => Promise<T>,
): Promise<T> {
  const service = await startReference(options);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** Starts a server, passes its base URL to `use`, and closes it afterwards. */
export async function withServer<T>(
  listener: RequestListener,
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener);
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

/** Passes a request on to another service, and returns its answer. */
export function passOn(baseUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const forwarded = send(`${baseUrl}${url}`, {
    method,
    headers: { ...headers, host: new URL(baseUrl).host },
  });
  forwarded.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  request.pipe(forwarded);
}
