import { describe, expect, it } from 'vitest';
import { decodeNpy } from '../../shared/arrays/npy.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { logMarginal, normalized, replaced } from '../exact-posterior.ts';
import {
  type ExactTable,
  FORGETFUL_CHAINS,
  largest,
  mistakenReleases,
  type RiskRow,
  recordOf,
  runExactly,
  standardized,
} from './exact-run.ts';

/** Six records, so few that every allocation of what the intruder has, a guess and a dataset can be summed over. */
const table: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1], ...[1, 2]), sizes: [2, 3] };
const RECORDS = 6;
const ALPHA = 0.8;
const model = { classes: 2, concentration: { value: ALPHA } };
const mcmc = { ...FORGETFUL_CHAINS, thin: 3, draws: 300 };

const recordCodes = (record: number) => [...table.codes.subarray(record * 2, record * 2 + 2)];
const rowsOf = (records: readonly number[]) => records.flatMap(recordCodes);

/** Exact log P(Z | D_A, X_i = x) of every candidate of a row, one dataset after the other. */
function exactOf(
  row: RiskRow,
  known: readonly number[],
  datasets: readonly Uint16Array[],
  candidates: 'one-change' | { unknown: string[] } = 'one-change',
): Float64Array[] {
  const { codes, sizes } = table;
  const space = candidateSpace(candidates, ['v0', 'v1'], sizes);
  const record = recordOf(table, row);
  return datasets.map((dataset) =>
    Float64Array.from({ length: space.perCombination }, (_, x) => {
      const guess = replaced({ codes, datasets, space }, record, x).subarray(record * 2, record * 2 + 2);
      const without = [...known, ...guess];
      return logMarginal([...without, ...dataset], sizes, 2, ALPHA) - logMarginal(without, sizes, 2, ALPHA);
    }),
  );
}

/** The exact probability of the truth by the sum of the datasets' log-likelihoods to a power. */
const powered = (logs: readonly Float64Array[], power: number) =>
  normalized(logs[0]!.map((_, x) => power * logs.reduce((sum, own) => sum + own[x]!, 0)))[0]!;

/** By their mean, which rows are of, and by the product of the likelihoods. */
const together = (logs: readonly Float64Array[]) => powered(logs, 1 / logs.length);
const product = (logs: readonly Float64Array[]) => powered(logs, 1);

const truths = (
  rows: readonly RiskRow[],
  known: readonly number[],
  datasets: readonly Uint16Array[],
  candidates?: 'one-change' | { unknown: string[] },
) => rows.map((row) => together(exactOf(row, known, datasets, candidates)));

async function summaryOf({ store, keys }: Awaited<ReturnType<typeof runExactly>>): Promise<Summary> {
  return summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
}

/** The records of each combination, in order of first appearance, that an intruder was found to have. */
async function knownCounts({ store, keys }: Awaited<ReturnType<typeof runExactly>>, name: string) {
  return [...(decodeNpy(await store.get(keys.table.known(name)), name).data as Uint32Array)];
}

