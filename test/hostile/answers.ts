/** Answers that are too large or contain difficult text. */

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { body, envelope, type Hostile, resources, type Spoil } from "./hostile.ts";

const MB = 1024 ** 2;
const NOT_CONFORMANT = ["nonconformant", "inconclusive"];

function size(name: string, spoil: Spoil): Hostile {
  return { name, area: "size", spoil, codes: [1, 3], verdicts: NOT_CONFORMANT };
}

function packed(encoding: string, bytes: Buffer): Spoil {
  return ({ status, headers }, response) => {
    response.writeHead(status, { ...headers, "content-encoding": encoding }).end(bytes);
  };
}

const zeros = Buffer.alloc(200 * MB);
const bombs = { gzip: gzipSync(zeros), deflate: deflateSync(zeros), br: brotliCompressSync(zeros) };

export const sizes: Hostile[] = [
  size(
    "bodies of 31 MB",
    body(() => `{"success":true,"messages":["${"x".repeat(31 * MB)}"]}`),
  ),
  size(
    "bodies of 7 MB",
    body((text) => text.replace('"messages":[', `"messages":["${"x".repeat(7 * MB)}",`)),
  ),
  size(
    "bodies of 7 MB of empty objects",
    body((text) => text.replace('"messages":[', `"messages":[${"{},".repeat((7 * MB) / 3)}`)),
  ),
  size(
    "bodies of 90 kB, most of it in every resource",
    resources((resource) => ({ ...resource, metadata: { long: "x".repeat(80_000) } })),
  ),
  size(
    "resources of 1,500 empty objects",
    resources((resource) => ({ ...resource, extra: Array(1_500).fill({}) })),
  ),
  size("gzip bombs", packed("gzip", bombs.gzip)),
  size("deflate bombs", packed("deflate", bombs.deflate)),
  size("brotli bombs", packed("br", bombs.br)),
  size("gzip within gzip", packed("gzip, gzip", gzipSync(bombs.gzip))),
  size("gzip ten times over", packed(Array(10).fill("gzip").join(", "), bombs.gzip)),
  size(
    "ids of 1 MB",
    resources((resource) => ({ ...resource, id: `${resource.id}${"x".repeat(MB)}` })),
  ),
  size(
    "100,000 fields",
    resources((resource) => ({ ...resource, ...many(100_000) })),
  ),
  size(
    "messages of 100,000 entries",
    envelope((value) => ({ ...value, messages: Array(100_000).fill("again"), result: 1 })),
  ),
  size(
    "lists of 50,000 items",
    envelope((value) => ({
      ...value,
      result: Array.isArray(value.result) ? Array(50_000).fill(value.result[0] ?? {}) : value.result,
    })),
  ),
  {
    ...size("pages of 200,000 items for any limit", (answer, response, request) => {
      const isPaged = /^\/v1\/(ussd-otps|payment-codes)|^\/webhooks/.test(request.url ?? "");
      const text = answer.body;
      const value = isPaged && answer.status === 200 ? (JSON.parse(text) as { result?: unknown }) : {};
      const [item] = Array.isArray(value.result) ? value.result : [];
      const many = item && JSON.stringify({ ...value, result: Array(200_000).fill(item) });
      response.writeHead(answer.status, answer.headers).end(many ?? text);
    }),
  },
  size(
    "nesting of 1,000,000",
    body(() => `${"[".repeat(MB)}${"]".repeat(MB)}`),
  ),
  size(
    "owners nested 450 deep",
    resources((resource) => ({ ...resource, ownershipGraph: nested(450), metadata: nested(450) })),
  ),
  size("a header of 60 kB", ({ status, headers, body: text }, response) => {
    response.writeHead(status, { ...headers, "x-long": "x".repeat(60_000) }).end(status === 200 ? "" : text);
  }),
  size(
    "cursors of 1 MB",
    envelope((value) =>
      value.pagination ? { ...value, pagination: { ...value.pagination, next: "c".repeat(MB) } } : value,
    ),
  ),
  size(
    "a next that never ends",
    envelope((value, { count }) =>
      value.pagination ? { ...value, pagination: { ...value.pagination, next: `page-${count}` } } : value,
    ),
  ),
  size("answers without an end", ({ status, headers }, response) => {
    response.writeHead(status, headers);
    const timer = setInterval(() => response.write("x".repeat(MB)), 1);
    response.on("close", () => clearInterval(timer));
  }),
  size("drops of a byte a second", ({ status, headers }, response) => {
    response.writeHead(status, headers);
    const timer = setInterval(() => response.write(" "), 1_000);
    response.on("close", () => clearInterval(timer));
  }),
];

