import { randomBytes } from "node:crypto";
import { learnSent, learnShown } from "../../client/sending/hidden-secrets.ts";
import { isTokenLike } from "../../client/sending/secret-forms.ts";
import { Redactor } from "../../client/sending/secrets.ts";
import { type Entry, type Head, isAccepted, requestJson, responseJson } from "../../history/entry.ts";
import { isMask } from "../../history/foreign/masks.ts";
import { keyedMask } from "../../reports/keyed-mask.ts";
import type { Mask } from "../../reports/personal-data.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { RedactedEntries } from "../redacted-entries.ts";

/** With more secrets, tokens are redacted only as a whole. */
const MOST_WITH_PARTS = 50_000;
const MOST = 100_000;
const SECRET_NAME = /token|secret|passw|api[-_]?key|signature|credential|session/i;
/** In JSON, a wider name may be that of a documented field. */
const NAME_IN_JSON = /secret|passw|api[-_]?key|access[-_]?token/i;
/** The last value of a body that is cut may lack its end. */
const MEMBER = /"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)/g;
/** A pair of a form or of the query of a URL, in JSON and HTML, too. */
const PAIR = /(?:^|[?&;\s"]|\\u0026)([\w.~%[\]-]{1,100})=([^&;#\s"'<>\\]*)/g;
const PASSWORD_IN_URL = /:\/\/[^\s/?#@:"]{0,100}:([^\s/?#@"]{1,200})@/g;

export class TrafficRedaction {
  readonly #spec: Spec;
  readonly #publicText: string;
  readonly #mask: Mask | undefined;
  #redactor: Redactor;
  #earlier: Redactor | undefined;

  constructor(spec: Spec, publicText: string, showPeople: boolean) {
    this.#spec = spec;
    this.#publicText = publicText;
    this.#mask = showPeople ? undefined : keyedMask(randomBytes(32));
    this.#redactor = this.#empty();
  }

  #empty(): Redactor {
    const redactor = new Redactor();
    redactor.addPublic(this.#publicText);
    return redactor;
  }

  clean(head: Head, entries: readonly Entry[]): { head: Head; entries: Entry[] } {
    if (this.#redactor.size > MOST) [this.#earlier, this.#redactor] = [this.#redactor, this.#empty()];
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
      if (documented.has(name) || value === "") continue;
      // A rejected token may be any text, so its parts are not secret.
      if (name === "authorization")
        this.#redactor.add(
          value.replace(/^[A-Za-z]+(?: +|$)/, ""),
          isAccepted(entry) && this.#redactor.size < MOST_WITH_PARTS,
        );
      else if (this.#redactor.isSecretHeader(name) || SECRET_NAME.test(name))
        this.#redactor.addHeader(name, value);
      else this.#learnAddresses(value);
    }
    for (const [name, value] of request.query)
      if (SECRET_NAME.test(name) && !documented.has(name.toLowerCase()))
        this.#redactor.add(value, isTokenLike(value));
    const [sent, shown] = [requestJson(entry), responseJson(entry)];
    this.#learnText(request.body?.text, sent === undefined ? SECRET_NAME : NAME_IN_JSON);
    if ("body" in response)
      this.#learnText(response.body.text, shown === undefined ? SECRET_NAME : NAME_IN_JSON);
    if (!operation) return;
    const { schemas } = this.#spec;
    learnSent(schemas, operation, sent, this.#redactor);
    learnShown(schemas, operation, shown, this.#redactor);
  }

  /** An undocumented field, or a body that is no JSON, may hold a secret. */
  #learnText(text = "", names: RegExp): void {
    this.#learnAddresses(text);
    for (const [, name = "", value = ""] of text.matchAll(MEMBER))
      if (names.test(name) && !isMask(value)) this.#redactor.addShown(value);
  }

  #learnAddresses(text: string): void {
    if (text.includes("="))
      for (const [, name = "", value = ""] of text.matchAll(PAIR))
        if (SECRET_NAME.test(name) && !isMask(value)) this.#redactor.addShown(value);
    if (text.includes("://"))
      for (const [, password = ""] of text.matchAll(PASSWORD_IN_URL))
        if (!isMask(password)) this.#redactor.addShown(password);
  }
}
