/** Hostile cases in which the service returns the token or a secret, in many encodings and places. */

import { body, envelope, type Hostile, passOn, type Spoil, secretIn, TOKEN } from "./hostile.ts";

const hex = (text: string) => Buffer.from(text).toString("hex");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const each = (text: string, write: (character: string) => string) => [...text].map(write).join("");

/** Names and texts of encodings of the token. */
const DISGUISES: [name: string, text: string][] = [
  ["as it is", TOKEN],
  ["in capitals", TOKEN.toUpperCase()],
  ["in small letters", TOKEN.toLowerCase()],
  ["percent-encoded", encodeURIComponent(TOKEN)],
  ["percent-encoded, all of it", each(TOKEN, (one) => `%${hex(one)}`)],
  ["in hex", hex(TOKEN)],
  ["in base64", base64(TOKEN)],
  ["in base64 within other text", base64(`u:${TOKEN}:p`)],
  ["as entities", each(TOKEN, (one) => `&#${one.codePointAt(0)};`)],
  ["as escapes of JSON in a text", each(TOKEN, (one) => `\\u00${hex(one)}`)],
  ["broken by line breaks", TOKEN.replace(/.{6}/g, "$&\n")],
  ["in part, 15 of its characters", TOKEN.slice(6, 21)],
  ["its first ten characters", TOKEN.slice(0, 10)],
  ["escaped twice", JSON.stringify(JSON.stringify(TOKEN))],
  ["in hex, in capitals", hex(TOKEN).toUpperCase()],
  ["in base64 for URLs", Buffer.from(TOKEN).toString("base64url")],
  ["eight characters of it in hex", hex(TOKEN.slice(4, 12))],
];

/**
 * Texts, in lower case, that must appear in no file after the run sent this secret: the secret and its
 * encodings.
 */
export function canariesOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    hex(secret),
    base64(secret).replace(/=+$/, ""),
    JSON.stringify(secret).slice(1, -1),
    secret.slice(0, 12),
  ].map((text) => text.toLowerCase());
}

/** Texts, in lower case, that must appear in no file: the token, its parts and their encodings. */
export function canaries(): string[] {
  const parts = [TOKEN, TOKEN.slice(0, 10), TOKEN.slice(6, 21), TOKEN.slice(4, 12), TOKEN.slice(-10)];
  return parts
    .flatMap((part) => [part, encodeURIComponent(part), hex(part), JSON.stringify(part).slice(1, -1)])
    .concat(
      base64(TOKEN),
      base64(`u:${TOKEN}:p`).slice(4, -4),
      each(TOKEN, (one) => `&#${one.codePointAt(0)};`),
    )
    .concat(
      each(TOKEN, (one) => `%${hex(one)}`),
      each(TOKEN, (one) => `\\u00${hex(one)}`),
    )
    .map((text) => text.toLowerCase());
}

const ANY = { codes: [0, 1, 3], verdicts: ["conformant", "nonconformant", "inconclusive"] };

/** The run writes every kind of file, because all are searched for secrets. */
const EVERYTHING = ["har", "sarif", "ctrf"].flatMap((format) => ["--export", format]);
const FLAGS = [...EVERYTHING, "--traffic", "--suggest-profile", "suggested.yaml"];

function secret(name: string, spoil: Spoil): Hostile {
  return { name, area: "secrets", spoil, flags: FLAGS, ...ANY };
}

/** A service that returns the secret that it received, encoded by `write`. */
function retold(name: string, write: (secret: string) => string): Hostile {
  return secret(`a webhook's secret ${name}`, (answer, response) => {
    const sent = secretIn(answer.sent);
    if (sent === undefined) return passOn(answer, response);
    const messages = JSON.stringify([`got ${write(sent)}.`]);
    passOn(
      { ...answer, body: answer.body.replace(/"messages":\[[^\]]*\]/, `"messages":${messages}`) },
      response,
    );
  });
}

export const secrets: Hostile[] = DISGUISES.flatMap(([name, text]) => [
  secret(
    `the token ${name}, in messages`,
    envelope((value) => ({ ...value, messages: [`your token: ${text}.`], result: 1 })),
  ),
]).concat(
  secret(
    "the token as the name of a field",
    envelope((value) => ({ ...value, [TOKEN]: TOKEN, result: { [TOKEN]: 1 } })),
  ),
  secret("the token in every answer's status line and headers", (answer, response) => {
    response.statusMessage = "no token";
    response.setHeader("x-echo", encodeURIComponent(TOKEN));
    response.setHeader("www-authenticate", `Bearer realm="${TOKEN.replaceAll('"', '\\"')}"`);
    passOn({ ...answer, status: answer.status === 200 ? 500 : answer.status }, response);
  }),
  secret(
    "the token at the place where bodies are cut",
    body(() => `${"x".repeat(19_990)}${TOKEN}${"x".repeat(50)}`),
  ),
  secret(
    "the token in a body that is no JSON",
    body(() => `<html>${TOKEN}</html>`),
  ),
  secret(
    "the token as id of everything",
    envelope((value) => ({ ...value, result: [{ id: TOKEN, name: TOKEN, code: TOKEN }] })),
  ),
  secret("the token as id and name of what is created", (answer, response, request) => {
    const own =
      request.method === "POST"
        ? answer.body.replace(/"(id|name)":"[^"]*"/g, `"$1":${JSON.stringify(TOKEN)}`)
        : answer.body;
    passOn({ ...answer, body: own }, response);
  }),
  secret("the token in errors", (_, response) => {
    response
      .writeHead(500, { "content-type": "text/plain" })
      .end(`stack trace: Authorization: Bearer ${TOKEN}`);
  }),
  retold("cut after 22 characters", (text) => `${text.slice(0, 22)}...`),
  retold("in capitals", (text) => text.toUpperCase()),
  retold("in base64", base64),
  retold("in hex", hex),
  retold("percent-encoded, all of it", (text) => each(text, (one) => encodeURIComponent(one))),
  retold("broken by line breaks", (text) => text.replace(/.{5}/g, "$&\n")),
);
