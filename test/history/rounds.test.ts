import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

test("a round sees what other rounds wrote to a fixture, and judges only its own answers", () => {
  const past = new HistoryBuilder(spec, {
    create: "createWebhook",
    update: "updatePaymentCode",
    read: "getPaymentCode",
    list: "listPaymentCodes",
  })
    .reads("c1", { name: "a" })
    .updates("c1", { name: "b" })
    .reads("c1", { name: "b" })
    .updates("c1", { name: "c" })
    .reads("c1", { name: "c" });
  const rounds = [2, 2, 2, 3, 2];
  const entries = past.entries.map((entry, index) => ({ ...entry, round: rounds[index] ?? 2 }));
  const second = entries.filter(({ round }) => round === 2);
  const { sightings } = new History(spec, HEAD, second, entries).journal;
  expect(sightings.filter(({ fits }) => !fits)).toEqual([]);
  expect(sightings.every(({ by }) => by.round === 2)).toBe(true);
  expect(sightings.length).toBeGreaterThan(2);
});
