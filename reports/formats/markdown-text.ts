import { shown, visibleBlock } from "../text.ts";

const MAX_SPAN = 300;
const MAX_PROSE = 1_000;

/** Returns the text as a code span. No backtick in the text can close the code span. */
export function code(text: string, max = MAX_SPAN): string {
  const safe = shown(text, max);
  if (safe.trim() === "") return safe === "" ? "(empty)" : "(blank)";
  const ticks = "`".repeat(longestRun(safe, "`") + 1);
  const pad = /^[` ]|[` ]$/.test(safe) ? " " : "";
  return `${ticks}${pad}${safe}${pad}${ticks}`;
}

/** Returns the text as a code block. No line of the text can close the code block. */
export function fence(text: string, language: string): string {
  const safe = visibleBlock(text);
  const ticks = "`".repeat(Math.max(3, longestRun(safe, "`") + 1));
  return `${ticks}${language}\n${safe}\n${ticks}`;
}

/** Returns how often the character stands in a row at most. A code span needs longer quotes. */
function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

export function sentence(text: string): string {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return prose(text);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : prose(part))).join("");
}

/** Escapes Markdown and HTML, and breaks links and mentions. */
export function prose(text: string): string {
  return shown(text, MAX_PROSE)
    .replace(/[\\`*_{}[\]<>~&#|]/g, "\\$&")
    .replace(
      /^(\s*)([-+=]|\d+[.)])/,
      (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    )
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
    .replaceAll("@", "@\u2060");
}
