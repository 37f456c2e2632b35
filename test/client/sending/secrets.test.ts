import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publicText } from "../../../client/sending/public-text.ts";
import { Redactor } from "../../../client/sending/secrets.ts";
import { exampleCheck, exampleResult } from "../../runner/example.ts";
import { exampleSettings } from "../../runner/settings.ts";
import { spec } from "../../spec/package-spec.ts";

const SECRET = 'tök "en"/with+odd=chars';

function redactorOf(...secrets: (string | undefined)[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const redactor = redactorOf(SECRET);
const base64 = (text: string, form: "base64" | "base64url" = "base64") =>
  Buffer.from(text, "utf8").toString(form);

describe("a secret is removed in every spelling", () => {
  test.each([
    ["plain", SECRET],
    ["in a URL", encodeURIComponent(SECRET)],
    ["in JSON", JSON.stringify({ echo: SECRET })],
    ["in base64", base64(SECRET)],
    ["in base64url", base64(SECRET, "base64url")],
    ["as Basic credentials", base64(`${SECRET}:`)],
    ["twice", `${SECRET} ${SECRET}`],
    ["in JSON in JSON's text", JSON.stringify(SECRET)],
  ])("%s", (_, written) => {
    const clean = redactor.text(`before ${written} after`);
    expect(clean).toMatch(/^before .* after$/s);
    expect(clean).toContain("[redacted]");
    for (const form of [
      SECRET,
      encodeURIComponent(SECRET),
      base64(SECRET),
      JSON.stringify(SECRET).slice(1, -1),
    ])
      expect(clean).not.toContain(form);
  });

  test("whatever the secret is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 4, maxLength: 40 }), (secret) => {
        const own = redactorOf(secret);
        for (const written of [
          secret,
          encodeURIComponent(secret),
          base64(secret),
          base64(secret, "base64url"),
        ])
          expect(own.text(written)).toBe("[redacted]");
        expect(own.text(JSON.stringify({ a: [secret] }))).toBe('{"a":["[redacted]"]}');
      }),
    );
  });

  test("of two secrets that begin alike, the longer one is removed whole", () => {
    const both = redactorOf("secret", "secret-and-more");
    expect(both.text("secret-and-more, secret.")).toBe("[redacted], [redacted].");
  });
});

test("bytes of a secret in an array are removed, and other numbers stay", () => {
  const bytes = [...Buffer.from("token-12345")];
  const amounts = [100, 101, 102, 103, 104, 105, 106, 107, 108, 300];
  expect(redactorOf("token-12345").value({ token: { type: "Buffer", data: bytes }, amounts })).toEqual({
    token: { type: "Buffer", data: ["[redacted]"] },
    amounts,
  });
});

test("text that only resembles a secret stays", () => {
  const own = redactorOf("token-12345");
  for (const text of ["token-1234", "oken-12345", "tok", ""]) expect(own.text(text)).toBe(text);
});

