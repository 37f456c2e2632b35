import type { Asked, TinyAnswer } from "./tiny-server.ts";

interface Page {
  start: number;
  size: number;
}

/** A service with a list of `length` items. `change` alters pages. The list ends at a page if `isLast` holds. */
export function pagedList(
  length: number,
  change: (page: string[], asked: Page) => string[] = (page) => page,
  isLast: (asked: Page) => boolean = () => false,
): (asked: Asked) => TinyAnswer {
  const all = Array.from({ length }, (_, n) => `i${String(n).padStart(5, "0")}`);
  return ({ query }) => {
    const start = Number(query.get("after") ?? 0);
    const size = Number(query.get("limit") ?? 10);
    const shown = change(all.slice(start, start + size), { start, size });
    const next = start + size < length && !isLast({ start, size }) ? String(start + size) : null;
    const result = shown.map((id) => ({ id }));
    return {
      status: 200,
      body: { success: true, messages: [], result, pagination: { count: result.length, next } },
    };
  };
}
