/** Compares answers on paths that operations have with those on paths that none has. */

export const UNKNOWN = "conformance-unknown";

/** A similar path that no operation has. */
export function unknownPath(path: string): string {
  return path.replace(/[a-z][a-z-]{2,}/, UNKNOWN);
}

/** The parts of an answer that are compared, and the path of its request. */
export interface ComparedAnswer {
  path: string;
  status: number | undefined;
  text: string;
}

/** True if status and text are the same, except for paths and ids in the text. */
export function isAnsweredAlike(one: ComparedAnswer, other: ComparedAnswer): boolean {
  return one.status === other.status && textOf(one) === textOf(other);
}

function textOf({ text, path }: ComparedAnswer): string {
  const words = path.split("/").filter((word) => word.length > 2 && !word.startsWith("{"));
  const bare = words.reduce((rest, word) => rest.replaceAll(word, ""), text);
  return bare.replace(/[0-9a-f-]{8,}|\d+/gi, "#");
}
