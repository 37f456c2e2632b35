/** Parts of the fifth set of late habits. */

import { type Edit, first, habit } from "./bug.ts";
import type { ShownHabit, Shows } from "./habits-late2-shown.ts";

export function late5Habit(name: string, breaks: string, shows: Shows, ...edits: Edit[]): ShownHabit {
  return { ...habit(`late5-${name}`, breaks, ...edits), shows: [shows] };
}

/** Runs code once, some milliseconds after the start. */
export const midway = (milliseconds: number, code: string): Edit =>
  first(`setTimeout(() => { try { ${code} } catch {} }, ${milliseconds}).unref();`);

/** Answers each rejection with the headers and the body that `code` makes of `error`, `status` and `request`. */
export const refusing = (code: string): string =>
  `app.setErrorHandler((error, request, reply) => {
    const status = error.statusCode ?? 500;
    ${code}
  });`;
