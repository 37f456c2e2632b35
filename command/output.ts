/** Standard output, as far as its reader still listens. */

import { visibleBlock, withoutCommands } from "../reports/text.ts";

let listening = true;

/** From here on a closed pipe (`… | head`) or a full disk ends the printing, not the program. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {
      listening = false;
    });
  }
}

/** Colours, and the clearing of a line that is drawn again: the only controls that are printed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are let through
const OWN_CONTROLS = /(\u001b\[[0-9;]*m|\r\u001b\[2K)/;

/** Writes text for people to standard output. What was typed or sent may be part of it, and does nothing there. */
export function print(text: string): void {
  const inert = text.split(OWN_CONTROLS).map((part, index) => (index % 2 === 1 ? part : visibleBlock(part)));
  printAsIs(withoutCommands(inert.join("")));
}

/** Writes text for programs to standard output. */
export function printAsIs(text: string): void {
  if (listening) process.stdout.write(text);
}

/** A key or certificate in PEM form, also if its end is cut off. */
const PEM = /-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g;

/**
 * Writes a line to standard error. What a service said may be part of it, so no control character and no command gets through.
 * Someone may have given a key in the place of a file or a name, so no key gets through either.
 */
export function complain(line: string): void {
  process.stderr.write(`${withoutCommands(visibleBlock(line.replace(PEM, "(text in PEM form)")))}\n`);
}

/** Resolves when all that was printed has left the process; after that it may end. */
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
