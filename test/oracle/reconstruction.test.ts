import { describe, expect, it } from 'vitest';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { logMarginal } from '../exact-posterior.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { type ExactRun, type ExactTable, FORGETFUL_CHAINS, runExactly } from './exact-run.ts';

/** Five records, so few that every allocation of as many guesses and of a dataset can be summed over. */
const table: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]), sizes: [2, 3] };
const RECORDS = 5;
const ALPHA = 0.8;
const run: ExactRun = {
  model: { classes: 2, concentration: { value: ALPHA } },
  mcmc: { ...FORGETFUL_CHAINS, chains: 48, pairedChains: 48, thin: 3, draws: 300 },
  attributeRisk: { scenarios: [{ name: 'all but one' }, { name: 'nothing', knows: 'nothing' }] },
};

const marginal = (codes: readonly number[]) => logMarginal(codes, table.sizes, 2, ALPHA);
const CELLS = Array.from({ length: 6 }, (_, cell) => [Math.floor(cell / 3), cell % 3]);
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** E[f(x)^j | what is given], every allocation summed over. */
const moment = (x: readonly number[], j: number, given: readonly number[]) =>
  Math.exp(marginal([...given, ...Array.from({ length: j }, () => x).flat()]) - marginal(given));

const BINOMIALS = [1, 5, 10, 10, 5, 1];

/** E[1 - (1 - f(x))^5 | what is given], by its moments. */
const presence = (x: readonly number[], given: readonly number[]) =>
  1 - BINOMIALS.reduce((sum, binomial, j) => sum + (j % 2 === 0 ? 1 : -1) * binomial * moment(x, j, given), 0);

const isIn = (x: readonly number[], codes: ArrayLike<number>) =>
  Array.from({ length: codes.length / 2 }, (_, i) => i).some((i) => codes[2 * i] === x[0] && codes[2 * i + 1] === x[1]);

async function reconstructed(given: Partial<ExactRun>) {
  const { store, keys, datasets } = await runExactly(table, { ...run, ...given });
  const summary: Summary = summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
  const [header, ...lines] = csvRows(await store.get(keys.confidential.table('reconstruction').csv)) as [string[], ...string[][]];
  const rows = lines.map((line) => {
    const cell = (name: string) => line[header.indexOf(name)]!;
    const number = (name: string) => Number(cell(name));
    return {
      x: [Number(cell('v0').slice(1)), Number(cell('v1').slice(1))],
      isInTable: cell('in_table') === 'true',
      ...{ rank: number('rank'), probability: number('probability'), confidence: number('confidence') },
      ...{ baseline: number('baseline_confidence'), releasedShare: number('released_share') },
    };
  });
  const [strong, ignorant] = summary.attributeRisk;
  return { strong: strong!, found: ignorant!.reconstruction!, rows, datasets };
}

/** Cells from the most probable, with what is exactly known of each. */
function exactly(datasets: readonly Uint16Array[], baseline: (x: readonly number[]) => number) {
  const overDatasets = (of: (given: number[]) => number) => meanOf(datasets.map((dataset) => of([...dataset])));
  return CELLS.map((x) => ({
    x,
    probability: overDatasets((given) => moment(x, 1, given)),
    confidence: overDatasets((given) => presence(x, given)),
    baseline: baseline(x),
    isInTable: isIn(x, table.codes),
    released: overDatasets((given) => given.filter((_, i) => i % 2 === 0 && given[i] === x[0] && given[i + 1] === x[1]).length / RECORDS),
  })).sort((a, b) => b.probability - a.probability);
}

const simulated = (x: readonly number[]) => presence(x, [...table.codes]);

/** Chances differ from sums by less than this, which is several errors of as many draws. */
const CLOSE = 0.01;

