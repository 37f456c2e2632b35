import { FIXTURE_NAMES } from "../../spec/model/settings.ts";
import { didYouMean } from "../../spec/nearest.ts";

/** The message completes the option's name ("must be …"). */
export class BadValue extends Error {
  override name = "BadValue";
}

export interface Kind<T> {
  argument: string | null;
  many: boolean;
  schema: Record<string, unknown>;
  split(text: string): string[];
  /**
   * With `edition`, fixture names are checked later.
   * @throws BadValue
   */
  fromText(texts: string[], edition?: boolean): T;
  fromFile(value: unknown, edition?: boolean): T;
}

/** Returns the kind of an option with one value, of which the last one given counts. */
function singleValue<T>(
  argument: string | null,
  schema: Record<string, unknown>,
  read: (text: string) => T,
  fromFile: (value: unknown) => T = (value) => {
    if (typeof value !== "string") throw new BadValue("must be a text");
    return read(value);
  },
): Kind<T> {
  const fromText = (texts: string[]): T => {
    const text = texts[texts.length - 1] ?? "";
    if (text === "") throw new BadValue("is empty; leave it out or give it a value");
    return read(text);
  };
  return { argument, many: false, schema, split: (text) => [text], fromText, fromFile };
}

export function text(argument = "<text>"): Kind<string> {
  return singleValue(argument, { type: "string", minLength: 1 }, (value) => {
    if (value === "") throw new BadValue("is empty; leave it out or give it a value");
    return value;
  });
}

/** Returns the kind of an option with a token. No message shows the token. */
export function credential(argument = "<token>"): Kind<string> {
  return singleValue(argument, { type: "string", pattern: "^[!-~]+$" }, (value) => {
    if (/^bearer\s/i.test(value)) throw new BadValue("must be the token alone, without the word Bearer");
    if (!/^[!-~]+$/.test(value)) throw new BadValue("must be printable ASCII without spaces");
    return value;
  });
}

/** Characters that HTTP allows, without white space at the ends. */
const HEADER_VALUE = "^[!-~\\x80-\\xff]([\\t -~\\x80-\\xff]*[!-~\\x80-\\xff])?$";

export function headerValue(argument: string): Kind<string> {
  return singleValue(argument, { type: "string", pattern: HEADER_VALUE }, (value) => {
    if (!new RegExp(HEADER_VALUE).test(value))
      throw new BadValue("must be a text that a header may hold, without blanks at either end");
    return value;
  });
}

export function url(): Kind<string> {
  return singleValue("<url>", { type: "string", format: "uri", pattern: "^https?://" }, readUrl);
}

/**
 * Returns the URL without a slash at its end.
 * @throws BadValue if it is none or holds credentials.
 */
function readUrl(value: string): string {
  if (!/^https?:\/\//i.test(value)) throw new BadValue(`must begin with http:// or https://`);
  if (!URL.canParse(value)) throw new BadValue("is not a URL");
  const parsed = new URL(value);
  if (parsed.username !== "" || parsed.password !== "") {
    throw new BadValue("must not hold a user name or password; the credential goes into --token");
  }
  if (value.includes("?") || value.includes("#")) {
    throw new BadValue("must be an address that paths can be appended to, without a query or fragment");
  }
  return parsed.href.replace(/\/+$/, "");
}

export function integer(min: number, max: number): Kind<number> {
  return numeric("<n>", { type: "integer", minimum: min, maximum: max }, (value) => {
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new BadValue(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  });
}

export function positive(max: number): Kind<number> {
  return numeric("<n>", { type: "number", exclusiveMinimum: 0, maximum: max }, (value) => {
    if (!(value > 0 && value <= max)) throw new BadValue(`must be a number above 0 and up to ${max}`);
    return value;
  });
}

/** Returns the kind of an option whose value is a number that `check` accepts. */
function numeric(
  argument: string,
  schema: Record<string, unknown>,
  check: (value: number) => number,
): Kind<number> {
  const read = (value: string) => check(/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN);
  return singleValue(argument, schema, read, (value) =>
    typeof value === "number" ? check(value) : read(typeof value === "string" ? value : ""),
  );
}

/** Returns the kind of an option with one of these words. */
export function choice<const T extends string>(values: readonly T[]): Kind<T> {
  return singleValue("<name>", { enum: values }, (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) {
      throw new BadValue(`must be one of ${values.join(", ")}, not ${value}${didYouMean(value, values)}`);
    }
    return found;
  });
}

/** Returns the kind of an option that is on or off. */
export function flag(): Kind<boolean> {
  const read = (value: string): boolean => {
    if (value === "true" || value === "1") return true;
    if (value === "false" || value === "0") return false;
    throw new BadValue("must be true or false");
  };
  return singleValue(null, { type: "boolean" }, read, (value) =>
    typeof value === "boolean" ? value : read(typeof value === "string" ? value : ""),
  );
}

export function path(argument: string): Kind<string> {
  return { ...text(argument), schema: { type: "string", minLength: 1 } };
}

/** Thousands of patterns would take minutes. */
const MOST_PATTERNS = 1_000;

/**
 * Returns the kind of an option with patterns of ids. In an environment variable, commas outside braces
 * separate patterns: `LIST-{A,B},reads`.
 */
export function patterns(): Kind<string[]> {
  const check = (values: string[]): string[] => {
    if (values.length === 0 || values.includes("")) throw new BadValue("holds an empty pattern");
    if (values.length > MOST_PATTERNS)
      throw new BadValue(`holds ${values.length} patterns, and at most ${MOST_PATTERNS} are taken`);
    return values;
  };
  return {
    argument: "<pattern>",
    many: true,
    schema: {
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", items: { type: "string", minLength: 1 } },
      ],
    },
    split: (value) => value.split(/,(?![^{]*\})/).map((part) => part.trim()),
    fromText: check,
    fromFile: (value) => {
      const list = Array.isArray(value) ? value : [value];
      if (!list.every((each) => typeof each === "string")) throw new BadValue("must be a list of patterns");
      return list.length === 0 ? [] : check(list);
    },
  };
}

