import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { betweenDatasets } from '../../shared/risk/attribute/release-error.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { type ExactRun, type ExactTable, nameOf, runExactly } from './exact-run.ts';

/**
 * The share of the uncertainty that is resolved, of runs from their plans to their files, against enumeration of every
 * value under the Dirichlet-multinomial, whose likelihood and prior are known in closed form.
 */
const SIZES = [2, 3];
const TABLE: ExactTable = { sizes: SIZES, codes: Uint16Array.from([0, 0, 0, 0, 0, 1, 1, 2, 1, 0, 0, 0, 0, 2, 1, 2, 0, 1]) };
const RECORDS = TABLE.codes.length / SIZES.length;
const CELLS = 6;

const cellOf = (row: ArrayLike<number>, from = 0) => row[from]! * 3 + row[from + 1]!;
const cellsOf = (codes: Uint16Array) => Array.from({ length: codes.length / 2 }, (_, i) => cellOf(codes, 2 * i));

/** Gain and lack of one question, in bits, with all datasets and without each. */
interface Bits {
  readonly lacked: number;
  readonly gained: number;
  readonly without: readonly number[];
}

/**
 * What is gained of a record's value and what was lacked, by definition: the prior of a cell is its count among the others
 * plus alpha; a dataset's rows are drawn with probabilities (c + alpha) / (n + K alpha).
 *
 * @param cells that the record could be, the truth first
 */
