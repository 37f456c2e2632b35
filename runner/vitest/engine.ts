import { withProfile } from "../../profiles/promises.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { planChecks } from "../plan.ts";
import { Session } from "../session.ts";
import type { Engine, RunInput } from "./protocol.ts";

/** The real thing: the checks of the Spec, judged by a Session against the target of the settings. */
export function createEngine(input: RunInput): Engine {
  const spec = withProfile(loadSpec(input.openapi, input.requirements), input.settings.profile);
  return { planned: planChecks(spec, input.settings), session: new Session(spec, input.settings) };
}
