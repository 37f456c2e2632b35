/** A planted bug is an edit of the service's source, with the requirements that it breaks. */

/** An edit of a source file. The text to find occurs once in it. */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Bug {
  readonly name: string;
  /** The run must find one of these requirements violated. */
  readonly breaks: readonly string[];
  readonly at: readonly string[];
  readonly edits: readonly Edit[];
  /** True for a habit that prevents some tests: its run is inconclusive, and says why. */
  readonly leavesOpen?: true;
  /** True for a habit that changes the service ten times a second: a run may blame it by chance. */
  readonly isVolatile?: true;
}

export const ACCOUNT = "POST /v1/financial-accounts";
export const HOOK = "POST /webhooks";
export const HOOKS = "GET /webhooks";
export const HOOK_UPDATE = "PATCH /webhooks/{id}";
export const CODES = "GET /v1/payment-codes";
export const CODE = "GET /payment-codes/{id}";
export const CODE_UPDATE = "PATCH /payment-codes/{id}";
export const OTPS = "GET /v1/ussd-otps";

/** `breaks` has ids of requirements, separated by spaces. */
export function bug(name: string, breaks: string, at: string | readonly string[], ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" "), at: typeof at === "string" ? [at] : at, edits };
}

/** An edit that breaks no MUST. `breaks` has the ids of the SHOULD requirements that it breaks. */
export function habit(name: string, breaks: string, ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" ").filter(Boolean), at: [], edits };
}

/** A habit that prevents some tests, such as a token that may only read. */
export function openHabit(name: string, ...edits: Edit[]): Bug {
  return { ...habit(name, "", ...edits), leavesOpen: true };
}

/** Inserts code before the routes and authentication. The code can use `app` and `database`. */
export const first = (code: string): Edit => [
  "app",
  "addValidation(app);",
  `{ ${code} } addValidation(app);`,
];
