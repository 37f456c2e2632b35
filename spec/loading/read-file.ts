/** Reads the user's files up to a limit of size. Each error is a UsageError. */

import { closeSync, openSync, readSync } from "node:fs";
import { jsonIn, withoutByteOrderMark } from "../json.ts";
import { DEEPEST_LEVEL, isTooDeep } from "../json-size.ts";
import { UsageError } from "../usage-error.ts";
import { SpecError, YamlSource } from "./source.ts";

const MEGABYTE = 1024 ** 2;

/** Parsing takes several times the file's size in memory, for YAML a hundred times. */
export const MOST_MEGABYTES = { settings: 1, edition: 2, certificate: 8, report: 128 } as const;

/**
 * Returns the content of the file.
 * @throws UsageError if the file can't be read or is too large
 */
export function readBytes(file: string, what: string, mostMegabytes: number): Buffer {
  try {
    return readAtMost(file, mostMegabytes * MEGABYTE);
  } catch (error) {
    throw new UsageError(`cannot read the ${what} ${file}: ${reasonOf(error, mostMegabytes)}`);
  }
}

/**
 * Returns the text of a PEM file.
 * @throws UsageError without the file name, which may be the key itself
 */
export function readPemText(file: string, flag: string): string {
  try {
    return readAtMost(file, MOST_MEGABYTES.settings * MEGABYTE).toString("utf8");
  } catch (error) {
    const why = reasonOf(error, MOST_MEGABYTES.settings);
    throw new UsageError(`${flag}: cannot read the file that it names: ${why}`);
  }
}

function reasonOf(error: unknown, mostMegabytes: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EFBIG: `it is larger than ${mostMegabytes} MB`,
  };
  return code === undefined ? message : (reasons[code] ?? code);
}

/**
 * Reads in parts, because the size of a pipe is not known before.
 * @throws Error with code EFBIG if the file is larger.
 */
function readAtMost(file: string, most: number): Buffer {
  const open = openSync(file, "r");
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(MEGABYTE);
      const read = readSync(open, part, 0, part.length, null);
      if (read === 0) return Buffer.concat(parts, length);
      length += read;
      if (length > most) throw Object.assign(new Error("too large"), { code: "EFBIG" });
      parts.push(part.subarray(0, read));
    }
  } finally {
    closeSync(open);
  }
}

export function readText(
  file: string,
  what: string,
  mostMegabytes: number = MOST_MEGABYTES.settings,
): string {
  return readBytes(file, what, mostMegabytes).toString("utf8");
}

/**
 * Returns the value of a JSON file.
 * @throws UsageError that begins with `mistaken` if the file is not JSON
 */
export function readJson(file: string, what: string, mostMegabytes: number, mistaken: string): unknown {
  const text = withoutByteOrderMark(readText(file, what, mostMegabytes));
  if (isTooDeep(text)) throw new UsageError(`${mistaken}: it is nested more than ${DEEPEST_LEVEL} deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${mistaken}: it is not JSON`);
  }
}

/** Returns the value of the JSON text, or `undefined` if it is no JSON, or too deep. */
export function jsonOf(text: string): unknown {
  return isTooDeep(text) ? undefined : jsonIn(text);
}

/**
 * Reads YAML, and so JSON, too.
 * @throws UsageError with file and line if the file is malformed
 */
export function readYaml(file: string, what: string): YamlSource {
  try {
    return new YamlSource(file, readText(file, what));
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message);
    throw error;
  }
}
