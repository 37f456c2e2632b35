import { visibleBlock, withoutCommands } from "../reports/text.ts";

let listening = true;

/** If the pipe is closed (`… | head`) or the disk is full, the printing ends, but not the program. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {
      listening = false;
    });
  }
}

/** Control characters that the program itself prints: colours, and clearing the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are printed on purpose
const OWN_CONTROLS = /(\u001b\[[0-9;]*m|\r\u001b\[2K)/;

/** Prints text with visible control characters, because parts may come from a service. */
export function print(text: string): void {
  const inert = text.split(OWN_CONTROLS).map((part, index) => (index % 2 === 1 ? part : visibleBlock(part)));
  printAsIs(withoutCommands(inert.join("")));
}

export function printAsIs(text: string): void {
  if (listening) process.stdout.write(text);
}

const PEM = /-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g;

/**
 * Prints to standard error, without control characters, commands to a CI server, and keys that a user gave as
 * text.
 */
export function complain(line: string): void {
  process.stderr.write(`${withoutCommands(visibleBlock(line.replace(PEM, "(text in PEM form)")))}\n`);
}

/** Resolves when all output is written. */
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
