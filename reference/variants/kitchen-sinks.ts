import { compose } from "../hooks.ts";
import { hooksOf } from "./tools.ts";
import type { Variant } from "./variant.ts";

/** One variant that does what several do; the parts must not undo each other. */
function mixed(
  parts: readonly Variant[],
  name: string,
  description: string,
  names: readonly string[],
): Variant {
  const chosen = names.map((wanted) => {
    const part = parts.find((variant) => variant.name === wanted);
    if (!part) throw new RangeError(`there is no variant named ${wanted}`);
    return part;
  });
  return {
    name,
    description,
    why: `As each of its parts: ${names.join(", ")}.`,
    warns: [...new Set(chosen.flatMap(({ warns = [] }) => warns))],
    options: Object.assign({}, ...chosen.map(({ options }) => options)) as Variant["options"] & object,
    fixtures: (fixtures) => chosen.reduce((given, part) => part.fixtures?.(given) ?? given, fixtures),
    hooks: () => compose(chosen.map(hooksOf)),
  };
}

/** Variants that are odd in many ways at once. */
export function kitchenSinks(parts: readonly Variant[]): readonly Variant[] {
  return [
    mixed(parts, "odd-but-right", "Everything is spelled in the oddest way that is still right.", [
      ...["ids-that-need-encoding", "cursors-of-2000-characters", "names-in-every-script"],
      ...["times-in-every-spelling", "owners-60-deep", "undocumented-fields", "messages-of-any-kind"],
      ...["null-for-empty-lists", "json-odd-integers", "vendor-json-type", "many-headers"],
      "compressed-answers",
    ]),
    mixed(parts, "strict-gateway", "A gateway refuses whatever it may, in its own way.", [
      ...["declines-whatever-it-may", "unknown-fields-refused", "empty-texts-refused", "known-events-only"],
      ...["addresses-and-versions-checked", "used-keys-refused", "cancelled-codes-frozen"],
      ...["named-only-absent", "foreign-is-not-found", "connection-for-two-requests"],
    ]),
    mixed(parts, "lenient-legacy", "An old service takes whatever it can make sense of.", [
      ...["limit-clamped", "unknown-filter-finds-nothing", "long-cursor-is-the-start", "any-text-is-a-url"],
      ...["content-type-ignored", "bare-token-taken", "any-version-taken", "first-answer-for-any-body"],
      ...["total-is-an-estimate", "short-pages", "absent-instead-of-null", "length-by-closing"],
    ]),
    mixed(parts, "busy-and-far-away", "Many work at once, answers are slow, and lists lag behind.", [
      ...["others-do-everything", "slow-answers", "created-webhooks-listed-late", "rate-limit-in-silence"],
      ...["last-changed-first", "cursors-spelled-anew", "metadata-merged", "verification-left-out"],
    ]),
  ];
}
