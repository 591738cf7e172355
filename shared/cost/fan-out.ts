import { TimeHeap } from './time-heap.ts';

/** What a call reads before it computes. */
export interface Reading {
  /** Requests to the store. */
  readonly requests: number;
  /** How long they take when the store holds none of them back. */
  readonly seconds: number;
}

/** A map over batches: each batch is one call of a function, in an environment that keeps what it read. */
export interface FanOut {
  /** Compute of each batch, in the order in which the map starts them. */
  readonly batchSeconds: ArrayLike<number>;
  /** Children that the map starts in a second. */
  readonly childrenPerSecond: number;
  /** Environments at most, and children at most. */
  readonly concurrency: number;
  /** New environments that may be had at one moment, and how fast that allowance comes back. */
  readonly environmentsAtOnce: number;
  readonly environmentsPerSecond: number;
  /** From the call of a new environment to its first request. */
  readonly coldStartSeconds: number;
  /** What the first call of an environment reads, and what every later one does. */
  readonly firstReading: Reading;
  readonly laterReading: Reading;
  /** Requests that the store answers in a second, over all environments. */
  readonly readsPerSecond: number;
}

/** What a map over batches comes to. */
export interface FanOutOutcome {
  /** From the first child to the end of the last. */
  readonly wallSeconds: number;
  /** Environments that were started. */
  readonly environments: number;
  /** Sum over the calls of the time from start to end, cold starts counted: what Lambda bills. */
  readonly callSeconds: number;
  readonly longestCallSeconds: number;
  /** Requests to the store, before the results are written. */
  readonly reads: number;
}

interface Call {
  readonly batch: number;
  readonly started: number;
  readonly reading: Reading;
}

/** New environments that may be had: a bucket that holds `most` and refills at `perSecond`. */
class Allowance {
  #left: number;
  #at = 0;

  constructor(
    readonly most: number,
    readonly perSecond: number,
  ) {
    this.#left = most;
  }

  /** When the next may be had, from `now` on. */
  next(now: number): number {
    this.#refill(now);
    return this.#left >= 1 ? now : now + (1 - this.#left) / this.perSecond;
  }

  /** Takes one at a time that {@link next} gave. */
  take(now: number): void {
    this.#refill(now);
    // At the very moment at which one is whole again, rounding may have left it short of that.
    this.#left = Math.max(0, this.#left - 1);
  }

  #refill(now: number): void {
    this.#left = Math.min(this.most, this.#left + (now - this.#at) * this.perSecond);
    this.#at = now;
  }
}

/**
 * Simulates a map over batches, event by event: O(batches x log environments), and the same figures every time.
 *
 * The map starts children in order at its rate, as long as no more than `concurrency` are under way. A child takes an
 * environment that is free; otherwise a new one if it may be had, or else the first of the two that comes. It reads,
 * computes and frees its environment. Environments that read share what the store answers: when together they ask for
 * more than `readsPerSecond`, all of them slow down by the same factor. Retries are ideal: a child that was refused
 * is there at the moment when it is not any more. No batch fails.
 *
 * @throws RangeError when a rate or the concurrency is not positive, a time is negative, or requests take no time
 */
export function simulateFanOut(fanOut: FanOut): FanOutOutcome {
  checkFanOut(fanOut);
  const { batchSeconds, childrenPerSecond, concurrency, firstReading, laterReading } = fanOut;
  const batches = batchSeconds.length;
  const allowance = new Allowance(fanOut.environmentsAtOnce, fanOut.environmentsPerSecond);
  const starting = new TimeHeap<Call>();
  /** By the progress at which they end; progress runs slower than time when the store holds requests back. */
  const readers = new TimeHeap<Call>();
  const computing = new TimeHeap<Call>();
  /** Readers by kind, so that the sum of their requests a second is exact. */
  const reading = { first: 0, later: 0 };
  const asked = (kind: Reading) => (kind.requests === 0 ? 0 : kind.requests / kind.seconds);
  let [now, progress, next, idle, environments, done] = [0, 0, 0, 0, 0, 0];
  let [callSeconds, longestCallSeconds, reads, wallSeconds] = [0, 0, 0, 0];

  const read = (call: Call) => {
    if (call.reading.seconds === 0) return compute(call);
    reading[call.reading === firstReading ? 'first' : 'later']++;
    readers.push(progress + call.reading.seconds, call);
  };
  const compute = (call: Call) => computing.push(now + batchSeconds[call.batch]!, call);
  const start = (kind: Reading) => {
    reads += kind.requests;
    return { batch: next++, started: now, reading: kind };
  };

  while (done < batches) {
    const pace = Math.min(1, fanOut.readsPerSecond / (reading.first * asked(firstReading) + reading.later * asked(laterReading)));
    const childAt = next < batches ? Math.max(now, next / childrenPerSecond) : Infinity;
    const environmentAt = idle > 0 ? now : environments < concurrency ? allowance.next(now) : Infinity;
    const startAt = childAt === Infinity ? Infinity : Math.max(childAt, environmentAt);
    const readAt = readers.size > 0 ? now + Math.max(0, readers.earliest - progress) / pace : Infinity;
    const then = Math.min(computing.earliest, startAt, starting.earliest, readAt);
    progress = then === readAt ? readers.earliest : progress + (then - now) * pace;
    now = then;
    if (then === computing.earliest) {
      const call = computing.pop();
      const seconds = now - call.started;
      callSeconds += seconds;
      longestCallSeconds = Math.max(longestCallSeconds, seconds);
      wallSeconds = now;
      idle++;
      done++;
    } else if (then === readAt) {
      const call = readers.pop();
      reading[call.reading === firstReading ? 'first' : 'later']--;
      compute(call);
    } else if (then === starting.earliest) {
      read(starting.pop());
    } else if (idle > 0) {
      idle--;
      read(start(laterReading));
    } else {
      allowance.take(now);
      environments++;
      starting.push(now + fanOut.coldStartSeconds, start(firstReading));
    }
  }
  return { wallSeconds, environments, callSeconds, longestCallSeconds, reads };
}

function checkFanOut(fanOut: FanOut): void {
  const { childrenPerSecond, concurrency, environmentsAtOnce, environmentsPerSecond, readsPerSecond } = fanOut;
  const rates = { childrenPerSecond, concurrency, environmentsAtOnce, environmentsPerSecond, readsPerSecond };
  for (const [name, value] of Object.entries(rates)) {
    if (!(value > 0)) throw new RangeError(`${name} must be positive`);
  }
  if (concurrency < 1 || environmentsAtOnce < 1) throw new RangeError('one environment is the least');
  if (!(fanOut.coldStartSeconds >= 0)) throw new RangeError('coldStartSeconds must not be negative');
  for (const { requests, seconds } of [fanOut.firstReading, fanOut.laterReading]) {
    if (!(requests >= 0 && seconds >= 0)) throw new RangeError('a reading must not be negative');
    if (requests > 0 && seconds === 0) throw new RangeError('requests must take some time');
  }
  for (let b = 0; b < fanOut.batchSeconds.length; b++) {
    if (!(fanOut.batchSeconds[b]! >= 0)) throw new RangeError('the compute of a batch must not be negative');
  }
}
