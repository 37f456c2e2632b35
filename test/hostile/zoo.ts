import { sizes, texts } from "./answers.ts";
import { connections, inputs, places, stops } from "./connections.ts";
import { secrets } from "./disguises.ts";
import type { Hostile } from "./hostile.ts";

/** All hostile cases, in the order of docs/hostile.md. */
export const ZOO: readonly Hostile[] = [
  ...sizes,
  ...texts,
  ...secrets,
  ...connections,
  ...stops,
  ...places,
  ...inputs,
];

/** A service without faults, to compare the cost of runs. */
export const SOUND: Hostile = {
  name: "a sound service",
  area: "http",
  codes: [0],
  verdicts: ["conformant"],
};
