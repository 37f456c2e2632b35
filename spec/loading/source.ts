import { isMap, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml";

/** Each mistake begins with `file:line:`. */
export class SpecError extends Error {
  override name = "SpecError";
  readonly mistakes: readonly string[];

  constructor(...mistakes: string[]) {
    super(asLines(mistakes));
    this.mistakes = mistakes;
  }
}

export function asLines(mistakes: readonly string[]): string {
  const [first = ""] = mistakes;
  return mistakes.length < 2 ? first : `${mistakes.length} mistakes:\n${mistakes.join("\n")}`;
}

/** Collects mistakes, so that the user sees all at once. */
export class Mistakes {
  readonly #found = new Set<string>();

  /** Returns the result of the step, or keeps its mistakes and returns `undefined`. */
  in<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      this.add([error]);
      return undefined;
    }
  }

  add(errors: readonly SpecError[]): void {
    for (const { mistakes } of errors) for (const mistake of mistakes) this.#found.add(mistake);
  }

  throwAll(): void {
    if (this.#found.size > 0) throw new SpecError(...this.#found);
  }
}

const PLAIN_TAGS: ReadonlySet<string> = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

export class YamlSource {
  readonly value: unknown;
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #lines = new LineCounter();

  constructor(
    private readonly file: string,
    text: string,
  ) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    // Later syntax errors may follow from the first. Duplicate keys do not.
    const { errors } = this.#document;
    const first = errors.find(({ code }) => code !== "DUPLICATE_KEY");
    const known = errors.filter((error) => error === first || error.code === "DUPLICATE_KEY");
    const problems = known.map(
      ({ pos, message }) =>
        `${file}:${this.#lines.linePos(pos[0]).line}: ${/call stack/.test(message) ? "it is nested too deep" : message}`,
    );
    if (problems.length > 0) throw new SpecError(...problems);
    this.value = this.#plainValue();
  }

  /** Returns the value of the document. Refuses aliases, which can fill the memory, and tags, which change values. */
  #plainValue(): unknown {
    const refused: { at: number; what: string }[] = [];
    const refuse = (at: number | undefined, what: string) => {
      refused.push({ at: at ?? 0, what });
      return visit.BREAK;
    };
    visit(this.#document, {
      Alias: (_, { range }) => refuse(range?.[0], "aliases (*name) are"),
      Value: (_, { tag, range }) =>
        tag === undefined || PLAIN_TAGS.has(tag) ? undefined : refuse(range?.[0], `the tag ${tag} is`),
    });
    const [first] = refused;
    if (first === undefined) return this.#document.toJS({ maxAliasCount: 0 });
    throw new SpecError(`${this.file}:${this.#lines.linePos(first.at).line}: ${first.what} not taken here`);
  }

  /** Returns the line of the value at this path, or of the nearest one around it. */
  line(path: readonly (string | number)[]): number {
    for (let length = path.length; length >= 0; length--) {
      const node = this.#document.getIn(path.slice(0, length), true);
      const holder = length === 0 ? undefined : this.#document.getIn(path.slice(0, length - 1), true);
      const pair = isMap(holder)
        ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(path[length - 1]))
        : undefined;
      const place = isNode(pair?.key) ? pair.key : node;
      if (isNode(place) && place.range) return this.#lines.linePos(place.range[0]).line;
    }
    return 1;
  }

  error(path: readonly (string | number)[], message: string): SpecError {
    return new SpecError(`${this.file}:${this.line(path)}: ${message}`);
  }
}