function bitsOf(record: number, cells: readonly number[], datasets: readonly number[][], alpha: number): Bits {
  const own = cellsOf(TABLE.codes);
  const others = new Array<number>(CELLS).fill(0);
  for (const [i, cell] of own.entries()) if (i !== record) others[cell]!++;
  const prior = cells.map((cell) => others[cell]! + alpha);
  const logLikelihood = (cell: number, rows: readonly number[]) =>
    rows.reduce((sum, row) => sum + Math.log(others[row]! + (row === cell ? 1 : 0) + alpha), 0);
  const share = (weights: readonly number[]) => weights[0]! / weights.reduce((sum, one) => sum + one, 0);
  const gain = (some: readonly number[][]) => {
    const logs = cells.map((cell) => some.reduce((sum, rows) => sum + logLikelihood(cell, rows), 0));
    const most = Math.max(...logs);
    const after = prior.map((weight, x) => weight * Math.exp(logs[x]! - most));
    return Math.log2(share(after) / share(prior));
  };
  return { lacked: -Math.log2(share(prior)), gained: gain(datasets), without: datasets.map((_, l) => gain(datasets.toSpliced(l, 1))) };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The share that is resolved of some questions together, and its error by the jackknife of the ratio itself. */
function resolved(bits: readonly Bits[]) {
  const lacked = sum(bits.map((own) => own.lacked));
  const share = sum(bits.map((own) => own.gained)) / lacked;
  const without = bits[0]!.without.map((_, l) => sum(bits.map((own) => own.without[l]!)) / lacked);
  return { share, se: without.length > 1 ? Math.sqrt(betweenDatasets(share, without)) : null };
}

async function assessed(epsilon: number, datasets: number, more: Partial<ExactRun> = {}) {
  const run = await runExactly(TABLE, { model: { name: 'dirichlet-multinomial', epsilon }, mcmc: {}, synthesis: { datasets }, ...more });
  const { attributeRisk } = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  const alpha = 1 / Math.expm1(epsilon / (RECORDS * datasets));
  return { ...run, risk: attributeRisk[0]!, alpha, cells: run.datasets.map(cellsOf) };
}

/** The cells that a record could be where it may differ in one variable. */
const changed = (record: number, variable: number) => {
  const own = [TABLE.codes[2 * record]!, TABLE.codes[2 * record + 1]!];
  const values = Array.from({ length: SIZES[variable]! }, (_, code) => own.with(variable, code));
  return [cellOf(own), ...values.map((row) => cellOf(row)).filter((cell) => cell !== cellOf(own))];
};

const every = Array.from({ length: RECORDS }, (_, i) => i);

describe('the share of the uncertainty that a release resolves', () => {
  it.each([6, 60])('is that of enumeration, with the error of its ratio: epsilon %d', async (epsilon) => {
    const { risk, rows, alpha, cells, store, keys } = await assessed(epsilon, 3);
    const of = (record: number, variable: number) => bitsOf(record, changed(record, variable), cells, alpha);
    const file = resolved(every.flatMap((record) => [of(record, 0), of(record, 1)]));
    expect(risk.uncertaintyResolved).toBeCloseTo(file.share, 5);
    expect(risk.uncertaintyResolvedSe).toBeCloseTo(file.se!, 5);
    expect(risk.lackedBitsMean! * risk.uncertaintyResolved!).toBeCloseTo(risk.gainBitsMean!, 10);
    for (const [variable, own] of risk.variables.entries()) {
      const exact = resolved(every.map((record) => of(record, variable)));
      expect(own.variable).toBe(nameOf(variable));
      expect(own.uncertaintyResolved).toBeCloseTo(exact.share, 5);
      expect(own.uncertaintyResolvedSe).toBeCloseTo(exact.se!, 5);
    }
    const [header, ...lines] = csvRows(await store.get(keys.confidential.table('variable-risk').csv));
    const cell = (line: readonly string[], name: string) => Number(line[header!.indexOf(name)]);
    for (const [index, row] of rows.entries()) {
      const record = cellsOf(TABLE.codes).indexOf(cellOf(row.codes));
      const exact = resolved([of(record, 0), of(record, 1)]);
      expect(row.figure('uncertainty_resolved')).toBeCloseTo(exact.share, 9);
      expect(row.figure('uncertainty_resolved_se')).toBeCloseTo(exact.se!, 9);
      for (const variable of [0, 1]) {
        const one = resolved([of(record, variable)]);
        const line = lines[2 * index + variable]!;
        expect(cell(line, 'uncertainty_resolved')).toBeCloseTo(one.share, 9);
        expect(cell(line, 'uncertainty_resolved_se')).toBeCloseTo(one.se!, 9);
      }
    }
  });

  it.each(['uniform', 'model'])('takes unknown variables together, under the prior %s', async (prior) => {
    const attributeRisk = { candidates: { unknown: ['v0', 'v1'] }, prior };
    const { risk, alpha, cells } = await assessed(20, 2, { attributeRisk });
    const all = (record: number) => {
      const own = cellOf(TABLE.codes, 2 * record);
      return [own, ...Array.from({ length: CELLS }, (_, c) => c).filter((c) => c !== own)];
    };
    const exact = resolved(every.map((record) => bitsOf(record, all(record), cells, alpha)));
    expect(risk.uncertaintyResolved).toBeCloseTo(exact.share, 5);
    expect(risk.uncertaintyResolvedSe).toBeCloseTo(exact.se!, 5);
  });

  it('is 0 of a release that says nothing, and 1 of one that says all', async () => {
    const nothing = await assessed(1e-7, 2);
    expect(nothing.risk.uncertaintyResolved).toBeCloseTo(0, 6);
    const all = await assessed(1e5, 80);
    expect(all.risk.uncertaintyResolved).toBeGreaterThan(0.95);
    expect(all.risk.uncertaintyResolved).toBeLessThanOrEqual(1);
  });

  it('has no error, and says why, of one dataset', async () => {
    const { risk, rows } = await assessed(20, 1);
    expect(risk.uncertaintyResolved).toBeGreaterThan(-1);
    expect(risk.uncertaintyResolvedSe).toBeNull();
    expect(risk.gainBitsSeReason).toBe('a single dataset does not tell how releases differ');
    // An empty cell.
    expect(rows.map((row) => row.figure('uncertainty_resolved_se'))).toEqual(rows.map(() => 0));
  });

  it('has an error that is the spread of further releases', () => {
    // What runs give by the tests above, of releases that are drawn here: by their files they would take a minute.
    const [epsilon, datasets, releases] = [8, 8, 400];
    const alpha = 1 / Math.expm1(epsilon / (RECORDS * datasets));
    const counts = new Array<number>(CELLS).fill(alpha);
    for (const cell of cellsOf(TABLE.codes)) counts[cell]!++;
    const random = new RandomStream(3, 'uncertainty-resolved/releases');
    const draw = () => {
      let [cell, left] = [0, random.uniform() * sum(counts)];
      while (left >= counts[cell]!) left -= counts[cell++]!;
      return cell;
    };
    const found = Array.from({ length: releases }, () => {
      const cells = Array.from({ length: datasets }, () => every.map(draw));
      return resolved(every.flatMap((record) => [0, 1].map((variable) => bitsOf(record, changed(record, variable), cells, alpha))));
    });
    const spread = standardDeviation(found.map(({ share }) => share));
    const stated = Math.sqrt(sum(found.map(({ se }) => se! ** 2)) / releases);
    // Four hundred releases tell a standard deviation to 4 %.
    expect(stated / spread).toBeGreaterThan(0.85);
    expect(stated / spread).toBeLessThan(1.15);
    const mean = sum(found.map(({ share }) => share)) / releases;
    const covered = found.filter(({ share, se }) => Math.abs(share - mean) < 1.96 * se!);
    expect(covered.length / releases).toBeGreaterThan(0.88);
  });
});

describe('the commonest value', () => {
  it('is right for the largest count of each variable, over all pairs', async () => {
    const { risk } = await assessed(20, 2);
    // Six of nine records have v0 = 0; four have v1 = 0.
    expect(risk.variables.map((own) => own.commonestShare)).toEqual([6 / 9, 4 / 9]);
    expect(risk.commonestShare).toBe(10 / 18);
  });
});
