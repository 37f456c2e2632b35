export const SPECIFICATION_FILE = "specification.md";

export interface SpecificationSection {
  title: string;
  line: number;
  text: string;
}

export interface SpecificationText {
  file: string;
  text: string;
}

const HEADING = /^#{1,6}\s+(\d+(?:\.\d+)*)\.?\s+(\S.*)$/;

/** Returns the sections of the specification by number, for links in reports. */
export function sectionsOf(markdown: string): Map<string, SpecificationSection> {
  const sections = new Map<string, SpecificationSection>();
  let open: SpecificationSection | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const [, number, title] = HEADING.exec(line) ?? [];
    if (number !== undefined && title !== undefined) {
      open = { title: title.trim(), line: index + 1, text: "" };
      sections.set(number, open);
    } else if (/^#{1,6}\s/.test(line)) open = undefined;
    else if (open) open.text += `${line}\n`;
  }
  for (const section of sections.values()) section.text = section.text.trim();
  return sections;
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(number: string, title: string): string {
  return `${number} ${title}`
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
