import type { PublicFigure } from '../../contracts/release/public-summary.ts';
import { log } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';

/**
 * By how much all numbers of a public page together move the odds of two values of a record at most, in nats, where no
 * figure moves with a record by more than is taken for granted: e-fold.
 */
export const PAGE_NATS = 1;

/** A figure before it is told. */
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
export function roundToMultiple(value: number, unit: number): number {
  const decimals = Math.max(0, -Number(unit.toExponential().split('e')[1]));
  return Number((Math.round(value / unit) * unit).toFixed(decimals));
}

/**
 * The one rule by which a figure is told to anybody: noise of a scale that follows from the number of records alone goes
 * on the value, and on its error; the error of value and noise together is rounded up to 1, 2 or 5 times a power of ten,
 * and the value to a multiple of that, within 0 and 1.
 *
 * @param scale of the noise, from {@link noiseScale}
 */
export function tellFigure({ value, se }: ExactFigure, scale: number, random: RandomSource): PublicFigure {
  const noised = value + laplace(random, scale);
  // An error that noise has made too small would promise too much: it gets the mean size of its noise on top.
  const own = se === null ? 0 : Math.max(0, se + scale + laplace(random, scale));
  const error = roundErrorUp(Math.hypot(Math.SQRT2 * scale, own));
  return { value: Math.min(1, Math.max(0, roundToMultiple(noised, error))), error };
}
