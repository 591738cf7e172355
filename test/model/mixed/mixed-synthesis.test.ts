import { describe, expect, it } from 'vitest';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { MISSING, type MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { synthesizeMixed, synthesizeMixedFromOwnClass } from '../../../shared/model/mixed/mixed-synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { zOfCount, zOfMean } from '../../random/moments.ts';

const ROWS = 40_000;
const none = Number.NaN;
const continuous = [
  { smallest: 1e-3, indicator: 1 },
  { smallest: 1e-3, indicator: null },
];
const sizes = [2, 2];

/** Two classes: pi .3 and .7, phi, and normals that are far from the ends of the range but for the last one. */
const state: ChainState = {
  weights: Float64Array.of(0.3, 0.7),
  probabilities: Float64Array.of(0.9, 0.2, 0.1, 0.8, 0.75, 0.4, 0.25, 0.6),
  // mu and sigma2 of the first, then of the second variable.
  latent: Float64Array.of(0.3, 0.6, 0.001, 0.002, 0.4, 1.2, 0.0025, 0.01),
  concentration: 1,
  occupiedClasses: 2,
};

const density = (y: number, mean: number, variance: number) => Math.exp(-((y - mean) ** 2) / (2 * variance)) / Math.sqrt(variance);

describe('synthesizeMixed()', () => {
  const { codes, values } = synthesizeMixed(state, { sizes, continuous }, ROWS, new RandomStream(21, 'synthesis'));
  const column = (j: number) => values.subarray(j * ROWS, (j + 1) * ROWS);

  it('draws categories and masses as often as the classes give them', () => {
    const zeros = codes.subarray(0, ROWS).filter((code) => code === 0).length;
    expect(Math.abs(zOfCount(zeros, ROWS, 0.3 * 0.9 + 0.7 * 0.2))).toBeLessThan(4);
    // Categories of a row are of one class.
    const both = Array.from(codes.subarray(0, ROWS)).filter((code, row) => code === 0 && codes[ROWS + row] === 0).length;
    expect(Math.abs(zOfCount(both, ROWS, 0.3 * 0.9 * 0.75 + 0.7 * 0.2 * 0.4))).toBeLessThan(4);
    expect(column(0).every((value, row) => Number.isNaN(value) === (codes[ROWS + row] === 1))).toBe(true);
  });

  it('draws values within the range, from the normals of the classes', () => {
    const present = column(0).filter((value) => !Number.isNaN(value));
    const share = (0.3 * 0.75) / (0.3 * 0.75 + 0.7 * 0.4);
    const mean = share * 0.3 + (1 - share) * 0.6;
    const square = share * (0.09 + 0.001) + (1 - share) * (0.36 + 0.002);
    expect(Math.abs(zOfMean(present, mean, Math.sqrt(square - mean * mean)))).toBeLessThan(4);
    expect(column(1).every((value) => value >= 0 && value <= 1)).toBe(true);
    // Above .8 is the second class: that its mean lies beyond the range does not make it rarer.
    expect(Math.abs(zOfCount(column(1).filter((value) => value > 0.7).length, ROWS, 0.7))).toBeLessThan(4);
  });
});

describe('synthesizeMixedFromOwnClass()', () => {
  // Three kinds of rows in turn: complete, with a mass, and with nothing but a category.
  const kinds = [
    { codes: [1, 0], values: [0.45, 0.55] },
    { codes: [0, 1], values: [none, 0.7] },
    { codes: [1, MISSING], values: [none, none] },
  ];
  const columns = (of: (kind: (typeof kinds)[number]) => readonly number[]) =>
    [0, 1].flatMap((column) => Array.from({ length: ROWS }, (_, row) => of(kinds[row % 3]!)[column]!));
  const table: MixedRows = {
    rows: ROWS,
    sizes,
    codes: Uint16Array.from(columns((kind) => kind.codes)),
    continuous,
    values: Float64Array.from(columns((kind) => kind.values)),
  };
  const model = createMixed(table, { classes: 2, concentration: { value: 1 } });
  const nothing = { parts: [], continuous: [] };

  /** Probability that a row of a kind is of the first class. */
  const first = kinds.map((kind) => {
    const [own, other] = [0, 1].map((f) => {
      let weight = state.weights[f]!;
      for (const [k, code] of kind.codes.entries()) if (code !== MISSING) weight *= state.probabilities[(2 * k + code) * 2 + f]!;
      for (const [j, value] of kind.values.entries()) {
        if (!Number.isNaN(value)) weight *= density(value, state.latent![4 * j + f]!, state.latent![4 * j + 2 + f]!);
      }
      return weight;
    });
    return own! / (own! + other!);
  });

  it('draws the synthesized variable from the class of each row, and leaves the others as they are', () => {
    const synthesized = { parts: [], continuous: [0] };
    const result = synthesizeMixedFromOwnClass(model, state, table, { synthesized, completed: nothing }, new RandomStream(22, 'own class'));
    expect(result.codes.subarray(0, ROWS)).toEqual(table.codes.subarray(0, ROWS));
    expect(result.values.subarray(ROWS)).toEqual(table.values.subarray(ROWS));
    for (const [kind, share] of first.entries()) {
      const rows = Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 3 === kind);
      const masses = rows.filter((row) => result.codes[ROWS + row] === 1);
      expect(Math.abs(zOfCount(masses.length, rows.length, share * 0.25 + (1 - share) * 0.6))).toBeLessThan(4);
      expect(rows.every((row) => Number.isNaN(result.values[row]!) === (result.codes[ROWS + row] === 1))).toBe(true);
      const present = rows.map((row) => result.values[row]!).filter((value) => !Number.isNaN(value));
      const own = (share * 0.75) / (share * 0.75 + (1 - share) * 0.4);
      const mean = own * 0.3 + (1 - own) * 0.6;
      const square = own * (0.09 + 0.001) + (1 - own) * (0.36 + 0.002);
      expect(Math.abs(zOfMean(present, mean, Math.sqrt(square - mean * mean)))).toBeLessThan(4);
    }
  });

  it('fills missing values in from the class, and those alone', () => {
    const completed = { parts: [], continuous: [0, 1] };
    const synthesized = { parts: [0], continuous: [] };
    const result = synthesizeMixedFromOwnClass(model, state, table, { synthesized, completed }, new RandomStream(23, 'completed'));
    for (let row = 0; row < ROWS; row++) {
      if (row % 3 === 2) continue;
      expect(result.codes[ROWS + row]).toBe(table.codes[ROWS + row]);
      for (const j of [0, 1]) expect(result.values[j * ROWS + row]).toBe(table.values[j * ROWS + row]);
    }
    const share = first[2]!;
    const rows = Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 3 === 2);
    expect(
      Math.abs(zOfCount(rows.filter((row) => result.codes[ROWS + row] === 1).length, rows.length, share * 0.25 + (1 - share) * 0.6)),
    ).toBeLessThan(4);
    expect(rows.every((row) => Number.isNaN(result.values[row]!) === (result.codes[ROWS + row] === 1))).toBe(true);
    const above = rows.filter((row) => result.values[ROWS + row]! > 0.7).length;
    expect(Math.abs(zOfCount(above, rows.length, 1 - share))).toBeLessThan(4);
  });
});
