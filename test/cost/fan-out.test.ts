import { assert, constant, double, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FanOut, simulateFanOut } from '../../shared/cost/fan-out.ts';

const NOTHING = { requests: 0, seconds: 0 };

/** A map without delays or limits, of so many batches of a second each. */
function ideal(batches: number, change: Partial<FanOut> = {}): FanOut {
  return {
    batchSeconds: Array.from({ length: batches }, () => 1),
    childrenPerSecond: Infinity,
    concurrency: 1e6,
    environmentsAtOnce: 1e6,
    environmentsPerSecond: 1e6,
    coldStartSeconds: 0,
    firstReading: NOTHING,
    laterReading: NOTHING,
    readsPerSecond: Infinity,
    ...change,
  };
}

const seconds = (most: number) => double({ min: 0, max: most, noNaN: true });
const reading = (most: number) => record({ requests: integer({ min: 0, max: most }), seconds: double({ min: 0.01, max: 5, noNaN: true }) });

/** Maps of every kind; `free` ones have neither cold starts nor reading. */
const fanOuts = (free: boolean) =>
  integer({ min: 1, max: 60 }).chain((batches) =>
    record({
      batchSeconds: constant(batches).chain((length) =>
        record({ scale: seconds(10), length: constant(length) }).map(({ scale }) =>
          // Times of all sizes, without a generator of arrays that shrinks for minutes.
          Array.from({ length }, (_, b) => (scale * ((b * 7919) % 101)) / 101),
        ),
      ),
      childrenPerSecond: double({ min: 0.5, max: 1000, noNaN: true }),
      concurrency: integer({ min: 1, max: 40 }),
      environmentsAtOnce: integer({ min: 1, max: 20 }),
      environmentsPerSecond: double({ min: 0.1, max: 50, noNaN: true }),
      coldStartSeconds: free ? constant(0) : seconds(3),
      firstReading: free ? constant(NOTHING) : reading(500),
      laterReading: free ? constant(NOTHING) : reading(20),
      readsPerSecond: double({ min: 5, max: 1000, noNaN: true }),
    }),
  );

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