describe('reconstruction by somebody who knows nothing, against sums over every allocation', () => {
  it.each([
    ['one dataset', 1],
    ['two datasets', 2],
  ])('ranks all cells, and expects as many in the table as is exact: %s', async (_, m) => {
    const { strong, found, rows, datasets } = await reconstructed({ synthesis: { datasets: m } });
    const exact = exactly(datasets, simulated);
    expect(rows.map(({ x }) => x)).toEqual(exact.map(({ x }) => x));
    for (const [i, own] of exact.entries()) {
      expect(rows[i]!.rank).toBe(i + 1);
      expect(Math.abs(rows[i]!.probability - own.probability)).toBeLessThan(CLOSE);
      expect(Math.abs(rows[i]!.confidence - own.confidence)).toBeLessThan(CLOSE);
      expect(Math.abs(rows[i]!.baseline - own.baseline)).toBeLessThan(CLOSE);
      expect(rows[i]!.releasedShare).toBeCloseTo(own.released, 12);
      expect(rows[i]!.isInTable).toBe(own.isInTable);
    }
    // Another answer would be seen: that of the table in the place of the release.
    const ofTable = exactly([table.codes], simulated);
    const differences = ofTable.map(({ x, confidence }) => Math.abs(confidence - exact.find((own) => own.x === x)!.confidence));
    expect(Math.max(...differences)).toBeGreaterThan(5 * CLOSE);
    expect(found).toMatchObject({ candidates: 6, allCells: true, baselineOf: 'simulated', baselineRecords: RECORDS });
    expect(found.cellsShare).toBeCloseTo(4 / 6, 12);
    const means = (k: number) => {
      const first = exact.slice(0, k);
      return { share: meanOf(first.map((own) => Number(own.isInTable))), expected: meanOf(first.map((own) => own.confidence)) };
    };
    for (const { rank, share, expected, baseline } of found.curve) {
      expect(share).toBeCloseTo(means(rank).share, 12);
      expect(Math.abs(expected - means(rank).expected)).toBeLessThan(CLOSE);
      expect(Math.abs(baseline - meanOf(exact.slice(0, rank).map((own) => own.baseline)))).toBeLessThan(CLOSE);
    }
    expect(found.curve.map(({ rank }) => rank)).toEqual([1, 2, 5, 6]);
    const { guesses, hits, expected, expectedSimulationSe, missed } = found.first10;
    expect({ guesses, hits, missed }).toEqual({ guesses: 6, hits: 4, missed: 0 });
    expect(Math.abs(expected - means(6).expected)).toBeLessThan(4 * expectedSimulationSe! + 1e-9);
    expect(found.first1000).toEqual(found.first10);
    expect(found.first10.shareSe === null).toBe(m === 1);
    expect(strong).toMatchObject({ reconstruction: null, reconstructionReason: expect.stringContaining('knows: nothing') });
  });

  it.each([
    [
      'as large as the table',
      [
        [1, 0],
        [1, 2],
        [0, 0],
        [0, 0],
        [1, 0],
      ],
    ],
    [
      'smaller',
      [
        [1, 0],
        [1, 2],
        [1, 0],
      ],
    ],
    [
      'larger',
      [
        [1, 0],
        [1, 2],
        [0, 0],
        [0, 0],
        [1, 0],
        [0, 2],
        [1, 1],
        [1, 0],
      ],
    ],
  ])('compares as many records of table and control, which is %s', async (_, people) => {
    const control = Uint16Array.from(people.flat());
    const { found, rows } = await reconstructed({ synthesis: { datasets: 2 }, control, mcmc: FORGETFUL_CHAINS });
    const taken = Math.min(RECORDS, people.length);
    /** The share of all samples that hold x, one after the other. */
    const sampled = (codes: ArrayLike<number>, x: readonly number[]) => {
      const records = Array.from({ length: codes.length / 2 }, (_, i) => [codes[2 * i]!, codes[2 * i + 1]!]);
      const samples = Array.from({ length: 2 ** records.length }, (_, set) => records.filter((_, i) => (set >> i) & 1));
      return meanOf(samples.filter((sample) => sample.length === taken).map((sample) => Number(isIn(x, sample.flat()))));
    };
    expect(found).toMatchObject({ baselineOf: 'control', baselineRecords: taken });
    for (const row of rows) expect(row.baseline).toBeCloseTo(sampled(control, row.x), 12);
    const { baseline, aboveBaseline, byControl } = found.first10;
    const distinct = CELLS.filter((x) => isIn(x, control));
    expect(byControl).toBeCloseTo(meanOf(distinct.map((x) => Number(isIn(x, table.codes)))), 12);
    expect(baseline).toBeCloseTo(meanOf(CELLS.map((x) => sampled(control, x))), 12);
    expect(aboveBaseline).toBeCloseTo(meanOf(CELLS.map((x) => sampled(table.codes, x) - sampled(control, x))), 12);
  });
});
