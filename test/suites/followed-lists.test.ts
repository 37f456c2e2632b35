import { describe, expect, test } from "vitest";
import type { ListRead } from "../../history/lists/lists.ts";
import { agreesInWhatStayed } from "../../suites/shared/followed-lists.ts";

const reading = (ids: string, complete = true): ListRead => ({
  scope: "",
  listKey: "",
  filters: [],
  size: 2,
  pages: [],
  items: [],
  ids: [...ids],
  end: complete ? "last-page" : "not-followed",
});

describe("a list that others change while it is read", () => {
  test.each<[what: string, before: ListRead, part: ListRead, after: ListRead, agrees: boolean]>([
    ["grows at its start", reading("abcd"), reading("xabcd"), reading("yxabcd"), true],
    ["loses an item", reading("abcd"), reading("abcd"), reading("acd"), true],
    ["shows an item twice", reading("abcd"), reading("abbcd"), reading("xabcd"), false],
    ["leaves out what stayed", reading("abcd"), reading("acd"), reading("xabcd"), false],
    ["ends early", reading("abcd"), reading("ab"), reading("xabcd"), false],
    ["is in another order", reading("abcd"), reading("bacd"), reading("xabcd"), false],
    ["was not read to its end", reading("abcd"), reading("xabc", false), reading("yxabcd"), true],
    ["is longer than is read", reading("abcd", false), reading("xabc", false), reading("yxab", false), false],
    [
      ...(["is longer, and the same as far", reading("abcde", false)] as const),
      ...([reading("xabcd", false), reading("yxabcd", false), true] as const),
    ],
    [
      "leaves out an item before it breaks off",
      reading("abcd"),
      reading("xabd", false),
      reading("yabcd"),
      false,
    ],
    ["keeps no more than a page", reading("abcd"), reading("ab"), reading("abxy"), false],
  ])("%s", (_, before, part, after, agrees) => {
    expect(agreesInWhatStayed({ before, read: part, after, listState: "changed" })).toBe(agrees);
  });
});
