import { describe, expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import type { Sighting } from "../../history/journal/sightings.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "./builder.ts";

const history = () => new HistoryBuilder(spec);
/** The shown values that do not fit the journal, in a short form. */
function mismatches({ entries }: HistoryBuilder): Pick<Sighting, "field" | "duty" | "standing">[] {
  return journalOf(spec, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, duty, standing }) => ({ field, duty, ...(standing ? { standing } : {}) }));
}

/** For each duty, how many shown values fit the journal. */
function held({ entries }: HistoryBuilder): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { duty, fits } of journalOf(spec, HEAD, entries).sightings)
    if (fits) counts[duty] = (counts[duty] ?? 0) + 1;
  return counts;
}

const made = { name: "a", url: "https://a.example/x", events: ["one"] };
const url = "https://a.example/y";

describe("updates of a resource of the run", () => {
  test("are echoed, stored and keep the rest on a sound service", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
    expect(held(past)).toMatchObject({ echo: 2, stored: 2, kept: 4 });
  });

  test("that are rate-limited may have happened", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, {}, { status: 429 })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
    expect(
      mismatches(
        history()
          .creates("w1", made)
          .reads("w1", { ...made, url, name: "b" }),
      ),
    ).not.toEqual([]);
  });

  test("that overlap may show one after the other until the consistency timeout is over", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" })
      .updates("w1", { url, name: "c" }, { url, name: "c" }, { beside: true })
      .reads("w1", { ...made, url, name: "b" })
      .waits(2_000)
      .reads("w1", { ...made, url, name: "c" })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toMatchObject([{ field: "name", standing: "proven" }]);
  });

  test("after one that left the value open may show any older value until the consistency timeout is over", () => {
    const { events } = made;
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: " b " }, { events, url })
      .updates("w1", { url, name: "c" }, { events, url, name: "c" })
      .reads("w1", { ...made, url, name: "B" });
    expect(mismatches(past)).toEqual([{ field: "name", duty: "stored", standing: "open" }]);
    past.waits(2_000).reads("w1", { ...made, url, name: "B" });
    expect(mismatches(past).map(({ standing }) => standing)).toEqual(["open", "proven"]);
  });

  test("show late reads, though an earlier rejected update sent the old value", () => {
    const { events } = made;
    const past = history()
      .creates("w1", made)
      .rejects("w1", { url, name: "a" })
      .waits(2_000)
      .updates("w1", { url, name: " b " }, { events, url, name: " b " })
      .reads("w1", made);
    expect(mismatches(past).filter(({ field }) => field === "name")).toMatchObject([{ standing: "open" }]);
    past.waits(2_000).reads("w1", made);
    expect(mismatches(past).filter(({ field }) => field === "name")).toMatchObject([
      { standing: "open" },
      { standing: "proven" },
    ]);
  });

  describe("after one without an answer that left the value open", () => {
    const { events } = made;
    const lost = (past: HistoryBuilder, name: string) =>
      past.updates("w1", { url, name }, {}, { status: 504 });
    const named = (past: HistoryBuilder, name: string) =>
      past.updates("w1", { url, name }, { events, url, name });
    const shows = (past: HistoryBuilder, name: string) => past.reads("w1", { ...made, url, name });
    const past = () => lost(history().creates("w1", made), " b ");

    test("may show that value late, though an earlier read was late, too", () => {
      const late = shows(named(shows(past(), "a"), "c"), "B");
      expect(mismatches(late)).toEqual([{ field: "name", duty: "stored", standing: "open" }]);
      expect(mismatches(shows(late, "c"))).toEqual([{ field: "name", duty: "stored", standing: "late" }]);
    });

    test("and another such one may show that value late, too", () => {
      const twice = shows(lost(named(past(), "d"), " e "), "d");
      expect(mismatches(shows(named(twice, "c"), "B"))).toMatchObject([{ standing: "open" }]);
    });

    test("must not show that value once a read has shown another after the consistency timeout", () => {
      const known = shows(past().waits(2_000), "a");
      expect(mismatches(shows(named(known, "c"), "B"))).toMatchObject([{ standing: "proven" }]);
    });
  });

  test("that got no answer leave any value possible if only a late read showed the one before", () => {
    const { events } = made;
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: " b " }, { events, url })
      .reads("w1", { ...made, url })
      .updates("w1", { url, name: "c" }, {}, { status: 504 })
      .waits(2_000);
    past.reads("w1", { ...made, url, name: " b " });
    expect(mismatches(past)).toEqual([]);
  });

  test("of a field that only an update without an answer set before may be shown late", () => {
    const alertEmails = ["a@b.example"];
    const shown = { ...made, url, alertEmails };
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, alertEmails }, {}, { status: 504 })
      .reads("w1", shown)
      .updates("w1", { url, alertEmails }, shown)
      .reads("w1", made)
      .waits(2_000)
      .reads("w1", shown);
    expect(mismatches(past).filter(({ field }) => field === "alertEmails")).toMatchObject([
      { standing: "late" },
    ]);
  });

  test("that the answer does not show are proven by it", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, { ...made, url });
    expect(mismatches(past)).toEqual([{ field: "name", duty: "echo", standing: "proven" }]);
  });

  test("are not compared with a value of another type: the rule about types finds it", () => {
    const typed = history()
      .creates("w1", made)
      .reads("w1", { ...made, name: 7, events: ["one", 2] });
    expect(mismatches(typed)).toEqual([]);
    const other = history()
      .creates("w1", made)
      .reads("w1", { ...made, name: "z", events: ["two"] });
    expect(mismatches(other).map(({ field }) => field)).toEqual(["name", "events"]);
    const lost = history()
      .creates("w1", made)
      .reads("w1", { ...made, name: null });
    expect(mismatches(lost).map(({ field }) => field)).toEqual(["name"]);
  });

  test("that change a field to a value that it never had are proven", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url }, { ...made, url })
      .reads("w1", { ...made, url, name: "z" });
    expect(mismatches(past)).toEqual([{ field: "name", duty: "kept", standing: "proven" }]);
  });

  test("that reset a switch are suspected: the service may switch it", () => {
    const on = { ...made, isActive: true };
    const past = history()
      .creates("w1", on)
      .updates("w1", { url }, { ...on, url })
      .reads("w1", { ...on, url, isActive: false });
    expect(mismatches(past)).toEqual([{ field: "isActive", duty: "kept", standing: "suspected" }]);
  });

  test("that lose an earlier update are proven once the consistency timeout is over", () => {
    const lost = (wait: number) =>
      history()
        .creates("w1", made)
        .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
        .reads("w1", { ...made, url, name: "b" })
        .updates("w1", { url, events: ["two"] }, { ...made, url, name: "b", events: ["two"] })
        .waits(wait)
        .reads("w1", { ...made, url, name: "a", events: ["two"] });
    expect(mismatches(lost(0))).toEqual([{ field: "name", duty: "kept", standing: "open" }]);
    expect(mismatches(lost(2_000))).toEqual([{ field: "name", duty: "kept", standing: "proven" }]);
  });

  test("that lose an earlier update are proven by its age, not by that of the last update", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
      .waits(2_000)
      .updates("w1", { url, events: ["two"] }, { ...made, url, name: "b", events: ["two"] })
      .reads("w1", { ...made, url, name: "a", events: ["two"] });
    expect(mismatches(past)).toMatchObject([{ field: "name", duty: "kept", standing: "proven" }]);
  });

  test("that show late are excused once they show", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
      .reads("w1", { ...made, name: "a" })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past).map(({ standing }) => standing)).toEqual(["late", "late"]);
  });

  test("may be missing from pages of a walk that began before, unless its cursor is an item", () => {
    const page = (id: string, next: string | null) => ({
      success: true,
      messages: [],
      result: [{ id, ...made }],
      pagination: { count: 1, next },
    });
    const walked = (cursor: string) =>
      history()
        .creates("w1", made)
        .answers("GET /webhooks", page("w2", cursor))
        .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
        .waits(2_000)
        .answers("GET /webhooks", page("w1", null), { query: [["after", cursor]] });
    expect(mismatches(walked("walk-1-page-2"))).toEqual([]);
    expect(mismatches(walked("w2"))).toMatchObject([{ standing: "proven" }, { standing: "proven" }]);
    const begun = walked("walk-1-page-2").answers("GET /webhooks", page("w1", null));
    expect(mismatches(begun)).toMatchObject([{ standing: "proven" }, { standing: "proven" }]);
  });

  test("of another resource do not change the expected values of this one", () => {
    const past = history()
      .creates("w1", { ...made, metadata: { mark: "w1" } })
      .creates("w2", { ...made, metadata: { mark: "w2" } })
      .updates("w2", { url, metadata: { mark: "new" } }, { ...made, url, metadata: { mark: "new" } })
      .lists([
        { id: "w1", ...made, metadata: { mark: "new" } },
        { id: "w2", ...made, url, metadata: { mark: "new" } },
      ]);
    expect(mismatches(past)).toEqual([{ field: "metadata", duty: "kept", standing: "proven" }]);
  });

  test("at the same time leave open which came last, and the next read decides", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
      .updates("w1", { url, name: "c" }, { ...made, url, name: "c" }, { beside: true })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
    expect(mismatches(past.reads("w1", { ...made, url, name: "q" }))).toMatchObject([{ field: "name" }]);
  });

  test("whose answers alone show another value of a field do not make it volatile", () => {
    const names = { create: "createWebhook", update: "updatePayout", read: "getPayout", list: "listPayouts" };
    const [stored, other] = [{ destination: { accountId: "a" } }, { destination: { accountId: "b" } }];
    const past = new HistoryBuilder(spec, names)
      .reads("p1", stored)
      .updates("p1", { destination: { accountId: "c" } }, other)
      .reads("p1", stored)
      .reads("p1", stored)
      .updates("p1", { metadata: { note: "d" } }, { ...other, metadata: { note: "d" } });
    expect(mismatches(past).map(({ field, duty }) => `${field} ${duty}`)).toEqual(["destination kept"]);
  });

  test("that answer with another id are found", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url }, { ...made, url, id: "w9" });
    expect(journalOf(spec, HEAD, past.entries).wrongIds).toMatchObject([{ shown: "w9" }]);
  });

  test("that answer with an id that no double can hold are not compared", () => {
    const past = history().updates("9007199254740993", { url }, { ...made, url, id: 2 ** 53 });
    expect(journalOf(spec, HEAD, past.entries).wrongIds).toEqual([]);
  });
});

