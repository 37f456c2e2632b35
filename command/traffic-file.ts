/** All that a run exchanged with its target, as one HAR file, however long the run is. */

import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { entryOf } from "../reports/har.ts";
import { exchangeWithoutPeople } from "../reports/personal-data.ts";
import type { Exchange } from "../reports/report.ts";
import { packageIdentity } from "../runner/package-root.ts";

/** The file's name in the folder of the reports. */
export const TRAFFIC = "traffic.har";

/**
 * Writes each exchange to the disk when it is over, so that memory holds none of them. What turned out later to be
 * secret is taken out at the end, before the file has its name. A disk that can't be written to costs the file, not
 * the run.
 */
export class TrafficFile {
  readonly #file: string;
  readonly #kept: string;
  readonly #showPeople: boolean;
  #open: number | undefined;
  #problem: string | undefined;

  constructor(file: string, showPeople: boolean) {
    this.#file = file;
    this.#kept = `${file}.${process.pid}.tmp`;
    this.#showPeople = showPeople;
    this.#trying(() => {
      this.#open = openSync(this.#kept, "w");
    });
  }

  /** Why there is no file, where there is none. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes in an exchange; secrets that are known by now are out of it. */
  add(exchange: Exchange, check: string): void {
    const open = this.#open;
    if (open === undefined) return;
    const shown = this.#showPeople ? exchange : exchangeWithoutPeople(exchange);
    this.#trying(() => writeSync(open, `${JSON.stringify(entryOf(shown, check))}\n`));
  }

  /** Makes the file of what was taken in. */
  async end(redacted: <T>(value: T) => T): Promise<void> {
    if (this.#open === undefined) return;
    this.#close();
    const whole = `${this.#file}.whole.${process.pid}.tmp`;
    try {
      const out = openSync(whole, "w");
      try {
        const { name, version } = packageIdentity();
        writeSync(out, `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"entries":[`);
        let between = "\n";
        for await (const line of createInterface({ input: createReadStream(this.#kept) })) {
          writeSync(out, `${between}${JSON.stringify(redacted(JSON.parse(line)))}`);
          between = ",\n";
        }
        writeSync(out, "\n]}}\n");
      } finally {
        closeSync(out);
      }
      renameSync(whole, this.#file);
    } catch (error) {
      rmSync(whole, { force: true });
      this.#failed(error);
    } finally {
      rmSync(this.#kept, { force: true });
    }
  }

  #trying(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#close();
      rmSync(this.#kept, { force: true });
      this.#failed(error);
    }
  }

  #close(): void {
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = undefined;
  }

  #failed(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.#problem = `cannot write ${this.#file}: ${code ?? message}`;
  }
}