/** Returns the kind of an option with several of these words. */
export function choices(words: readonly string[]): Kind<string[]> {
  const check = (values: string[]): string[] => {
    const wrong = values.find((value) => !words.includes(value));
    if (wrong !== undefined)
      throw new BadValue(`must be of ${words.join(", ")}, not ${wrong}${didYouMean(wrong, words)}`);
    return [...new Set(values)];
  };
  return {
    argument: "<name>",
    many: true,
    schema: { type: "array", items: { enum: [...words] } },
    split: (value) => value.split(",").map((part) => part.trim()),
    fromText: check,
    fromFile: (value) => {
      const list = Array.isArray(value) ? value : [value];
      if (!list.every((each) => typeof each === "string")) throw new BadValue("must be a list of names");
      return check(list);
    },
  };
}

const TEXT_SCHEMA = { type: "string", minLength: 1 };

/**
 * Returns the kind of an option with fixtures by name. In an environment variable, fixtures are written
 * `payout=po_1,po_2,currency=GHS`.
 */
export function fixtures(): Kind<Record<string, string>> {
  const put = (into: Record<string, string>, name: string, value: string, edition: boolean): void => {
    if (!edition && !FIXTURE_NAMES.some((known) => known === name)) {
      throw new BadValue(`has no fixture named ${name}${didYouMean(name, FIXTURE_NAMES)}`);
    }
    if (value === "") throw new BadValue(`gives the fixture ${name} no value`);
    into[name] = value;
  };
  return {
    argument: "<name=value>",
    many: true,
    schema: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        FIXTURE_NAMES.map((name) => [
          name,
          { anyOf: [TEXT_SCHEMA, { type: "array", items: TEXT_SCHEMA, minItems: 1 }] },
        ]),
      ),
    },
    split: (value) => value.split(/,(?=\s*[A-Za-z]+=)/).map((part) => part.trim()),
    fromText: (texts, edition = false) => {
      const into: Record<string, string> = {};
      for (const pair of texts) {
        const at = pair.indexOf("=");
        if (at < 1) throw new BadValue(`must be NAME=VALUE, not ${pair === "" ? "empty" : pair}`);
        put(into, pair.slice(0, at), pair.slice(at + 1), edition);
      }
      return into;
    },
    fromFile: (value, edition = false) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new BadValue("must be a map of fixture names to values");
      }
      const into: Record<string, string> = {};
      for (const [name, each] of Object.entries(value)) {
        const members = Array.isArray(each) ? each : [each];
        if (!members.every((member) => typeof member === "string"))
          throw new BadValue(`gives the fixture ${name} a value that is no text`);
        put(into, name, members.join(","), edition);
      }
      return into;
    },
  };
}

/** Returns the kind of an option with a part of a whole, such as 1/2. */
export function shard(): Kind<{ index: number; total: number }> {
  return singleValue("<i/n>", { type: "string", pattern: "^[1-9][0-9]*/[1-9][0-9]*$" }, (value) => {
    const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
    const part = { index: Number(index), total: Number(total) };
    if (!(part.index >= 1 && part.index <= part.total)) {
      throw new BadValue("must be I/N: part I of N, counted from 1");
    }
    return part;
  });
}
