import { beforeEach, describe, expect, it } from 'vitest';
import { emptyRisk, RECORD_SUMS } from '../../../shared/risk/attribute/attribute-risk.ts';
import { HALF_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { withLeftOut } from '../../../shared/risk/attribute/left-out-risk.ts';
import { emptyLikeliest, LIKELIEST_NUMBERS } from '../../../shared/risk/attribute/likeliest-candidates.ts';
import { emptyValueRisk, VALUE_COLUMNS } from '../../../shared/risk/attribute/value-risk.ts';

const RESAMPLES = 3;
const SETS = 2;
const HALVES = 2 * HALF_SPLITS;

/** Figures of two rows that were scored, all different. */
function scored() {
  const risk = emptyRisk(2, RESAMPLES);
  let next = 1;
  for (const column of Object.values(risk)) for (let i = 0; i < column.length; i++) column[i] = next++;
  const values = emptyValueRisk(2, SETS, 1);
  for (const column of Object.values(values)) for (let i = 0; i < column.length; i++) column[i] = next++;
  const likeliest = emptyLikeliest(2);
  for (let i = 0; i < likeliest.length; i++) likeliest[i] = next++;
  return { ...risk, values, likeliest };
}

/** Row 0 was scored second, rows 1 and 3 never, row 2 first. */
const rows = { places: Int32Array.of(1, -1, 0, -1), counts: Uint32Array.of(4, 3, 2, 5), candidates: Uint32Array.of(7, 4, 6, 1) };

describe('withLeftOut()', () => {
  const from = scored();
  let found: ReturnType<typeof withLeftOut>;

  beforeEach(() => {
    found = withLeftOut(from, rows, SETS);
  });

  const halfFigures = ['halfRanks', 'halfProbabilities', 'halfInformationBits', 'halfLosses'] as const;

  it('gives rows that were scored what they have, each in its place', () => {
    const { values, likeliest, recordSums: _, ...figures } = from;
    for (const name of Object.keys(figures) as (keyof typeof figures)[]) {
      const width = (halfFigures as readonly string[]).includes(name) ? HALVES : 1;
      for (const [row, place] of rows.places.entries()) {
        if (place < 0) continue;
        expect([...found[name].subarray(row * width, (row + 1) * width)], name).toEqual([
          ...from[name].subarray(place * width, (place + 1) * width),
        ]);
      }
    }
    const width = SETS * VALUE_COLUMNS.length;
    const own = (place: number) => values.columns.subarray(place * width, (place + 1) * width);
    const nothing = new Float64Array(width);
    expect(found.values.columns).toEqual(Float64Array.of(...own(1), ...nothing, ...own(0), ...nothing));
    const likely = (place: number) => likeliest.subarray(place * LIKELIEST_NUMBERS, (place + 1) * LIKELIEST_NUMBERS);
    const none = new Float64Array(LIKELIEST_NUMBERS).fill(NaN);
    expect(found.likeliest).toEqual(Float64Array.of(...likely(1), ...none, ...likely(0), ...none));
    expect(found.values.sums).toEqual(values.sums);
    expect(found.values.squares).toEqual(values.squares);
  });

  it('gives a row that was never seen the uniform prior, without error', () => {
    const at = (row: number) =>
      Object.fromEntries(
        Object.entries(found)
          .filter(([name]) => !['values', 'likeliest', 'recordSums', ...halfFigures].includes(name))
          .map(([name, column]) => [name, (column as Float64Array)[row]]),
      );
    const known = {
      probabilitySe: 0,
      privacyLoss: 0,
      privacyLossSe: 0,
      informationBits: 0,
      priorOddsToFirst: 1,
      firstGuess: 0,
      halfLengthInformationBits: 0,
      uncertaintyResolved: NaN,
      uncertaintyResolvedSe: NaN,
      effectiveDraws: Infinity,
      paretoK: NaN,
    };
    expect(at(1)).toEqual({
      ...known,
      ...{ rank: 2.5, rankLow: 1, rankHigh: 4, halfLengthRank: 2.5 },
      ...{ priorProbability: 0.25, priorFirst: 0.25, probability: 0.25, firstGuessProbability: 0.25 },
      ...{ halfLengthProbability: 0.25, bayesFactor: 1, bayesFactorSe: 0 },
    });
    // Of a row with one candidate there is nothing to learn.
    expect(at(3)).toEqual({
      ...known,
      ...{ rank: 1, rankLow: 1, rankHigh: 1, halfLengthRank: 1 },
      ...{ priorProbability: 1, priorFirst: 1, probability: 1, firstGuessProbability: 1 },
      ...{ halfLengthProbability: 1, bayesFactor: NaN, bayesFactorSe: NaN },
    });
  });

  it('tells nothing of agreement where nothing was estimated, and a privacy loss of zero', () => {
    for (const row of [1, 3]) {
      const halves = (name: (typeof halfFigures)[number]) => [...found[name].subarray(row * HALVES, (row + 1) * HALVES)];
      expect(halves('halfRanks').every(Number.isNaN)).toBe(true);
      expect(halves('halfProbabilities').every(Number.isNaN)).toBe(true);
      expect(halves('halfInformationBits').every(Number.isNaN)).toBe(true);
      expect(halves('halfLosses').every((loss) => loss === 0)).toBe(true);
    }
  });

  it('adds their records to the sums of every evaluation', () => {
    const width = RECORD_SUMS.length;
    for (let b = 0; b <= RESAMPLES; b++) {
      const before = from.recordSums.subarray(b * width, (b + 1) * width);
      // Five records are first, of one candidate each; probabilities are 3 x 1/4 and 5 x 1.
      expect([...found.recordSums.subarray(b * width, (b + 1) * width)]).toEqual([before[0]! + 5, before[1]! + 5.75, before[2]]);
    }
  });
});
