import type picocolors from "picocolors";
import type { Outcome } from "../report.ts";
import { number, shown, wrapped } from "../text.ts";

type Colors = ReturnType<typeof picocolors.createColors>;

export interface Pen {
  colors: Colors;
  plain: boolean;
  width: number;
}

/** Returns the text in lines of the pen's width, indented below the head. */
export function folded(
  head: string,
  text: string,
  pen: Pen,
  ink: (text: string) => string = String,
): string[] {
  const [first = "", ...rest] = wrapped(text, Math.max(20, pen.width - head.length)).map(ink);
  return [`${head}${first}`, ...rest.map((each) => `${" ".repeat(head.length)}${each}`)];
}

const LABEL_WIDTH = 10;

export function labelled(label: string, text: string, pen: Pen, ink?: (text: string) => string): string[] {
  const head = `  ${label.padEnd(LABEL_WIDTH)}`;
  const [first = "", ...rest] = folded(head, text, pen, ink);
  return [first.replace(label, pen.colors.dim(label)), ...rest];
}

export function dash(pen: Pen): string {
  return pen.plain ? "-" : "–";
}

/** Returns title and sentence in one line, or in several if they are too long. */
export function verdictSentence(
  title: string,
  sentence: string,
  pen: Pen,
  ink: (text: string) => string,
): string[] {
  if (title.length + 2 + sentence.length <= pen.width) return [`${ink(title)}  ${sentence}`];
  return [ink(title), ...folded("  ", sentence, pen)];
}

export const MAX_LINE = 300;

export function line(text: string): string {
  return shown(text, MAX_LINE);
}

export const SYMBOLS: Record<Outcome, string> = {
  pass: "✓",
  fail: "✗",
  warn: "!",
  note: "i",
  unsteady: "≈",
  skip: "–",
};

export function paint(pen: Pen, outcome: Outcome, text: string): string {
  const { green, red, yellow, cyan, dim } = pen.colors;
  return { pass: green, fail: red, warn: yellow, note: cyan, unsteady: yellow, skip: dim }[outcome](text);
}

export function more(all: readonly unknown[], shownOf: number, pen: Pen): string[] {
  const left = all.length - shownOf;
  return left > 0 ? [`  ${pen.plain ? "..." : "…"} and ${number(left)} more, see report.html`] : [];
}
