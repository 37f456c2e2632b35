import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import type { RuleResult } from "../../history/result.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { acceptedAgain } from "../../suites/accepted-again.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "../history/builder.ts";
import { documentCopy, spec, specOf } from "../spec/package-spec.ts";
import { listOf, samples } from "../spec/samples.ts";

const HOOKS = "GET /webhooks";
const UPDATE = "PATCH /webhooks/{id}";
const checks = acceptedAgain.flatMap((suite) => suite(spec));
const hooks = listOf([samples.Webhook], 1);
const refused = { error: "unauthorized" };
const OLDER = "caph.2025-06-20";

function judge(past: HistoryBuilder, key: string): RuleResult {
  const check = checks.find(({ operation }) => operation === key);
  if (!check) throw new Error(`there is no check of ${key}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const history = () => new HistoryBuilder(spec);

function lists(statuses: number[]): HistoryBuilder {
  const past = history();
  for (const status of statuses) past.answers(HOOKS, status === 200 ? hooks : refused, { status });
  return past;
}

describe("a list that is rejected between equal requests", () => {
  test("once is suspected", () => {
    expect(judge(lists([200, 401, 200]), HOOKS)).toMatchObject({
      violations: [{ certainty: "suspected", actual: "status 401" }],
    });
  });

  test("three times is proven", () => {
    expect(judge(lists([200, 401, 200, 401, 401, 200]), HOOKS)).toMatchObject({
      violations: [{ certainty: "proven" }, {}, {}],
    });
  });

  test("shows the requests before and after", () => {
    const result = judge(lists([200, 401, 200]), HOOKS);
    const shown = result.outcome === "violated" ? result.violations[0].shownBy : [];
    expect(shown.map(({ entry }) => entry.index)).toEqual([0, 1, 2]);
  });
});

test("a valid token that is refused for one version is suspected, if other requests are accepted around it", () => {
  const past = lists([200]).answers(HOOKS, refused, { status: 401, version: OLDER }).answers(HOOKS, hooks);
  expect(judge(past, HOOKS)).toMatchObject({ violations: [{ actual: "status 401" }] });
  const declined = lists([200])
    .answers(HOOKS, refused, { status: 400, version: OLDER })
    .answers(HOOKS, hooks);
  expect(judge(declined, HOOKS)).toMatchObject({ outcome: "held" });
});

test.each([404, 409])(
  "a read that gets %s between equal ones is unsteady, unless its cause is found",
  (status) => {
    expect(judge(lists([200, status, 200]), HOOKS)).toMatchObject({
      outcome: "excused",
      violation: { actual: `status ${status}`, shownBy: [{}, { offending: "status" }, {}] },
      otherwise: { outcome: "unsteady" },
    });
  },
);

describe("a page that begins at an item and is rejected once", () => {
  const judged = (past: HistoryBuilder) => {
    for (const status of [200, 400, 200])
      past.answers(HOOKS, status === 200 ? hooks : refused, { status, query: [["after", "whk_1"]] });
    return judge(past, HOOKS);
  };
  const violation = { actual: "status 400" };

  test("is unsteady if the item is old", () => {
    const otherwise = { outcome: "unsteady" };
    const old = history()
      .creates("whk_1", { name: "a", url: "https://hooks.example.com/a" })
      .waits(HEAD.consistencyTimeoutMs);
    expect(judged(old)).toMatchObject({ outcome: "excused", violation, otherwise });
  });

  test("is explained if the item is new: a copy may not know it yet", () => {
    const otherwise = { outcome: "held" };
    expect(
      judged(history().creates("whk_1", { name: "a", url: "https://hooks.example.com/a" })),
    ).toMatchObject({ outcome: "excused", violation, otherwise });
  });
});

test("an item is new below a parent, too, and if no operation updates it", () => {
  const document = documentCopy();
  const { paths } = document;
  if (!isObject(paths) || !isObject(paths["/webhooks"])) throw new Error("the document has no webhooks");
  const { "/webhooks": collection, "/webhooks/{id}": _, ...others } = paths;
  const shop = { name: "shop", in: "path", required: true, schema: { type: "string" } };
  const parameters = [{ ...shop, "x-fixture": { read: "shop", write: "shop" } }];
  document.paths = { ...others, "/shops/{shop}/webhooks": { parameters, ...collection } };
  const edition = specOf(document);
  const sent = { name: "a", url: "https://hooks.example.com/a", events: ["one"] };
  const made = { success: true, messages: [], result: { ...sent, id: "whk_1" } };
  const past = new HistoryBuilder(edition).answers("POST /shops/{shop}/webhooks", made, {
    path: "s1",
    sent,
    key: "k-1",
  });
  const LIST = "GET /shops/{shop}/webhooks";
  for (const status of [200, 404, 200])
    past.answers(LIST, status === 200 ? hooks : refused, { status, path: "s1", query: [["after", "whk_1"]] });
  const check = acceptedAgain.flatMap((suite) => suite(edition)).find(({ operation }) => operation === LIST);
  const head = { ...HEAD, fixtures: { shop: "s1" } };
  expect(check?.verdict(new History(edition, head, past.entries))).toMatchObject({
    outcome: "excused",
    otherwise: { outcome: "held" },
  });
});

describe("a write that gets 409", () => {
  const url = "https://hooks.example.com/a";
  const updated = () => history().creates("whk_1", { name: "a", url }).updates("whk_1", { url, name: "b" });
  const busy = { status: 409 };

  test("may meet a busy resource, unless its cause is found", () => {
    const past = updated().rejects("whk_1", { url, name: "c" }, busy).updates("whk_1", { url, name: "d" });
    expect(judge(past, UPDATE)).toMatchObject({
      outcome: "excused",
      violation: { actual: "status 409", shownBy: [{ entry: { index: 1 } }, { offending: "status" }] },
      otherwise: { outcome: "held" },
    });
  });

  test("is shown by the first of several", () => {
    const past = updated();
    for (const name of ["c", "d", "e"]) past.rejects("whk_1", { url, name }, busy);
    expect(judge(past, UPDATE)).toMatchObject({ violation: { shownBy: [{}, { entry: { index: 2 } }] } });
  });

  test("is no violation if the write breaks a rule", () => {
    const past = updated().rejects("whk_1", { url, name: "" }, busy);
    expect(judge(past, UPDATE)).toMatchObject({ outcome: "held" });
  });
});

describe("a valid create that is rejected", () => {
  const CREATE = "POST /webhooks";
  const body = { name: "a", url: "https://hooks.example.com/a", events: null, isActive: false };
  const sent = (statuses: number[]) => {
    const past = history();
    for (const [index, status] of statuses.entries())
      if (status === 200) past.creates(`whk_${index}`, body, { key: `key-${index}` });
      else past.answers(CREATE, refused, { status, sent: body, key: `key-${index}` });
    return judge(past, CREATE);
  };

  test.each([400, 409, 423])("with %s is looked into, whether others are accepted or not", (status) => {
    const found = { outcome: "excused", violation: { actual: `status ${status}` } };
    expect(sent([status])).toMatchObject(found);
    expect(sent([200, status])).toMatchObject(found);
  });

  test("is looked into even if the client sent it again and it was accepted", () => {
    const past = history().creates("whk_0", body, { key: "key-0" });
    past.answers(CREATE, refused, { status: 409, sent: body, key: "key-1" });
    past.creates("whk_1", body, { key: "key-1", repeats: true });
    expect(judge(past, CREATE)).toMatchObject({ outcome: "excused", violation: { actual: "status 409" } });
  });

  test("is shown by the first of several", () => {
    expect(sent([200, 409, 409, 409])).toMatchObject({
      violation: { shownBy: [{ entry: { index: 1 } }] },
    });
  });
});

describe("no evidence is a rejection", () => {
  test.each([
    { what: "after which nothing is accepted", statuses: [200, 401, 401] },
    { what: "before which nothing was accepted", statuses: [401, 200, 200] },
    { what: "for too many requests", statuses: [200, 429, 200] },
  ])("$what", ({ statuses }) => {
    expect(judge(lists(statuses), HOOKS)).toMatchObject({ outcome: "held" });
  });

  test("without JSON, as from a gateway", () => {
    const past = lists([200]).answers(HOOKS, "<h1>Forbidden</h1>", { status: 403 }).answers(HOOKS, hooks);
    expect(judge(past, HOOKS)).toMatchObject({ outcome: "held" });
  });

  test("of a request that is faulty", () => {
    const query: [string, string][] = [["limit", "0"]];
    const past = lists([200]).answers(HOOKS, refused, { status: 400, query }).answers(HOOKS, hooks);
    expect(judge(past, HOOKS)).toMatchObject({ outcome: "held" });
  });
});

test("an update that switches something on may meet a quota", () => {
  const url = "https://hooks.example.com/a";
  const judged = (isActive: boolean) => {
    const past = history().creates("whk_1", { name: "a", url, isActive: false });
    past.updates("whk_1", { url, isActive }).rejects("whk_1", { url, isActive });
    return judge(past.updates("whk_1", { url, isActive }), UPDATE);
  };
  expect(judged(false)).toMatchObject({ outcome: "violated" });
  expect(judged(true)).not.toMatchObject({ outcome: "violated" });
});

test("an update with many attributes may be declined", () => {
  const url = "https://hooks.example.com/a";
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`note${index}`, "text"]));
  const judged = (metadata: JsonObject) => {
    const past = history().creates("whk_1", { name: "a", url, metadata: {} });
    for (const sent of [{ note: "a" }, { note: "b" }]) past.updates("whk_1", { url, metadata: sent });
    return judge(
      past.rejects("whk_1", { url, metadata }).updates("whk_1", { url, metadata: { note: "c" } }),
      UPDATE,
    );
  };
  expect(judged({ note: "d" })).toMatchObject({ outcome: "violated" });
  expect(judged(many)).toMatchObject({ outcome: "held" });
});

test("an update is compared with updates of the same fields of the same resource", () => {
  const url = "https://hooks.example.com/a";
  const made = () => history().creates("whk_1", { name: "a", url, events: null });
  const past = made()
    .updates("whk_1", { url, name: "b" })
    .rejects("whk_1", { url, name: "c" })
    .updates("whk_1", { url, name: "d" });
  expect(judge(past, UPDATE)).toMatchObject({ violations: [{ certainty: "suspected" }] });
  const others = made()
    .updates("whk_1", { url, name: "b" })
    .rejects("whk_1", { url, metadata: {} })
    .updates("whk_1", { url, name: "d" });
  expect(judge(others, UPDATE)).toMatchObject({ outcome: "held" });
});

describe("an update of a payment code that is rejected", () => {
  const CODES = "PATCH /payment-codes/{id}";
  const code = { id: "c1", name: "a", status: "pending" };
  const rejected = { name: "c" };
  const begun = () => historyOfCodes(spec).reads("c1", code).updates("c1", { name: "b" });

  test("beside its cancelling breaks nothing, because the service may have cancelled it first", () => {
    const past = begun()
      .updates("c1", { status: "cancelled" })
      .rejects("c1", rejected, { status: 409, beside: true });
    expect(judge(past, CODES)).toMatchObject({ outcome: "held" });
  });

  test("after a cancelling that ended with 500 breaks nothing, because it may have been carried out", () => {
    const past = begun()
      .rejects("c1", { status: "cancelled" }, { status: 500 })
      .rejects("c1", rejected, { status: 409 });
    expect(judge(past, CODES)).toMatchObject({ outcome: "held" });
  });

  test("before its cancelling is a violation with an excuse", () => {
    const past = begun().rejects("c1", rejected, { status: 409 }).updates("c1", { status: "cancelled" });
    expect(judge(past, CODES)).toMatchObject({ outcome: "excused" });
  });

  test("after the second of two cancellings breaks nothing", () => {
    const past = begun()
      .updates("c1", { status: "cancelled" })
      .rejects("c1", rejected, { status: 409 })
      .updates("c1", { status: "cancelled" });
    expect(judge(past, CODES)).toMatchObject({ outcome: "held" });
  });
});

describe("a create that is rejected", () => {
  const CREATE = "POST /webhooks";
  const plain = { name: "a", url: "https://hooks.example.com/a", events: null };
  const mailed = { ...plain, alertEmails: ["alerts@example.com"] };
  const rejected = (past: HistoryBuilder) => {
    past.creates("w1", plain, { key: "k1" });
    past.answers(CREATE, refused, { sent: mailed, status: 422, key: "k2" });
    return judge(past.creates("w3", plain, { key: "k3" }), CREATE);
  };

  test("may have a cause if the service accepted its addresses before", () => {
    const past = history().creates("w0", mailed, { key: "k0" });
    expect(rejected(past)).toMatchObject({ outcome: "excused", violation: { actual: "status 422" } });
  });

  test("shows nothing if the service never accepted its addresses", () => {
    expect(rejected(history())).toMatchObject({ outcome: "held" });
  });
});

describe("a create that gets 409 under two keys, each time sent again by the client,", () => {
  const CREATE = "POST /webhooks";
  const named = (name: string) => ({ name, url: "https://hooks.example.com/a", events: null });
  const conflict = { error: "conflict" };
  const rejected = (name: string) => {
    const past = history();
    for (const other of ["a", "b"]) past.creates(`w-${other}`, named(other), { key: `key-${other}` });
    for (const key of ["k3", "k4"])
      for (const repeats of [false, true])
        past.answers(CREATE, conflict, { sent: named(name), status: 409, key, repeats });
    return past.creates("w-d", named("d"), { key: "k5" });
  };

  test("is a violation between accepted ones", () => {
    const result = judge(rejected("c"), CREATE);
    expect(result).toMatchObject({ violations: [{ certainty: "suspected", actual: "status 409" }] });
  });

  test("is none if the service may demand that a text differs from an accepted one", () => {
    expect(judge(rejected("b"), CREATE).outcome).not.toBe("violated");
  });

  test("leaves open if its key is used up, for all other rules", () => {
    const past = rejected("c");
    const { answers } = new History(spec, HEAD, past.entries);
    const repetitions = past.entries.filter(({ repeats }) => repeats !== undefined);
    expect(repetitions.map((entry) => answers.isValid(entry))).toEqual([false, false]);
  });
});
