/** An operation is not implemented if the service answers it like an unknown path. */

export const UNKNOWN = "conformance-unknown";

/** Returns a path like this one that no service has. */
export function unknownPath(path: string): string {
  return path.replace(/[a-z][a-z-]{2,}/, UNKNOWN);
}

export interface ComparedAnswer {
  path: string;
  status: number | undefined;
  text: string;
}

/** True if the answers differ only in numbers and words of their paths. */
export function isAnsweredAlike(one: ComparedAnswer, other: ComparedAnswer): boolean {
  return one.status === other.status && textOf(one) === textOf(other);
}

function textOf({ text, path }: ComparedAnswer): string {
  const words = path.split("/").filter((word) => word.length > 2 && !word.startsWith("{"));
  const bare = words.reduce((rest, word) => rest.replaceAll(word, ""), text);
  return bare.replace(/[0-9a-f-]{8,}|\d+/gi, "#");
}
