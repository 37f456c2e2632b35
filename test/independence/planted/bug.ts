/** Bugs as real teams make them: edits of the service's source, and what they break. */

/** A piece of a source file, which stands there once, and what stands there instead. */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Bug {
  /** Unique, in kebab case. */
  readonly name: string;
  /** Requirements, of which one or more must be found violated. */
  readonly breaks: readonly string[];
  /** Operations, at one of which that must be. */
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

/** `breaks` names requirements with blanks between them. */
export function bug(name: string, breaks: string, at: string | readonly string[], ...edits: Edit[]): Bug {
  return { name, breaks: breaks.split(" "), at: typeof at === "string" ? [at] : at, edits };
}
