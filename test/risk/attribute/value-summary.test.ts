import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { betweenDatasets } from '../../../shared/risk/attribute/release-error.ts';
import { VALUE_FIGURES, type ValueFigure } from '../../../shared/risk/attribute/value-figures.ts';
import { emptyValueRisk, isGivenAway, setValues, VALUE_COLUMNS, type ValueRisk } from '../../../shared/risk/attribute/value-risk.ts';
import { type SetNumbers, summarizeValues as summarizeTotals, ValueTotals } from '../../../shared/risk/attribute/value-summary.ts';
import type { ValueSet } from '../../../shared/risk/intruder/value-sets.ts';

const set = (values: number): ValueSet => ({
  candidates: Uint32Array.from({ length: values }, (_, x) => x),
  values: Uint32Array.from({ length: values }, (_, x) => x),
  codes: Uint32Array.from({ length: values }, (_, x) => x),
});

type Figures = Partial<Record<ValueFigure, number>>;

/**
 * Figures of value sets in the estimate, in resamples that all equal it but for `noise`, from paired chains of half their
 * length, and without each dataset.
 */
function evaluations(sets: readonly Figures[], without: readonly (readonly Figures[])[], noise = 0, halfLength: readonly Figures[] = sets) {
  const rows = [
    sets,
    ...Array.from({ length: RESAMPLES }, (_, b) =>
      sets.map((own) => ({ ...own, gainBits: (own.gainBits ?? 0) + (b % 2 === 0 ? noise : -noise) })),
    ),
    halfLength,
    ...without,
  ];
  return {
    figures: Float64Array.from(rows.flatMap((row) => row.flatMap((own) => VALUE_FIGURES.map((name) => own[name] ?? 0)))),
    guesses: new Uint32Array(2 * sets.length),
  };
}

/** The figures of a file whose rows are taken in one by one. */
function summarizeValues(risk: ValueRisk, counts: readonly number[], sets: SetNumbers, isSimulated: boolean) {
  const totals = new ValueTotals(counts, sets);
  const rowOf = (array: Float64Array, row: number) => {
    const width = array.length / counts.length;
    return array.subarray(row * width, (row + 1) * width);
  };
  for (const row of counts.keys()) {
    totals.add({ from: row, to: row + 1, columns: rowOf(risk.columns, row) });
  }
  const rows = totals.riskiest();
  const gains = Float64Array.from([...rows.rows].flatMap((row) => [...rowOf(risk.gains, row)]));
  return summarizeTotals(totals, risk, { rows, gains }, isSimulated);
}

describe('betweenDatasets()', () => {
  it('is the variance of a sum of independent contributions', () => {
    const random = new RandomStream(5, 'contributions');
    const draws = Array.from({ length: 4000 }, () => {
      const own = Array.from({ length: 5 }, () => random.uniform() - 0.2);
      const sum = own.reduce((a, b) => a + b, 0);
      return betweenDatasets(
        sum,
        own.map((value) => sum - value),
      );
    });
    // Five uniform numbers: 5 / 12.
    expect(draws.reduce((a, b) => a + b, 0) / draws.length).toBeCloseTo(5 / 12, 2);
  });
});

describe('ValueTotals', () => {
  it('counts true values that are ruled out, a million times less probable than before, by records', () => {
    const risk = emptyValueRisk(3, 2, 0);
    const gains = (...bits: number[]) =>
      evaluations(
        bits.map((gainBits) => ({ gainBits })),
        [],
      );
    // Of the second row nothing is to be guessed in the second set.
    setValues(risk, 0, 5, gains(-20, -19.9), { sets: [set(3), set(3)], counted: [0, 1] });
    setValues(risk, 1, 1, gains(1, -30), { sets: [set(3), set(0)], counted: [0, 1] });
    setValues(risk, 2, 2, gains(-300, 2), { sets: [set(3), set(3)], counted: [0, 1] });
    const found = summarizeValues(risk, [5, 1, 2], { count: 2, counted: [0, 1], single: [0, 1] }, true);
    expect(found!.ruledOutShare).toBeCloseTo(7 / 15, 14);
  });

  it('finds the riskiest hundredth of the records by all that is claimed of them, and knows what there is to guess', () => {
    const risk = emptyValueRisk(3, 2, 0);
    const claims = (...bits: number[]) =>
      evaluations(
        bits.map((claimedBits) => ({ claimedBits })),
        [],
      );
    setValues(risk, 0, 298, claims(0.5, 0.4), { sets: [set(2), set(2)], counted: [0, 1] });
    setValues(risk, 1, 1, claims(0.2, 0.9), { sets: [set(0), set(2)], counted: [0, 1] });
    setValues(risk, 2, 1, claims(0.7, 0.6), { sets: [set(2), set(0)], counted: [0, 1] });
    const of = (counted: number[]) => {
      const totals = new ValueTotals([298, 1, 1], { count: 2, counted, single: [0, 1] });
      totals.add({ from: 0, to: 3, columns: risk.columns });
      return totals;
    };
    const both = of([0, 1]);
    // Nothing is claimed where there is nothing to guess: 0.9 twice and 0.7.
    expect([...both.claimed]).toEqual([0.9, 0.9, 0.7].map((bits) => expect.closeTo(bits, 12)));
    expect(both.riskiest()).toEqual({ rows: Uint32Array.of(0), counts: Uint32Array.of(3) });
    expect(of([0]).riskiest()).toEqual({ rows: Uint32Array.of(2, 0), counts: Uint32Array.of(1, 2) });
    expect([0, 1, 2].map((row) => [both.isAsked(row, 0), both.isAsked(row, 1)])).toEqual([
      [true, true],
      [false, true],
      [true, false],
    ]);
    expect([...both.guesses]).toEqual([299, 299]);
  });
});

