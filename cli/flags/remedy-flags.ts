import { InvalidArgumentError } from 'commander';
import { positiveNumber } from './parse-flag.ts';

/** A prior of the concentration: a fixed value, or a gamma distribution. */
export type Concentration = { readonly value: number } | { readonly shape: number; readonly rate: number };

/** Whole numbers from 1, `1,2,5`. */
export const numbersOfDatasets = (text: string) => text.split(',').map((part) => positiveNumber(part.trim()));

/** Priors of the concentration: `1,0.1/0.1`, a fixed value or shape and rate of a gamma distribution. */
export function concentrations(text: string): Concentration[] {
  return text.split(',').map((part) => {
    const numbers = part.split('/').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
    const [first, second] = numbers;
    if (numbers.length > 2 || !numbers.every((number) => number > 0 && number < Infinity)) {
      throw new InvalidArgumentError('expected numbers above 0, or shape/rate, between commas: 1,0.1/0.1');
    }
    return second === undefined ? { value: first! } : { shape: first!, rate: second };
  });
}
