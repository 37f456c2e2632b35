/** All that a run exchanged with its target, without its secrets. It is made while it is read, so that memory holds no copy. */

import { randomBytes } from "node:crypto";
import { entryLine, headLine } from "../history/lines.ts";
import { keyedMask } from "../reports/keyed-mask.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Spec } from "../spec/model/spec.ts";
import type { Connection } from "./connection.ts";
import type { Histories } from "./histories.ts";
import { packageIdentity } from "./package-root.ts";
import { RedactedEntries } from "./redacted-entries.ts";

/** Complete once all is sent: then all secrets are known. */
export class Recorded {
  readonly #spec: Spec;
  readonly #connection: Connection;
  readonly #head: Histories["head"];

  constructor(spec: Spec, connection: Connection, { head }: Histories) {
    this.#spec = spec;
    this.#connection = connection;
    this.#head = head;
  }

  /** The lines of `history.ndjson`. People are masked unless they are to be shown. */
  *history(showPeople: boolean): Generator<string> {
    const { redactor, recorder } = this.#connection;
    // The key is nowhere else: nobody finds a person by trying names.
    const mask = showPeople ? undefined : keyedMask(randomBytes(32));
    const redacted = new RedactedEntries(redactor, mask, this.#head.runTag);
    const { title, sha256 } = this.#spec;
    yield headLine(redacted.head(this.#head), { suite: packageIdentity(), spec: { title, sha256 } });
    for (const entry of recorder.entries) {
      const line = entryLine(redacted.entry(entry));
      // A secret in a form that has no pseudonym is cut out, as in the reports.
      yield JSON.stringify(redactor.value(JSON.parse(line)));
    }
  }

  /** Every exchange as reports show it, with the check that asked. */
  *exchanges(): Generator<{ exchange: Exchange; check: string }> {
    const { redactor, recorder } = this.#connection;
    for (const entry of recorder.entries)
      yield { exchange: redactor.value(this.#connection.exchangeOf(entry)), check: entry.probe ?? "" };
  }
}
