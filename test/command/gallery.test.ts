/** Targets that can't be judged: the command exits with 3 and prints a sentence that says why. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startReference } from "../../reference/index.ts";
import { validateReport } from "../../reports/validate.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, passOn, withServer } from "./targets.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startReference({});
});
afterAll(() => service.close());

const JSON_TYPE = { "content-type": "application/json" };
const HTML = { "content-type": "text/html" };
const always =
  (status: number, headers: Record<string, string>, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Passes each request on to the reference service unless `answer` answers it, and so returns true. */
const unlessAnswered =
  (answer: (request: IncomingMessage, response: ServerResponse) => boolean): RequestListener =>
  (request, response) => {
    if (!answer(request, response)) passOn(service.baseUrl, request, response);
  };

/**
 * The reference service under other paths. `to` returns the service's own path for a requested one. If it returns
 * undefined, the answer is 404.
 */
const behind = (to: (path: string) => string | undefined) =>
  unlessAnswered((request, response) => {
    const path = to(request.url ?? "");
    if (path !== undefined) {
      request.url = path;
      return false;
    }
    response.writeHead(404, JSON_TYPE).end('{"message":"no Route matched with those values"}');
    return true;
  });

interface Exhibit {
  listener?: RequestListener;
  baseUrl?: (at: string) => string;
  flags?: (target: RunningService) => string[];
  sentence: RegExp;
}

