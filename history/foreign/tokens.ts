/** Credentials of recorded requests. Tokens get pseudonyms, which stay the same for the whole recording. */

import type { Credential } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";
import { isMask } from "./masks.ts";
import { headerOf } from "./messages.ts";

export class Tokens {
  /** Pseudonyms of tokens that some request was accepted with. */
  readonly #accepted = new Map<string, string>();
  /** True if some request has an Authorization header: otherwise the recorder leaves them out. */
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

  /** How a request authenticates itself. A recorder that leaves tokens out is taken to have seen a good one. */
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
