type Attributes = Readonly<Record<string, string | number>>;

export class Element {
  readonly #children: Element[] = [];
  #text = "";

  constructor(
    private readonly name: string,
    private readonly attributes: Attributes = {},
  ) {}

  ele(name: string, attributes?: Attributes): Element {
    const child = new Element(name, attributes);
    this.#children.push(child);
    return child;
  }

  txt(text: string): void {
    this.#text += text;
  }

  /**
   * Adds the lines of the element and its children. Text gets no line break, because that would become part of
   * it.
   */
  addLines(lines: string[], indent = ""): void {
    const attributes = Object.entries(this.attributes).map(
      ([name, value]) => ` ${name}="${withEntities(String(value))}"`,
    );
    const begin = `${indent}<${this.name}${attributes.join("")}`;
    if (this.#text !== "") lines.push(`${begin}>${withEntities(this.#text)}</${this.name}>`);
    else if (this.#children.length === 0) lines.push(`${begin}/>`);
    else {
      lines.push(`${begin}>`);
      for (const child of this.#children) child.addLines(lines, `${indent}  `);
      lines.push(`${indent}</${this.name}>`);
    }
  }
}

export function renderXml(root: Element): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  root.addLines(lines);
  return `${lines.join("\n")}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes ampersands, so that "&lt;" shows as sent. */
function withEntities(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
