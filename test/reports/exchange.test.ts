import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyText, decisiveExchange, exchangeText, viewBody } from "../../reports/exchange.ts";
import { curlCommand, reproduction } from "../../reports/formats/curl.ts";
import type { Exchange } from "../../reports/report.ts";
import { cut, visible, visibleBlock, withoutCommands } from "../../reports/text.ts";
import { exchange, HOSTILE } from "./example.ts";

const bytes = fc.string({ unit: "binary" });

describe("a body prepared for display", () => {
  it("marks the part at a JSON pointer, spelled as it was sent", () => {
    const view = viewBody('{"a":[1,{"b/c":1e1,"b/c~":"x"}]}', "/a/1/b~1c", 1000);
    expect(view.marked).toBe("1e1");
    expect(view.indented).toBe(true);
    expect(viewBody('{"a":[1,{"b/c~":"x"}]}', "/a/1/b~1c~0", 1000).marked).toBe('"x"');
  });

  it("adds only white space", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const view = viewBody(text, undefined, 1_000_000);
        const shown = view.before + view.marked + view.after;
        expect(shown.replace(/\s/g, "")).toBe(visibleBlock(text).replace(/\s/g, ""));
      }),
    );
  });

  it("says so if nothing is at the place at fault", () => {
    const view = viewBody('{"result":{}}', "/result/id", 1000);
    expect(view.absent).toBe("/result/id");
    expect(view.marked).toBe("");
  });

  it("distinguishes a missing part from one that was cut off", () => {
    const view = viewBody('{"result":[{"id":"a"},{"id"', "/pagination/count", 1000, true);
    expect(view).toMatchObject({ notKept: "/pagination/count", marked: "" });
    expect(view.absent).toBeUndefined();
  });

  it("keeps the part at fault visible when it cuts, and counts what it left out", () => {
    const items = Array.from({ length: 2000 }, (_, id) => ({ id, name: `item ${id}` }));
    const view = viewBody(JSON.stringify({ items }), "/items/1500/name", 400);
    expect(view.marked).toBe('"item 1500"');
    expect(view.before.length + view.marked.length + view.after.length).toBeLessThanOrEqual(400);
    expect(view.cutBefore).toBeGreaterThan(0);
    expect(view.cutAfter).toBeGreaterThan(0);
  });

  it("shows text that was cut off, and marks the remaining part", () => {
    expect(viewBody('{"a":{"b":3,"c":[', "/a/b", 1000, true).marked).toBe("3");
  });

  it("shows a body unchanged if it is no JSON, or nested too deep to indent", () => {
    expect(bodyText("{not json}", undefined, 100)).toBe("{not json}");
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(bodyText(deep, "/0/0", 1000)).toContain("[[[[");
  });

  it("never shows more than the limit, for any text and pointer", () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(50), (text, pointer, max) => {
        const view = viewBody(text, `/${pointer}`, max);
        expect(view.cutBefore + view.cutAfter).toBeLessThanOrEqual(text.length);
        expect(view.before + view.marked + view.after).toBe(
          visibleBlock(text.slice(view.cutBefore, text.length - view.cutAfter)),
        );
      }),
    );
  });
});