describe('an intruder who does not have all records but one, against sums over every allocation', () => {
  const FIRSTS = [0, 2, 3, 4];

  it.each([
    ['nothing, one dataset', 'nothing', 1],
    ['nothing, two datasets', 'nothing', 2],
    ['a share, one dataset', { share: 0.5 }, 1],
    ['a share, two datasets', { share: 0.5 }, 2],
    ['a file, one dataset', { file: 'known.csv' }, 1],
    ['a file, two datasets', { file: 'known.csv' }, 2],
  ] as const)('is exact: %s', async (_, knows, m) => {
    const run = await runExactly(table, {
      model,
      mcmc,
      synthesis: { datasets: m },
      attributeRisk: { scenarios: [{ name: 'knows less', knows }] },
      ...(typeof knows === 'object' && 'file' in knows ? { known: [1, 3, 6] } : {}),
    });
    const { rows, datasets, plan } = run;
    const stored = plan.config.attributeRisk.scenarios[0]!.knows!;
    const name = stored === 'nothing' ? 'nothing' : 'share' in stored ? `share-${stored.share}` : `file-${stored.number}`;
    const counts = await knownCounts(run, name);
    const known = counts.flatMap((count, c) => Array.from({ length: count }, () => recordCodes(FIRSTS[c]!)).flat());
    if (knows === 'nothing') expect(known).toEqual([]);
    else if ('share' in knows) expect(known).toHaveLength(2 * 3);
    else expect(counts).toEqual([1, 2, 0, 0]);
    // Rows are the combinations of which a record is left, with what is left of them.
    const left = [2, 2, 1, 1].map((count, c) => count - counts[c]!);
    expect(rows.map(({ count }) => count)).toEqual(left.filter((count) => count > 0));
    expect(rows.map((row) => recordOf(table, row))).toEqual(FIRSTS.filter((_, c) => left[c]! > 0));

    expect(largest(standardized(rows, truths(rows, known, datasets)))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    // Neither the whole table, nor all but the record, nor another D_A, nor another release has these figures.
    const wrong = knows === 'nothing' ? [rowsOf([0, 2, 3])] : [[], rowsOf([3, 4, 1])];
    for (const mistaken of [[...table.codes], ...wrong]) {
      expect(largest(standardized(rows, truths(rows, mistaken, datasets)))).toBeGreaterThan(5);
    }
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, truths(rows, known, mistaken)))).toBeGreaterThan(5);
    }

    const [risk] = (await summaryOf(run)).attributeRisk;
    const records = RECORDS - known.length / 2;
    expect(risk!.records).toBe(records);
    const own = rows.map((row) => exactOf(row, known, datasets).map((logs) => product([logs])));
    const mean = (values: readonly number[]) => values.reduce((sum, value, i) => sum + value * rows[i]!.count, 0) / records;
    for (const [l, { probabilityMean, probabilityMeanSe }] of risk!.separately!.entries()) {
      const exact = mean(own.map((ofRow) => ofRow[l]!));
      expect(Math.abs(probabilityMean - exact)).toBeLessThan(4 * probabilityMeanSe + 1e-6);
    }
    expect(risk!.separately).toHaveLength(m);
    const most = mean(own.map((ofRow) => Math.max(...ofRow)));
    const { probabilityMean, probabilityMeanSe } = risk!.largestOfDatasets!;
    // The largest of noisy figures is a little too large.
    expect(Math.abs(probabilityMean - most)).toBeLessThan(5 * probabilityMeanSe + 1e-3);
    const multiplied = mean(rows.map((row) => product(exactOf(row, known, datasets))));
    const all = risk!.productOfDatasets!;
    expect(Math.abs(all.probabilityMean - multiplied)).toBeLessThan(4 * all.probabilityMeanSe + 1e-6);
    expect(risk!.together).toBe(m === 1 ? 'one dataset: exact' : 'mean of log-likelihoods over datasets: an approximation');
  });

  it('is exact for unknown variables, beside the strongest intruder, and shares chains with others of its knowledge', async () => {
    const unknown = { unknown: ['v1'] };
    const { store, rows, datasets, plan } = await runExactly(table, {
      model,
      mcmc,
      synthesis: { datasets: 1 },
      attributeRisk: {
        scenarios: [
          { name: 'all but one', candidates: unknown },
          { name: 'nothing', candidates: unknown, knows: 'nothing' },
          { name: 'nothing, one change', knows: 'nothing' },
        ],
      },
    });
    expect(rows).toHaveLength(12);
    expect(largest(standardized(rows.slice(4, 8), truths(rows.slice(4, 8), [], datasets, unknown)))).toBeLessThan(4);
    expect(largest(standardized(rows.slice(8), truths(rows.slice(8), [], datasets)))).toBeLessThan(4);
    expect(largest(standardized(rows.slice(0, 4), truths(rows.slice(0, 4), [], datasets, unknown)))).toBeGreaterThan(5);
    const weak = (await store.list(`runs/${plan.runId}/draws/`)).filter((key) => key.includes('/weak/'));
    expect(weak).toHaveLength(mcmc.pairedChains);
  });
});

describe('a release that tells nothing', () => {
  it('leaves the intruder who knows less with what he had before', async () => {
    // Every category as often as every other, in records of their own class each: E[f(x) | Z] is the same for all x.
    const even = Uint16Array.of(...[0, 0], ...[0, 1], ...[0, 2], ...[1, 0], ...[1, 1], ...[1, 2]);
    const { rows } = await runExactly(table, {
      model: { classes: 1 },
      mcmc,
      attributeRisk: { scenarios: [{ name: 'nothing', knows: 'nothing' }] },
      elsewhere: [even],
    });
    for (const { probability, informationBits } of rows) {
      expect(probability).toBeCloseTo(1 / 4, 2);
      expect(informationBits).toBeLessThan(1e-3);
    }
  });
});
