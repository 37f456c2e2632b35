import { sizes, texts } from "./answers.ts";
import { connections, inputs, places, stops } from "./connections.ts";
import { secrets } from "./disguises.ts";
import type { Hostile } from "./hostile.ts";

/** Everything hostile, in the order of the page about it. */
export const ZOO: readonly Hostile[] = [
  ...sizes,
  ...texts,
  ...secrets,
  ...connections,
  ...stops,
  ...places,
  ...inputs,
];

/** The same service with nothing spoilt: what its run takes is what others are measured by. */
export const SOUND: Hostile = {
  name: "a sound service",
  area: "http",
  codes: [0],
  verdicts: ["conformant"],
};