describe("a token is removed in every encoding", () => {
  const TOKEN = 'Zk9-wq"7.Xv$(3)mT[pL]eR+8uYd';
  const own = new Redactor();
  own.addPublic("GET /v1/payment-codes lists payment codes");
  own.add(TOKEN, true);
  const hex = (text: string) => Buffer.from(text).toString("hex");
  const each = (text: string, write: (character: string) => string) => [...text].map(write).join("");
  const code = (character: string) => character.codePointAt(0) ?? 0;
  const part = TOKEN.slice(5, 20);

  test.each([
    ["in capitals", TOKEN.toUpperCase()],
    ["in small letters", TOKEN.toLowerCase()],
    ["percent-encoded, all of it", each(TOKEN, (one) => `%${hex(one)}`)],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(TOKEN))],
    ["in hex", hex(TOKEN)],
    ["in hex, in capitals", hex(TOKEN).toUpperCase()],
    ["in base64 within other text", base64(`user:${TOKEN}:rest`)],
    ["in base64 at the next alignment", base64(`user1:${TOKEN}:rest`)],
    ["in base64 at the last alignment", base64(`user12:${TOKEN}:rest`)],
    ["as decimal entities", each(TOKEN, (one) => `&#${code(one)};`)],
    ["as hexadecimal entities", each(TOKEN, (one) => `&#x${hex(one)};`)],
    ["as named entities", TOKEN.replaceAll('"', "&quot;")],
    ["as escapes of JSON", each(TOKEN, (one) => `\\u00${hex(one)}`)],
    ["as escapes of JSON, escaped", each(TOKEN, (one) => `\\\\u00${hex(one)}`)],
    ["as escapes with x", each(TOKEN, (one) => `\\x${hex(one)}`)],
    ["broken by line breaks", TOKEN.replace(/.{5}/g, "$&\r\n ")],
    ["broken by what is not seen", TOKEN.replace(/.{3}/g, "$&\u200b")],
    ["in UTF-16 that was read as UTF-8", each(TOKEN, (one) => `${one}\0`)],
    ["in UTF-16 that was read as UTF-8, in JSON", each(TOKEN, (one) => `${one}\\u0000`)],
    ["in base64 of UTF-16", Buffer.from(`user:${TOKEN}:rest`, "utf16le").toString("base64")],
    [
      "in base64 of UTF-16, the high byte first",
      Buffer.from(`:${TOKEN}`, "utf16le").swap16().toString("base64"),
    ],
    ["in octal escapes", each(TOKEN, (one) => `\\${code(one).toString(8).padStart(3, "0")}`)],
    ["as a list of its bytes", JSON.stringify([...Buffer.from(TOKEN)])],
    ["as a list of its bytes, over several lines", JSON.stringify([...Buffer.from(TOKEN)], null, 2)],
    ["in part", part],
    ["in part, in capitals", part.toUpperCase()],
    ["in part, in hex", hex(part)],
    ["in part, in base64", base64(`xy${part}z`)],
    ["its first nine characters", TOKEN.slice(0, 9)],
    ["its last nine characters", TOKEN.slice(-9)],
  ])("%s", (_, written) => {
    const clean = own.text(`before ${written} after`);
    expect(clean).toMatch(/^before .* after$/s);
    expect(clean).toContain("[redacted]");
    for (const piece of [TOKEN, TOKEN.slice(0, 8), TOKEN.slice(-8), part, written])
      expect(clean.toLowerCase()).not.toContain(piece.toLowerCase());
    expect(JSON.stringify(own.value({ [written]: [written] }))).not.toContain(
      JSON.stringify(written).slice(1, -1),
    );
  });

  test("public text is not treated as a part of the token", () => {
    const spoken = new Redactor();
    spoken.addPublic("lists payment codes of a space");
    spoken.add("payment-codes of a space 8f3k2j5h", true);
    expect(spoken.text("payment codes of a space")).toBe("payment codes of a space");
    expect(spoken.text("a space 8f3k2j5h")).toContain("[redacted]");
  });

  test("a text that contains the token a thousand times is redacted as a whole", () => {
    expect(own.text(`${TOKEN.toUpperCase()} and `.repeat(1_001))).toBe("[redacted]");
  });
});

test("a token that is too short stays in ordinary text, and an empty one removes nothing", () => {
  const own = redactorOf("abc", "", undefined);
  expect(own.text("abc abc")).toBe("abc abc");
});

describe("a token of one to three characters", () => {
  const own = redactorOf("q7z", "k");

  test.each([
    ["got Bearer q7z.", "got Bearer [redacted]."],
    ["got bearer%20q7z", "got bearer%20[redacted]"],
    ['{"Authorization":"Bearer q7z"}', '{"Authorization":"Bearer [redacted]"}'],
    ['{"token": "q7z"}', '{"token": "[redacted]"}'],
    [JSON.stringify(JSON.stringify({ accessToken: "k" })), '"{\\"accessToken\\":\\"[redacted]\\"}"'],
    [`x ${base64("Bearer q7z")} y`, "x [redacted] y"],
  ])("is not shown in %s", (text, clean) => {
    expect(own.text(text)).toBe(clean);
  });

  test("removes no other text", () => {
    for (const text of ["q7z", "a Bearer challenge", '{"kind":"k"}', "Bearer q7zero", "the token k"])
      expect(own.text(text)).toBe(text === "the token k" ? "the token [redacted]" : text);
  });
});

describe("a secret value under a known name", () => {
  const own = new Redactor();
  own.addPublic("application/json");
  own.addNamed("X-Team", 'a"7');
  own.addNamed("X-Key", "a long value");
  own.addNamed("Accept", "application/json");

  test("is hidden under that name, in any casing, in objects and in text", () => {
    expect(own.value({ headers: { "x-team": 'a"7', other: 'a"7' } })).toEqual({
      headers: { "x-team": "[redacted]", other: 'a"7' },
    });
    expect(own.text('{"X-Team" : "a\\"7", "n": 1}')).toBe('{"X-Team" : "[redacted]", "n": 1}');
    expect(own.text('{"Accept":"application/json"}')).toBe('{"Accept":"[redacted]"}');
    const body = JSON.stringify({ text: JSON.stringify({ n: 1, "X-Team": 'a"7' }) });
    expect(own.value({ body })).toEqual({ body: body.replace(String.raw`a\\\"7`, "[redacted]") });
  });

  test("is hidden everywhere if it is long and not public", () => {
    expect(own.text("it is a long value")).toBe("it is [redacted]");
    expect(own.text("application/json")).toBe("application/json");
  });
});

test("the run's own texts in a secret are no parts of it", () => {
  const own = new Redactor();
  own.setOwn(/pc-4f7a9c21-[0-9a-z]{0,4}/);
  own.add("pc-4f7a9c21-00a1Zq7-xk29Lm-pc-4f7a9c21-00", true);
  expect(own.text("pc-4f7a9c21-00b2")).toBe("pc-4f7a9c21-00b2");
  expect(own.text("cut: Zq7-xk29L…")).toBe("cut: [redacted]…");
  expect(own.text("pc-4f7a9c21-00a1Zq7-xk29Lm-pc-4f7a9c21-00")).toBe("[redacted]");
});