function many(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));
}

function nested(depth: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level++) value = { id: "x", type: "y", metadata: {}, owner: value };
  return value;
}

/** Texts that replace ids, codes, names and cursors in the answers. */
const TEXTS: [name: string, text: string][] = [
  ["a lone surrogate", "x\ud800"],
  ["a lone low surrogate", "\udc00x"],
  ["NUL", "a\u0000b"],
  ["controls of a terminal", "\u001b[31m\u001b]0;t\u0007\u009b2J"],
  ["a carriage return", "a\r\nb"],
  ["text from right to left", "\u202eevil\u202c"],
  ["a path", "../../etc/passwd"],
  ["an encoded slash", "a%2Fb"],
  ["a question mark and a hash", "a?b#c"],
  ["a dot", "."],
  ["two dots", ".."],
  ["the name of every object's parent", "__proto__"],
  ["constructor", "constructor"],
  ["markup", "<script>alert(1)</script>"],
  ["the end of CDATA", "]]><x/>"],
  ["a fence of Markdown", "```\n# heading\n```"],
  ["a command of a CI server", "::error::injected"],
  ["a template", "{{constructor}}"],
  ["shell", "$(rm -rf ~)`id`;'\""],
  ["characters beyond the plane", "😀💸𝒳"],
  ["noncharacters", "\uffff\ufffe"],
  ["blanks", "   "],
  ["nothing", ""],
];

export const texts: Hostile[] = [
  ...TEXTS.map(
    ([name, text]): Hostile => ({
      name: `${name} in ids, codes, names and cursors`,
      area: "text",
      spoil: envelope((value) => {
        const spoilt = (resource: Record<string, unknown>, index: number) => ({
          ...resource,
          id: `${text}${index || ""}`,
          ...("code" in resource ? { code: `${text}${index || ""}` } : {}),
          name: text,
        });
        const { result, pagination } = value;
        return {
          ...value,
          messages: [text, { [text]: text }],
          result: Array.isArray(result) ? result.map(spoilt) : result ? spoilt(result as never, 0) : result,
          ...(pagination?.next ? { pagination: { ...pagination, next: text } } : {}),
        };
      }),
      codes: [1, 3],
      verdicts: NOT_CONFORMANT,
    }),
  ),
  ...(
    [
      ["numbers beyond all bounds", (text: string) => text.replace(/"value":\d+/g, '"value":1e999')],
      ["a byte order mark and UTF-16", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
      [
        "bytes that are no UTF-8",
        (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
      ],
      ["JSON with comments", (text: string) => `/* hello */ ${text}`],
      ["JSON that ends in a comma", (text: string) => text.replace(/}$/, ",}")],
      ["NaN", (text: string) => text.replace(/"count":\d+/, '"count":NaN')],
      ["two documents", (text: string) => `${text}${text}`],
      ["every key twice", (text: string) => text.replace(/"id":/g, '"id":"other","id":')],
      [
        "a parent for every object",
        (text: string) => text.replace('{"success"', '{"__proto__":{"result":1},"success"'),
      ],
      ["a number", () => "12"],
      ["null", () => "null"],
      ["a text", () => '"ok"'],
      ["nothing", () => ""],
    ] as [string, (text: string) => string | Buffer][]
  ).map(
    ([name, change]): Hostile => ({
      name: `bodies: ${name}`,
      area: "text",
      spoil: body(change),
      codes: [0, 1, 3],
      verdicts: ["conformant", ...NOT_CONFORMANT],
    }),
  ),
];
