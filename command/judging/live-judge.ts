/** Judges traffic in parts, which bound the memory. With `tell`, unfinished parts show violations early. */

import type { ForeignExchange } from "../../history/foreign/exchange.ts";
import type { Found } from "../../runner/judging/found.ts";
import type { OthersTraffic } from "../../runner/judging/others.ts";

const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_EXCHANGES = 5_000;
const MOST_LIVE_EXCHANGES = 1_000;
const PREVIEW_EVERY_MS = 1_000;
/** The most time that unfinished parts may take, as a share. */
const MOST_TIME_SHARE = 0.2;

export class LiveJudge {
  readonly #reported = new Set<string>();
  #part: ForeignExchange[] = [];
  #size = 0;
  #previewed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly traffic: OthersTraffic,
    private readonly tell?: (found: Found) => void,
  ) {
    if (tell) this.#previewIn(PREVIEW_EVERY_MS);
  }

  take(exchange: ForeignExchange): void {
    this.#part.push(exchange);
    this.#size += sizeOf(exchange);
    const mostExchanges = this.tell ? MOST_LIVE_EXCHANGES : MOST_EXCHANGES;
    if (this.#size > MOST_CHARACTERS || this.#part.length >= mostExchanges) this.#finishPart();
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#part.length > 0) this.#finishPart();
  }

  #finishPart(): void {
    const part = this.#part;
    [this.#part, this.#size, this.#previewed] = [[], 0, 0];
    this.#tellNew(this.traffic.judge(part));
  }

  #previewIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const begin = performance.now();
      if (this.#part.length > this.#previewed) {
        this.#previewed = this.#part.length;
        this.#tellNew(this.traffic.preview(this.#part));
      }
      this.#previewIn(Math.max(PREVIEW_EVERY_MS, (performance.now() - begin) / MOST_TIME_SHARE));
    }, milliseconds);
  }

  #tellNew(violated: readonly Found[]): void {
    for (const found of violated) {
      if (this.#reported.has(found.check.id)) continue;
      this.#reported.add(found.check.id);
      this.tell?.(found);
    }
  }
}

function sizeOf({ request, response }: ForeignExchange): number {
  const headers = [...(request.headers ?? []), ...(response?.headers ?? [])];
  const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, request.url.length);
  return head + (request.body?.text.length ?? 0) + (response?.body.text.length ?? 0);
}
