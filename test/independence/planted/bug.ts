/** Bugs like those of real teams: edits of the service's source, and the requirements that they break. */

/** An edit of a source file. The text to find occurs once in it. */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Bug {
  /** Unique, in kebab case. */
  readonly name: string;
  /** The run must find one of these requirements violated. */
  readonly breaks: readonly string[];
  /** The operations at which the violation must be found. */
  readonly at: readonly string[];
  readonly edits: readonly Edit[];
}

export const ACCOUNT = "POST /v1/financial-accounts";
export const HOOK = "POST /webhooks";
export const HOOKS = "GET /webhooks";
export const HOOK_UPDATE = "PATCH /webhooks/{id}";
export const CODES = "GET /v1/payment-codes";
export const CODE = "GET /payment-codes/{id}";
export const CODE_UPDATE = "PATCH /payment-codes/{id}";
export const OTPS = "GET /v1/ussd-otps";

/** Makes a bug. `breaks` has requirements separated by spaces. */
export function bug(name: string, breaks: string, at: string | readonly string[], ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" "), at: typeof at === "string" ? [at] : at, edits };
}
