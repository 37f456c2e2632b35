/** An action may change any field of its resource that only an update of the field settles. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isDoneAgain, mayNeedOtherState } from "../../history/answers/actions-done.ts";
import { History } from "../../history/history.ts";
import { journalOf } from "../../history/journal/journal.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { operation } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const workshop = loadSpec(file("test/editions/workshop/openapi.yaml"), file("spec/requirements.yaml"));
const job = { no: 5, title: "a", bench: "b1" };
const moved = { ...job, title: "a (b2)", bench: "b2" };

const history = () =>
  new HistoryBuilder(workshop)
    .answers("POST /jobs", { result: job }, { sent: { title: "a" }, key: "k-1" })
    .answers("GET /jobs/{job}", { result: job }, { path: "5" });

function mismatches({ entries }: HistoryBuilder, edition = workshop): string[] {
  return journalOf(edition, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, standing }) => `${field} ${standing}`);
}

test("a read that overlaps an action may show its effect, though it ends first", () => {
  const past = (beside: boolean) =>
    history()
      .answers("GET /jobs/{job}", { result: moved }, { path: "5" })
      .answers("POST /jobs/{job}/move", { result: moved }, { path: "5", sent: { bench: "b2" }, beside })
      .answers("GET /jobs/{job}", { result: moved }, { path: "5" });
  expect(mismatches(past(true))).toEqual([]);
  expect(mismatches(past(false))).toEqual(["title proven"]);
});

test("an action that overlaps an update may come last, though it ends first", () => {
  const past = (beside: boolean) =>
    history()
      .answers("POST /jobs/{job}/move", { result: moved }, { path: "5", sent: { bench: "b2" } })
      .answers(
        "PATCH /jobs/{job}",
        { result: { ...job, title: "c" } },
        { path: "5", sent: { title: "c" }, beside },
      )
      .waits(5_000)
      .answers("GET /jobs/{job}", { result: moved }, { path: "5" });
  expect(mismatches(past(true))).toEqual([]);
  expect(mismatches(past(false))).toEqual(["title proven"]);
});

test("a read right after an update is not late about a state that an earlier action set", () => {
  const set = { ...job, bench: "b2" };
  const undone = { ...job, title: "c" };
  const past = history()
    .answers("POST /jobs/{job}/move", { result: set }, { path: "5", sent: { bench: "b2" } })
    .waits(5_000)
    .answers("GET /jobs/{job}", { result: set }, { path: "5" })
    .answers("GET /jobs/{job}", { result: set }, { path: "5" })
    .answers("PATCH /jobs/{job}", { result: undone }, { path: "5", sent: { title: "c" } })
    .answers("GET /jobs/{job}", { result: undone }, { path: "5" });
  expect(mismatches(past)).toEqual(["bench open", "bench proven"]);
});

test("an action done again changes nothing, also if the create was repeated after it", () => {
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const id = "11111111-1111-4111-8111-111111111111";
  const space = "33333333-3333-4333-8333-333333333333";
  const make = { sent: { title: "a" }, key: "k-1", space };
  const close = (on: string) => ({ path: id, sent: { closedOn: on }, space });
  const closed = { result: { id, title: "a", phase: "closed", closedOn: "2026-01-01" } };
  const past = new HistoryBuilder(theatre)
    .answers("POST /stage/plays", { result: { id, title: "a", phase: "running" } }, make)
    .answers("POST /stage/plays/{play}/close", closed, close("2026-01-01"))
    .answers("POST /stage/plays", closed, make)
    .answers("POST /stage/plays/{play}/close", closed, close("2026-01-02"));
  const history = new History(theatre, { ...HEAD, spaces: [space] }, past.entries);
  const action = operation("POST /stage/plays/{play}/close", theatre);
  const isAgain = isDoneAgain(history, action);
  expect(history.creates(action).accepted.map(isAgain)).toEqual([false, true]);
});

test("a POST that answers another resource may change the one in its path, too", () => {
  const { name, text } = file("test/editions/workshop/openapi.yaml");
  const [before = "", after = ""] = text.split("operationId: moveJob");
  const costs = after.replace(
    /responses: .*/,
    'responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Told" } } } } }',
  );
  const other = loadSpec(
    { name, text: `${before}operationId: moveJob${costs}` },
    file("spec/requirements.yaml"),
  );
  const past = new HistoryBuilder(other)
    .answers("POST /jobs", { result: job }, { sent: { title: "a" }, key: "k-1" })
    .answers("POST /jobs/{job}/move", { result: { euros: 5 } }, { path: "5", sent: { bench: "b2" } })
    .waits(5_000)
    .answers("GET /jobs/{job}", { result: moved }, { path: "5" });
  expect(mismatches(past, other)).toEqual([]);
});

test("an action on a parent may change what lies below it, but no settled field", () => {
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const ticket = { ticket: "0001-0001", paid: false, admitted: false };
  const shown = { ...ticket, admitted: true };
  const at = { outer: { play: "p", slot: "N01:ab" }, path: "0001-0001" };
  const tickets = "/stage/plays/{play}/nights/{slot}/tickets";
  const past = (play: string) =>
    new HistoryBuilder(theatre)
      .answers(
        `POST ${tickets}`,
        { result: ticket },
        { outer: { play: "p" }, path: "N01:ab", sent: { paid: false } },
      )
      .answers("POST /stage/plays/{play}/close", { result: { id: play } }, { path: play, sent: {} })
      .waits(5_000)
      .answers(`PATCH ${tickets}/{ticket}`, { result: shown }, { ...at, sent: { paid: false } })
      .answers(`GET ${tickets}/{ticket}`, { result: { ...shown, paid: true } }, at);
  expect(mismatches(past("p"), theatre)).toEqual(["paid suspected"]);
  expect(mismatches(past("other"), theatre)).toEqual(["admitted open", "paid suspected", "admitted open"]);
});

test("the state of the resource may explain a rejection, unless the action was accepted after the same one", () => {
  const resume = operation("POST /jobs/{job}/resume", workshop);
  const on = (path: string) => ({ path, sent: {} });
  const past = new HistoryBuilder(workshop)
    .answers("POST /jobs/{job}/resume", {}, { ...on("5"), status: 409 })
    .answers("POST /jobs/{job}/pause", { result: job }, on("5"))
    .answers("POST /jobs/{job}/resume", { result: job }, on("5"))
    .answers("POST /jobs/{job}/resume", {}, { ...on("6"), status: 409 })
    .answers("POST /jobs/{job}/pause", { result: { ...job, no: 6 } }, on("6"))
    .answers("POST /jobs/{job}/resume", {}, { ...on("6"), status: 409 });
  const history = new History(workshop, HEAD, past.entries);
  const rejected = history.answers.to(resume).filter(({ status }) => status === 409);
  const mayNeedOther = mayNeedOtherState(history, resume);
  expect(rejected.map(({ entry }) => mayNeedOther(entry))).toEqual([true, true, false]);
});
