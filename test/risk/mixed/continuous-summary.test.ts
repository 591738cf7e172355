import { expect, it } from 'vitest';
import { VALUE_FIGURES } from '../../../shared/risk/attribute/value-figures.ts';
import { emptyValueRisk, VALUE_COLUMNS, VALUE_SUMS } from '../../../shared/risk/attribute/value-risk.ts';
import { CONTINUOUS_FIGURES, INTERVALS } from '../../../shared/risk/continuous/continuous-figures.ts';
import { summarizeContinuous } from '../../../shared/risk/mixed/continuous-summary.ts';

it('figures of a continuous variable are means of its own sums, and medians over the records that have a value', () => {
  // One categorical set before two continuous variables, of which the second is asked for; the third of four rows lacks it.
  const { sums } = emptyValueRisk(4, 3, 2);
  const evaluations = sums.length / (3 * VALUE_SUMS.length);
  for (const [i, name] of VALUE_FIGURES.entries()) {
    const place = VALUE_SUMS.indexOf(name);
    for (let e = 0; e < evaluations; e++) sums[(e * 3 + 2) * VALUE_SUMS.length + place] = 3 * (i + 1);
  }
  // Without the first dataset three more bits were gained: contributions of -3 and 0.
  sums[((evaluations - 2) * 3 + 2) * VALUE_SUMS.length + VALUE_SUMS.indexOf('gainBits')]! += 3;
  const columns = new Float64Array(4 * 2 * VALUE_COLUMNS.length);
  const intervals = new Float64Array(4 * 2 * INTERVALS.length).fill(NaN);
  for (const row of [0, 1, 3]) {
    columns[(row * 2 + 1) * VALUE_COLUMNS.length + VALUE_COLUMNS.indexOf('probabilityBefore')] = 0.1 * row;
    columns[(row * 2 + 1) * VALUE_COLUMNS.length + VALUE_COLUMNS.indexOf('probabilityAfter')] = 0.2 * row;
    // Low, high and median before and after, by row: widths of 2 + row and 1 + row, errors of row and 2 row.
    intervals.set([10, 12 + row, 20 + row, 5, 6 + row, 20 - 2 * row], (row * 2 + 1) * INTERVALS.length);
  }
  const truths = Float64Array.of(20, 20, NaN, 20);
  const found = summarizeContinuous({ columns, sums, intervals }, { sets: 3, continuous: 2, variable: 1 }, truths, (before, after) => {
    expect(after).toBeCloseTo(2 * before, 12);
    return after > 0.1;
  })!;
  const mean = (name: (typeof CONTINUOUS_FIGURES)[number]) => CONTINUOUS_FIGURES.indexOf(name) + 1;
  expect(found).toMatchObject({
    records: 3,
    withinBefore: mean('withinBefore'),
    withinBeforeSe: 0,
    withinAfter: mean('withinAfter'),
    withinAfterSe: 0,
    gainBitsMean: mean('gainBits'),
    gainBitsMeanSimulationSe: 0,
    // m / (m - 1) times squared deviations of 1.5 each, over three records (Efron & Stein 1981).
    gainBitsMeanReleaseSe: Math.sqrt(2 * 2 * 1.5 ** 2) / 3,
    gainBitsClaimed: mean('claimedBits'),
    crpsBefore: mean('crpsBefore'),
    crpsAfter: mean('crpsAfter'),
    coveredBefore: mean('coveredBefore'),
    coveredAfter: mean('coveredAfter'),
    widthBefore: 3,
    widthAfter: 2,
    medianErrorBefore: 1,
    medianErrorAfter: 2,
    valuesGivenAway: 2,
  });
  const nobody = truths.map(() => NaN);
  expect(summarizeContinuous({ columns, sums, intervals }, { sets: 3, continuous: 2, variable: 1 }, nobody, () => true)).toBeNull();
});