test("a secret that looks random is hidden in parts as well, among a thousand others", () => {
  const own = new Redactor();
  const secrets = Array.from({ length: 1_000 }, (_, n) => `whsec${base64(`${n} secret of a webhook ${n}`)}`);
  for (const secret of secrets) own.add(secret, true);
  for (const secret of secrets.slice(500, 510)) {
    const clean = own.text(`begins with ${secret.slice(0, 22)}...`);
    expect(clean).toBe("begins with [redacted]...");
  }
});

describe("a result", () => {
  const own = redactorOf("first-secret", "other-secret");
  const resultWith = (expected: string, actual: string) =>
    own.result({
      ...exampleResult(exampleCheck("lists/LIST-COUNT GET /webhooks")),
      outcome: "fail",
      message: `expected ${expected}, got ${actual} (not tried again)`,
      expected,
      actual,
    });

  test("distinguishes a wrong secret from the expected one, and shows neither", () => {
    const { message, expected, actual } = resultWith('still "first-secret"', '"other-secret"');
    expect(expected).toBe('still "[redacted]"');
    expect(actual).toBe('"[redacted: another value]"');
    expect(message).toBe(`expected ${expected}, got ${actual} (not tried again)`);
  });

  test("shows an expected secret under one placeholder", () => {
    expect(resultWith('name "a" first-secret', 'name "b" first-secret').message).toBe(
      'expected name "a" [redacted], got name "b" [redacted] (not tried again)',
    );
  });
});

describe("headers", () => {
  test("that carry secrets are never shown", () => {
    const shown = new Redactor().hideHeaders({
      authorization: "Bearer anything",
      "proxy-authorization": "x",
      cookie: "a=b",
      "set-cookie": "c=d",
      "x-api-key": "k",
      accept: "application/json",
    });
    expect(shown).toEqual({
      authorization: "[redacted]",
      "proxy-authorization": "[redacted]",
      cookie: "[redacted]",
      "set-cookie": "[redacted]",
      "x-api-key": "[redacted]",
      accept: "application/json",
    });
  });

  test("of the user are hidden with their credentials, and by name even if they are short", () => {
    const own = new Redactor();
    own.addHeader("X-Gateway", `Basic ${base64("gateway:correct horse")}`);
    own.addHeader("X-Stage", "eu");
    expect(own.text("gateway:correct horse; correct horse")).toBe("[redacted]; [redacted]");
    expect(own.text('{"x-stage":"eu","region":"eu"}')).toBe('{"x-stage":"[redacted]","region":"eu"}');
  });

  test("whose value is a public word are hidden by name alone", () => {
    const own = new Redactor();
    own.addPublic(publicText(spec, exampleSettings({})));
    for (const value of ["caph.2025-08-23", "webhook", "one_time"]) {
      own.addHeader("X-Kind", value);
      expect(own.text(`GET /${value}s`)).toBe(`GET /${value}s`);
      expect(own.value({ "x-kind": value, mode: value })).toEqual({ "x-kind": "[redacted]", mode: value });
    }
    own.addHeader("X-Kind", "an own word");
    expect(own.text("got an own word")).toBe("got [redacted]");
  });

  test("name the text that a check put in place of the token", () => {
    const shown = redactor.hideHeaders({ authorization: "Bearer altered" }, "an altered token");
    expect(shown.authorization).toBe("[redacted: an altered token]");
  });

  test("that repeat a secret do not show it", () => {
    expect(redactor.value(redactor.hideHeaders({ "x-echo": `got ${SECRET}` }))["x-echo"]).toBe(
      "got [redacted]",
    );
  });
});

describe("values", () => {
  test("are cleaned at every depth and otherwise unchanged", () => {
    const value = { a: [SECRET, { b: `x${SECRET}` }], n: 1, t: true, z: null, plain: "plain" };
    expect(redactor.value(value)).toEqual({
      a: ["[redacted]", { b: "x[redacted]" }],
      n: 1,
      t: true,
      z: null,
      plain: "plain",
    });
    expect(value.a[0]).toBe(SECRET);
  });

  test("without a secret stay the same object", () => {
    const value = { a: ["nothing"] };
    expect(redactor.value(value)).toBe(value);
    expect(redactor.value(undefined)).toBeUndefined();
  });
});

test("a value is redacted under its name, also if the name is escaped", () => {
  const own = new Redactor();
  own.addNamed("X-Key", "abc");
  const escaped = String.raw`{"\u0058-Key":"abc","other":"abc"}`;
  expect(own.text('{"X-Key":"abc","other":"abc"}')).toBe('{"X-Key":"[redacted]","other":"abc"}');
  expect(own.text(escaped)).toBe(escaped.replace('"abc"', '"[redacted]"'));
});
