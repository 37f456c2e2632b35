import { identityOf } from "../../spec/identity.ts";
import type { CreatedResource } from "../../spec/model/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { NotTested } from "../check.ts";
import { resourceTypeOf, taggedField } from "../relations.ts";
import { type Answer, asText, isAccepted, isRejected, resourceOf } from "../target.ts";
import type { Outgoing, Sender } from "./sender.ts";

function mayCreate({ kind, method }: Operation): boolean {
  return kind === "create" || (kind === "named" && method === "POST");
}

export class CreatedResources {
  readonly all: CreatedResource[] = [];
  readonly #known = new Set<string>();
  readonly #open = new Map<string, number>();
  readonly #lost = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(
    private readonly most: number = Number.POSITIVE_INFINITY,
    private readonly onCreated: (all: readonly CreatedResource[]) => void = () => {},
  ) {}

  get hasLost(): boolean {
    return this.#lost.size > 0;
  }

  isYounger(id: string, milliseconds: number): boolean {
    return this.all.some((made) => made.id === id && Date.now() - Date.parse(made.at) < milliseconds);
  }

  /** Waits until one more create is allowed. False if the limit is reached for good. */
  async begin(key: string): Promise<boolean> {
    while (!this.#open.has(key) && this.all.length + this.#lost.size + this.#open.size >= this.most) {
      if (this.#open.size === 0) return false;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return true;
  }

  /** Notes the created resource, and lets the next create begin. */
  end(key: string, made: CreatedResource | "none" | "lost"): void {
    const others = (this.#open.get(key) ?? 1) - 1;
    if (others === 0) this.#open.delete(key);
    else this.#open.set(key, others);
    if (made === "lost") this.#lost.add(key);
    else {
      this.#lost.delete(key);
      if (made !== "none") this.#add(made);
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #add(made: CreatedResource): void {
    const name = JSON.stringify([made.kind, made.id]);
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.all.push(made);
    this.onCreated(this.all);
  }
}

/** Refuses creates beyond `--max-created`, and lists the created resources. */
export function withinCreations(
  next: Sender,
  creations: CreatedResources,
  spec: Spec,
  most?: number,
): Sender {
  let keyless = 0;
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    if (!mayCreate(operation)) return next(outgoing, use);
    const header = operation.idempotencyKey?.name.toLowerCase() ?? "";
    const key = `${operation.id} ${outgoing.wire.headers[header] ?? keyless++}`;
    if (!(await creations.begin(key)))
      throw new NotTested(
        "budget",
        `${operation.key} would make more than ${most} resources (--max-created)`,
        [],
        { raise: "--max-created" },
      );
    let made: CreatedResource | "none" | "lost" = "lost";
    try {
      const answer = await next(outgoing, use);
      if (isAccepted(answer)) made = madeBy(spec, outgoing, answer);
      else if (isRejected(answer)) made = "none";
      return answer;
    } finally {
      creations.end(key, made);
    }
  };
}

/** Returns the created resource, or "lost" if the answer shows no id, because such a resource cannot be cleaned up. */
function madeBy(
  spec: Spec,
  { plan: { operation }, wire }: Outgoing,
  answer: Answer,
): CreatedResource | "lost" {
  const resource = resourceOf(answer);
  const id = asText(resource?.[identityOf(spec, operation)]);
  if (resource === undefined || id === undefined) return "lost";
  const tagged = taggedField(spec, operation);
  const name = tagged === undefined ? undefined : asText(resource[tagged]);
  return {
    kind: resourceTypeOf(spec, operation),
    id,
    ...(name === undefined ? {} : { name }),
    space: wire.headers[operation.space?.name.toLowerCase() ?? ""] ?? "",
    at: new Date().toISOString(),
  };
}