describe('summarizeValues()', () => {
  it('has an error at least as large as what half the length of paired chains changes', () => {
    const own: Figures[] = [{ gainBits: 0.5, claimedBits: 0.5, probabilityAfter: 0.4 }];
    const half: Figures[] = [{ gainBits: 0.25, claimedBits: 0.5, probabilityAfter: 0.3 }];
    const summary = (halfLength: Figures[]) => {
      const risk = emptyValueRisk(1, 1, 2);
      setValues(risk, 0, 3, evaluations(own, [own, own], 0.0625, halfLength), { sets: [set(2)], counted: [0] });
      return { risk, found: summarizeValues(risk, [3], { count: 1, counted: [0], single: [0] }, true)! };
    };
    const { found, risk } = summary(half);
    expect(found.gainBitsHalfLength).toBeCloseTo(0.25, 12);
    expect(found.gainBitsMeanSe).toBeCloseTo(0.25, 12);
    expect(risk.columns[VALUE_COLUMNS.indexOf('probabilitySe')]).toBeCloseTo(0.1, 12);
    // Without a change it is that of simulation: half of the resamples lie on either side.
    expect(summary(own).found.gainBitsMeanSe).toBeCloseTo(0.0625 * Math.sqrt(RESAMPLES / (RESAMPLES - 1)), 12);
  });

  it('adds up gains by record, and shares by guess, with errors of simulation, release and records', () => {
    const risk = emptyValueRisk(3, 2, 2);
    const rows: [count: number, sets: ValueSet[], own: Figures[], without: Figures[][]][] = [
      [
        ...([2, [set(3), set(2)]] as [number, ValueSet[]]),
        [
          {
            gainBits: 1,
            claimedBits: 0.5,
            rightBefore: 0,
            rightAfter: 1,
            probabilityBefore: 0.25,
            probabilityAfter: 0.75,
            rankBefore: 2,
            rankAfter: 1,
          },
          { gainBits: -0.25, claimedBits: 0.25, rightBefore: 0.5, rightAfter: 0.5, probabilityAfter: 0.5, rankBefore: 1.5, rankAfter: 1.5 },
        ],
        [
          [
            { gainBits: 0.5, claimedBits: 0.25 },
            { gainBits: 0, claimedBits: 0.25 },
          ],
          [
            { gainBits: 0.75, claimedBits: 0.25 },
            { gainBits: 0, claimedBits: 0 },
          ],
        ],
      ],
      [
        // Nothing to guess of the second variable.
        ...([1, [set(3), set(0)]] as [number, ValueSet[]]),
        [
          {
            gainBits: 0.5,
            claimedBits: 1,
            rightBefore: 1,
            rightAfter: 1,
            probabilityBefore: 0.5,
            probabilityAfter: 0.9,
            rankBefore: 1,
            rankAfter: 1,
          },
          {},
        ],
        [
          [{ gainBits: 0.25, claimedBits: 0.5 }, {}],
          [{ gainBits: 0, claimedBits: 0.25 }, {}],
        ],
      ],
    ];
    for (const [row, [count, sets, own, without]] of rows.entries()) {
      setValues(risk, row, count, evaluations(own, without, 0.125), { sets, counted: [0, 1] });
    }
    const found = summarizeValues(risk, [2, 1, 1], { count: 2, counted: [0, 1], single: [0, 1] }, true)!;
    // Of four records one has nothing to guess.
    expect(found.gainBitsMean).toBeCloseTo((2 * 0.75 + 0.5) / 4, 12);
    expect(found.gainBitsClaimed).toBeCloseTo((2 * 0.75 + 1) / 4, 12);
    expect(found.gainBitsExcess).toBeCloseTo(0.125, 12);
    expect(found.firstGuessRightBefore).toBeCloseTo((2 * 0.5 + 1) / 5, 12);
    expect(found.firstGuessRightAfter).toBeCloseTo((2 * 1.5 + 1) / 5, 12);
    expect(found.probabilityTrueBefore).toBeCloseTo((2 * 0.25 + 0.5) / 5, 6);
    expect(found.probabilityTrueAfter).toBeCloseTo((2 * (0.75 + 0.5) + 0.9) / 5, 6);
    expect(found.valuesGivenAway).toBe(2);
    expect(found.bySet.map((own) => own!.valuesGivenAway)).toEqual([2, 0]);
    // Simulation moves no rank and no probability across one half; without the datasets nothing is said of ranks, and none is disclosed.
    expect(found.valuesGivenAwaySimulationSe).toBe(0);
    expect(found.valuesGivenAwayReleaseSe).toBeCloseTo(Math.sqrt(betweenDatasets(2, [0, 0])), 12);
    expect(found.bySet[1]!.probabilityTrueAfter).toBeCloseTo(0.5, 12);
    expect(found.bySet.map((own) => own!.gainBitsMean)).toEqual([2.5 / 4, -0.5 / 4]);
    // Simulation: 2 x 2 + 1 guesses of gains that move by 0.125 together, to and fro.
    const simulation = (5 * 0.125) ** 2 * (RESAMPLES / (RESAMPLES - 1));
    // Without the datasets the gains add up to 1.25 and 1.5, after 2.
    const gains = 2 * (0.125 ** 2 + 0.125 ** 2);
    expect(found.gainBitsMeanSe).toBeCloseTo(Math.sqrt(simulation + gains) / 4, 10);
    // Excess of the records: 0, 0, 0.5 and 0; without the datasets 0, 0, 0.25, 0 and -0.5, -0.5, 0.25, 0.
    const byRecords = (4 / 3) * (0.25 - 4 * 0.125 ** 2);
    const release = betweenDatasets(0.5, [0.25, -0.75]);
    const own = 2 * betweenDatasets(0, [0, -0.5]) + betweenDatasets(0.5, [0.25, 0.25]);
    const variance = simulation + byRecords + Math.max(0, release - own);
    expect(release).toBeGreaterThan(own);
    expect(found.gainBitsExcessSe).toBeCloseTo(Math.sqrt(variance) / 4, 8);
  });

  it('has an error of the excess that counts every record of a combination', () => {
    const random = new RandomStream(11, 'excess');
    const datasets = 3;
    const counts = [3, 1, 4, 2, 1];
    const rows = counts.map(() => {
      const own = { claimed: 2 * random.uniform(), gained: random.uniform() };
      // A dataset moves the gains of all records alike, and each a little by itself.
      const without = Array.from({ length: datasets }, (_, l) => ({
        claimed: own.claimed,
        gained: own.gained - 0.25 * l - 0.1 * random.uniform(),
      }));
      return { own, without };
    });
    const risk = emptyValueRisk(counts.length, 1, datasets);
    for (const [row, { own, without }] of rows.entries()) {
      const [figures, ...others] = [own, ...without].map(({ claimed, gained }) => [{ claimedBits: claimed, gainBits: gained }]);
      setValues(risk, row, counts[row]!, evaluations(figures!, others, 0.03125), { sets: [set(2)], counted: [0] });
    }
    const found = summarizeValues(risk, counts, { count: 1, counted: [0], single: [0] }, true)!;

    // The same from a list of the eleven records: their sample variance, that of the datasets' sums, and what both hold.
    const records = rows.flatMap((row, place) => Array.from({ length: counts[place]! }, () => row));
    const excesses = records.map(({ own }) => own.claimed - own.gained);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = (values: number[]) => values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);
    const n = records.length;
    const moves = records.map(({ own, without }) => without.map(({ gained }) => gained - own.gained));
    const byDataset = Array.from({ length: datasets }, (_, l) => moves.reduce((sum, move) => sum + move[l]!, 0));
    const byRecords = n * variance(excesses);
    const release = datasets * variance(byDataset);
    const both = moves.reduce((sum, move) => sum + datasets * variance(move), 0);
    const simulation = (n * 0.03125) ** 2 * (RESAMPLES / (RESAMPLES - 1));
    expect(n).toBe(11);
    expect(release).toBeGreaterThan(both);
    expect(found.gainBitsExcess).toBeCloseTo(mean(excesses), 6);
    expect(found.gainBitsExcessSe).toBeCloseTo(Math.sqrt(simulation + byRecords + release - both) / n, 5);
  });

  it('has an error of the probabilities, and of the guesses before the release, from the resamples', () => {
    const own: Figures = { rightBefore: 1, probabilityAfter: 0.5, gainBits: 0.5, claimedBits: 0.25 };
    const { figures, guesses } = evaluations([own, {}], [[own, {}]]);
    for (let b = 1; b <= RESAMPLES; b++) {
      const at = (name: ValueFigure) => 2 * b * VALUE_FIGURES.length + VALUE_FIGURES.indexOf(name);
      figures[at('probabilityAfter')] = b % 2 === 0 ? 0.25 : 0.75;
      figures[at('rightBefore')] = b % 2;
    }
    const risk = emptyValueRisk(1, 2, 1);
    setValues(risk, 0, 4, { figures, guesses }, { sets: [set(2), set(0)], counted: [0, 1] });
    const stretch = Math.sqrt(RESAMPLES / (RESAMPLES - 1));
    const column = (name: (typeof VALUE_COLUMNS)[number]) => risk.columns[VALUE_COLUMNS.indexOf(name)];
    expect(column('probabilitySe')).toBeCloseTo(0.25 * stretch, 12);
    expect([column('gainBits'), column('claimedBits')]).toEqual([0.5, 0.25]);
    // A set without values has no figures, and does not keep the others from theirs.
    const found = summarizeValues(risk, [4], { count: 2, counted: [0, 1], single: [0, 1] }, true)!;
    expect(found.bySet[1]).toBeNull();
    // Four guesses, all right or none, in halves of the resamples; the estimate has them right.
    expect(found.firstGuessRightBefore).toBe(1);
    expect(found.firstGuessRightBeforeSe).toBeCloseTo(0.5 * stretch, 12);
    // Where nothing is simulated, evaluations that differ are what rounding left.
    const exact = summarizeValues(risk, [4], { count: 2, counted: [0, 1], single: [0, 1] }, false)!;
    expect(exact).toMatchObject({
      ...{ lackedBitsMeanSe: 0, firstGuessRightBeforeSe: 0, probabilityTrueBeforeSe: 0 },
      firstGuessRightAfterSe: found.firstGuessRightAfterSe,
    });
  });

  it('has no error of the excess from a single record', () => {
    const own: Figures = { gainBits: 1, claimedBits: 0.5 };
    const excessSe = (records: number) => {
      const risk = emptyValueRisk(1, 1, 2);
      setValues(risk, 0, records, evaluations([own], [[own], [{}]]), { sets: [set(2)], counted: [0] });
      return summarizeValues(risk, [records], { count: 1, counted: [0], single: [0] }, true)!.gainBitsExcessSe;
    };
    expect(excessSe(1)).toBeNull();
    expect(excessSe(2)).toBeGreaterThan(0);
  });

  it('has no errors between releases from one dataset, and nothing of sets without values', () => {
    const risk = emptyValueRisk(1, 1, 0);
    setValues(risk, 0, 3, evaluations([{ gainBits: 1 }], []), { sets: [set(2)], counted: [0] });
    expect(summarizeValues(risk, [3], { count: 1, counted: [0], single: [0] }, true)).toMatchObject({
      gainBitsMean: 1,
      gainBitsMeanSe: null,
      gainBitsExcessSe: null,
      firstGuessRightAfterSe: null,
    });
    expect(summarizeValues(emptyValueRisk(1, 1, 0), [3], { count: 1, counted: [0], single: [0] }, true)).toBeNull();
  });
});

describe('isGivenAway()', () => {
  it.each([
    [2, 1, 0.51, true],
    [1.5, 1, 0.9, true],
    [1, 1, 0.9, false],
    [2, 1, 0.5, false],
    [3, 2, 0.6, false],
  ])('ranks %d and %d with %d: %s', (before, after, probability, expected) => {
    expect(isGivenAway(before, after, probability)).toBe(expected);
  });
});
