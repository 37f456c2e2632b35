/** Parts of the fourth set of late habits. */

import { type Edit, habit } from "./bug.ts";
import type { ShownHabit, Shows } from "./habits-late2-shown.ts";

export function late4Habit(name: string, breaks: string, shows: Shows, ...edits: Edit[]): ShownHabit {
  return { ...habit(`late4-${name}`, breaks, ...edits), shows: [shows] };
}

/** Repeats `once` until it returns true, at most for some milliseconds. */
export async function within(milliseconds: number, once: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    if (await once()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
