import { type Check, NotTested } from "../client/check.ts";
import { type Answer, isAccepted, type ObservedNote, type Probe, type Target } from "../client/target.ts";
import type { RequestPlan } from "../generators/request.ts";
import { keptIn } from "../spec/memoized.ts";
import type { Judged } from "./judge.ts";

interface Lock {
  writer: Promise<unknown>;
  readers: Promise<unknown>[];
}

export class RoundState {
  readonly tried = new Map<string, Promise<Judged>>();
  readonly notes = new Map<string, ObservedNote[]>();
  readonly #shared = new Map<string, Promise<unknown>>();
  readonly #locks = new Map<string, Lock>();
  readonly #asked = new Map<string, Promise<Answer>>();
  readonly #lasting = new Map<string, Promise<Answer>>();
  #epoch = 0;

  constructor(readonly number: number) {}

  memoize<T>(key: string, make: () => Promise<T>): Promise<T> {
    return keptIn(this.#shared, key, make) as Promise<T>;
  }

  /** Runs the probe once in the round. Returns the error that ended it, if any. */
  probed(probe: Probe, target: Target): Promise<Error | undefined> {
    return this.memoize(`probe ${probe.id}`, () =>
      probe.run(target).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof NotTested) return error;
          throw error;
        },
      ),
    );
  }

  withWriteLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { writer, readers } = this.#lock(key);
    const held = Promise.allSettled([writer, ...readers]).then(work);
    this.#locks.set(key, { writer: held, readers: [] });
    return held;
  }

  withReadLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { writer, readers } = this.#lock(key);
    const held = Promise.allSettled([writer]).then(work);
    readers.push(held);
    return held;
  }

  #lock(key: string): Lock {
    return keptIn(this.#locks, key, () => ({ writer: Promise.resolve(), readers: [] }));
  }

  ask(
    plan: RequestPlan,
    clock: { epoch: number },
    send: () => Promise<Answer>,
    lasting = false,
  ): Promise<Answer> {
    const { operation, body: _, leftOut: __, sequence: ___, ...rest } = plan;
    const key = JSON.stringify([operation.id, rest]);
    if (lasting) return this.#askOnce(key, send);
    // A write outdates earlier answers, which may be large.
    if (this.#epoch !== clock.epoch) this.#asked.clear();
    const { epoch } = clock;
    this.#epoch = epoch;
    return keptIn(this.#asked, key, () => {
      const asked = send();
      const forget = () => {
        if (this.#asked.get(key) === asked) this.#asked.delete(key);
      };
      asked.then(() => (clock.epoch === epoch ? undefined : forget()), forget);
      return asked;
    });
  }

  #askOnce(key: string, send: () => Promise<Answer>): Promise<Answer> {
    return keptIn(this.#lasting, key, () => {
      const asked = send();
      // A rejection may be temporary, so the next caller asks again.
      const forget = () => this.#lasting.delete(key);
      asked.then((answer) => isAccepted(answer) || forget(), forget);
      return asked;
    });
  }
}

export class RoundStates {
  readonly first = new RoundState(1);
  readonly unjudged = new RoundState(1);
  /** Confirmations share this state, so that each probe runs once. */
  #ofHistory: RoundState | undefined;
  #rounds = 1;

  alone(): RoundState {
    return new RoundState(++this.#rounds);
  }

  ofConfirmation({ probes }: Check): RoundState {
    if (probes.length === 0) return this.alone();
    this.#ofHistory ??= this.alone();
    return this.#ofHistory;
  }
}
