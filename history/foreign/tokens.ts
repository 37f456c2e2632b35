/** Credentials of recorded requests. A token has one pseudonym in the whole recording. */

import type { Credential } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";
import { isMask } from "./masks.ts";
import { headerOf } from "./messages.ts";

export class Tokens {
  /** Pseudonyms of tokens with which a request was accepted. */
  readonly #accepted = new Map<string, string>();
  /** True if some request has an Authorization header. Otherwise the recorder leaves these headers out. */
  #areShown = false;

  learn({ request, response }: ForeignExchange): void {
    const authorization = headerOf(request.headers, "authorization");
    if (authorization === null || isHidden(authorization)) return;
    this.#areShown = true;
    const isAccepted = response !== null && response.status >= 200 && response.status < 300;
    const token = tokenIn(authorization);
    if (isAccepted && token !== undefined && !this.#accepted.has(token))
      this.#accepted.set(token, `token ${this.#accepted.size + 1}`);
  }

  /** How a request authenticates. If the recorder leaves tokens out, the token counts as valid. */
  credentialOf({ headers }: ForeignExchange["request"]): Credential {
    const authorization = headerOf(headers, "authorization");
    const isLeftOut = authorization === null ? !this.#areShown : isHidden(authorization);
    if (headers === null || isLeftOut) return { kind: "token", token: "token 1" };
    if (authorization === null) return { kind: "none", token: null };
    const token = tokenIn(authorization);
    if (token === undefined)
      return { kind: authorization.trim() === "" ? "empty-header" : "other-scheme", token: null };
    const known = this.#accepted.get(token);
    if (known !== undefined) return { kind: "token", token: known };
    return { kind: token === "" ? "empty-token" : "unknown", token: null };
  }
}

function isHidden(authorization: string): boolean {
  return isMask(authorization) || isMask(tokenIn(authorization) ?? "");
}

function tokenIn(authorization: string): string | undefined {
  return /^bearer\b\s*(.*)$/is.exec(authorization)?.[1]?.trim();
}
