import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { namesNewItem } from "../../history/answers/outliers.ts";
import { History } from "../../history/history.ts";
import { journalOf } from "../../history/journal/journal.ts";
import { straysIn } from "../../history/values/tags.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const { name, text } = file("test/editions/workshop/openapi.yaml");

/** An edition in which jobs are listed below benches alone, and updated at paths of their own. */
const workshop = loadSpec(
  {
    name,
    text: text
      .replace("x-same-record: { list: listJobs,", "x-same-record: { list: listJobsOfBench,")
      .replace(
        "x-read-back: { read: getJob, list: listJobs }",
        "x-read-back: { read: getJob, list: listJobsOfBench }",
      ),
  },
  file("spec/requirements.yaml"),
);
const TITLE = `pc-${HEAD.runTag}-1`;

const updated = () =>
  new HistoryBuilder(workshop).answers(
    "PATCH /jobs/{job}",
    { result: { no: 5, title: TITLE } },
    { path: "5", sent: { title: TITLE } },
  );
const listed = (past: HistoryBuilder, jobs: Record<string, string>) =>
  past.answers(
    "GET /benches/{bench}/jobs",
    { result: Object.entries(jobs).map(([no, title]) => ({ no: Number(no), title })) },
    { path: "b1" },
  );

test("a list below another parent shows the updated resource itself", () => {
  const ids = ({ entries }: HistoryBuilder) => straysIn(workshop, HEAD, entries).spills.map(({ id }) => id);
  expect(ids(listed(updated(), { 5: TITLE }))).toEqual([]);
  expect(ids(listed(updated(), { 5: TITLE, 6: TITLE }))).toEqual(["6"]);
});

test("a list below another parent must show what an update sent", () => {
  const fits = ({ entries }: HistoryBuilder) =>
    journalOf(workshop, HEAD, entries)
      .sightings.filter(({ view, field }) => view.shows === "list" && field === "title")
      .map((sighting) => sighting.fits);
  expect(fits(listed(updated(), { 5: TITLE }))).toEqual([true]);
  expect(fits(listed(updated().waits(2_000), { 5: "old" }))).toEqual([false]);
});

test("a new resource below a parent may be unknown as a cursor", () => {
  const orchard = loadSpec(file("test/editions/orchard/openapi.yaml"), file("spec/requirements.yaml"));
  const rows = "/v2/groves/{grove}/rows";
  const outcome = (waited: number) => {
    const past = new HistoryBuilder(orchard)
      .answers(`POST ${rows}`, { result: { row: 1 } }, { path: "g1", sent: {} })
      .waits(waited)
      .answers(`GET ${rows}`, {}, { path: "g1", query: [["after", "1"]], status: 404 });
    const history = new History(orchard, HEAD, past.entries);
    const [list] = past.entries.slice(-1);
    return list?.operation && namesNewItem(history, list.operation, list);
  };
  expect(outcome(0)).toBe(true);
  expect(outcome(2_000)).toBe(false);
});