describe('simulateFanOut()', () => {
  it('takes the longest batch when nothing holds it back', () => {
    expect(simulateFanOut(ideal(5, { batchSeconds: [1, 4, 2, 1, 1] }))).toEqual({
      wallSeconds: 4,
      environments: 5,
      callSeconds: 9,
      longestCallSeconds: 4,
      reads: 0,
    });
  });

  it('starts children at its rate, and takes an environment that is free before a new one', () => {
    // Starts at 0, 0.5, 1, ...: the third child finds the environment of the first free again.
    const { environments, wallSeconds } = simulateFanOut(ideal(10, { childrenPerSecond: 2 }));
    expect({ environments, wallSeconds }).toEqual({ environments: 2, wallSeconds: 5.5 });
  });

  it('works in rounds when fewer environments than batches are allowed', () => {
    const { environments, wallSeconds } = simulateFanOut(ideal(10, { concurrency: 4 }));
    expect({ environments, wallSeconds }).toEqual({ environments: 4, wallSeconds: 3 });
  });

  it('gets new environments from an allowance that refills', () => {
    // Two at once, then one every 10 s. Batches of 100 s: no environment comes free before.
    const change = { batchSeconds: [100, 100, 100, 100], environmentsAtOnce: 2, environmentsPerSecond: 0.1 };
    const { environments, wallSeconds } = simulateFanOut(ideal(4, change));
    expect(environments).toBe(4);
    expect(wallSeconds).toBeCloseTo(120, 9);
  });

  it('pays for cold starts and the first reading once an environment', () => {
    const change = {
      concurrency: 1,
      coldStartSeconds: 0.5,
      firstReading: { requests: 10, seconds: 3 },
      laterReading: { requests: 1, seconds: 0.25 },
    };
    expect(simulateFanOut(ideal(3, change))).toEqual({
      wallSeconds: 7,
      environments: 1,
      callSeconds: 7,
      longestCallSeconds: 4.5,
      reads: 12,
    });
  });

  it('slows all readers down alike when they ask for more than the store gives', () => {
    // Four readers of 10 requests a second share 20: two seconds of reading take four.
    const change = { firstReading: { requests: 20, seconds: 2 }, readsPerSecond: 20 };
    expect(simulateFanOut(ideal(4, change)).wallSeconds).toBe(5);
  });

  it('lets the store serve who is left faster when others have read', () => {
    // The first reads alone for 1 s at 10 a second; then both share 10: 5 a second each. The first ends at 3 s, when
    // the second has read 10 of its 20, and reads on alone until 4 s.
    const change = { childrenPerSecond: 1, firstReading: { requests: 20, seconds: 2 }, readsPerSecond: 10, batchSeconds: [0, 0] };
    const { callSeconds, wallSeconds } = simulateFanOut(ideal(2, change));
    expect({ callSeconds, wallSeconds }).toEqual({ callSeconds: 6, wallSeconds: 4 });
  });

  it('has nothing to do for no batches', () => {
    expect(simulateFanOut(ideal(0)).wallSeconds).toBe(0);
  });

  it('is never faster than its slowest resource', () => {
    assert(
      property(fanOuts(false), (fanOut) => {
        const { batchSeconds, concurrency, coldStartSeconds, firstReading, laterReading } = fanOut;
        const batches = batchSeconds.length;
        const outcome = simulateFanOut(fanOut);
        const { callSeconds, environments, longestCallSeconds, reads, wallSeconds } = outcome;
        const later = batches - environments;
        const unhindered = sum(batchSeconds) + environments * (coldStartSeconds + firstReading.seconds) + later * laterReading.seconds;
        const close = (value: number) => value * (1 - 1e-9) - 1e-9;
        expect(environments).toBeGreaterThanOrEqual(1);
        expect(environments).toBeLessThanOrEqual(Math.min(batches, concurrency));
        expect(reads).toBe(environments * firstReading.requests + later * laterReading.requests);
        expect(callSeconds).toBeGreaterThanOrEqual(close(unhindered));
        expect(wallSeconds).toBeGreaterThanOrEqual(close(callSeconds / environments));
        expect(wallSeconds).toBeGreaterThanOrEqual(close(longestCallSeconds));
        expect(wallSeconds).toBeGreaterThanOrEqual(close(reads / fanOut.readsPerSecond));
        expect(wallSeconds).toBeGreaterThanOrEqual(close((batches - 1) / fanOut.childrenPerSecond));
      }),
    );
  });

  it('is never slower with more environments, when these cost nothing to start and fill', () => {
    assert(
      property(fanOuts(true), integer({ min: 1, max: 20 }), (fanOut, more) => {
        const wider = simulateFanOut({ ...fanOut, concurrency: fanOut.concurrency + more });
        expect(wider.wallSeconds).toBeLessThanOrEqual(simulateFanOut(fanOut).wallSeconds * (1 + 1e-9));
      }),
    );
  });

  it('is never slower when the store gives more or the map starts children faster, for one environment each', () => {
    assert(
      property(fanOuts(false), (fanOut) => {
        const apart = { ...fanOut, concurrency: 1 };
        const { wallSeconds } = simulateFanOut(apart);
        for (const faster of [{ readsPerSecond: 2 * fanOut.readsPerSecond }, { childrenPerSecond: 2 * fanOut.childrenPerSecond }]) {
          const outcome = simulateFanOut({ ...apart, ...faster });
          expect(outcome.wallSeconds).toBeLessThanOrEqual(wallSeconds * (1 + 1e-9));
        }
      }),
    );
  });

  it('can be slower with more environments, when all must first read from one store', () => {
    const change = { firstReading: { requests: 100, seconds: 1 }, readsPerSecond: 100 };
    const wall = (concurrency: number) => simulateFanOut(ideal(100, { ...change, concurrency })).wallSeconds;
    expect(wall(100)).toBe(101);
    expect(wall(10)).toBeLessThan(21);
  });

  it('refuses rates and times that are none', () => {
    for (const change of [
      { concurrency: 0 },
      { childrenPerSecond: 0 },
      { readsPerSecond: Number.NaN },
      { environmentsAtOnce: 0.5 },
      { coldStartSeconds: -1 },
      { firstReading: { requests: 1, seconds: 0 } },
      { laterReading: { requests: 1, seconds: -1 } },
      { batchSeconds: [1, -1] },
    ]) {
      expect(() => simulateFanOut(ideal(2, change))).toThrow(RangeError);
    }
  });
});
