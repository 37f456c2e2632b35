/** Compares an answer with the answer on a path that no operation has. */

import type { RequestPlan } from "../generators/request.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { targetPath } from "./sending/wire.ts";
import type { Answer } from "./target.ts";

export const UNKNOWN = "conformance-unknown";

/** A similar path that no operation has. */
export function unknownPath(path: string): string {
  return path.replace(/[a-z][a-z-]{2,}/, UNKNOWN);
}

export function onUnknownPath(plan: RequestPlan, settings: Settings, spec: Spec): RequestPlan {
  return { ...plan, pathOverride: targetPath(unknownPath(plan.operation.path), settings.paths, spec) };
}

interface Told {
  path: string;
  status: number | undefined;
  text: string;
}

export function toldBy({ plan, status, text }: Answer): Told {
  return { path: plan.pathOverride ?? plan.operation.path, status, text };
}

/** True if status and text are the same, except for paths and ids in the text. */
export function isAnsweredAlike(one: Told, other: Told): boolean {
  return one.status === other.status && textOf(one) === textOf(other);
}

function textOf({ text, path }: Told): string {
  const words = path.split("/").filter((word) => word.length > 2 && !word.startsWith("{"));
  const bare = words.reduce((rest, word) => rest.replaceAll(word, ""), text);
  return bare.replace(/[0-9a-f-]{8,}|\d+/gi, "#");
}
