/** Redacts a history. Equal texts stay equal, so rules give the same results. */

import type { Redactor } from "../client/sending/secrets.ts";
import { bodyOf } from "../history/body.ts";
import type { Body, Delivery, Entry, Head, Pairs } from "../history/entry.ts";
import { type Mask, maskPeople } from "../reports/personal-data.ts";
import { keptIn } from "../spec/memoized.ts";

const ASCII = /[A-Za-z0-9]/g;
const OTHER_LETTERS = /[^\P{L}A-Za-z]|[^\P{N}0-9]/gu;
const CORE = /[A-Za-z0-9](?:.*[A-Za-z0-9])?/s;

export class Pseudonyms {
  readonly #known = new Map<string, string>();

  /** Keeps length and punctuation (`secret2xxxxxx`): a valid secret stays valid, a faulty one faulty. */
  readonly pseudonymOf = (secret: string): string =>
    keptIn(this.#known, secret, () => madePseudonym(secret, `secret${this.#known.size + 1}`));
}

/** Returns a text of the secret's form and length with the label: judging again finds the same faults. */
function madePseudonym(secret: string, label: string): string {
  const plain = secret.replace(OTHER_LETTERS, "é").replace(ASCII, "x");
  const letters = plain.match(/x/g)?.length ?? 0;
  if (letters === 0) return `[${label}]`;
  if (letters < label.length) return plain.replace(CORE, label);
  const whole = "x".repeat(label.length);
  if (plain.includes(whole)) return plain.replace(whole, label);
  let place = 0;
  return plain.replace(/x/g, () => label[place++] ?? "x");
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

export class RedactedEntries {
  readonly #pseudonyms = new Pseudonyms();
  readonly #bodies = new Map<string, Body>();
  readonly #strings = new Map<string, string>();
  readonly #clean = new Map<string, Pairs[number]>();

  /** Texts with the run tag name no person. */
  constructor(
    private readonly redactor: Redactor,
    private readonly mask: Mask | undefined,
    private readonly runTag: string | null,
  ) {}

  /** Returns the head of the history without secrets. */
  head(head: Head): Head {
    return {
      ...head,
      runTag: head.runTag === null ? null : this.#text(head.runTag),
      spaces: head.spaces.map((space) => this.#text(space)),
      fixtures: this.#fixtures(head.fixtures),
    };
  }

  /** Returns the fixtures without secrets. Each value of a list is sent alone, so it is redacted alone. */
  #fixtures(fixtures: Head["fixtures"]): Head["fixtures"] {
    const redacted = Object.entries(fixtures).map(([name, value]) => {
      const values = this.#pairs(value.split(",").map((each) => [name, each]));
      return [name, values.map(([, each]) => each).join(",")];
    });
    return Object.fromEntries(redacted) as Head["fixtures"];
  }

  *entries(entries: Iterable<Entry>): Generator<Entry> {
    for (const known of [this.#bodies, this.#strings, this.#clean]) known.clear();
    for (const entry of entries) yield this.#entry(entry);
  }

  delivery(delivery: Delivery): Delivery {
    return { ...delivery, headers: this.#headers(delivery.headers), body: this.#body(delivery.body) };
  }

  #entry(entry: Entry): Entry {
    const { request, response } = entry;
    return {
      ...entry,
      path: this.#record(entry.path),
      version: entry.version === null ? null : this.#text(entry.version),
      space: entry.space === null ? null : this.#text(entry.space),
      request: {
        ...request,
        url: this.#url(request.url),
        query: this.#pairs(request.query),
        headers: this.#headers(request.headers),
        body: request.body === null ? null : this.#body(request.body),
      },
      response:
        "fault" in response
          ? { ...response, message: this.#text(response.message) }
          : { ...response, headers: this.#headers(response.headers), body: this.#body(response.body) },
    };
  }

  #body(body: Body): Body {
    if (body.cut || body.unreadable !== undefined) return this.#cleanBody(body);
    const clean = this.#bodies.get(body.text) ?? this.#cleanBody(body);
    this.#bodies.set(body.text, clean);
    return clean;
  }

  #cleanBody(body: Body): Body {
    const text = this.#json(body.text);
    if (text === body.text) return body;
    const { cut, unreadable } = body;
    return bodyOf(text, { cut, unreadable });
  }

  #headers(pairs: Pairs): Pairs {
    return this.#pairs(
      pairs.map(([name, value]) => [
        name,
        this.redactor.isSecretHeader(name) && value !== "" ? this.#hidden(name, value) : value,
      ]),
    );
  }

  #hidden(name: string, value: string): string {
    if (!/authorization$/i.test(name)) return this.#pseudonyms.pseudonymOf(value);
    const [, scheme = "", credentials = value] = /^([A-Za-z]+ +)(.*)$/s.exec(value) ?? [];
    const isScheme = /^[A-Za-z]*$/.test(credentials) && this.redactor.text(credentials) === credentials;
    return scheme + (isScheme ? credentials : this.#pseudonyms.pseudonymOf(credentials));
  }

  #url(url: string): string {
    const [address = "", ...query] = url.split("?");
    const path = address.split("/").map((part) => this.#component(part, (plain) => this.#text(plain)));
    const parameters = query
      .join("?")
      .split("&")
      .map((parameter) => {
        const [name = "", ...rest] = parameter.split("=");
        const value = this.#component(rest.join("="), (plain) => this.#pairs([[name, plain]])[0]?.[1] ?? "");
        return rest.length === 0 ? this.#component(name, (plain) => this.#text(plain)) : `${name}=${value}`;
      });
    return path.join("/") + (query.length === 0 ? "" : `?${parameters.join("&")}`);
  }

  #component(part: string, redact: (plain: string) => string): string {
    let plain = part;
    try {
      plain = decodeURIComponent(part);
    } catch {
      // The part is not percent-encoded.
    }
    const clean = redact(plain);
    return clean === plain ? part : encodeURIComponent(clean);
  }

  #record(values: Record<string, string>): Record<string, string> {
    return Object.fromEntries(this.#pairs(Object.entries(values)));
  }

  /** Returns the pairs without secrets. The name may show that a value is personal data. */
  #pairs(pairs: Pairs): Pairs {
    return pairs.map((pair) => this.#pair(pair));
  }

  #pair([name, value]: Pairs[number]): Pairs[number] {
    return keptIn(this.#clean, `${name}\n${value}`, () => {
      const text = JSON.stringify({ [name]: value });
      const clean = this.#json(text);
      const [pair = [name, value]] =
        clean === text ? [] : Object.entries(JSON.parse(clean) as Record<string, string>);
      return pair;
    });
  }

  #text(text: string): string {
    const clean = this.redactor.text(text, this.#pseudonyms.pseudonymOf);
    return this.mask === undefined ? clean : maskPeople(clean, (value) => this.#masked(value, value));
  }

  /** Returns the JSON without secrets: first the strings, which escapes may hide, then by names in the whole. */
  #json(text: string): string {
    const { pseudonymOf: of } = this.#pseudonyms;
    const inString = (string: string) => {
      const clean =
        this.#strings.get(string) ?? withChangedJsonText(string, (plain) => this.redactor.text(plain, of));
      this.#strings.set(string, clean);
      return clean;
    };
    // Numbers stay numbers, so that the text stays JSON.
    const across = (stretch: string) =>
      /^[\d\s,]+$/.test(stretch)
        ? stretch.replace(/\d+/g, "0")
        : withChangedJsonText(`"${stretch}"`, of).slice(1, -1);
    const clean = this.redactor.holdsSecret(text)
      ? this.redactor.text(text.replace(JSON_STRING, inString), across)
      : text;
    if (this.mask === undefined) return clean;
    return maskPeople(clean, (value) =>
      withChangedJsonText(`"${value}"`, (plain) => this.#masked(plain, value)).slice(1, -1),
    );
  }

  #masked(plain: string, value: string): string {
    const isOwn = this.runTag !== null && value.includes(this.runTag);
    return isOwn || this.mask === undefined ? plain : this.mask(plain);
  }
}

/** Changes the text that a JSON string stands for, and returns the string itself if nothing changes. */
function withChangedJsonText(string: string, change: (plain: string) => string): string {
  try {
    const plain = JSON.parse(string) as string;
    const other = change(plain);
    return other === plain ? string : JSON.stringify(other);
  } catch {
    return string;
  }
}
