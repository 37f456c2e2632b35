import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../client/sending/secrets.ts";

const SECRET = 'tök "en"/with+odd=chars';

function redactorOf(...secrets: (string | undefined)[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const redactor = redactorOf(SECRET);
const base64 = (text: string, form: "base64" | "base64url" = "base64") =>
  Buffer.from(text, "utf8").toString(form);

describe("a secret is taken out however it is written", () => {
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

  test("whatever it is", () => {
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

  test("the longer of two that begin alike goes whole", () => {
    const both = redactorOf("secret", "secret-and-more");
    expect(both.text("secret-and-more, secret.")).toBe("[redacted], [redacted].");
  });
});

test("text that only looks like it stays", () => {
  const own = redactorOf("token-12345");
  for (const text of ["token-1234", "TOKEN-12345", "oken-12345", ""]) expect(own.text(text)).toBe(text);
});

test("what is too short to be a secret is none, and nothing is nothing", () => {
  const own = redactorOf("abc", "", undefined);
  expect(own.text("abc abc")).toBe("abc abc");
});

describe("headers", () => {
  test("that carry secrets are never shown", () => {
    const shown = new Redactor().headers({
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

  test("say what stood in the place of the token, where a check put something there", () => {
    const shown = redactor.headers({ authorization: "Bearer altered" }, "an altered token");
    expect(shown.authorization).toBe("[redacted: an altered token]");
  });

  test("that echo a secret show it no more", () => {
    expect(redactor.headers({ "x-echo": `got ${SECRET}` })["x-echo"]).toBe("got [redacted]");
  });
});

describe("values", () => {
  test("are cleaned at every depth, and are otherwise the same", () => {
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

  test("without a secret are the same object", () => {
    const value = { a: ["nothing"] };
    expect(redactor.value(value)).toBe(value);
    expect(redactor.value(undefined)).toBeUndefined();
  });
});
