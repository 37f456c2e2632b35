/** Each habit shows in an answer of the service that has it, and in none of the service without it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namedOrShare } from "../../commit-seed.ts";
import { type Started, start } from "../service/start.ts";
import { HABITS } from "./habits.ts";
import { late2Habits } from "./habits-late2.ts";
import { seeing } from "./habits-late2-shown.ts";
import { late3Habits } from "./habits-late3.ts";
import { late4Habits } from "./habits-late4.ts";
import { late5Habits } from "./habits-late5.ts";
import { apiOf } from "./order.ts";
import { startWith } from "./plant.ts";

const shown = [...late2Habits, ...late3Habits, ...late4Habits, ...late5Habits];
const chosen = namedOrShare(shown, process.env.HABITS, 24);

test("each name is given once, and every habit is met", () => {
  const all = HABITS.map(({ name }) => name);
  expect(all).toEqual([...new Set(all)]);
  expect(all).toEqual(expect.arrayContaining(shown.map(({ name }) => name)));
});

describe.each(chosen)("$name", (habit) => {
  let service: Started;
  beforeAll(async () => {
    service = await start("nothing");
  });
  afterAll(() => service.close());

  test("shows in an answer", async () => {
    const planted = await startWith(habit);
    try {
      const [api, see] = [apiOf(planted), seeing(planted)];
      for (const shows of habit.shows) expect(await shows(api, see)).toBe(true);
    } finally {
      await planted.close();
    }
  });

  test("does not show without it", async () => {
    const [api, see] = [apiOf(service), seeing(service)];
    for (const shows of habit.shows) expect(await shows(api, see)).toBe(false);
  });
});
