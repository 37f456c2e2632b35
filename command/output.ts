import { relative } from "node:path";
import { visibleBlock, withoutCommands } from "../reports/text.ts";

let listening = true;

export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {
      listening = false;
    });
  }
}

/** Control characters of the program itself: colours, and clearing the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are printed on purpose
const OWN_CONTROLS = /(\u001b\[[0-9;]*m|\r\u001b\[2K)/;

/** Makes control characters of the service visible. */
export function print(text: string): void {
  const inert = text.split(OWN_CONTROLS).map((part, index) => (index % 2 === 1 ? part : visibleBlock(part)));
  printAsIs(withoutCommands(inert.join("")));
}

export function printAsIs(text: string): void {
  if (listening) process.stdout.write(text);
}

const PEM = /-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g;

/** Prints the line to standard error, without a key that was given in place of a file name. */
export function complain(line: string): void {
  process.stderr.write(`${withoutCommands(visibleBlock(line.replace(PEM, "(text in PEM form)")))}\n`);
}

/** Returns the path from the current folder, as messages show it. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path) || ".";
}

/** Waits until everything that was printed is written. */
export async function drained(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0 && !stream.destroyed) {
      await new Promise<void>((resolve) => {
        stream.once("error", () => resolve());
        stream.write("", () => resolve());
      });
    }
  }
}

export function isQuiet({ reporter }: { reporter?: string }): boolean {
  return reporter === "json" || reporter === "silent";
}
