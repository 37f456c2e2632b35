import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { traitsOf } from "../../history/traits/traits.ts";
import type { JsonObject } from "../../spec/json.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "./builder.ts";

const made = { name: "a", url: "https://a.example/x", events: ["one"] };
const url = "https://a.example/y";
const history = () => new HistoryBuilder(spec);
/** Adds a create that the service rejects. */
function refused(
  past: HistoryBuilder,
  sent: JsonObject,
  status = 409,
  headers: [string, string][] = [],
): HistoryBuilder {
  const key = `k${past.entries.length}`;
  return past.answers("POST /webhooks", { error: "rejected" }, { status, key, sent, headers });
}

/** Adds a list whose only page has these items. */
function listed(past: HistoryBuilder, key: string, items: JsonObject[]): HistoryBuilder {
  const pagination = { count: items.length, next: null };
  return past.answers(key, { success: true, messages: [], result: items, pagination });
}

function traits({ entries }: HistoryBuilder) {
  return traitsOf(new History(spec, { ...HEAD, fixtures: { eventNames: "one" } }, entries));
}

const two = () =>
  history()
    .creates("w1", made, { key: "a" })
    .creates("w2", { ...made, name: "b" }, { key: "b" });

test("a service without unusual behaviour has no traits", () => {
  const past = two()
    .updates("w1", { url }, { ...made, url })
    .reads("w1", { ...made, url })
    .reads("w1", { ...made, url });
  expect(traits(past)).toEqual([]);
});

describe("a quota", () => {
  test("is shown if creates like accepted ones are rejected to the end", () => {
    const past = refused(refused(two(), { ...made, name: "c" }), { ...made, name: "d" });
    expect(traits(past)).toEqual([
      {
        trait: "quota",
        subject: "POST /webhooks",
        statement:
          "POST /webhooks accepted 2 new resources in a space and rejected the 2 valid requests after them.",
        evidence: [
          { entry: 1, method: "POST", path: "/webhooks", status: 200 },
          { entry: 2, method: "POST", path: "/webhooks", status: 409 },
          { entry: 3, method: "POST", path: "/webhooks", status: 409 },
        ],
      },
    ]);
  });

  test("is shown although a create with a known key is answered as before", () => {
    const past = refused(refused(two(), { ...made, name: "c" }), { ...made, name: "d" });
    expect(traits(past.creates("w1", made, { key: "a" }))).toMatchObject([{ trait: "quota" }]);
  });

  test("is not shown by one rejection, or if a create is accepted later", () => {
    expect(traits(refused(two(), { ...made, name: "c" }))).toEqual([]);
    const past = refused(refused(two(), { ...made, name: "c" }), { ...made, name: "d" });
    expect(traits(past.creates("w3", { ...made, name: "e" }, { key: "e" }))).toEqual([]);
  });

  test("is not shown by creates that are not like an accepted one, or are faulty", () => {
    const other = { ...made, alertEmails: ["a@a.example"] };
    expect(traits(refused(refused(two(), other), other))).toEqual([]);
    expect(traits(refused(refused(two(), { name: 7 }), { name: 8 }))).toEqual([]);
  });
});

describe("resources of other parents and actions done before", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const space = "33333333-3333-4333-8333-333333333333";
  const traitsThere = ({ entries }: HistoryBuilder) =>
    traitsOf(new History(theatre, { ...HEAD, spaces: [space] }, entries)).map(({ trait }) => trait);
  const slot = "N01:abc";
  const [a, b] = ["1", "2"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);

  const made = () => {
    const past = new HistoryBuilder(theatre);
    for (const id of [a, b])
      past.answers(
        "POST /stage/plays",
        { result: { id, title: "a" } },
        { sent: { title: "a" }, key: `${id}`, space },
      );
    return past;
  };

  test("a list of one parent is not late because it lacks a resource of another", () => {
    const nights = (play: string | undefined, result: JsonObject[]) => (past: HistoryBuilder) =>
      past
        .waits(1)
        .answers(
          "GET /stage/plays/{play}/nights",
          { result, pagination: { count: result.length, next: null } },
          { path: play ?? "", space },
        );
    const withListOf = (play: string | undefined) => {
      const past = made().answers(
        "POST /stage/plays/{play}/nights",
        { result: { slot } },
        { path: a ?? "", sent: {}, key: "k-1", space },
      );
      nights(play, [])(past);
      return traitsThere(nights(a, [{ slot }])(past));
    };
    expect(withListOf(a)).toEqual(["late-reads"]);
    expect(withListOf(b)).toEqual([]);
  });

  test("a rejected repetition of an action shows no quota", () => {
    const past = made();
    for (const status of [200, 409])
      for (const id of [a, b])
        past.answers(
          "POST /stage/plays/{play}/close",
          { result: { id } },
          { sent: { closedOn: "2026-01-01" }, space, path: id ?? "", status },
        );
    expect(traitsThere(past)).toEqual([]);
  });
});

