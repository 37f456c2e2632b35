import type { Board, BoardService } from "../board/board.ts";
import { html, line, type Markup } from "./markup.ts";
import { select } from "./parts.ts";

export interface FilterValues {
  vendors: string[];
  labels: string[];
  attributes(service: Pick<BoardService, "vendor" | "run">): Markup;
}

/** Returns the vendors and labels by which readers can choose services. */
export function filterValues(services: readonly BoardService[]): FilterValues {
  const labelsOf = ({ run }: Pick<BoardService, "run">) =>
    Object.entries(run.labels)
      .filter(([name]) => name !== "vendor")
      .map(([name, value]) => `${name}=${value}`);
  const vendors = sortedDistinct(services.map(({ vendor }) => vendor).filter((vendor) => vendor !== ""));
  const labels = sortedDistinct(services.flatMap(labelsOf));
  return {
    vendors,
    labels,
    attributes: (service) => {
      const own = labelsOf(service).map((label) => labels.indexOf(label));
      return html` data-vendor="${vendors.indexOf(service.vendor)}" data-labels="${own.join(" ")}"`;
    },
  };
}

/** Returns the form with which readers choose services and requirements. */
export function boardFilters({ specifications }: Board, { vendors, labels }: FilterValues): Markup {
  const requirements = specifications.flatMap((group) => group.requirements);
  const chapters = sortedDistinct(
    requirements.map(({ chapter }) => chapter).filter((chapter) => chapter !== ""),
  );
  const levels = sortedDistinct(requirements.map(({ level }) => level));
  const places = (texts: readonly string[]): [string, string][] =>
    texts.slice(0, 300).map((text, index) => [String(index), text]);
  const same = (texts: readonly string[]): [string, string][] => texts.map((text) => [text, text]);
  const cells: [string, string][] = [
    ["fail", "violated somewhere"],
    ["waived", "waived somewhere"],
    ["skip", "not exercised somewhere"],
  ];
  return html`<form class="filters" id="filters" hidden>
${select("chapter", "Chapter", same(chapters.map((chapter) => line(chapter, 40))))}
${select("level", "Level", same(levels))}
${select("cell", "Requirements", cells)}
${vendors.length > 0 && select("vendor", "Vendor", places(vendors))}
${labels.length > 0 && select("label", "Label", places(labels))}
<p><button type="reset">Clear</button></p>
</form>
<p id="filters-status" role="status" aria-live="polite" class="quiet"></p>`;
}

function sortedDistinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
