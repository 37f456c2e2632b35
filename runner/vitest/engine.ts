import { loadSpec } from "../../spec/load.ts";
import { planChecks } from "../plan.ts";
import { Session } from "../session.ts";
import type { Engine, RunInput } from "./protocol.ts";

/** The real thing: the checks of the Spec, judged by a Session against the target of the settings. */
export function createEngine(input: RunInput): Engine {
  const spec = loadSpec(input.openapi, input.requirements);
  return { planned: planChecks(spec, input.settings), session: new Session(spec, input.settings) };
}