describe("a quota of active resources", () => {
  const on = { ...made, isActive: true };
  const off = { ...made, isActive: false };

  test("is shown if only writes that switch something on are rejected", () => {
    const past = refused(history().creates("w1", on, { key: "a" }), { ...on, name: "b" }, 403);
    past.creates("w2", { ...off, name: "c" }, { key: "c" });
    expect(traits(past)).toEqual([]);
    expect(traits(past.rejects("w2", { url, isActive: true }))).toMatchObject([
      {
        trait: "quota-of-active",
        subject: "POST /webhooks",
        evidence: [{ entry: 0 }, { entry: 1 }, { entry: 2 }],
      },
    ]);
  });

  test("is not shown by a quota of updates", () => {
    const past = history().creates("w1", on, { key: "a" }).updates("w1", { url, isActive: true });
    past.rejects("w1", { url, isActive: true }).rejects("w1", { url, isActive: true });
    past.creates("w2", { ...off, name: "c" }, { key: "c" });
    expect(traits(past)).toMatchObject([{ trait: "quota", subject: "PATCH /webhooks/{id}" }]);
  });

  test("is not shown if one is accepted between the rejections", () => {
    const past = refused(history().creates("w1", on, { key: "a" }), { ...on, name: "b" }, 403);
    past.creates("w2", { ...off, name: "c" }, { key: "c" });
    past.creates("w3", { ...on, name: "d" }, { key: "d" });
    expect(traits(past.rejects("w2", { url, isActive: true }))).toEqual([]);
  });
});

describe("a token that may only read", () => {
  const status = 403;
  const forbidden = () => refused(history().reads("w1", made), { ...made, name: "c" }, status);

  test("is shown if all valid writes to several operations are answered 403", () => {
    expect(traits(forbidden().rejects("w1", { url }, { status }))).toMatchObject([
      { trait: "read-only-token", evidence: [{ entry: 1 }, { entry: 2 }] },
    ]);
  });

  test("is not shown by one operation, by another status, or if one is accepted", () => {
    expect(traits(refused(forbidden(), { ...made, name: "d" }, status))).toEqual([]);
    expect(traits(forbidden().rejects("w1", { url }))).toEqual([]);
    const rejected = forbidden().rejects("w1", { url }, { status });
    expect(traits(rejected.updates("w1", { url }, { ...made, url }))).toEqual([]);
  });

  test("is not shown if reads are rejected, too", () => {
    const past = refused(history(), { ...made, name: "c" }, status).rejects("w1", { url }, { status });
    expect(traits(past)).toEqual([]);
  });
});

describe("late reads", () => {
  test("are shown by an older value if a later read shows the new one", () => {
    const past = historyOfCodes(spec)
      .updates("c1", { name: "a" }, { name: "a" })
      .reads("c1", { name: "a" })
      .updates("c1", { name: "b" }, { name: "b" })
      .reads("c1", { name: "a" });
    expect(traits(past)).toEqual([]);
    expect(traits(past.reads("c1", { name: "b" }))).toEqual([
      {
        trait: "late-reads",
        subject: "GET /payment-codes/{id}",
        statement:
          "GET /payment-codes/{id} shows writes late: 1 answer did not show one that later answers showed, up to 9 ms after it.",
        evidence: [
          { entry: 2, method: "PATCH", path: "/payment-codes/{id}", status: 200 },
          { entry: 3, method: "GET", path: "/payment-codes/{id}", status: 200 },
        ],
      },
    ]);
  });

  test("are shown by a list that lacks a new resource and has it later", () => {
    const past = listed(two(), "GET /webhooks", [{ ...made, id: "w1" }]);
    expect(traits(past)).toEqual([]);
    listed(past, "GET /webhooks", [
      { ...made, id: "w1" },
      { ...made, id: "w2", name: "b" },
    ]);
    expect(traits(past)).toMatchObject([
      { trait: "late-reads", subject: "GET /webhooks", evidence: [{ entry: 1 }, { entry: 2 }] },
    ]);
  });
});