test("a map of the run's own resource that a late list shows empty is proven, an early one not", () => {
  const metadata = { conformance: "pc-test-0001" };
  const past = (wait: number) =>
    history()
      .creates("w1", { ...made, metadata: {} })
      .lists([{ id: "w1", ...made, metadata: {} }])
      .updates("w1", { metadata }, { ...made, metadata })
      .waits(wait)
      .lists([{ id: "w1", ...made, metadata: {} }]);
  const standings = [5_000, 0].map((wait) => mismatches(past(wait)).map(({ standing }) => standing));
  expect(standings).toEqual([["proven"], ["open"]]);
});

describe("rejected updates", () => {
  test("that are carried out all the same are proven", () => {
    const past = history()
      .creates("w1", made)
      .rejects("w1", { url: "https://a.example/rejected", name: 5 })
      .reads("w1", { ...made, url: "https://a.example/rejected" });
    expect(mismatches(past)).toEqual([{ field: "url", duty: "no-effect", standing: "proven" }]);
  });

  test("that are carried out with the next update are blamed on the rejected one", () => {
    const past = history()
      .creates("w1", made)
      .rejects("w1", { url, name: "rejected", events: [] })
      .updates("w1", { url }, { ...made, url, name: "rejected" });
    expect(mismatches(past)).toEqual([{ field: "name", duty: "no-effect", standing: "proven" }]);
  });

  test("are not blamed for a value that a later update without the field may have reset", () => {
    const past = history()
      .creates("w1", { ...made, isActive: false })
      .rejects("w1", { url: 5, isActive: true })
      .updates("w1", { url }, { ...made, url, isActive: true });
    expect(mismatches(past).map(({ field, duty }) => [field, duty])).toEqual([["isActive", "kept"]]);
  });

  test("are not blamed for a change that another resource shows without a write", () => {
    const code = (id: string, financialAccountId: string) => ({ id, name: "a", financialAccountId });
    const past = historyOfCodes(spec)
      .updates("c1", { name: "a" }, code("c1", "old"))
      .updates("c2", { name: "a" }, code("c2", "old"))
      .waits(5_000)
      .reads("c1", code("c1", "old"))
      .reads("c2", code("c2", "old"))
      .rejects("c1", { name: 5 })
      .waits(5_000);
    const standings = () => mismatches(past).map(({ duty, standing }) => `${duty} ${standing}`);
    past.reads("c1", code("c1", "new"));
    expect(standings()).toEqual(["no-effect suspected"]);
    past.reads("c2", code("c2", "new"));
    expect(standings()).toEqual(["no-effect open", "stable suspected"]);
  });

  test("that change nothing are evidence", () => {
    const past = history().creates("w1", made).rejects("w1", { url: 5 }).reads("w1", made);
    expect(mismatches(past)).toEqual([]);
    expect(held(past)["no-effect"]).toBe(["name", "url", "events", "createTime"].length);
  });
});

