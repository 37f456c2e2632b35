import { compose, hooksOf } from "../compose.ts";
import type { Variant } from "./variant.ts";

/** Combines variants, which must not undo each other. */
export function mixed(name: string, description: string, chosen: readonly Variant[]): Variant {
  return {
    name,
    description,
    why: `As each of its parts: ${chosen.map((part) => part.name).join(", ")}.`,
    warns: [...new Set(chosen.flatMap(({ warns = [] }) => warns))],
    options: Object.assign({}, ...chosen.map(({ options }) => options)) as Variant["options"] & object,
    fixtures: (fixtures) => chosen.reduce((given, part) => part.fixtures?.(given) ?? given, fixtures),
    hooks: () => compose(chosen.map(hooksOf)),
  };
}
