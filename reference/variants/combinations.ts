import { Random } from "../random.ts";
import { mixed } from "./mixed.ts";
import type { Variant } from "./variant.ts";

const PREFIX = "five-at-once-";
const PARTS = 5;

/** These variants are in no combination. */
const NEVER = [
  /^token-runs-out$/,
  /^(unknown-paths-redirect|under-v1-only|paths-as-shown-only)$/,
  /^(gateway-.*|fault-.*|rate-limit-.*)$/,
  /^quota-of-(three|twelve).*$/,
];

/** These pairs change the same thing. */
const APART: readonly (readonly [RegExp, RegExp])[] = [
  // A cache would repeat late records, and cursors that work once.
  [/^cache-of-a-second$/, /late|^others-|come-and-go|move-by-themselves|^cursors-|^order-|replays/],
  [/^single-reads-late/, /listed-late|now-and-then-late/],
  [/^old-event-names-refused$/, /events|webhooks-at-their-limits/],
  [/^providers-that-can-pay$/, /^providers-without-schemes$|^awkward-provider-codes$|^provider-ids-in/],
  [/^(one-currency-a-space|currencies-of-tomorrow)$/, /currenc/],
  [/^mail-domains-/, /^addresses-and-versions-checked$|^webhooks-at-their-limits$/],
  [
    /^firewall-refuses-markup$/,
    /^(refused-without-a-word|foreign-is-not-found|everything-wrong-is-422|problem-details|errors-)/,
  ],
];

function together(one: Variant, other: Variant): boolean {
  return !APART.some(
    ([a, b]) => (a.test(one.name) && b.test(other.name)) || (a.test(other.name) && b.test(one.name)),
  );
}

function combination(chapters: readonly (readonly Variant[])[], number: number): Variant {
  const random = new Random(number);
  const left = chapters.map((chapter) =>
    chapter.filter(({ name }) => !NEVER.some((pattern) => pattern.test(name))),
  );
  const chosen: Variant[] = [];
  while (chosen.length < PARTS && left.length > 0) {
    const [chapter = []] = left.splice(random.integer(0, left.length - 1), 1);
    const fitting = chapter.filter((each) => chosen.every((other) => together(each, other)));
    const picked = fitting[random.integer(0, fitting.length - 1)];
    if (picked) chosen.push(picked);
  }
  return mixed(`${PREFIX}${number}`, chosen.map(({ description }) => description).join(" "), chosen);
}

export function combinations(chapters: readonly (readonly Variant[])[], count: number): readonly Variant[] {
  return Array.from({ length: count }, (_, index) => combination(chapters, index + 1));
}

export function combinationNamed(
  chapters: readonly (readonly Variant[])[],
  name: string,
): Variant | undefined {
  const [, number] = new RegExp(`^${PREFIX}([0-9]{1,9})$`).exec(name) ?? [];
  return number === undefined ? undefined : combination(chapters, Number(number));
}
