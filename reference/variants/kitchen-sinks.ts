import { mixed } from "./mixed.ts";
import type { Variant } from "./variant.ts";

export function kitchenSinks(parts: readonly Variant[]): readonly Variant[] {
  const named = (names: readonly string[]) =>
    names.map((wanted) => {
      const part = parts.find(({ name }) => name === wanted);
      if (!part) throw new RangeError(`there is no variant named ${wanted}`);
      return part;
    });
  return [
    mixed(
      "odd-but-right",
      "Everything is spelled in the oddest way that is still right.",
      named([
        ...["ids-that-need-encoding", "cursors-of-2000-characters", "names-in-every-script"],
        ...["times-in-every-spelling", "owners-60-deep", "undocumented-fields", "messages-of-any-kind"],
        ...["null-for-empty-lists", "json-odd-integers", "vendor-json-type", "many-headers"],
        "compressed-answers",
      ]),
    ),
    mixed(
      "strict-gateway",
      "A gateway refuses whatever it may, in its own way.",
      named([
        ...["declines-whatever-it-may", "unknown-fields-refused", "empty-texts-refused", "known-events-only"],
        ...["addresses-and-versions-checked", "used-keys-refused", "cancelled-codes-frozen"],
        ...["named-only-absent", "foreign-is-not-found", "connection-for-two-requests"],
      ]),
    ),
    mixed(
      "lenient-legacy",
      "An old service takes whatever it can make sense of.",
      named([
        ...["limit-clamped", "unknown-filter-finds-nothing", "long-cursor-is-the-start", "any-text-is-a-url"],
        ...["content-type-ignored", "bare-token-taken", "any-version-taken", "first-answer-for-any-body"],
        ...["total-is-an-estimate", "short-pages", "absent-instead-of-null", "length-by-closing"],
      ]),
    ),
    mixed(
      "busy-and-far-away",
      "Many work at once, answers are slow, and lists lag behind.",
      named([
        ...["others-do-everything", "slow-answers", "created-webhooks-listed-late", "rate-limit-in-silence"],
        ...["last-changed-first", "cursors-spelled-anew", "metadata-merged", "verification-left-out"],
      ]),
    ),
  ];
}
