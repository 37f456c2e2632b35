import { expect, test } from "vitest";
import { Redactor } from "../../client/sending/secrets.ts";
import { bodyOf } from "../../history/body.ts";
import type { Entry } from "../../history/entry.ts";
import { keyedMask } from "../../reports/keyed-mask.ts";
import { RedactedEntries } from "../../runner/redacted-entries.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { spec } from "../spec/package-spec.ts";

const TOKEN = "tok-4f9a8b7c6d5e";
const SECRET = "k3Jq8Zr1Lm0Pw5XyQ7";

function redactor(): Redactor {
  const known = new Redactor();
  known.add(TOKEN, true);
  known.add(SECRET, true);
  known.addNamed("X-Own", "short");
  return known;
}

const redacted = new RedactedEntries(redactor(), keyedMask(Buffer.from("key")), "ab12cd34");

function entry(change: { request?: Partial<Entry["request"]>; body?: string } = {}): Entry {
  const [plain] = new HistoryBuilder(spec).creates("w1", { name: "a" }).entries;
  if (!plain) throw new Error("an entry was built");
  const { request, body = "{}" } = change;
  return {
    ...plain,
    request: { ...plain.request, ...request },
    response: { status: 200, headers: [], body: bodyOf(body) },
  };
}

function clean(whole: Entry, by = redacted): Entry {
  const [only] = by.entries([whole]);
  if (!only) throw new Error("an entry was redacted");
  return only;
}

const answered = (body: string) => {
  const { response } = clean(entry({ body }));
  return "status" in response ? response.body : bodyOf("");
};

test("a secret has one pseudonym in requests and answers, with any escaping", () => {
  const sent = clean(entry({ request: { body: bodyOf(`{"secret":"${SECRET}","x":1.0}`) } }));
  const escaped = answered(`{ "result": "\\u006b${SECRET.slice(1)}" }`);
  const pseudonym = Object(sent.request.body?.json()).secret;
  expect(pseudonym).toMatch(/^secret\dx{11}$/);
  expect(escaped.json()).toEqual({ result: pseudonym });
  // The rest of the body keeps its spelling: `1.0` does not become `1`.
  expect(sent.request.body?.text).toBe(`{"secret":"${pseudonym}","x":1.0}`);
});

test("the scheme of a credential stays, and the token becomes a pseudonym in headers, addresses and broken JSON", () => {
  const { request } = clean(
    entry({
      request: {
        url: `http://service/webhooks/${TOKEN}?q=a%20b&token=${TOKEN}`,
        query: [["token", TOKEN]],
        headers: [
          ["authorization", `bearer ${TOKEN}`],
          ["cookie", "session=abcdefghij"],
          ["x-own", "short"],
          ["accept", "*/*"],
        ],
        body: bodyOf(`{"token":"${TOKEN}`),
      },
    }),
  );
  const [[, token = ""] = []] = request.query;
  expect(token).toMatch(/^xxx-secret\dx+$/);
  expect(request.url).toBe(`http://service/webhooks/${token}?q=a%20b&token=${token}`);
  expect(Object.fromEntries(request.headers)).toEqual({
    authorization: `bearer ${token}`,
    cookie: expect.not.stringContaining("abcdefghij"),
    "x-own": expect.not.stringContaining("short"),
    accept: "*/*",
  });
  expect(request.body?.text).toBe(`{"token":"${token}`);
  expect(clean(entry({ request: { headers: [["authorization", "Bearer "]] } })).request.headers).toEqual([
    ["authorization", "Bearer "],
  ]);
});

test("people have the same mask in requests and answers; people that the run made up are not masked", () => {
  const { request } = clean(
    entry({
      request: {
        url: "http://service/x?phone=%2B237612345678",
        query: [["phone", "+237612345678"]],
        body: bodyOf('{"alertEmails":["Ngozi@acme.cm"],"first_name":"pc-ab12cd34-0001"}'),
      },
    }),
  );
  const shown = answered('{"note":"write to Ngozi@acme.cm","phone":"+237612345678","first_name":"Ngozi"}');
  const sent = Object(request.body?.json());
  expect(sent.first_name).toBe("pc-ab12cd34-0001");
  expect(shown.text).not.toMatch(/Ngozi|acme|2376/);
  expect(shown.json()).toMatchObject({
    note: `write to ${sent.alertEmails[0]}`,
    phone: request.query[0]?.[1],
  });
  expect(decodeURIComponent(request.url)).toBe(`http://service/x?phone=${request.query[0]?.[1]}`);
});

test("without a mask people are shown, and an entry without secrets stays the same", () => {
  const plain = new RedactedEntries(redactor(), undefined, null);
  const whole = entry({ body: '{"phone":"+237612345678"}' });
  expect(clean(whole, plain)).toEqual(whole);
  expect(redacted.head(HEAD)).toEqual(HEAD);
});

test("a body that was seen before is redacted again once more secrets are known", () => {
  const learning = redactor();
  const later = new RedactedEntries(learning, undefined, null);
  const whole = entry({ body: '{"result":"hk-99887766554433"}' });
  expect(clean(whole, later)).toEqual(whole);
  learning.add("hk-99887766554433", true);
  expect(JSON.stringify(clean(whole, later).response)).not.toContain("hk-99887766554433");
});

test("a body stays JSON if it lists the bytes of a secret", () => {
  const shown = answered(
    JSON.stringify({ data: [...Buffer.from(SECRET)], amounts: [1, 2, 3, 4, 5, 6, 7, 8] }),
  );
  const { data, amounts } = Object(shown.json());
  expect(data).toEqual([...SECRET].map(() => 0));
  expect(amounts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
