/** Lists (sections 2.2 and 8): page sizes, their default, totals, and what may be sent as a cursor. */

import fc from "fast-check";
import { type Check, Untestable, Violation } from "../client/check.ts";
import { control } from "../client/controls.ts";
import { baseQueries } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import { isAccepted, itemsOf, nextOf, paginationOf, type Target } from "../client/target.ts";
import { mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import { withQuery } from "../generators/request.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import {
  allowedSizes,
  compareStill,
  evidenceOf,
  readPages,
  smallestSize,
  stoodStill,
} from "../trials/pages.ts";
import { holds } from "../trials/property.ts";
import { noteRejection } from "./access.ts";

const SUITE = "lists";
const MOST_SIZES = 64;

export function listChecks(spec: Spec): Check[] {
  return operationsOf(spec, "list").flatMap((operation) => {
    const { list } = operation;
    if (!list) return [];
    return [
      ...(list.limit ? pageSizeChecks(spec, operation, list.limit) : []),
      ...(list.total ? [totalCheck(operation)] : [totalNote(operation)]),
      ...(list.after ? cursorProbes(spec, operation, list.after) : [nextNote(operation)]),
    ];
  });
}

function pageSizeChecks(spec: Spec, operation: Operation, limit: Parameter): Check[] {
  const { minimum = 1, maximum, default: usual } = limit.schema;
  const accepted = (most: number) =>
    check({
      suite: SUITE,
      requirement: "LIST-LIMIT-ACCEPTED",
      operation,
      detail: "any",
      title: `${operation.key} accepts every ${limit.name} from ${minimum} to ${most}, and gives no more items`,
      stage: "read",
      async run(target) {
        const plan = await validRequest(target, operation, usualVersion(target, operation));
        const accept = async (size: number) => {
          const answer = await target.send(withQuery(plan, { [limit.name]: String(size) }), { valid: true });
          mustAccept(answer, `${limit.name}=${size}`);
        };
        // Few enough sizes are all tried; of many, some.
        if (most - minimum < MOST_SIZES) {
          await Promise.all(
            Array.from({ length: most - minimum + 1 }, (_, index) => accept(minimum + index)),
          );
        } else await holds(target, fc.integer({ min: minimum, max: most }), accept);
      },
    });
  const ofDefault = (expected: number) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: "LIST-LIMIT-DEFAULT",
      operation,
      title: `${operation.key} without ${limit.name} gives the page of ${limit.name}=${expected}`,
      stage: "read",
      async run(target, version) {
        const [query = []] = await baseQueries(target, operation, 1);
        const page = (size: number | undefined) =>
          readPages(target, operation, { version, query, limit: size, mostPages: 1 });
        const difference = await compareStill(
          target,
          () => page(expected),
          () => page(undefined),
          stoodStill,
          (asked, left) => (stoodStill(asked, left) ? null : { asked, left }),
        );
        if (difference) {
          throw new Violation(
            `the ${difference.asked.ids.length} items of ${limit.name}=${expected}`,
            difference.left.ids.length === difference.asked.ids.length
              ? "other items"
              : `${difference.left.ids.length} items`,
            evidenceOf(difference.asked, difference.left),
          );
        }
        // A list shorter than the default looks the same whatever the default is.
        if ((await page(expected)).complete) {
          throw new Untestable("no-data", `the list is no longer than ${expected} items`);
        }
      },
    });
  return [
    ...(maximum === undefined ? [] : [accepted(maximum)]),
    ...(typeof usual === "number" ? ofDefault(usual) : []),
  ];
}

function totalCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "LIST-TOTAL-EXACT",
    operation,
    title: `total on the first page of ${operation.key} is the number of items that following next reaches`,
    stage: "read",
    async run(target) {
      const [query = []] = await baseQueries(target, operation, 1);
      const version = usualVersion(target, operation);
      const limit = operation.list?.limit?.schema.maximum;
      const read = () => readPages(target, operation, { version, query, limit, mostPages: 12 });
      // A total that is the size of the page is right on a page that holds everything: small pages tell.
      const small = operation.list?.limit ? allowedSizes(operation, [1, 3]) : [undefined];
      const first = () =>
        Promise.all(
          small.map((size) => readPages(target, operation, { version, query, limit: size, mostPages: 1 })),
        );
      const difference = await compareStill(target, read, first, stoodStill, (whole, pages) => {
        // Items that come twice are found by other checks; how many there are can't be told from them.
        if (!whole.complete || new Set(whole.ids).size < whole.ids.length) return null;
        for (const page of [whole, ...pages]) {
          const total = page.answers[0] ? paginationOf(page.answers[0]).total : undefined;
          if (typeof total === "number" && total !== whole.ids.length) return { whole, page, total };
        }
        return null;
      });
      if (difference) {
        throw new Violation(
          `total ${difference.whole.ids.length}, the number of items that next leads to`,
          `total ${difference.total}`,
          evidenceOf(difference.page),
        );
      }
      const reading = await read();
      if (new Set(reading.ids).size < reading.ids.length)
        throw new Untestable("control-rejected", "following next gives an item twice");
      if (!reading.complete) throw new Untestable("budget", "the list is longer than is read");
    },
  });
}