describe("fields that nobody can know", () => {
  test("of a replayed create are not compared with the present values", () => {
    const past = history()
      .creates("w1", made, { key: "k" })
      .updates("w1", { url, name: "b" }, { ...made, url, name: "b" })
      .creates("w1", made, { key: "k" })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
  });

  test("with a default may fall back to it", () => {
    const past = historyOfCodes(spec)
      .reads("c1", { name: "a", isActive: false })
      .updates("c1", { name: "b" }, { name: "b", isActive: true })
      .reads("c1", { name: "b", isActive: true });
    expect(mismatches(past)).toEqual([]);
  });

  test("may be back in a late list, which says nothing about later reads", () => {
    const on = { name: "a", isActive: true };
    const off = { name: "a", isActive: false };
    const past = historyOfCodes(spec)
      .reads("c1", on)
      .updates("c1", { isActive: false }, off)
      .lists([{ id: "c1", name: "a", enable: true }])
      .reads("c1", on)
      .reads("c1", off);
    expect(mismatches(past)).toEqual([{ field: "isActive", duty: "stored", standing: "late" }]);
    const over = historyOfCodes(spec)
      .reads("c1", on)
      .updates("c1", { isActive: false }, off)
      .waits(2_000)
      .reads("c1", on);
    expect(mismatches(over)).toMatchObject([{ duty: "stored", standing: "suspected" }]);
  });

  test("of a fixture are only suspected: others may write to it", () => {
    const past = historyOfCodes(spec)
      .reads("c1", { name: "a", metadata: { k: "1" } })
      .updates("c1", { name: "b" }, { name: "b", metadata: { k: "9" } })
      .reads("c1", { name: "b", metadata: { k: "9" } });
    expect(mismatches(past)[0]).toEqual({ field: "metadata", duty: "kept", standing: "suspected" });
  });

  test("of a fixture are certain if an old text of the run is back: nobody else writes such a text", () => {
    const back = (name: string) =>
      mismatches(
        historyOfCodes(spec)
          .updates("c1", { name }, { name })
          .updates("c1", { name: "other" }, { name: "other" })
          .waits(2_000)
          .reads("c1", { name }),
      );
    expect(back("pc-test-1")).toEqual([{ field: "name", duty: "stored", standing: "proven" }]);
    expect(back("Shop")).toEqual([{ field: "name", duty: "stored", standing: "suspected" }]);
  });

  test("of a fixture are certain if nobody may change them and two reads differ", () => {
    const early = "2026-01-01T00:00:00.110Z";
    const cut = "2026-01-01T00:00:00.000Z";
    const past = historyOfCodes(spec)
      .reads("c1", { name: "a", createTime: early })
      .updates("c1", { name: "b" }, { name: "b", createTime: early })
      .reads("c1", { name: "b", createTime: early })
      .reads("c1", { name: "b", createTime: cut });
    expect(mismatches(past)).toEqual([{ field: "createTime", duty: "stable", standing: "proven" }]);
    const answered = historyOfCodes(spec)
      .reads("c1", { name: "a", createTime: early })
      .updates("c1", { name: "b" }, { name: "b", createTime: cut });
    expect(mismatches(answered)).toMatchObject([{ field: "createTime", standing: "suspected" }]);
  });

  test("with blanks at the ends may be trimmed", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: " b " }, { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
  });

  test("with blanks at the ends may be trimmed later", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: " b " }, { ...made, url, name: " b " })
      .reads("w1", { ...made, url, name: " b " })
      .updates("w1", { url }, { ...made, url, name: "b" })
      .reads("w1", { ...made, url, name: "b" });
    expect(mismatches(past)).toEqual([]);
  });

  test("with blanks at the ends may be shown late, like all others", () => {
    const past = history()
      .creates("w1", made)
      .updates("w1", { url, name: " b " }, { ...made, url, name: " b " })
      .updates("w1", { url, name: "c" }, { ...made, url, name: "c" })
      .reads("w1", { ...made, url, name: " b " })
      .reads("w1", { ...made, url, name: "c" });
    expect(mismatches(past)).toEqual([{ field: "name", duty: "stored", standing: "late" }]);
  });

  test("below a documented field may be shown by one view alone", () => {
    const amount = { currency: "XAF", value: 100 };
    const past = historyOfCodes(spec)
      .reads("c1", { name: "a", amount })
      .updates("c1", { name: "b" }, { name: "b", amount: { ...amount, display: "100 F" } })
      .reads("c1", { name: "b", amount });
    expect(mismatches(past)).toEqual([]);
    const changed = historyOfCodes(spec)
      .reads("c1", { name: "a", amount })
      .updates("c1", { name: "b" }, { name: "b", amount: { ...amount, value: 200 } });
    expect(mismatches(changed)).toMatchObject([{ field: "amount" }]);
  });

  test("that a view leaves out on purpose are not missed in it", () => {
    const past = history()
      .creates("w1", { ...made, metadata: { k: "1" } })
      .updates("w1", { url }, { ...made, url })
      .reads("w1", { ...made, url, metadata: { k: "1" } });
    expect(mismatches(past)).toEqual([]);
  });
});

