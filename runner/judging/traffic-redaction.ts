import { randomBytes } from "node:crypto";
import { learnSent, learnShown } from "../../client/sending/hidden-secrets.ts";
import { Redactor } from "../../client/sending/secrets.ts";
import { type Entry, type Head, isAccepted, requestJson, responseJson } from "../../history/entry.ts";
import { isMask } from "../../history/foreign/messages.ts";
import { keyedMask } from "../../reports/keyed-mask.ts";
import type { Mask } from "../../reports/personal-data.ts";
import { isDateTime } from "../../spec/formats.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { RedactedEntries } from "../redacted-entries.ts";

/** With more secrets, tokens are redacted only as a whole. */
const MOST_WITH_PARTS = 50_000;
const MOST_SECRETS = 100_000;
const SHORTEST_SECRET = 8;
const SECRET_NAME = /token|secret|passw|api[-_]?key|signature|credential|session/i;
/** In JSON, a wider name may be that of a documented field. */
const NAME_IN_JSON = /secret|passw|api[-_]?key|access[-_]?token/i;
/** The last value of a body that is cut may lack its end. */
const JSON_MEMBER = /"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)/g;
/** A pair of a form or of the query of a URL, in JSON and HTML, too. */
const QUERY_PAIR = /(?:^|[?&;\s"]|\\u0026)([\w.~%[\]-]{1,100})=([^&;#\s"'<>\\]*)/g;
const PASSWORD_IN_URL = /:\/\/[^\s/?#@:"]{0,100}:([^\s/?#@"]{1,200})@/g;

export class TrafficRedaction {
  readonly #mask: Mask | undefined;
  readonly #words: ReadonlySet<string>;
  #redactor: Redactor;
  #earlier: Redactor | undefined;

  constructor(
    private readonly spec: Spec,
    private readonly publicText: string,
    showPeople: boolean,
  ) {
    this.#words = wordsOf(spec);
    this.#mask = showPeople ? undefined : keyedMask(randomBytes(32));
    this.#redactor = this.#empty();
  }

  #empty(): Redactor {
    const redactor = new Redactor();
    redactor.addPublic(this.publicText);
    return redactor;
  }

  clean(head: Head, entries: readonly Entry[]): { head: Head; entries: Entry[] } {
    if (this.#redactor.size > MOST_SECRETS) [this.#earlier, this.#redactor] = [this.#redactor, this.#empty()];
    for (const entry of entries) this.#learn(entry);
    const redacted = new RedactedEntries(this.#redactor, this.#mask, null);
    return { head: redacted.head(head), entries: [...redacted.entries(entries)] };
  }

  value<T>(value: T): T {
    return this.#redactor.value(this.#earlier ? this.#earlier.value(value) : value);
  }

  #learn(entry: Entry): void {
    const { request, response, operation } = entry;
    const documented = new Set(operation?.parameters.map(({ name }) => name.toLowerCase()));
    const headers = "headers" in response ? [...request.headers, ...response.headers] : request.headers;
    for (const [name, value] of headers) {
      if (documented.has(name)) continue;
      if (name === "authorization") this.#learnCredential(entry, value);
      else if (this.#redactor.isSecretHeader(name)) this.#redactor.addHeader(name, value);
      else if (SECRET_NAME.test(name)) this.#learnNamed(name, value);
      else this.#learnAddresses(value);
    }
    for (const [name, value] of request.query)
      if (SECRET_NAME.test(name) && !documented.has(name.toLowerCase())) this.#learnNamed(name, value);
    const [sent, shown] = [requestJson(entry), responseJson(entry)];
    this.#learnText(request.body?.text, sent === undefined ? SECRET_NAME : NAME_IN_JSON);
    if ("body" in response)
      this.#learnText(response.body.text, shown === undefined ? SECRET_NAME : NAME_IN_JSON);
    if (!operation) return;
    const { schemas } = this.spec;
    learnSent(schemas, operation, sent, this.#redactor);
    learnShown(schemas, operation, shown, this.#redactor);
  }

  #learnCredential(entry: Entry, value: string): void {
    const credential = value.replace(/^[A-Za-z]+(?: +|$)/, "");
    if (this.#isOrdinary(credential)) return;
    // A rejected token may be any text, so its parts are not secret.
    this.#redactor.add(credential, isAccepted(entry) && this.#redactor.size < MOST_WITH_PARTS);
  }

  /** Adds the value of a secret field. A short one may be any word, so it is a secret under this name alone. */
  #learnNamed(name: string, value: string): void {
    if (this.#isOrdinary(value)) return;
    if (value.length < SHORTEST_SECRET) this.#redactor.addNamed(name, value);
    else this.#redactor.addHeader(name, value);
  }

  /** True for values that are no secret. Redacting them would make other answers faulty. */
  #isOrdinary(value: string): boolean {
    return value === "" || this.#words.has(value) || isDateTime(value);
  }

  /** Adds the secrets in an undocumented field or a body that is no JSON. */
  #learnText(text = "", names: RegExp): void {
    this.#learnAddresses(text);
    for (const [, name = "", value = ""] of text.matchAll(JSON_MEMBER))
      if (names.test(name)) this.#addShown(value);
  }

  #learnAddresses(text: string): void {
    if (text.includes("="))
      for (const [, name = "", value = ""] of text.matchAll(QUERY_PAIR))
        if (SECRET_NAME.test(name)) this.#addShown(value);
    if (text.includes("://"))
      for (const [, password = ""] of text.matchAll(PASSWORD_IN_URL)) this.#addShown(password);
  }

  #addShown(value: string): void {
    if (!isMask(value) && !this.#isOrdinary(value)) this.#redactor.addShown(value);
  }
}

function wordsOf({ versions, schemas }: Spec): Set<string> {
  const words = [...schemas.all()].flatMap((schema) => [
    ...(schema.enum ?? []),
    ...Object.keys(schema.properties ?? {}),
  ]);
  return new Set([...versions, ...words.map(String)]);
}
