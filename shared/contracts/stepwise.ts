/**
 * Long work in one thread that pauses: each step gives how many of its units are done so far, and the last the result.
 * Whoever goes through it may show progress in between, or do other things.
 */
export type Stepwise<Result> = Generator<number, Result, undefined>;

/** Goes through work without a pause. */
export function finish<Result>(work: Stepwise<Result>): Result {
  let next = work.next();
  while (!next.done) next = work.next();
  return next.value;
}

/** Hears of units of work as they are done: one, or so many. */
export type OnUnits = (units?: number) => void;

/** Hears what share of some work is done: from 0 to 1. */
export type OnShare = (share: number) => void;

/** Where nobody listens. */
export const unheard = (): void => undefined;

/** Counts units of work, and tells what share of all of them is done. */
export function countShare(units: number, onShare: OnShare): OnUnits {
  let done = 0;
  return (more = 1) => {
    if (more === 0) return;
    done += more;
    onShare(Math.min(1, done / units));
  };
}