const GALLERY: Record<string, Exhibit> = {
  "nobody listens": { baseUrl: () => "http://127.0.0.1:1", sentence: /ECONNREFUSED.*Nobody listens there/ },
  "a host that is not known": {
    baseUrl: () => "http://no-such-host.invalid",
    sentence: /is the host of --base-url spelled right\?/,
  },
  "it never answers": {
    listener: () => undefined,
    flags: () => ["--timeout", "300"],
    sentence: /takes longer than 300 ms.*--timeout/,
  },
  "every path is unknown": {
    listener: always(404, JSON_TYPE, '{"message":"nothing here"}'),
    sentence:
      /none of the paths exists.*The service says: "nothing here".*Nor is it at http:\S+\/v1\/countries and \d+ other addresses.*Is --base-url right/,
  },
  "a prefix too much": {
    listener: behind((path) => (path.startsWith("/api/") ? undefined : path)),
    baseUrl: (at) => `${at}/api`,
    sentence:
      /no Route matched.*http:\/\/[^/]+\/countries is answered 401, and a path that was made up beside it 404.*Run with --base-url http:\/\/127\.0\.0\.1:\d+\.$/m,
  },
  "a prefix too little": {
    listener: behind((path) => (path.startsWith("/api/") ? path.slice(4) : undefined)),
    sentence: /\/api\/countries is answered 401.*Run with --base-url http:\S+\/api\./,
  },
  "all paths begin with the version": {
    listener: behind((path) => (path.startsWith("/v1/") ? path : undefined)),
    sentence: /Run with --paths v1/,
  },
  "the version is part of the base URL": {
    listener: behind((path) => (path.startsWith("/v1/v1/") ? undefined : path)),
    baseUrl: (at) => `${at}/v1`,
    sentence: /only a part of the paths exists.*Run with --base-url http:\/\/127\.0\.0\.1:\d+\./,
  },
  "every path is refused without a token": {
    listener: (request, response) => {
      response.writeHead(request.headers.authorization === undefined ? 401 : 404, JSON_TYPE).end("{}");
    },
    baseUrl: (at) => `${at}/wrong`,
    sentence:
      /is answered 401, and so is a made-up path: it is unclear which paths exist\. Is --base-url right/,
  },
  "a redirect to a login page": {
    listener: always(302, { location: "https://id.example.test/login?next=/" }, ""),
    sentence: /redirects every call to https:\/\/id\.example\.test\/login, which looks like a login page/,
  },
  "HTML everywhere": {
    listener: always(200, HTML, "<!doctype html><title>Sign in to Acme</title>"),
    sentence: /answers with web pages, not with JSON.*"Sign in to Acme"/,
  },
  "503 everywhere": {
    listener: always(503, { ...HTML, "retry-after": "0" }, "<title>Down for maintenance</title>"),
    sentence: /is not available.*"Down for maintenance"/,
  },
  "502 of a gateway": {
    listener: always(502, HTML, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
    sentence: /is not available.*"502 Bad Gateway"/,
  },
  "429 everywhere": {
    listener: always(429, { "retry-after": "0" }, ""),
    sentence: /keeps answering 429.*--rate/,
  },
  "a token that is refused": {
    flags: (target) => flagsFor({ ...target, token: "canary-token-0001" }),
    sentence: /refuses the token: .*The service says: ".+".*PAYMENTS_CONFORMANCE_TOKEN/,
  },
  "a wrong space": {
    flags: (target) => flagsFor({ ...target, space: "spc-nowhere" }),
    sentence: /refuses the space spc-nowhere: .*The service says: ".+".*--space/,
  },
  "a second space that the token does not open": {
    listener: unlessAnswered((request, response) => {
      if (request.headers["service-space-id"] !== "spc-second") return false;
      response.writeHead(403, JSON_TYPE).end('{"messages":["not your space"]}');
      return true;
    }),
    flags: () => ["--second-space", "spc-second"],
    sentence: /the token does not open the second space spc-second: .*"not your space".*--second-token/,
  },
  "a stale fixture": {
    flags: () => ["--fixture", "payout=pay-gone", "--fixture", "mutablePaymentCode=code-gone"],
    sentence:
      /fixture mutablePaymentCode=code-gone does not exist.*fixture payout=pay-gone does not exist.*--fixture payout=ID/,
  },
  "a clock far off": {
    listener: unlessAnswered((request, response) => {
      const writeHead = response.writeHead.bind(response) as (
        status: number,
        headers: object,
      ) => ServerResponse;
      const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
      response.writeHead = ((status: number, headers: object) =>
        writeHead(status, { ...headers, date })) as typeof response.writeHead;
      return request.url === undefined;
    }),
    sentence: /the clocks differ: .* ahead of this machine/,
  },
  "TLS where there is none": {
    listener: always(200, JSON_TYPE, "{}"),
    baseUrl: (at) => at.replace("http:", "https:"),
    sentence: /does not speak TLS.*Begin --base-url with http:\/\//,
  },
};

/** Runs the command against an address. Expects exit code 3, and the sentence in output and report. */
async function expectNotJudged(baseUrl: string, { flags = () => [], sentence }: Exhibit): Promise<void> {
  await inFolder(async (cwd) => {
    const target = { ...service, baseUrl };
    const own = flags(target);
    const args = own.includes("--token")
      ? own.map((word, index) => (own[index - 1] === "--base-url" ? baseUrl : word))
      : [...flagsFor(target), ...own];
    const { code, stdout } = await command(["run", ...args, "--reporter", "plain"], { cwd });
    const last = stdout.split("\n").find((line) => line.startsWith("INCONCLUSIVE")) ?? stdout;
    expect(last).toMatch(sentence);
    expect(code).toBe(3);
    const report = reportIn(cwd);
    expect(validateReport(report)).toMatchObject({ valid: true });
    expect(report.problem).toMatch(sentence);
    expect(report.checks.every(({ outcome }) => outcome === "skip")).toBe(true);
  });
}

describe("a target that is not judged", { timeout: 60_000 }, () => {
  test.each(Object.entries(GALLERY))("%s", async (_, exhibit) => {
    const { listener, baseUrl = (at) => at } = exhibit;
    if (listener === undefined) await expectNotJudged(baseUrl(service.baseUrl), exhibit);
    else await withServer(listener, (at) => expectNotJudged(baseUrl(at), exhibit));
  });

  test("the server speaks TLS", async () => {
    const certificates = new URL("../client/sending/certificates/", import.meta.url);
    const [key, cert] = ["server-key.pem", "server.pem"].map((name) =>
      readFileSync(new URL(name, certificates)),
    );
    const server = createTlsServer({ key, cert } as object, always(200, JSON_TYPE, "{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await expectNotJudged(`http://127.0.0.1:${port}`, {
        sentence: /speaks TLS.*Begin --base-url with https:\/\//,
      });
      await expectNotJudged(`https://127.0.0.1:${port}`, {
        sentence: /certificate is not trusted here.*--ca FILE/,
      });
    } finally {
      server.close();
    }
  });

  test("the server does not speak HTTP", async () => {
    const server = createSocketServer((socket) => socket.end("+OK POP3 ready\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await expectNotJudged(`http://127.0.0.1:${port}`, {
        sentence: /not HTTP.*Something else listens there/,
      });
    } finally {
      server.close();
    }
  });

  test("doctor prints the same sentence, and what more could be tested", async () => {
    await inFolder(async (cwd) => {
      const wrong = flagsFor({ ...service, space: "spc-nowhere" });
      const bad = await command(["doctor", ...wrong], { cwd });
      expect(bad.stdout).toMatch(/^BAD {2}the service refuses the space spc-nowhere/);
      expect(bad.code).toBe(3);
      const good = await command(["doctor", ...flagsFor(service)], { cwd });
      expect(good.stdout).toMatch(/^ok {3}http/);
      expect(good.stdout).toMatch(/^more --fixture payout=ID: up to \d+ checks, GET \/payouts\/\{id\}$/m);
      expect(good.code).toBe(0);
    });
  });

  test("a service that turns into a maintenance page gives one reason, and no list of failures", async () => {
    let asked = 0;
    const page = always(200, HTML, "<!doctype html><title>Back at noon</title>");
    await withServer(
      (request, response) =>
        ++asked > 40 ? page(request, response) : passOn(service.baseUrl, request, response),
      (baseUrl) =>
        inFolder(async (cwd) => {
          const args = ["run", ...flagsFor({ ...service, baseUrl }), "--only", "responses"];
          const { code, stdout } = await command(args, { cwd });
          expect(stdout).toMatch(
            /The run ended early: something else answers in place of the service.*"Back at noon"/,
          );
          expect(reportIn(cwd).summary.fail).toBe(0);
          expect(code).toBe(3);
        }),
    );
  });
});
