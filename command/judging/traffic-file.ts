/** Files of recorded traffic, read as a stream: plain or packed with gzip, from a file or from standard input. */

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { UsageError } from "../../spec/usage-error.ts";

export interface TrafficFile {
  /** As the user named it; `standard input` for `-`. */
  name: string;
  /** The lines, each with its number from 1. They end early, with a notice, if the file is cut off. */
  lines: AsyncGenerator<[text: string, number: number]>;
}

export interface ReadingOptions {
  /** Is told what could not be read. */
  notice(sentence: string): void;
}

/** A longer line is no exchange that anybody recorded. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Opens a file and finds out its format. Throws UsageError if it can't be read, or holds nothing. */
export async function openTraffic(file: string, options: ReadingOptions): Promise<TrafficFile> {
  const name = file === "-" ? "standard input" : file;
  const lines = linesOf(name, textOf(name, chunksOf(file), options), options);
  let first: IteratorResult<[string, number]>;
  try {
    do first = await lines.next();
    while (!first.done && first.value[0].trim() === "");
  } catch (error) {
    throw new UsageError(`cannot read ${name}: ${reasonOf(error)}`);
  }
  if (first.done) throw new UsageError(`${name} is empty`);
  const [head] = [first.value];
  return { name, lines: again(head, lines) };
}

async function* again<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  yield* (file === "-" ? process.stdin : createReadStream(file)) as AsyncIterable<Buffer>;
}

/** The text of a file, unpacked if it is packed. */
async function* textOf(
  name: string,
  chunks: AsyncGenerator<Buffer>,
  { notice }: ReadingOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of await unpacked(chunks)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    yield decoder.decode();
    notice(`${name} is cut off or damaged: its gzip data can't be unpacked to the end`);
  }
}

async function unpacked(chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  const first = await chunks.next();
  if (first.done) return chunks;
  const whole = again(first.value, chunks);
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  return isPacked ? (Readable.from(whole).pipe(createGunzip()) as AsyncIterable<Buffer>) : whole;
}

function isOfZlib(error: unknown): boolean {
  return /^Z_|ERR_ZLIB/.test((error as NodeJS.ErrnoException).code ?? "");
}

async function* linesOf(
  name: string,
  texts: AsyncGenerator<string>,
  { notice }: ReadingOptions,
): AsyncGenerator<[string, number]> {
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  const end = (): string | undefined => {
    const line = length > LONGEST_LINE ? undefined : parts.join("");
    if (line === undefined) notice(`${name}: line ${number} is longer than any exchange, and was left out`);
    [parts, length] = [[], 0];
    return line;
  };
  for await (const text of texts) {
    const lines = text.split("\n");
    for (const [index, part] of lines.entries()) {
      if (index > 0) {
        const line = end();
        if (line !== undefined) yield [line, number];
        number++;
      }
      length += part.length;
      if (length <= LONGEST_LINE) parts.push(part);
    }
  }
  const last = end();
  if (last) yield [last, number];
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: "there is no such file", EISDIR: "it is a folder" };
  return reasons[code ?? ""] ?? code ?? message;
}
