import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { inferByChance, inferTarget, linkedByChance } from '../../../shared/risk/attack/neighbour-attacks.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';

const random = () => seededStreams(1).open('guesses');

describe('inference', () => {
  const inferred = (guesses: number[], truths: number[], column: typeof continuous) => {
    const rows = guesses.map((_, row) => row);
    const file = (values: number[]) => tableOf([categorical(rows), column(values)], 50);
    return [...inferTarget(file(guesses), file(truths), [0], 1, Uint32Array.from(rows))];
  };

  it('is right of a number within a twentieth of the guess, of either sign, and of zero by zero', () => {
    const guesses = [100, 100, 100, 100, -100, -100, 0, 0];
    const truths = [95, 105, 94.9, 105.1, -105, -94.9, 0, 0.001];
    expect(inferred(guesses, truths, continuous)).toEqual([1, 1, 0, 0, 1, 0, 1, 0]);
  });

  it('is right of the same category alone, however near its number', () => {
    expect(inferred([40, 40, 0], [40, 41, 1], categorical)).toEqual([1, 0, 0]);
  });

  it('by chance holds each row against a record, as many as both files have', () => {
    const file = (records: number, code: number) => tableOf([categorical(Array.from({ length: records }, () => code))], 2);
    const guess = (rows: number, attacked: number, code: number) => inferByChance(file(rows, 1), file(attacked, code), 0, random());
    expect(guess(7, 5, 1)).toEqual({ attempts: 5, successes: 5 });
    expect(guess(5, 7, 1)).toEqual({ attempts: 5, successes: 5 });
    expect(guess(7, 5, 0)).toEqual({ attempts: 5, successes: 0 });
  });
});

describe('links by chance', () => {
  it('are right for one in as many as there are rows', () => {
    expect(linkedByChance(1, 7, random())).toEqual({ attempts: 7, successes: 7 });
    const { attempts, successes } = linkedByChance(4, 4000, random());
    expect(successes / attempts).toBeCloseTo(1 / 4, 1);
  });
});
