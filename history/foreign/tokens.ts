import { isTokenLike } from "../../spec/formats.ts";
import { ABOUT_ACCESS, type Credential, UNAUTHORIZED } from "../entry.ts";
import type { ForeignExchange } from "./exchange.ts";
import { headerOf, isMask } from "./messages.ts";

interface Uses {
  accepted: number;
  rejected: number;
}

const MOST_TOKENS = 5_000;
const MOSTLY_TIMES = 3;
const MOST_MORE = 2;

export class Tokens {
  readonly #uses = new Map<string, Uses>();
  readonly #pseudonyms = new Map<string, string>();
  #named = 0;
  /** True if the recording shows the header, masked or not. Requests without it were sent without it, then. */
  #areShown = false;

  /** Notes which token the exchange used, and how it was answered. */
  learn({ request, response }: ForeignExchange): void {
    const authorization = headerOf(request.headers, "authorization");
    if (authorization === null) return;
    this.#areShown = true;
    if (isHidden(authorization)) return;
    const token = tokenIn(authorization);
    if (token === undefined || response === null) return;
    const uses = this.#uses.get(token) ?? { accepted: 0, rejected: 0 };
    this.#uses.delete(token);
    this.#uses.set(token, uses);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > MOST_TOKENS && oldest !== undefined) {
      this.#uses.delete(oldest);
      this.#pseudonyms.delete(oldest);
    }
    if (response.status >= 200 && response.status < 300) uses.accepted++;
    else if (response.status === UNAUTHORIZED) uses.rejected++;
  }

  /** True if the token, which the recording does not show, may be the reason of the rejection. */
  mayBeWrong({ request: { headers }, response }: ForeignExchange): boolean {
    return this.#isUnseen(headers) && ABOUT_ACCESS.has(response?.status);
  }

  #isUnseen(headers: ForeignExchange["request"]["headers"]): boolean {
    const authorization = headerOf(headers, "authorization");
    if (headers === null) return true;
    return authorization === null ? !this.#areShown : isHidden(authorization);
  }

  /** Returns how the recorded request authenticated itself. An omitted or masked token counts as valid. */
  credentialOf({ headers }: ForeignExchange["request"]): Credential {
    if (this.#isUnseen(headers)) return { kind: "token", token: "token 1" };
    const authorization = headerOf(headers, "authorization");
    if (authorization === null) return { kind: "none", token: null };
    const token = tokenIn(authorization);
    if (token === undefined) return { kind: this.#kindWithout(authorization.trim()), token: null };
    if (token === "") return { kind: "empty-token", token: null };
    if (this.#isAltered(token)) return { kind: "altered", token: null };
    if (!this.#isAccepted(token)) return { kind: "unknown", token: null };
    const pseudonym = this.#pseudonyms.get(token) ?? `token ${++this.#named}`;
    this.#pseudonyms.set(token, pseudonym);
    return { kind: "token", token: pseudonym };
  }

  #kindWithout(authorization: string): Credential["kind"] {
    if (authorization === "") return "empty-header";
    return this.#isAccepted(authorization) ? "bare" : "other-scheme";
  }

  #isAccepted(token: string): boolean {
    return (this.#uses.get(token)?.accepted ?? 0) > 0;
  }

  /** True for a rarely accepted token that resembles an accepted one. */
  #isAltered(token: string): boolean {
    const { accepted = 0, rejected = 0 } = this.#uses.get(token) ?? {};
    if (rejected < MOSTLY_TIMES * Math.max(1, accepted) && accepted > 0) return false;
    return [...this.#uses].some(
      ([other, uses]) => uses.accepted > Math.max(accepted, uses.rejected) && isLike(token, other),
    );
  }
}

function isLike(text: string, token: string): boolean {
  if (text === token || !isTokenLike(token)) return false;
  return (
    text.toLowerCase() === token.toLowerCase() ||
    (Math.abs(text.length - token.length) <= MOST_MORE && (text.startsWith(token) || token.startsWith(text)))
  );
}

function isHidden(authorization: string): boolean {
  return isMask(authorization) || isMask(tokenIn(authorization) ?? "");
}

function tokenIn(authorization: string): string | undefined {
  return /^bearer\b\s*(.*)$/is.exec(authorization)?.[1]?.trim();
}