describe("a secret that an update set", () => {
  const secret = (text: string) => ({ verificationMethod: { hmac256: { secret: text } } });
  const updated = () =>
    history()
      .creates("w1", { ...made, ...secret("first") })
      .reads("w1", { ...made, ...secret("first") })
      .updates("w1", { url, ...secret("second") }, { ...made, url, ...secret("second") });

  test("may be shown late", () => {
    const past = updated()
      .reads("w1", { ...made, ...secret("first") })
      .reads("w1", { ...made, url, ...secret("second") });
    expect(mismatches(past).filter(({ field }) => field === "verificationMethod")).toEqual([]);
  });

  test("stays once the consistency timeout is over", () => {
    const past = updated()
      .waits(2_000)
      .reads("w1", { ...made, url, ...secret("second") })
      .updates("w1", { url }, { ...made, url, ...secret("second") })
      .reads("w1", { ...made, url, ...secret("third") });
    expect(mismatches(past)).toEqual([{ field: "verificationMethod", duty: "kept", standing: "proven" }]);
  });
});

test("a list that falls behind the single read disagrees with it", () => {
  const past = historyOfCodes(spec)
    .reads("c1", { name: "a" })
    .updates("c1", { name: "b" })
    .reads("c1", { name: "b" })
    .waits(2_000)
    .lists([{ id: "c1", name: "a" }]);
  expect(mismatches(past)).toEqual([{ field: "name", duty: "agrees", standing: "suspected" }]);
});