function totalNote(operation: Operation): Check {
  return note(operation, "TOTAL-ELSEWHERE", "total where it is not documented", async (target) => {
    const answer = await control(target, operation, usualVersion(target, operation));
    const { total } = paginationOf(answer);
    target.observe("TOTAL-ELSEWHERE", operation.key, "total", total === undefined ? "absent" : "present");
  });
}

function nextNote(operation: Operation): Check {
  return note(operation, "NEXT-WITHOUT-CURSOR", "next where no cursor parameter is shown", async (target) => {
    const answer = await control(target, operation, usualVersion(target, operation));
    target.observe(
      "NEXT-WITHOUT-CURSOR",
      operation.key,
      "next",
      nextOf(answer) === null ? "null" : "a cursor",
    );
  });
}

function note(
  operation: Operation,
  requirement: string,
  title: string,
  run: (target: Target) => Promise<void>,
): Check {
  return check({
    suite: SUITE,
    requirement,
    operation,
    title: `${operation.key}: ${title}`,
    stage: "read",
    run,
  });
}

/** Cursors that the service never issued (row 36). */
function cursorProbes(spec: Spec, operation: Operation, after: Parameter): Check[] {
  const probes: { detail: string; text: (target: Target) => Promise<string | null> }[] = [
    { detail: "garbage", text: async (target) => `conformance-unknown-${target.runId}` },
    {
      detail: "altered",
      text: async (target) => {
        const next = await ownCursor(target, operation);
        return next === null || after.cursor === "item" ? null : altered(next);
      },
    },
    { detail: "of another list", text: (target) => foreignCursor(target, spec, operation, after) },
  ];
  return probes.map((probe) =>
    check({
      suite: SUITE,
      requirement: "CURSOR-UNKNOWN",
      operation,
      detail: probe.detail,
      title: `${operation.key} rejects a cursor that it never issued (${probe.detail})`,
      stage: "read",
      cause: "invalid-cursor",
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        const text = await probe.text(target);
        if (text === null) throw new Untestable("no-data", "no such cursor can be had");
        const plan = withQuery(await validRequest(target, operation, version), { [after.name]: text });
        const answer = await target.send(plan, { role: "probe" });
        noteRejection(target, operation, `${after.name}: ${probe.detail}`, answer);
        mustReject(answer, `a cursor that it never issued (${describeValue(text, 60)})`);
      },
    }),
  );
}

/** A cursor of the list itself: next of a page of one item. */
async function ownCursor(target: Target, operation: Operation): Promise<string | null> {
  return target.once(`cursor ${operation.id}`, async () => {
    const { limit } = operation.list ?? {};
    const plan = await validRequest(target, operation, usualVersion(target, operation));
    const answer = await target.send(
      limit ? withQuery(plan, { [limit.name]: smallestSize(operation) }) : plan,
      { valid: true },
    );
    return isAccepted(answer) && itemsOf(answer).length > 0 ? nextOf(answer) : null;
  });
}

/**
 * The cursor with the character in its middle changed: the ends may be padding, which says nothing. Nor does a letter
 * in other casing, where the cursor is written in hexadecimal digits.
 */
function altered(cursor: string): string | null {
  const characters = [...cursor];
  const at = Math.floor(characters.length / 2);
  const other = characters[at]?.toUpperCase() === "A" ? "B" : "A";
  return characters.length < 4 ? null : characters.with(at, other).join("");
}

async function foreignCursor(
  target: Target,
  spec: Spec,
  operation: Operation,
  after: Parameter,
): Promise<string | null> {
  const own = await ownCursor(target, operation);
  for (const other of operationsOf(spec, "list")) {
    if (other.id === operation.id || !other.list?.after) continue;
    const cursor = await ownCursor(target, other).catch(() => null);
    const fits = cursor !== null && cursor.length <= (after.schema.maxLength ?? Number.POSITIVE_INFINITY);
    if (cursor !== null && fits && cursor !== own) return cursor;
  }
  return null;
}
