/** Requests that Prism and the reference service judge differently, because OpenAPI can't express everything. */

import type { Call } from "./tap.ts";

export interface Disagreement {
  name: string;
  why: string;
  fits(call: Call): boolean;
}

const query = ({ url }: Call) => new URL(url, "http://localhost").searchParams;

/** Requests that the reference service rejects and Prism accepts. */
export const refused: readonly Disagreement[] = [
  {
    name: "a token that is not known",
    why: "The document says that there is a bearer token, not which.",
    fits: ({ status }) => status === 401,
  },
  {
    name: "a space that the token does not open",
    why: "The document says that there are spaces, not whose.",
    fits: ({ status }) => status === 403,
  },
  {
    name: "an id or code that nothing has",
    why: "The document says that a path holds an id, not which there are.",
    fits: ({ status, url }) => status === 404 && url.split("/").length > 2,
  },
  {
    name: "a reference or key that was used before",
    why: "The document knows no earlier calls.",
    fits: ({ status, method }) => [409, 422].includes(status) && method === "POST",
  },
  {
    name: "a limit that is no plain number",
    why: "Prism reads a parameter as a number wherever JavaScript does.",
    fits: (call) => call.status === 400 && !/^[1-9][0-9]*$/.test(query(call).get("limit") ?? "1"),
  },
  {
    name: "a country without providers",
    why: "The document gives the length of a country code; Prism does not check its format.",
    fits: (call) => call.status === 400 && query(call).has("country"),
  },
  {
    name: "a currency that is none, or that no country has",
    why: "Prism does not check the format of a currency code.",
    fits: ({ status, body }) => status === 400 && currencyOf(body) !== undefined,
  },
  {
    name: "a body that is no JSON",
    why: "Prism cannot read it, and so says nothing about it.",
    fits: ({ status, body }) => [400, 422].includes(status) && json(body) === undefined,
  },
];

/** Requests that the reference service accepts and Prism rejects. `message` is Prism's message. */
export const accepted: readonly { name: string; why: string; fits(call: Call, message: string): boolean }[] =
  [
    {
      name: "a path of the other reading",
      why: "The reference answers under both readings of the specification's paths, the document shows one.",
      fits: (_call, message) => message.startsWith("Selected route not found"),
    },
    {
      name: "the bearer scheme in other casing",
      why: "Prism takes the scheme by its usual spelling alone.",
      fits: ({ headers }, message) =>
        message === "Invalid security scheme used" && /^bearer/i.test(headers.authorization ?? ""),
    },
    {
      name: "an object in the form of a text",
      why: "Prism unpacks a JSON text on its way to the service, which so gets the object in it.",
      fits: ({ body }, message) =>
        message === "Request body must be object" && typeof json(body) === "string",
    },
  ];

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function currencyOf(body: string): string | undefined {
  const value = json(body);
  return isRecord(value) && typeof value.currency === "string" ? value.currency : undefined;
}
