import { randomBytes } from "node:crypto";
import { deliveryLine, entryLine, headLine, judgementsLine } from "../history/lines.ts";
import { keyedMask } from "../reports/keyed-mask.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Spec } from "../spec/model/spec.ts";
import type { Connection } from "./connection.ts";
import type { Histories } from "./histories.ts";
import { packageIdentity } from "./package-root.ts";
import { RedactedEntries } from "./redacted-entries.ts";

/** Lines must be read after the last request, when all secrets are known. */
export class Recorded {
  readonly #head: Histories["head"];
  readonly #judgements: Histories["judgements"];

  constructor(
    private readonly spec: Spec,
    private readonly connection: Connection,
    { head, judgements }: Histories,
  ) {
    this.#head = head;
    this.#judgements = judgements;
  }

  /** Yields the lines of the history file, without secrets. */
  *history(showPeople: boolean): Generator<string> {
    const { redactor, recorder } = this.connection;
    // No file holds the key, so nobody can mask a known name and compare.
    const mask = showPeople ? undefined : keyedMask(randomBytes(32));
    const redacted = new RedactedEntries(redactor, mask, this.#head.runTag);
    const { title, sha256 } = this.spec;
    yield headLine(redacted.head(this.#head), { suite: packageIdentity(), spec: { title, sha256 } });
    // Removes secrets in encodings that `RedactedEntries` misses.
    const bodies = new Map<string, string>();
    const clean = (json: string) => {
      const text = bodies.get(json) ?? redactor.json(json);
      if (json.startsWith('"')) bodies.set(json, text);
      return text;
    };
    for (const entry of redacted.entries(recorder.entries)) yield entryLine(entry, clean);
    for (const delivery of recorder.deliveries)
      yield redactor.json(deliveryLine(redacted.delivery(delivery)));
    yield judgementsLine(this.#judgements.all);
  }

  *exchanges(): Generator<{ exchange: Exchange; check: string }> {
    const { redactor, recorder } = this.connection;
    for (const entry of recorder.entries)
      yield { exchange: redactor.value(this.connection.exchangeOf(entry)), check: entry.probe ?? "" };
  }
}
