/** Bugs like those of real teams: edits of the service's source, and the requirements that they break. */

/** An edit of a source file. The text to find occurs once in it. */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Bug {
  readonly name: string;
  /** The run must find one of these requirements violated. */
  readonly breaks: readonly string[];
  readonly at: readonly string[];
  readonly edits: readonly Edit[];
  /** True for a habit with which something can't be tested: its run is inconclusive, and says why. */
  readonly leavesOpen?: true;
}

export const ACCOUNT = "POST /v1/financial-accounts";
export const HOOK = "POST /webhooks";
export const HOOKS = "GET /webhooks";
export const HOOK_UPDATE = "PATCH /webhooks/{id}";
export const CODES = "GET /v1/payment-codes";
export const CODE = "GET /payment-codes/{id}";
export const CODE_UPDATE = "PATCH /payment-codes/{id}";
export const OTPS = "GET /v1/ussd-otps";

/** `breaks` has requirements separated by spaces. */
export function bug(name: string, breaks: string, at: string | readonly string[], ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" "), at: typeof at === "string" ? [at] : at, edits };
}

/** The edit breaks no MUST. `breaks` has the SHOULD requirements that it does not follow. */
export function habit(name: string, breaks: string, ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" ").filter(Boolean), at: [], edits };
}

/** A habit with which something can't be tested. */
export function openHabit(name: string, ...edits: Edit[]): Bug {
  return { ...habit(name, "", ...edits), leavesOpen: true };
}

/** Inserts code before the routes and authentication. It can use `app` and `database`. */
export const first = (code: string): Edit => [
  "app",
  "addValidation(app);",
  `{ ${code} } addValidation(app);`,
];
