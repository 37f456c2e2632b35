import { describe, expect, test } from "vitest";
import { boardOf, runOf } from "../../reports/board/board.ts";
import { compareReports } from "../../reports/comparing/compare.ts";
import { renderCtrf } from "../../reports/formats/ctrf.ts";
import { renderGithub } from "../../reports/formats/github.ts";
import { renderJUnit } from "../../reports/formats/junit.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { renderSarif } from "../../reports/formats/sarif.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import { renderBoardHtml } from "../../reports/html/board.ts";
import { renderHtml } from "../../reports/html/render.ts";
import { validateReport } from "../../reports/validate.ts";
import { isObject } from "../../spec/json.ts";
import { typicalReport } from "./example.ts";

/** The path of each property of the objects in a value. Of a list, only the first ten items are visited. */
function* propertiesOf(value: unknown, path: readonly string[] = []): Generator<string[]> {
  if (!isObject(value) && !Array.isArray(value)) return;
  const names = Object.keys(value);
  for (const name of Array.isArray(value) ? names.slice(0, 10) : names) {
    const child = (value as Record<string, unknown>)[name];
    if (isObject(value)) yield [...path, name];
    yield* propertiesOf(child, [...path, name]);
  }
}

function without(good: unknown, path: readonly string[]): unknown {
  const copy: unknown = structuredClone(good);
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  delete parent[path.at(-1) ?? ""];
  return copy;
}

/** A text without its scripts, because these may contain the word "undefined". */
function withoutScripts(text: string): string {
  return text.replaceAll(/<script[^>]*>.*?<\/script>/gs, "");
}

describe("a report of an older suite", () => {
  const good: unknown = JSON.parse(renderJson(typicalReport()));

  // The schema of reports gets new optional properties over time, so an older report may lack any of them.
  test("is shown by every format, whichever optional property it lacks", () => {
    let accepted = 0;
    for (const path of propertiesOf(good)) {
      const validation = validateReport(without(good, path));
      if (!validation.valid) continue;
      accepted += 1;
      const { report } = validation;
      const now = new Date(report.run.startedAt);
      const texts = [
        renderHtml(report),
        renderMarkdown(report),
        renderTerminal(report, { color: false, style: "pretty" }),
        renderJUnit(report),
        renderSarif(report),
        renderGithub(report),
        renderCtrf(report),
        renderBoardHtml(boardOf([runOf(report, { file: "report.json", now })], [], now)),
      ];
      compareReports(report, typicalReport());
      compareReports(typicalReport(), report);
      for (const text of texts)
        expect(withoutScripts(text), path.join(".")).not.toMatch(/\bundefined\b|\bNaN\b/);
    }
    expect(accepted).toBeGreaterThan(50);
  });
});
