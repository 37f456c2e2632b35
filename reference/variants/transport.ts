import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ResponseDraft } from "../context.ts";
import { answering, withHeaders } from "./tools.ts";
import type { Variant } from "./variant.ts";

const coders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

function compressed(name: string, coding: keyof typeof coders, extra: Partial<ResponseDraft> = {}): Variant {
  return {
    name,
    description: `Answers are compressed with ${coding} when the client takes it.`,
    why: "Row 1 asks for a body that parses as JSON; RFC 9110 section 8.4 lets it be coded as the client accepts.",
    hooks: answering((response, ctx) => {
      const takes = (ctx.request.headers["accept-encoding"] ?? "").split(/[\s,;]+/).includes(coding);
      if (!takes || response.body.length === 0) return response;
      const body = coders[coding](Buffer.from(response.body));
      const headers = { "Content-Encoding": coding, Vary: "Accept-Encoding" };
      return { ...withHeaders(response, headers), ...extra, body };
    }),
  };
}

const http = "Section 4 says nothing of connections, so RFC 9112 alone holds";

export const transportVariants: readonly Variant[] = [
  compressed("compressed-answers", "gzip"),
  compressed("deflated-answers", "deflate"),
  compressed("brotli-answers-in-pieces", "br", { transfer: "chunked" }),
  {
    name: "answers-byte-by-byte",
    description: "Every byte is a chunk of its own, so that characters are split.",
    why: `${http}: chunk boundaries have no meaning.`,
    hooks: answering((response) => ({ ...response, transfer: "bytewise" })),
  },
  {
    name: "connection-closed-each-time",
    description: "Every answer says Connection: close.",
    why: `${http}: persistence is optional.`,
    hooks: answering((response) => withHeaders(response, { Connection: "close" })),
  },
  {
    name: "connection-closed-in-silence",
    description: "The connection is closed after every answer without saying so.",
    why: `${http}: either side may close an idle connection at any time.`,
    hooks: answering((response) => ({ ...response, closesAfter: 1 })),
  },
  {
    name: "connection-for-two-requests",
    description: "The connection is closed in silence after the second answer.",
    why: `${http}: either side may close an idle connection at any time.`,
    hooks: answering((response) => ({ ...response, closesAfter: 2 })),
  },
  {
    name: "length-by-closing",
    description: "Answers have neither length nor chunks: they end where the connection does.",
    why: `${http}: section 6.3 lets a response be delimited by the close of its connection.`,
    hooks: answering((response) => ({ ...response, transfer: "until-close" })),
  },
  {
    name: "headers-behind-the-body",
    description: "Chunked answers have trailers.",
    why: `${http}: trailers are optional metadata.`,
    hooks: answering((response) => ({
      ...withHeaders(response, { Trailer: "Server-Timing" }),
      transfer: "chunked",
      trailers: { "Server-Timing": "total;dur=1" },
    })),
  },
  {
    name: "informational-answers-ahead",
    description: "102 and 103 go ahead of every answer.",
    why: "RFC 9110 section 15.2: any number of informational answers may go ahead of the final one.",
    hooks: answering((response) => ({ ...response, informational: true })),
  },
  {
    name: "odd-reason-phrases",
    description: "The words beside the status say something else.",
    why: `${http}: section 4 tells clients to ignore the reason phrase.`,
    hooks: answering((response) => ({ ...response, reason: response.status === 200 ? "Error" : "OK!" })),
  },
  {
    name: "many-headers",
    description: "Answers carry cookies, repeated headers and many long ones.",
    why: "Section 4 names no response header, so any are allowed.",
    hooks: answering((response) =>
      withHeaders(response, {
        "Set-Cookie": ["session=1; Path=/; HttpOnly", "lb=eu-2; Secure", "empty="],
        Link: ['</countries>; rel="help"', '<urn:x:"a,b">; rel=next'],
        Warning: ["199 - one", "199 - two"],
        "Cache-Control": ["no-store", "private"],
        "X-Empty": "",
        ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`X-Long-${index}`, "v".repeat(100)])),
      }),
    ),
  },
  {
    name: "slow-answers",
    description: "Each answer takes from 50 to 150 milliseconds.",
    why: "Section 8: no response times are stated.",
    hooks: answering((response, { service }) => ({
      ...response,
      delayMs: response.delayMs + service.random.integer(50, 150),
    })),
  },
  {
    name: "uneven-answers",
    description:
      "Most answers come at once and some only after up to 80 milliseconds, so that they overtake each other.",
    why: "Section 8: no response times are stated, and HTTP orders nothing between connections.",
    hooks: answering((response, { number }) => ({
      ...response,
      delayMs: response.delayMs + (number % 4 === 0 ? 20 * (1 + (number % 5)) - 20 : 0),
    })),
  },
];
