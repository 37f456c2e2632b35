/** Finds many texts in another one in a single pass. */

/** Characters that decide which texts are tried at a place: the shortest text that can be looked for. */
const HEAD = 4;
/** Room for heads: a power of two, so that a mask cuts off what is older than `HEAD` characters. */
const ROOM = 2 ** 18;
const SHIFT = 5;

/** A stretch of a text, its end exclusive. */
export type Stretch = [from: number, to: number];

/** Texts of at least four UTF-16 units that are looked for together, however many there are. */
export class FormIndex {
  readonly #texts = new Set<string>();
  readonly #byHead = new Map<number, string[]>();
  /** Most places of a text begin with no head at all: a bit each answers that without the map. */
  readonly #heads = new Uint8Array(ROOM);

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** Looks for a text from now on; one that is too short is left out. */
  add(text: string): void {
    if (text.length < HEAD || this.#texts.has(text)) return;
    this.#texts.add(text);
    const head = headOf(text);
    const others = this.#byHead.get(head);
    if (others) others.push(text);
    else this.#byHead.set(head, [text]);
    this.#heads[head] = 1;
  }

  /** Whether one of the texts stands in `text`. */
  isIn(text: string): boolean {
    return this.#firsts(text).next().done === false;
  }

  /** Where the texts stand in `text`, in order; stretches that touch are one. */
  in(text: string): Stretch[] {
    const found: Stretch[] = [];
    for (const [from, to] of this.#firsts(text)) {
      const last = found.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else found.push([from, to]);
    }
    return found;
  }

  /** At each place where one of the texts begins, the longest that does. */
  *#firsts(text: string): Generator<Stretch> {
    if (this.isEmpty) return;
    let head = 0;
    for (let index = 0; index < text.length; index++) {
      head = shifted(head, text.charCodeAt(index));
      if (this.#heads[head] === 0) continue;
      const from = index - HEAD + 1;
      if (from < 0) continue;
      let longest = 0;
      for (const each of this.#byHead.get(head) ?? [])
        if (each.length > longest && text.startsWith(each, from)) longest = each.length;
      if (longest > 0) yield [from, from + longest];
    }
  }
}

function headOf(text: string): number {
  let head = 0;
  for (let index = 0; index < HEAD; index++) head = shifted(head, text.charCodeAt(index));
  return head;
}

/** What four characters come to: an older one has been shifted out. */
function shifted(head: number, code: number): number {
  return ((head << SHIFT) ^ code) & (ROOM - 1);
}