test("null may be the source of a value that a rejected update sent, too", () => {
  const all = { events: ["a", "b"] };
  const past = new HistoryBuilder(spec)
    .creates("w1", { events: ["a"] })
    .rejects("w1", all)
    .updates("w1", { events: null }, all)
    .reads("w1", all)
    .updates("w1", { events: ["b"] })
    .waits(2_000)
    .reads("w1", all);
  expect(mismatches(past)).toMatchObject([{ field: "events", duty: "stored" }]);
});

test("a list that shows another value of a lasting field leaves the verdict to the next read", () => {
  const [amount, other] = [100, 200].map((value) => ({ currency: "XAF", value }));
  const past = historyOfCodes(spec)
    .reads("c1", { name: "a", amount })
    .lists([{ id: "c1", name: "a", amount: other }])
    .reads("c1", { name: "a", amount: other })
    .updates("c1", { name: "b" }, { name: "b", amount: other });
  expect(mismatches(past)).toMatchObject([{ field: "amount", duty: "stable" }]);
});

describe("a free-form map", () => {
  const shows = (metadata: Record<string, string>) => ({ ...made, metadata });
  const [first, second] = [{ till: "1" }, { shop: "2" }];
  const emptied = () =>
    history()
      .creates("w1", made, shows({}))
      .updates("w1", { metadata: first }, shows(first))
      .reads("w1", shows(first))
      .updates("w1", { metadata: null }, shows({}))
      .reads("w1", shows({}));

  test("may take the sent members in addition to those that it had", () => {
    const past = history()
      .creates("w1", made, shows({}))
      .updates("w1", { metadata: first }, shows(first))
      .reads("w1", shows(first))
      .updates("w1", { metadata: second }, shows({ ...first, ...second }));
    expect(mismatches(past)).toEqual([]);
  });

  test("must not bring back a member that it had lost", () => {
    const past = emptied().updates("w1", { metadata: second }, shows({ ...first, ...second }));
    expect(mismatches(past)).toMatchObject([{ field: "metadata", duty: "echo", standing: "proven" }]);
    const empty = emptied().updates("w1", { metadata: second }, shows(second));
    expect(mismatches(empty)).toEqual([]);
  });

  test("may have kept a member that only late reads left out", () => {
    const past = history()
      .creates("w1", made, shows({}))
      .updates("w1", { metadata: first }, shows(first))
      .reads("w1", shows({}))
      .updates("w1", { metadata: second }, shows({ ...first, ...second }));
    expect(mismatches(past)).toMatchObject([{ duty: "stored", standing: "open" }]);
  });
});
