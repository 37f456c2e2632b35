/** A loopback TCP server that answers with any bytes. */

import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer {
  url: string;
  connections(): number;
  close(): Promise<void>;
}

/**
 * Starts the server. Calls `answer` for each piece of data that arrives: a whole request, if it is short. `count`
 * counts these pieces, from 1.
 */
export async function rawServer(
  answer: (socket: Socket, head: string, count: number) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let count = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => answer(socket, bytes.toString("latin1"), ++count));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export function httpAnswer(
  body: Buffer | string,
  headers: Record<string, string> = {},
  status = "200 OK",
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "content-length": String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}
