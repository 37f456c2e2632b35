import type { RequestPlan } from "../../generators/request.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { Answer } from "../target.ts";
import { overBusyResources } from "./busy-resources.ts";
import { type CreatedResources, withinCreations } from "./created-resources.ts";
import type { Ending } from "./ending.ts";
import { overHttp } from "./evidence.ts";
import { hidingSecrets, learningSecrets } from "./hidden-secrets.ts";
import type { HttpClient } from "./http.ts";
import { type Load, withinLoad } from "./load-limits.ts";
import { overLostConnections } from "./lost-connections.ts";
import { overRateLimits } from "./rate-limits.ts";
import type { Recorder } from "./recording.ts";
import { kindsBy } from "./request-kinds.ts";
import type { Redactor } from "./secrets.ts";
import type { Sender, Use } from "./sender.ts";
import { type TokenWatch, watchingToken } from "./token-expiry.ts";
import { overTransientFaults } from "./transient-faults.ts";
import { inWriteOrder, type WriteOrder } from "./write-order.ts";

export interface StackParts {
  spec: Spec;
  client: HttpClient;
  recorder: Recorder;
  load: Load;
  ending: Ending;
  order: WriteOrder;
  creations: CreatedResources;
  maxCreated: number | undefined;
  visibilityDelay: number;
  redactor: Redactor;
  tokenWatch: TokenWatch;
  isAuthorised(plan: RequestPlan): boolean;
  limited(named: boolean): void;
  ended(why: string): void;
  see(answer: Answer, use: Use): Promise<void>;
}

/** Nests the senders: each one wraps the one before. */
export function senderStack(parts: StackParts): Sender {
  const { ending, load } = parts;
  const plain = overHttp(parts.client, ending, parts.recorder);
  const learning = learningSecrets(plain, parts.redactor, parts.spec.schemas);
  const exchange = withinLoad(learning, load, ending, kindsBy(parts.spec, parts.recorder));
  const lasting = overLostConnections(exchange, load, ending);
  const bounded = withinCreations(lasting, parts.creations, parts.spec, parts.maxCreated);
  const ordered = inWriteOrder(bounded, parts.order);
  const { creations, visibilityDelay } = parts;
  const uncontested = overBusyResources(ordered, visibilityDelay, ending.signal, ({ plan }) =>
    creations.isYounger(plan.path ?? "", visibilityDelay),
  );
  const unlimited = overRateLimits(uncontested, load, parts.limited);
  const settled = overTransientFaults(unlimited, load, ending.signal);
  const authorised = watchingToken(settled, parts.tokenWatch, parts.isAuthorised, parts.ended);
  const hidden = hidingSecrets(authorised, parts.redactor);
  return async (outgoing, use) => {
    const answer = await hidden(outgoing, use);
    await parts.see(answer, use);
    return answer;
  };
}
