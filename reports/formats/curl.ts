import { decisiveExchange, OWN_HEADERS } from "../exchange.ts";
import type { CheckResult, Exchange, SentRequest } from "../report.ts";
import { DISRUPTIVE } from "../text.ts";

/** The last steps lead to the violation, so earlier ones are left out. */
const MAX_STEPS = 30;
const RUN_TAG = /pc-([0-9a-f]{8})(?![0-9a-f])|pc-([0-9a-f]{8})(?=[0-9a-f]{24})/g;
const TAG_VARIABLE = "PC";
const CONCURRENT = "at once";

type Piece = string | { shell: string };

/** Secrets become variables: `$PAYMENTS_CONFORMANCE_TOKEN`. */
export function curlCommand(request: SentRequest): string {
  return commandOfPieces(request, (text) => [text]);
}

/** Returns a shell script with a new run tag, because unique values work only once. */
export function reproduction(check: Pick<CheckResult, "evidence">): string | undefined {
  const shows = decisiveExchange(check);
  if (shows === undefined) return undefined;
  const writes = check.evidence.some(({ request }) => request.method !== "GET");
  const steps = writes ? check.evidence.slice(-MAX_STEPS) : [shows];
  const tags = new Set(steps.flatMap(({ request }) => tagsIn(request)));
  if (steps.length === 1 && tags.size === 0) return curlCommand(shows.request);
  return scriptOf(steps, tags);
}

export function replayCommand(called: string, reportFile: string, checkId: string): string {
  return `${called} replay ${quoted(reportFile)} ${quoted(checkId)}`;
}

function tagsIn(request: SentRequest): string[] {
  if (request.method === "GET") return [];
  const text = [request.url, request.body ?? "", ...Object.values(request.headers)].join("\n");
  return [...text.matchAll(RUN_TAG)].flatMap(([, tag, inKey]) => tag ?? inKey ?? []);
}

/** Returns a shell script that sends the steps, with new tags, and takes ids from their answers. */
function scriptOf(steps: readonly Exchange[], tags: ReadonlySet<string>): string {
  const lines: string[] = [];
  if (tags.size > 0) lines.push(`${TAG_VARIABLE}=$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')`);
  const idVariables = new Map<string, string>();
  for (const [index, exchange] of steps.entries()) {
    const { request, response } = exchange;
    const next = steps[index + 1];
    const sent = commandOfPieces(request, (text) => withVariables(text, idVariables, tags));
    const id = request.method === "POST" ? idIn(response?.body ?? null) : undefined;
    const later = steps.slice(index + 1).some((step) => id !== undefined && step.request.url.includes(id));
    if (id !== undefined && later && !idVariables.has(id)) {
      const name = `ID${idVariables.size + 1}`;
      lines.push(`A=$(${sent}); printf '%s\\n' "$A"`);
      lines.push(`${name}=$(printf '%s' "$A" | tr -d '\\r\\n\\t' | sed -n '${TAKE_ID}')`);
      idVariables.set(id, name);
    } else if (exchange.role === CONCURRENT) {
      lines.push(`${sent} &`);
      if (next?.role !== CONCURRENT) lines.push("wait");
    } else {
      // The printed body has no line end, so `echo` follows.
      lines.push(next === undefined ? sent : `${sent}; echo`);
    }
  }
  return lines.join("\n");
}

/** Finds the same id as `idIn`, because parts of the resource may have ids, too. */
const TAKE_ID = 's/.*"result" *: *{[^{}]*"id" *: *"\\([^"]*\\)".*/\\1/p';

function idIn(body: string | null): string | undefined {
  const [, id] = /"result"\s*:\s*\{[^{}]*?"id"\s*:\s*"([^"\\]{4,})"/.exec(body ?? "") ?? [];
  return id;
}

/** Splits the text around ids and tags, which the script keeps in variables. */
function withVariables(
  text: string,
  idVariables: ReadonlyMap<string, string>,
  tags: ReadonlySet<string>,
): Piece[] {
  let pieces: Piece[] = [text];
  for (const [id, name] of idVariables)
    pieces = pieces.flatMap((piece) => splitPiece(piece, id, { shell: `\${${name}}` }));
  for (const tag of tags)
    pieces = pieces.flatMap((piece) => splitPiece(piece, tag, { shell: `\${${TAG_VARIABLE}}` }));
  return pieces;
}

function splitPiece(piece: Piece, text: string, by: Piece): Piece[] {
  if (typeof piece !== "string") return [piece];
  return piece.split(text).flatMap((part, index) => (index === 0 ? [part] : [by, part]));
}

/** Returns the curl command that sends this request. */
function commandOfPieces(request: SentRequest, pieces: (text: string) => Piece[]): string {
  // curl must not interpret brackets and dots in the URL.
  const parts = ["curl -sS -i -g --path-as-is"];
  if (request.method !== "GET" || request.body !== null) parts.push(`-X ${shellWord([request.method])}`);
  parts.push(shellWord(pieces(request.url)));
  const names = Object.keys(request.headers).map((name) => name.toLowerCase());
  for (const [name, value] of Object.entries(request.headers)) {
    if (!OWN_HEADERS.has(name.toLowerCase())) parts.push(`-H ${headerOption(request, name, value, pieces)}`);
  }
  // By default, curl adds the content type of a form, so an empty header removes it.
  if (request.body !== null && !names.includes("content-type")) parts.push("-H 'Content-Type:'");
  if (request.body !== null) parts.push(`--data-raw ${shellWord(pieces(request.body))}`);
  return parts.join(" ");
}

/** Returns the header as a curl option. Redacted credentials become the shell words that make them. */
function headerOption(
  request: SentRequest,
  name: string,
  value: string,
  pieces: (text: string) => Piece[],
): string {
  if (name.toLowerCase() === "authorization" && value.startsWith("[redacted")) {
    const credential = request.credential ?? "Bearer $PAYMENTS_CONFORMANCE_TOKEN";
    return credential === "" ? "'Authorization;'" : `"Authorization: ${credential}"`;
  }
  if (value.startsWith("[redacted")) {
    const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    return shellWord([`${name}: `, { shell: `\${${variable}}` }]);
  }
  // curl omits an empty header, unless a semicolon follows its name.
  return value.trim() === "" ? shellWord([`${name};`]) : shellWord([`${name}: `, ...pieces(value)]);
}

/** Returns the pieces as one shell word: texts quoted, variables in double quotes. */
function shellWord(pieces: readonly Piece[]): string {
  let written = "";
  let text = "";
  for (const piece of [...pieces, { shell: "" }]) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    if (text !== "") written += quoted(text);
    if (piece.shell !== "") written += `"${piece.shell}"`;
    text = "";
  }
  return written === "" ? "''" : written;
}

function quoted(text: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]+$/.test(text)) return text;
  if (text.search(DISRUPTIVE) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return `$'${escaped.replace(DISRUPTIVE, byteEscapes)}'`;
}

function byteEscapes(character: string): string {
  return [...Buffer.from(character, "utf8")]
    .map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
    .join("");
}
