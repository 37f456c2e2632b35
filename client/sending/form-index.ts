import { addTo } from "../../spec/grouped.ts";
export const SHORTEST_INDEXED = 4;
const HEAD = SHORTEST_INDEXED;
const ROOM = 2 ** 18;
const SHIFT = 5;

export type Stretch = [from: number, to: number];

export class FormIndex {
  readonly #texts = new Set<string>();
  readonly #byHead = new Map<number, string[]>();
  readonly #heads = new Uint8Array(ROOM);

  get size(): number {
    return this.#texts.size;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Adds a text to look for. Texts that are too short are not found. */
  add(text: string): void {
    if (text.length < HEAD || this.#texts.has(text)) return;
    this.#texts.add(text);
    const head = headOf(text);
    addTo(this.#byHead, head, text);
    this.#heads[head] = 1;
  }

  isIn(text: string): boolean {
    return this.#next(text, 0) !== undefined;
  }

  /** Returns the places of added texts in this one. Overlapping places are joined. */
  placesIn(text: string): Stretch[] {
    const found: Stretch[] = [];
    for (let next = this.#next(text, 0); next !== undefined; next = this.#next(text, next[0] + 1)) {
      const [from, to] = next;
      const last = found.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else found.push([from, to]);
    }
    return found;
  }

  #next(text: string, start: number): Stretch | undefined {
    if (this.isEmpty) return undefined;
    const heads = this.#heads;
    const { length } = text;
    let head = 0;
    for (let index = start; index < length; index++) {
      head = shifted(head, text.charCodeAt(index));
      if (heads[head] === 0) continue;
      const from = index - HEAD + 1;
      if (from < start) continue;
      let longest = 0;
      for (const each of this.#byHead.get(head) ?? [])
        if (each.length > longest && text.startsWith(each, from)) longest = each.length;
      if (longest > 0) return [from, from + longest];
    }
    return undefined;
  }
}

function headOf(text: string): number {
  let head = 0;
  for (let index = 0; index < HEAD; index++) head = shifted(head, text.charCodeAt(index));
  return head;
}

/** Returns the number of the last characters and one more. The shift moves older ones out of the 18 bits. */
function shifted(head: number, code: number): number {
  return ((head << SHIFT) ^ code) & (ROOM - 1);
}
