import { keptIn } from "../../spec/memoized.ts";

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
