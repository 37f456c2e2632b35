import { isGreen, type RunFacts, stateInWords } from "./board.ts";

const LABEL = "payments API";
const COLOURS = { green: "#17623a", red: "#a3201b", grey: "#575d66" };
const CHARACTER_PIXELS = 6.6;

/** Returns a badge as SVG: the state of the run, and how many MUST requirements it held if it is green. */
export function badgeSvg(run: RunFacts): string {
  const { held, total } = run.musts;
  const words = stateInWords(run);
  const state = isGreen(run) ? `${words}, ${held} of ${total}` : words;
  const notGreen = run.verdict === "nonconformant" ? "red" : "grey";
  const colour = isGreen(run) ? "green" : notGreen;
  const [left, right] = [LABEL, state].map((text) => Math.ceil(text.length * CHARACTER_PIXELS) + 14) as [
    number,
    number,
  ];
  const width = left + right;
  const text = (x: number, content: string) =>
    `<text x="${x}" y="14" textLength="${Math.ceil(content.length * CHARACTER_PIXELS)}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${LABEL}: ${state}"><title>${LABEL}: ${state}</title><rect width="${width}" height="20" rx="3" fill="#3b4149"/><path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${COLOURS[colour]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(7, LABEL)}${text(left + 7, state)}</g></svg>
`;
}

/** Returns a file name for each service's badge. Equal names get a number. */
export function badgeNames(services: readonly string[]): string[] {
  const taken = new Set<string>();
  return services.map((service) => {
    const words = service.replace(/https?:\/\//g, "").split(/[^A-Za-z0-9.]+|^\.+/);
    const bare =
      words
        .filter((word) => word !== "")
        .join("-")
        .slice(0, 80) || "service";
    let name = bare;
    for (let turn = 2; taken.has(name.toLowerCase()); turn++) name = `${bare}-${turn}`;
    taken.add(name.toLowerCase());
    return `${name}.svg`;
  });
}
