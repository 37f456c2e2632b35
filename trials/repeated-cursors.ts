/** Cursors that are used once more. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Answer, isAccepted, nextOf } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import type { Parameter } from "../spec/model/spec.ts";
import { idsOf } from "./beside-item.ts";
import { sizesTried, walk } from "./corpus.ts";
import { allowedSizes, largestSize, smallestSize, stoodStill } from "./pages.ts";

/** Cursors that are read again under the version that lists are looked at closely under. */
const READ_AGAIN = 2;

/** So many page sizes are more than a run ever tries again. */
const MOST_SIZES = 500;

/** Rounds of reading a cursor again in a list that others change meanwhile. */
const ATTEMPTS = 4;

/** What was read again of a list in this run, also by checks that were tried a second time. */
interface Repeated {
  /** Page sizes whose cursors were used: under whatever version, for a cursor is the same under all. */
  sizes: Set<number>;
  versions: Set<string | null>;
}

/**
 * Sizes whose cursors are read again: the smallest in which the list was followed, for of small pages even a short list
 * has two. Where that is tried again they are others, whose cursors have not been used yet.
 */
export async function sizesToRepeat(call: Call): Promise<number[]> {
  const { operation, target, version } = call;
  const repeated = await target.remember(`cursors repeated ${operation.id}`, async (): Promise<Repeated> => {
    const walked = call.versions.flatMap((each) => sizesTried(call.under(each)));
    return { sizes: new Set(walked), versions: new Set() };
  });
  const walked = sizesTried(call).toSorted((a, b) => a - b);
  const smallest = Number(smallestSize(operation));
  const length = Math.min(largestSize(operation) - smallest, MOST_SIZES);
  const all = Array.from({ length }, (_, index) => smallest + index);
  const unused = allowedSizes(operation, all).filter((size) => !repeated.sizes.has(size));
  const wanted = repeated.versions.has(version) && unused.length > 0 ? unused : walked;
  const some = wanted.length > 0 ? wanted : [largestSize(operation)];
  const picked = some.slice(0, call.isUsual ? READ_AGAIN : 1);
  for (const size of picked) repeated.sizes.add(size);
  repeated.versions.add(version);
  return picked;
}

/**
 * Throws a Violation where the cursor to the second page leads elsewhere at its second use while the list stands still;
 * false where there is no second page.
 */
export async function mustRepeat(call: Call, after: Parameter, size: number): Promise<boolean> {
  const used = new Map<string, Answer>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const anew = attempt > 1;
    const before = await walk(call, { mostPages: 1, anew });
    const [first, second] = (await walk(call, { size, mostPages: 2, anew })).answers;
    const cursor = first && isAccepted(first) ? nextOf(first) : null;
    if (!first || !second || cursor === null) return false;
    const earlier = used.get(cursor);
    // It was given just now, and is refused for having been used before.
    if (!isAccepted(second) && earlier)
      throw new Violation("the same page again", `status ${second.status}`, [earlier, second]);
    if (!isAccepted(second))
      throw new Untestable("control-rejected", `its own next was answered ${second.status}`);
    used.set(cursor, second);
    const again = await call.target.send(withQuery(first.plan, { [after.name]: cursor }), {
      role: "again",
      valid: true,
    });
    if (isAccepted(again) && sameItems(call, second, again)) return true;
    // How long a cursor is good is not said: one that was just given is.
    if (!isAccepted(again) && !anew) continue;
    if (!stoodStill(before, await walk(call, { mostPages: 1, anew: true }))) continue;
    throw new Violation("the same page again", isAccepted(again) ? "other items" : `status ${again.status}`, [
      second,
      again,
    ]);
  }
  throw new Untestable("drift", "the list changed each time it was read");
}

function sameItems(call: Call, a: Answer, b: Answer): boolean {
  return idsOf(call, a).join("\n") === idsOf(call, b).join("\n");
}
