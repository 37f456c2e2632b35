import { createReadStream, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { UsageError } from "../../spec/usage-error.ts";

type Format = "history" | "har" | "ndjson";

export interface TrafficFile {
  name: string;
  format: Format;
  /** Line numbers start at 1. A truncated file ends early, with a notice. */
  lines: AsyncGenerator<[text: string, number: number]>;
}

export interface ReadingOptions {
  /** Reading waits at the end of the file until this signal aborts. */
  follow?: AbortSignal | undefined;
  notice(sentence: string): void;
}

/** A HAR file must fit into memory. */
const LARGEST_HAR_BYTES = 256 * 1024 * 1024;
const LOOK_AGAIN_MS = 200;
const PIECE_BYTES = 64 * 1024;
const LONGEST_LINE_CHARACTERS = 64 * 1024 * 1024;

/** Opens the file, which may be standard input or packed, and finds its format by its beginning. */
export async function openTraffic(file: string, given: ReadingOptions): Promise<TrafficFile> {
  const name = file === "-" ? "standard input" : file;
  // Standard input does not grow after its end.
  const options = file === "-" ? { ...given, follow: undefined } : given;
  const lines = linesOf(name, textOf(name, chunksOf(file, options), options), options);
  let first: IteratorResult<[string, number]>;
  try {
    do first = await lines.next();
    while (!first.done && first.value[0].trim() === "");
  } catch (error) {
    throw new UsageError(`cannot read ${name}: ${reasonOf(error)}`);
  }
  if (first.done) throw new UsageError(`${name} is empty`);
  const [head] = [first.value];
  return { name, format: formatOf(head[0]), lines: withFirst(head, lines) };
}

/**
 * Returns the whole text of the file.
 * @throws UsageError if it is too large.
 */
export async function wholeText({ name, lines }: TrafficFile): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const [text] of lines) {
    parts.push(text);
    length += text.length + 1;
    if (length > LARGEST_HAR_BYTES)
      throw new UsageError(
        `${name} is larger than ${LARGEST_HAR_BYTES / 1024 ** 2} MB, and a HAR file has to be read whole: split it, or record as NDJSON`,
      );
  }
  return parts.join("\n");
}

function formatOf(line: string): Format {
  const begin = line.trimStart().slice(0, 200);
  if (/^\{\s*("schemaVersion"|"suite")\s*:/.test(begin)) return "history";
  if (/^\{\s*("log"\s*:|$)/.test(begin)) return "har";
  return "ndjson";
}

async function* withFirst<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* chunksOf(file: string, { follow }: ReadingOptions): AsyncGenerator<Buffer> {
  if (file === "-") yield* process.stdin as AsyncIterable<Buffer>;
  else if (follow === undefined) yield* createReadStream(file) as AsyncIterable<Buffer>;
  else yield* piecesOfGrowing(file, follow);
}

/**
 * Yields the pieces of a file as it grows. A log may be rotated: its file is away for a moment, and another
 * one takes its place.
 */
async function* piecesOfGrowing(file: string, ended: AbortSignal): AsyncGenerator<Buffer> {
  let handle = await open(file);
  let start = 0;
  try {
    while (!ended.aborted) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, start);
      if (bytesRead > 0) {
        start += bytesRead;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      const begunAgain = await fileBegunAgain(file, handle, start);
      if (begunAgain === undefined) {
        await pause(LOOK_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
        continue;
      }
      if (begunAgain !== handle) await handle.close();
      [handle, start] = [begunAgain, 0];
      // The last line of the old file may lack its end.
      yield Buffer.from("\n");
    }
  } finally {
    await handle.close();
  }
}

/** Returns the file to read from its start, if another one took its place, or if it is shorter than before. */
async function fileBegunAgain(
  file: string,
  handle: FileHandle,
  bytesRead: number,
): Promise<FileHandle | undefined> {
  const now = statSync(file, { throwIfNoEntry: false });
  if (now === undefined) return undefined;
  if (now.ino === (await handle.stat()).ino) return now.size < bytesRead ? handle : undefined;
  return open(file).catch(() => undefined);
}

/** Yields the text of the chunks, unpacked. A packed file that was cut off ends early, with a notice. */
async function* textOf(
  name: string,
  chunks: AsyncGenerator<Buffer>,
  { notice }: ReadingOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of await unzipped(chunks)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    yield decoder.decode();
    notice(`${name} is cut off or damaged: its gzip data can't be unpacked to the end`);
  }
}

async function unzipped(chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  const first = await chunks.next();
  if (first.done) return chunks;
  const whole = withFirst(first.value, chunks);
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  return isPacked ? (Readable.from(whole).pipe(createGunzip()) as AsyncIterable<Buffer>) : whole;
}

function isOfZlib(error: unknown): boolean {
  return /^Z_|ERR_ZLIB/.test((error as NodeJS.ErrnoException).code ?? "");
}

/** Yields each line with its number. Lines that are too long are left out, with a notice. */
async function* linesOf(
  name: string,
  texts: AsyncGenerator<string>,
  { notice, follow }: ReadingOptions,
): AsyncGenerator<[string, number]> {
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  const end = (): string | undefined => {
    const line = length > LONGEST_LINE_CHARACTERS ? undefined : parts.join("");
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
      if (length <= LONGEST_LINE_CHARACTERS) parts.push(part);
    }
  }
  // The last line of a growing file may be incomplete.
  const last = follow === undefined ? end() : "";
  if (last) yield [last, number];
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: "there is no such file", EISDIR: "it is a folder" };
  return reasons[code ?? ""] ?? code ?? message;
}
