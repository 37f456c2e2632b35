import type { JsonObject } from "./json.ts";

export type Kind =
  | "ussdOtp"
  | "financialAccount"
  | "paymentCode"
  | "payout"
  | "webhook"
  | "bank"
  | "momo"
  | "country"
  | "payment"
  | "checkoutSession"
  | "financialTransaction"
  | "internalTransfer"
  | "providerKyc"
  | "receipt";

/** An update replaces the record by another. */
export interface StoredRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly space: string;
  readonly writtenAt: number;
  /** The fields without the id. Values from clients stay unchanged. */
  readonly data: JsonObject;
}

export type Dataset = Partial<Record<Kind, readonly StoredRecord[]>>;

export class Store {
  /** The oldest comes first, so that adding is cheap. */
  readonly #lists = new Map<Kind, StoredRecord[]>();
  readonly #newestFirst = new Map<Kind, readonly StoredRecord[]>();
  readonly #byId = new Map<Kind, Map<string, StoredRecord>>();
  readonly #ranks = new Map<string, number>();
  #highest = 0;

  constructor(dataset: Dataset) {
    for (const records of Object.values(dataset))
      for (const record of [...records].reverse()) this.add(record);
  }

  all(kind: Kind): readonly StoredRecord[] {
    const ready = this.#newestFirst.get(kind);
    if (ready) return ready;
    const list = (this.#lists.get(kind) ?? []).toReversed();
    this.#newestFirst.set(kind, list);
    return list;
  }

  get(kind: Kind, id: string): StoredRecord | undefined {
    return this.#byId.get(kind)?.get(id);
  }

  /** Newer records have higher numbers. */
  rank(kind: Kind, id: string): number {
    return this.#ranks.get(`${kind} ${id}`) ?? 0;
  }

  add(record: StoredRecord): void {
    const list = this.#lists.get(record.kind) ?? [];
    const byId = this.#byId.get(record.kind) ?? new Map<string, StoredRecord>();
    list.push(record);
    this.#newestFirst.delete(record.kind);
    byId.set(record.id, record);
    this.#highest += 1;
    this.#ranks.set(`${record.kind} ${record.id}`, this.#highest);
    this.#lists.set(record.kind, list);
    this.#byId.set(record.kind, byId);
  }

  replace(record: StoredRecord): void {
    const list = this.#lists.get(record.kind) ?? [];
    const index = list.findIndex((other) => other.id === record.id);
    if (index < 0) return;
    list[index] = record;
    this.#newestFirst.delete(record.kind);
    this.#byId.get(record.kind)?.set(record.id, record);
  }

  remove(kind: Kind, id: string): void {
    const list = this.#lists.get(kind) ?? [];
    const index = list.findIndex((record) => record.id === id);
    if (index >= 0) list.splice(index, 1);
    this.#newestFirst.delete(kind);
    this.#byId.get(kind)?.delete(id);
  }
}
