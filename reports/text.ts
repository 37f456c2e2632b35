/** Renderers call `visible` before their own escaping. */

/** Displays may hide or obey these characters. Zero-width joiners stay, because several scripts need them. */
export const DISRUPTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const SHORT: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns the character as an escape that no terminal interprets. */
function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Writes `\x1b` or `\u202e` for a control character. */
export function visible(text: string): string {
  return text.replace(DISRUPTIVE, escapeCharacter);
}

/** Like `visible`, but keeps tabs and line breaks. */
export function visibleBlock(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(DISRUPTIVE, (character) =>
      character === "\n" || character === "\t" ? character : escapeCharacter(character),
    );
}

const COMMAND = /^(\s*):(?=:)|#(?=#(?:vso|teamcity)?\[)/gim;

/**
 * Returns the text without commands to CI servers. CI servers obey `::error::` at the beginning of a line, and
 * `##[error]`.
 */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND, (mark, blank: string | undefined) =>
    mark === "#" ? "\\x23" : `${blank ?? ""}\\x3a`,
  );
}

/**
 * Returns the text without commands that may stand within a line. Some CI servers obey `##vso[…]` anywhere.
 */
export function withoutInlineCommands(text: string): string {
  return text.replace(/##(?=[a-z]*\[)/gi, "#\\x23");
}

/** Returns at most `max` UTF-16 units, never half a surrogate pair, and says how many are missing. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = sliceWhole(text, 0, max);
  return `${kept}… (${count(text.length - kept.length, "more character")})`;
}

export function shown(text: string, max: number): string {
  return text.length <= max ? visible(text) : visible(cut(text, max));
}

function sliceWhole(text: string, start: number, end: number): string {
  return text.slice(wholeIndex(text, start), wholeIndex(text, end));
}

/** Returns the index, less one inside a surrogate pair. */
export function wholeIndex(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

/** Returns the text in lines of at most this width. An operation (`GET /banks`) stays on one line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(/(?<!\b(?:GET|PUT|POST|PATCH|DELETE)) /)) {
    if (line !== undefined && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === undefined ? word : `${line} ${word}`;
  }
  return [...lines, line ?? ""];
}

export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${number(n)} ${n === 1 ? singular : plural}`;
}

const GROUPED = new Intl.NumberFormat("en-US");

export function number(n: number): string {
  return GROUPED.format(n);
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
