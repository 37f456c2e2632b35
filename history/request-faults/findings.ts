import type { ObservedBehaviour } from "../../spec/model/note.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { Classification, Doubt, Feature, RequestFault } from "../classification.ts";
import type { Known, Validity } from "./known.ts";
import type { SentRequest } from "./sent-request.ts";

export class Findings {
  readonly #requirements: Spec["requirements"];
  readonly #faults: RequestFault[] = [];
  readonly #doubts: Doubt[] = [];
  readonly #features: Feature[] = [];

  constructor({ requirements }: Spec) {
    this.#requirements = requirements;
  }

  /** Records a fault, or a doubt if its requirement is only a NOTE. */
  fault(fault: Omit<RequestFault, "basis"> & { basis?: "history" }): void {
    const level = this.#requirements.get(fault.requirement)?.level ?? "NOTE";
    const broken: RequestFault = { basis: "request", ...fault };
    const { place } = fault;
    if (level !== "NOTE") this.#faults.push(broken);
    else {
      const behaviour = place.startsWith("body") ? "brokenField" : "brokenParameter";
      this.#doubts.push({ place, behaviour, mustShow: false, broken });
    }
  }

  unlessGood(validity: Validity, fault: Omit<RequestFault, "basis">): void {
    if (validity === "wrong") this.fault({ ...fault, basis: "history" });
    else if (validity !== "good") this.doubt(fault.place, validity.open);
  }

  doubt(place: string, behaviour: ObservedBehaviour | null, mustShow = false): void {
    this.#doubts.push({ place, behaviour, mustShow });
  }

  feature(what: Feature["what"], requirement: string): void {
    this.#features.push({ what, requirement });
  }

  isOpen(place: string): boolean {
    return [...this.#faults, ...this.#doubts].some(
      (doubt) => doubt.place === place || doubt.place.startsWith(`${place}/`),
    );
  }

  get hasFault(): boolean {
    return this.#faults.length > 0;
  }

  get classification(): Classification {
    const [faults, doubts, features] = [this.#faults, this.#doubts, this.#features];
    const withoutDoubt = faults.length > 0 ? "faulty" : "valid";
    return { kind: doubts.length > 0 ? "doubtful" : withoutDoubt, faults, doubts, features };
  }

  get undocumented(): Classification {
    return { kind: "undocumented", faults: this.#faults, doubts: [], features: [] };
  }
}

export interface Classifying<Request extends SentRequest = SentRequest> {
  spec: Spec;
  sent: Request;
  known: Known;
  findings: Findings;
}
