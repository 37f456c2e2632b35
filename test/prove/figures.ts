/** The figures of a proof, each compared with the value that it must reach. */

import { defects as known } from "../../reference/index.ts";
import { isClean, isLocated, isQuiet } from "./judge.ts";
import type { Proof } from "./prove.ts";

export interface Figure {
  name: string;
  value: string;
  /** True if the figure reaches its required value. */
  well: boolean;
}

export function figures(proof: Proof): Figure[] {
  const { defects, variants, nullServices, stability, sound } = proof;
  const isEquivalent = new Map(known.map(({ name, equivalent }) => [name, equivalent !== undefined]));
  const detectable = defects.filter(({ name }) => !isEquivalent.get(name));
  const equal = defects.filter(({ name }) => isEquivalent.get(name));
  const conformant = nullServices.filter((service) => service.conformant);
  const inTrouble = nullServices.filter(({ trouble }) => trouble !== undefined);
  const differing = stability.filter((entry) => entry.differing.length > 0);
  return [
    share("Defects found", detectable.filter(({ found }) => found).length, detectable.length),
    share(
      "Defects found at each of their operations",
      detectable.filter(isLocated).length,
      detectable.length,
    ),
    {
      name: "Defects of these that depth full finds with some seeds only",
      value:
        defects.length === 0
          ? ""
          : `${detectable.filter(({ found, met }) => found && met === "other seeds").length}`,
      well: true,
    },
    {
      name: "Defects that can't be told from a sound service",
      value: defects.length === 0 ? "" : `${equal.length} of ${defects.length}`,
      well: equal.length <= defects.length / 20 && equal.every(({ found }) => !found),
    },
    none(
      "Defects whose run did not end in a sound report",
      defects.filter((proof) => !isQuiet(proof)),
      defects.length,
    ),
    share("Conforming services left alone", variants.filter(isClean).length, variants.length),
    none("Null services taken for conforming", conformant, nullServices.length),
    none("Null services whose run did not end in a sound report", inTrouble, nullServices.length),
    none("Services with an outcome that differs from run to run", differing, stability.length),
    ...(sound.runs > 0
      ? [{ name: "Requests of a run (median)", value: `${sound.requests}`, well: true }]
      : []),
    ...(sound.runs > 0
      ? [
          {
            name: `Seconds of a run (median, beside ${sound.atOnce - 1} others)`,
            value: sound.seconds.toFixed(1),
            well: true,
          },
        ]
      : []),
  ].filter(({ value }) => value !== "");
}

function share(name: string, count: number, all: number): Figure {
  const percent = all === 0 ? 0 : Math.floor((100 * count) / all);
  return { name, value: all === 0 ? "" : `${count} of ${all} (${percent} %)`, well: count === all };
}

function none(name: string, bad: readonly unknown[], all: number): Figure {
  return { name, value: all === 0 ? "" : `${bad.length} of ${all}`, well: bad.length === 0 };
}
