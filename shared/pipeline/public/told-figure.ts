import type { PublicFigure } from '../../contracts/release/public-summary.ts';
import { log } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';

/**
 * By how much all numbers of a public page together move the odds of two values of a record at most, in nats, where no
 * figure moves with a record by more than is taken for granted: e-fold.
 */
export const PAGE_NATS = 1;

/** A figure before it is published. */
export interface ExactFigure {
  /** A share, from 0 to 1. */
  readonly value: number;
  /** Its standard error; null where the figure is a fact of the released datasets, which has none. */
  readonly se: number | null;
  /** By how much the figure moves at most where one value of one record is another, times the records. */
  readonly movesByRecords: number;
}

/** Numbers that a figure tells: its value, and its error where that follows from the table too. */
export const numbersTold = ({ se }: ExactFigure): number => (se === null ? 1 : 2);

/** Scale of the noise of each of so many numbers: the most that a record moves it, for each of its nats. */
export function noiseScale(movesByRecords: number, records: number, numbers: number): number {
  return (movesByRecords * numbers) / (records * PAGE_NATS);
}

/** Laplace variate of a scale, by inversion. */
export function laplace(random: RandomSource, scale: number): number {
  const centred = random.uniform() - 0.5;
  return -Math.sign(centred) * scale * log(1 - 2 * Math.abs(centred));
}

/** The least of 1, 2 and 5 times a power of ten that is not below a positive number. */
export function roundErrorUp(error: number): number {
  const power = Math.floor(Number(error.toExponential(15).split('e')[1]));
  for (const digit of [1, 2, 5]) {
    const rounded = Number(`${digit}e${power}`);
    if (rounded >= error) return rounded;
  }
  return Number(`1e${power + 1}`);
}

/** The nearest multiple of a unit of 1, 2 or 5 times a power of ten, as the decimal number that it is. */
function roundToMultiple(value: number, unit: number): number {
  const decimals = Math.max(0, -Number(unit.toExponential().split('e')[1]));
  return Number((Math.round(value / unit) * unit).toFixed(decimals));
}

/**
 * The one rule by which a figure is published to anybody: noise of a scale that follows from the number of records alone goes on the value, and
 * on its error; the error of value and noise together is rounded up to 1, 2 or 5 times a power of ten, and the value to a multiple of that,
 * within 0 and 1.
 */
export function tellFigure({ value, se }: ExactFigure, scale: number, random: RandomSource): PublicFigure {
  const noised = value + laplace(random, scale);
  // An error that noise has made too small would promise too much: it gets the mean size of its noise on top.
  const own = se === null ? 0 : Math.max(0, se + scale + laplace(random, scale));
  const error = roundErrorUp(Math.hypot(Math.SQRT2 * scale, own));
  return { value: Math.min(1, Math.max(0, roundToMultiple(noised, error))), error };
}

/** Errors by which two noised figures have to differ before the page says that they do. */
const ERRORS_APART = 2;

/**
 * What a page says of a pair of figures, without the release and with it. It follows from the noised figures alone, so
 * that it tells nothing which they do not tell; whether the exact figures differ is never asked.
 *
 * A release can add to what an intruder knows, and on average takes nothing from it. A figure that falls, or rises by
 * less than two errors, is therefore the work of the errors: the figure with the release is left out, and the page bounds what
 * the release adds. The bound starts at zero where the figures fall, since noise that lowers one of them makes no release
 * safer: it is two errors at least, and so above the true difference in at least 95 % of pages.
 *
 * @param before, after noised figures; one that is not told leaves both its difference and its bound untold
 */
export function tellPair(before: PublicFigure, after: PublicFigure) {
  if (before.value === null) return { after, added: { ...before, atMost: null } };
  if (after.value === null) return { after, added: { ...after, atMost: null } };
  // Noise is independent; the errors of the figures themselves need not be, so that the sum bounds that of the difference.
  const error = roundErrorUp(before.error + after.error);
  const unit = Math.min(before.error, after.error);
  const value = roundToMultiple(after.value - before.value, unit);
  const highest = Math.max(0, value) + ERRORS_APART * error;
  const atMost = Math.min(1, roundToMultiple(Math.ceil(highest / error - 1e-9) * error, error));
  if (value > ERRORS_APART * error) return { after, added: { value, error, atMost } };
  const reason = 'noise and errors are as large as the difference';
  return { after: { value: null, error: null, reason }, added: { value: null, error: null, reason, atMost } };
}