test("a rate limit is shown by a 429", () => {
  expect(traits(refused(history(), made, 429).creates("w1", made))).toMatchObject([
    {
      trait: "rate-limit",
      statement: "The service limits requests: it answered 1 of 2 with 429.",
      evidence: [{ entry: 0, status: 429 }],
    },
  ]);
});

test("a rate limit is shown by a 403 with Retry-After", () => {
  const past = refused(history(), made, 403, [["retry-after", "1"]]).creates("w1", made);
  expect(traits(past)).toMatchObject([
    {
      trait: "rate-limit",
      statement: "The service limits requests: it answered 1 of 2 with 429, or with 403 and Retry-After.",
    },
  ]);
});

describe("a brief rejection", () => {
  test("is shown if the same request is accepted later", () => {
    const past = two().rejects("w1", { url }, { status: 423 });
    expect(traits(past)).toEqual([]);
    expect(traits(past.updates("w1", { url }))).toMatchObject([
      {
        trait: "brief-rejection",
        subject: "PATCH /webhooks/{id}",
        evidence: [
          { entry: 2, status: 423 },
          { entry: 3, status: 200 },
        ],
      },
    ]);
  });

  test("is not shown by a status without an excuse, or if another request is accepted later", () => {
    expect(traits(two().rejects("w1", { url }).updates("w1", { url }))).toEqual([]);
    const past = two().rejects("w1", { url }, { status: 423 });
    expect(traits(past.updates("w1", { url, name: "c" }))).toEqual([]);
  });
});

describe("declined values", () => {
  const long = { ...made, metadata: { note: "x".repeat(300) } };

  test("are shown by a rejection of one unusual field, if a plain request is accepted later", () => {
    const past = refused(two(), long, 422);
    expect(traits(past)).toEqual([]);
    expect(traits(past.creates("w3", made, { key: "c" }))).toMatchObject([
      {
        trait: "declined-values",
        subject: "metadata in POST /webhooks",
        evidence: [{ entry: 2, status: 422 }],
      },
    ]);
  });

  test("are not shown if another unusual field or a switch may be the reason", () => {
    const past = refused(two(), { ...long, name: " blank " }, 422);
    expect(traits(refused(past, { ...long, isActive: true }, 422).creates("w3", made, { key: "c" }))).toEqual(
      [],
    );
  });
});

describe("changes without a write", () => {
  const bank = { id: "b1", code: "one", name: "One", status: { active: true } };
  const closed = { ...bank, status: { active: false } };

  test("show a volatile field", () => {
    const past = listed(listed(history(), "GET /banks", [bank]), "GET /banks", [closed]);
    expect(traits(past)).toMatchObject([
      {
        trait: "volatile-field",
        subject: "status in GET /banks",
        evidence: [{ entry: 0 }, { entry: 1 }],
      },
    ]);
  });

  test("show no trait if a time is only spelled in another way", () => {
    const early = { ...bank, createTime: "2026-01-01T00:00:00Z" };
    const spelled = { ...bank, createTime: "2026-01-01T01:00:00.000+01:00" };
    expect(traits(listed(listed(history(), "GET /banks", [early]), "GET /banks", [spelled]))).toEqual([]);
  });

  test("show a moving list", () => {
    const past = listed(listed(history(), "GET /banks", [bank]), "GET /banks", [{ ...bank, id: "b2" }]);
    expect(traits(past)).toMatchObject([{ trait: "moving-list", subject: "GET /banks" }]);
  });

  test("show no trait if a write was running between the reads", () => {
    const past = listed(history(), "GET /banks", [bank]).creates("w1", made);
    expect(traits(listed(past, "GET /banks", [closed]))).toEqual([]);
  });

  test("show no trait for resources that the run wrote to, because reads of these may be late", () => {
    const past = history().creates("w1", made).updates("w1", { url });
    past.reads("w1", { ...made, apiVersion: "old" }).reads("w1", { ...made, apiVersion: "new" });
    listed(listed(past, "GET /webhooks", [{ ...made, id: "w1" }]), "GET /webhooks", [{ ...made, id: "w9" }]);
    expect(traits(past).filter(({ trait }) => trait === "volatile-field" || trait === "moving-list")).toEqual(
      [],
    );
  });
});
