import { addTo } from "../../spec/grouped.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { isAction, isChange } from "../../spec/operations.ts";
import { idBeforeAction, idempotencyKeyIn, isRejected, objectSent, pathId, shownId } from "../entry.ts";
import { GOOD, open, type Validity, WRONG } from "./known.ts";
import { type Answered, isAfter, type SentRequest } from "./sent-request.ts";

interface Use {
  entry: Answered;
  value: unknown;
  id: string;
}

/** Values of unique fields in accepted writes (section 4.2). */
export class TakenValues {
  readonly #uses = new Map<string, Use[]>();
  /** Updates that may have replaced a value, accepted or not. */
  readonly #releases = new Map<string, { entry: Answered; id: string }[]>();

  /** `isOfOthers` means recorded traffic, which may lack requests. */
  constructor(
    private readonly spec: Spec,
    private readonly isOfOthers: boolean,
  ) {}

  add(entry: Answered, field: string, value: unknown): void {
    addTo(this.#uses, this.#fieldIn(entry, field), { entry, value, id: this.#idOf(entry) });
  }

  /** Frees the values that the update replaces. */
  release(entry: Answered): void {
    const { kind, method, body } = entry.operation;
    if (kind !== "update" || isRejected(entry)) return;
    const sent = objectSent(entry);
    for (const [name, field] of this.spec.schemas.fields(body)) {
      const mayReplace = method === "PUT" || !sent || name in sent;
      if (field["x-unique"]?.scope !== "space" || !mayReplace) continue;
      addTo(this.#releases, this.#fieldIn(entry, `/${name}`), { entry, id: this.#idOf(entry) });
    }
  }

  /** Returns whether the unique value may be sent. Actions and replaced values are left open. */
  validity(sent: SentRequest, field: string, value: unknown): Validity {
    const isUpdate = isChange(this.spec, sent.operation);
    const uses = (this.#uses.get(this.#fieldIn(sent, field)) ?? []).filter(
      ({ entry }) => entry.begun !== sent.begun && !isAfter(entry, sent),
    );
    const key = idempotencyKeyIn(sent);
    const others = uses.filter(({ entry, id }) =>
      isUpdate ? id !== this.#idChanged(sent) : key === undefined || idempotencyKeyIn(entry) !== key,
    );
    const same = others.filter((use) => use.value === value);
    const changes = [...uses, ...(this.#releases.get(this.#fieldIn(sent, field)) ?? [])];
    const isHeld = ({ entry, id }: Use) =>
      isAfter(sent, entry) &&
      !changes.some((later) => later.id === id && isAfter(later.entry, entry) && !isAfter(later.entry, sent));
    // An unrecorded request may have freed the value.
    if (!isAction(this.spec, sent.operation) && same.some(isHeld))
      return this.isOfOthers ? open(null) : WRONG;
    if (same.length > 0) return open(null);
    const folded = String(value).toLowerCase();
    return others.some((use) => String(use.value).toLowerCase() === folded)
      ? open("uniqueValuesInOtherCasing")
      : GOOD;
  }

  #idOf(entry: Answered): string {
    return this.#idChanged(entry) ?? String(shownId(this.spec, entry));
  }

  #idChanged(sent: Pick<SentRequest, "operation" | "path">): string | undefined {
    if (sent.operation.kind === "update") return pathId(sent);
    return isAction(this.spec, sent.operation) ? idBeforeAction(sent) : undefined;
  }

  /** Returns the key of the field's values, which a create, its updates and its actions share. */
  #fieldIn({ operation, space }: Pick<SentRequest, "operation" | "space">, field: string): string {
    const { kind, outer, pathParameter, id } = operation;
    const updated = kind === "update" ? pathParameter : undefined;
    const named = isAction(this.spec, operation) ? outer.at(-1) : updated;
    return `${named?.madeBy ?? id} ${field} ${space}`;
  }
}
