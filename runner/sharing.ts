import { type Check, Untestable } from "../client/check.ts";
import { type Answer, isAccepted, type Probe, type Seen, type Target } from "../client/target.ts";
import type { RequestPlan } from "../generators/request.ts";
import type { Judged } from "./judge.ts";
import type { Turn } from "./turns.ts";

/** Who holds a key, in the order in which it was asked for: one alone, and behind it those who share it. */
interface Lock {
  alone: Promise<unknown>;
  beside: Promise<unknown>[];
}

/** Whether work of a kind goes on. */
export class Ongoing {
  #works = 0;

  get isOngoing(): boolean {
    return this.#works > 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#works++;
    try {
      return await work();
    } finally {
      this.#works--;
    }
  }
}

/** What checks share while they are tried; a check that is tried again shares nothing with its first try. */
export class Sharing {
  /** Tells tries of one check apart; 1 for the first. */
  readonly attempt: number;
  /** By check id: what came of it, and all that it observed. */
  readonly tried = new Map<string, Promise<Judged>>();
  readonly seen = new Map<string, Seen[]>();
  /** The turn of the check that is tried again. */
  turn: Turn | undefined;
  /** Work on fixtures, which tries of other checks use as well. */
  readonly onFixture = new Ongoing();
  readonly #shared = new Map<string, Promise<unknown>>();
  readonly #locks = new Map<string, Lock>();
  readonly #asked = new Map<string, Promise<Answer>>();
  /** What no write of the run changes. */
  readonly #lasting = new Map<string, Promise<Answer>>();
  /** In which everything in `#asked` was asked. */
  #epoch = 0;

  constructor(attempt: number) {
    this.attempt = attempt;
  }

  /** Makes a value once, for all who ask for the key. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known) return known as Promise<T>;
    const made = make();
    this.#shared.set(key, made);
    return made;
  }

  /** Sends the requests of a probe once; the reason if it can't be sent. */
  probed(probe: Probe, target: Target): Promise<Error | undefined> {
    return this.once(`probe ${probe.id}`, () =>
      probe.run(target).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof Untestable) return error;
          throw error;
        },
      ),
    );
  }

  /** Waits while other checks that are tried again go on, if there are any and they may. */
  giveWay(wait: () => Promise<void>): Promise<void> {
    return this.turn === undefined || this.onFixture.isOngoing ? wait() : this.turn.giveWay(wait);
  }

  /** Runs `work` while nobody else holds the key. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { alone, beside } = this.#lock(key);
    const turn = Promise.allSettled([alone, ...beside]).then(work);
    this.#locks.set(key, { alone: turn, beside: [] });
    return turn;
  }

  /** Runs `work` while nobody holds the key alone; with others that do not either. */
  beside<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { alone, beside } = this.#lock(key);
    const turn = Promise.allSettled([alone]).then(work);
    beside.push(turn);
    return turn;
  }

  #lock(key: string): Lock {
    const lock = this.#locks.get(key) ?? { alone: Promise.resolve(), beside: [] };
    this.#locks.set(key, lock);
    return lock;
  }

  /**
   * Hands out the answer to an equal read of the same epoch: nothing was written since it was asked. One that is
   * `lasting` is about what no write of the run changes, and is handed out for as long as there is one.
   */
  ask(
    plan: RequestPlan,
    clock: { epoch: number },
    send: () => Promise<Answer>,
    lasting = false,
  ): Promise<Answer> {
    const { operation, body: _, leftOut: __, ...rest } = plan;
    const key = JSON.stringify([operation.id, rest]);
    if (lasting) return this.#askOnce(key, send);
    // What was asked before a write is of no use to anybody, and answers may be large.
    if (this.#epoch !== clock.epoch) this.#asked.clear();
    const { epoch } = clock;
    this.#epoch = epoch;
    const known = this.#asked.get(key);
    if (known) return known;
    const asked = send();
    this.#asked.set(key, asked);
    const forget = () => {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    };
    asked.then(() => (clock.epoch === epoch ? undefined : forget()), forget);
    return asked;
  }

  #askOnce(key: string, send: () => Promise<Answer>): Promise<Answer> {
    const known = this.#lasting.get(key);
    if (known) return known;
    const asked = send();
    this.#lasting.set(key, asked);
    // What was refused, or not answered, may have another reason than what it is about.
    const forget = () => this.#lasting.delete(key);
    asked.then((answer) => isAccepted(answer) || forget(), forget);
    return asked;
  }
}

/** What the tries of a run share. */
export class Sharings {
  readonly first = new Sharing(1);
  /** In which is made what all tries share. */
  readonly remembered = new Sharing(1);
  /** In which all is sent again that checks of the history need: their probes run once for all of them. */
  #ofHistory: Sharing | undefined;
  #attempts = 1;

  /** For a check that is tried again. */
  again({ probes = [] }: Check): Sharing {
    if (probes.length === 0) return new Sharing(++this.#attempts);
    this.#ofHistory ??= new Sharing(++this.#attempts);
    return this.#ofHistory;
  }
}
