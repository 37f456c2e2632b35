import { headline } from "./headline.ts";
import type { JudgedPlace, JudgedTraffic, Report } from "./report.ts";
import { number, shown } from "./text.ts";

export const COVERAGE_TITLES: readonly [outcome: JudgedPlace["outcome"], title: string][] = [
  ["violated", "Violated"],
  ["uncertain", "Uncertain: the writes of others may explain what was seen"],
  ["held", "Held"],
  ["never", "Never exercised"],
];

export function placesWith({ places }: JudgedTraffic, outcome: JudgedPlace["outcome"]): JudgedPlace[] {
  const times = ({ held, violated }: JudgedPlace) => (outcome === "violated" ? violated : held);
  return places.filter((place) => place.outcome === outcome).sort((a, b) => times(b) - times(a));
}

export function placeInWords({ outcome, held, violated, probes = [] }: JudgedPlace): string {
  const times = (count: number) => (count === 1 ? "once" : `${number(count)} times`);
  if (outcome === "held") return `held ${times(held)}`;
  if (outcome === "violated") return `violated ${times(violated)}${held > 0 ? `, held ${times(held)}` : ""}`;
  return probes.length > 0 ? `a run would send: ${probes.join(", ")}` : "a run would exercise it";
}

/** Returns what recorded traffic shows for each requirement, as text. */
export function renderCoverageText(report: Report): string {
  const { judged } = report;
  if (!judged) return "";
  const sections = COVERAGE_TITLES.flatMap(([outcome, title]) => {
    const places = placesWith(judged, outcome);
    if (places.length === 0) return [];
    const lines = places.map(
      (place) => `  ${place.requirement} at ${place.operation}: ${shown(placeInWords(place), 500)}`,
    );
    return ["", `${title} (${number(places.length)})`, ...lines];
  });
  return [headline(report).sentence, ...sections, ""].join("\n");
}
