import { Call } from "../../client/call.ts";
import { stageOf } from "../../client/check.ts";
import { withSpace } from "../../client/samples.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { unknownSpace } from "../../client/spaces.ts";
import { isRejected, type Probe, type Target } from "../../client/target.ts";
import { allowedOf, sampledVersion, sendsAll } from "../../client/version-choice.ts";
import { withHeaders } from "../../generators/request.ts";
import { type SpaceFault, spaceFaultsOf, withSpaceFault } from "../../generators/wrong-spaces.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { ofRejected, plainProbe, sampledProbe, shareOf } from "../shared/sampled.ts";
import { spaceFaultsAtQuick } from "../shared/sampled-faults.ts";
import { answerAmongRejected, REJECTED_UPDATES, sendInUnknownSpace } from "../updates/rejected-updates.ts";

/** Sends missing and malformed space ids. */
export function wrongSpaces(operation: Operation & { space: Parameter }): Probe {
  const { space } = operation;
  const probe = plainProbe("wrong spaces", operation, stageOf(operation), ({ target }) =>
    sideBySide(faultsToSend(target, operation), async ({ version, fault }) => {
      const call = new Call(target, operation, version);
      await call.control();
      if (await answerAmongRejected(call, fault.title)) return;
      const plan = withSpaceFault(await call.fresh(), target.settings.space, space, fault);
      if (plan) await call.send(plan);
    }),
  );
  return ofRejected(probe, operation);
}

/** Returns the faults of the space header to send, each with its version. Depth quick uses one version. */
function faultsToSend(
  target: Target,
  operation: Operation & { space: Parameter },
): { version: string | null; fault: SpaceFault }[] {
  if (!sendsAll(target)) {
    const version = sampledVersion(target, operation, REJECTED_UPDATES);
    return spaceFaultsAtQuick(target, operation, operation.space).map((fault) => ({ version, fault }));
  }
  const faults = spaceFaultsOf(operation.space);
  const numbered = faults.filter(({ number }) => number !== undefined);
  // Each rejected update may have a side effect, so updates get all faults.
  const isUpdate = operation.kind === "update";
  return allowedOf(target, operation).flatMap((version, index, versions) =>
    faults
      .filter(
        (fault) =>
          isUpdate ||
          !numbered.includes(fault) ||
          shareOf(numbered.indexOf(fault), numbered.length, index, versions.length),
      )
      .map((fault) => ({ version, fault })),
  );
}

/** Asks for reference data without a space, and with one if that is rejected. */
export function withoutSpace(operation: Operation): Probe {
  const send = async (call: Call) => {
    const plan = await call.valid();
    if (isRejected(await call.target.ask(plan))) await call.send(withSpace(call.target, plan));
  };
  return sampledProbe("without a space", operation, "read", send, REJECTED_UPDATES);
}

/** Sends a well-formed space id that names no space. */
export function unknownSpaces(operation: Operation): Probe {
  const send = async (call: Call) => {
    await call.control();
    await sendInUnknownSpace(call);
  };
  const probe = sampledProbe("SPACE-UNKNOWN", operation, stageOf(operation), send, REJECTED_UPDATES);
  return ofRejected(probe, operation);
}

/** Sends a short and a long space id that name no space. */
export function longUnknownSpaces(operation: Operation & { space: Parameter }): Probe {
  const { space } = operation;
  const send = async (call: Call) => {
    await sendInUnknownSpace(call);
    const long = unknownSpace(call.target, space.schema).padEnd(space.schema.maxLength ?? 0, "x");
    await call.send(withHeaders(await call.fresh(), { [space.name]: long }));
  };
  return sampledProbe("long unknown spaces", operation, "read", send, REJECTED_UPDATES);
}