describe("visible text", () => {
  it("holds no control, format or ill-formed character", () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const shown = visible(text + HOSTILE);
        expect(shown).not.toMatch(/\p{Cc}|[\u2028-\u202e\u2066-\u2069\ufeff]/u);
        expect(shown).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  it("keeps ordinary text of any script", () => {
    const text = "Kwabena’s savings — ₵5, עברית, हिन्दी, 👩‍👧, e\u0301";
    expect(visible(text)).toBe(text);
  });

  it("cuts without splitting a character", () => {
    expect(cut("😀😀😀", 3)).toBe("😀… (4 more characters)");
    expect(cut("abc", 3)).toBe("abc");
  });
});

describe("an exchange", () => {
  it("is shown around the part at fault", () => {
    const [first, second] = [exchange({ offending: "status" }), exchange()];
    expect(decisiveExchange({ evidence: [first, second] })).toBe(first);
    expect(decisiveExchange({ evidence: [second] })).toBe(second);
    expect(decisiveExchange({ evidence: [] })).toBeUndefined();
  });

  it("shows request, answer, and the part at fault", () => {
    const text = exchangeText(exchange({ offending: "/pagination/count" }), 1000);
    expect(text).toMatch(/^GET https:.*\n(?:[\w-]+: .*\n)*→ 200 in 12 ms\n\{/);
    expect(text).toContain("At fault: /pagination/count");
    const { response: _, ...unanswered } = exchange({ fault: "connection closed" });
    expect(exchangeText(unanswered, 1000)).toContain("no answer after 12 ms: connection closed");
  });

  it("shows the headers of the call, and those of the answer if one is at fault", () => {
    const response = { status: 200, headers: { "content-type": "text/html", date: "now" }, body: "{}" };
    const sent = exchange({ response });
    sent.request.headers = { "user-agent": "x", "service-space-id": "spc-1" };
    expect(exchangeText(sent, 1000)).toContain("service-space-id: spc-1");
    expect(exchangeText(sent, 1000)).not.toMatch(/user-agent|content-type/);
    const faulty = exchangeText({ ...sent, offending: "header:content-type" }, 1000);
    expect(faulty).toContain("content-type: text/html");
    expect(faulty).not.toContain("date: now");
    expect(exchangeText({ ...sent, offending: "header:x-trace" }, 1000)).toContain("(no x-trace header)");
  });
});

describe("the shell command of a request", () => {
  /** The arguments that a shell would pass to curl. */
  function words(command: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }; ${command}`;
    const env = { ...process.env, PAYMENTS_CONFORMANCE_TOKEN: "secret" };
    return execFileSync("bash", ["-c", script], { env }).toString().split("\0").slice(0, -1);
  }

  it("sends the same request again, with the token from the environment", () => {
    const body = `{"name":"it's \\\\ $HOME \`id\` !x\\n","n":"a\tb\nc"}`;
    const request = {
      method: "POST",
      url: "https://x.test/a?b=c&d='e'",
      headers: { authorization: "[redacted]", "user-agent": "x" },
      body,
    };
    const shell = words(curlCommand(request));
    expect(shell).toContain("https://x.test/a?b=c&d='e'");
    expect(shell).toContain("Authorization: Bearer secret");
    expect(shell.at(-1)).toBe(body);
    expect(shell).not.toContain("user-agent: x");
  });

  it("sends no token if the request had another one", () => {
    const headers = { authorization: "Basic nobody" };
    const shell = words(curlCommand({ method: "GET", url: "https://x.test/", headers, body: null }));
    expect(shell).toContain("authorization: Basic nobody");
    expect(shell.join()).not.toContain("secret");
  });

  it("runs nothing that a service sent", () => {
    const text = HOSTILE.replaceAll("\u0000", "");
    const shell = words(curlCommand({ method: text, url: text, headers: { [text]: text }, body: text }));
    expect(shell.filter((word) => word.includes("$(rm -rf /)"))).toHaveLength(4);
  });

  it("reads the resource that it has created, though a part of that has an id, too", () => {
    const step = (method: string, path: string, body: string | null, answer: string): Exchange => ({
      request: { method, url: `https://x.test${path}`, headers: {}, body },
      response: { status: 200, headers: {}, body: answer },
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 1,
    });
    const created = (id: string) => `{\n  "result": {"name":"a", "id": "${id}", "owner":{"id":"owner"}}\n}`;
    const evidence = [
      step("POST", "/w", '{"name":"pc-1a2b3c4d-1"}', created("old-1")),
      step("GET", "/w/old-1", null, "{}"),
    ];
    const script = `curl() { echo "$*" >&2; cat <<'END'\n${created("new-1")}\nEND\n}; (${reproduction({ evidence })}) 2>&1`;
    const output = execFileSync("bash", ["-c", script]).toString();
    expect(output).toContain("https://x.test/w/new-1");
  });
});

it.each(["::error::x", "  ::set-output", "##[error]x", "a ##vso[task.x]", "##VSO[task.x]", "##teamcity[x"])(
  "CI servers see no command in %s",
  (text) => {
    expect(withoutCommands(text)).not.toMatch(/^\s*::|##(vso|teamcity)?\[/i);
  },
);
