import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { runNumpy } from './programs.ts';

/**
 * What the built command line writes of a table of a few records, against a program in Python that knows the formulas of the
 * docs and nothing of this code: `exact/` enumerates allocations, integrates over parameters, and grows trees.
 */
const directory = temporaryFolder();
const EXACT_RISK = fileURLToPath(new URL('exact/exact_risk.py', import.meta.url));

/** Standard errors by which a figure may differ, and what no error needs to cover: rounding, and integrals. */
const BOUND = 4;
const ROUNDING = 5e-6;

/** Columns with a Monte Carlo error, and the columns that hold it. */
const ERRORS: Readonly<Record<string, string>> = {
  probability: 'probability_se',
  bayes_factor: 'bayes_factor_se',
  privacy_loss: 'privacy_loss_se',
  probability_after: 'probability_se',
};

/** Columns whose error is not given, and how far they may be from what is exact in runs that simulate. */
const WITHOUT_ERROR: Readonly<Record<string, number>> = {
  prior_probability: 0.01,
  probability_before: 0.01,
  first_guess_probability: 0.02,
  information_bits: 0.03,
};

/** What is not a figure that is compared as a number. */
const PLACES = ['scenario', 'number', 'count', 'variable', 'proven', 'separately', 'rank'];

/** log2(q / p), of which both are compared. */
const GAIN = 'gain_bits';

type ExactRow = Readonly<Record<string, number | string | null | readonly number[]>>;

interface Exact {
  readonly attribute: readonly ExactRow[];
  readonly variable: readonly ExactRow[];
  /** Of runs that simulate: by kind of mistake, a row's name and the probability of its truth. */
  readonly mistaken?: Readonly<Record<string, readonly (readonly [string, number])[]>>;
  /** By how much integrals of fewer nodes change a probability. */
  readonly quadratureError?: number;
}

type Row = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  /** Columns; texts of categorical ones, in the order of their categories, and numbers. */
  readonly columns: Readonly<Record<string, readonly (string | number)[]>>;
  readonly config: Readonly<Record<string, object>>;
  readonly zeros?: readonly (readonly string[])[];
}

const FORGETFUL = { chains: 32, burnIn: 50, draws: 250, thin: 2, pairedChains: 32, pairedDraws: 250, pairedThin: 4 };

/** Records as texts of a digit for each variable, in columns of categories. */
function columnsOf(records: readonly string[], names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(names.map((name, k) => [name, records.map((record) => `c${record[k]}`)]));
}

const isText = (value: string | number) => typeof value === 'string';

/** Carries a case out by the command line, and by the program in Python. */
async function carryOut({ name, columns, config, zeros }: Case) {
  const at = (...path: string[]) => join(directory, ...path);
  const names = Object.keys(columns);
  const records = Object.values(columns)[0]!.length;
  const rows = Array.from({ length: records }, (_, i) => names.map((column) => columns[column]![i]!));
  writeFileSync(at(`${name}.csv`), encodeCsv(names, rows));
  if (zeros) writeFileSync(at(`${name}-zeros.csv`), encodeCsv(names, zeros));
  const variables = Object.entries(columns).map(([column, values]) => [
    column,
    values.every(isText) ? { categories: [...new Set(values)].sort() } : { type: 'continuous' },
  ]);
  const synthesis = { ...config.synthesis, ...(zeros ? { structuralZeros: `${name}-zeros.csv` } : {}) };
  writeFileSync(at(`${name}.json`), JSON.stringify({ utility: 'off', ...config, synthesis, variables: Object.fromEntries(variables) }));
  const evaluate = ['evaluate', `${name}.csv`, '--config', `${name}.json`, '--out', name, '--jobs', '2', '--quiet'];
  const { code, stderr } = await synthrisk(directory, evaluate);
  expect(code, stderr).toBe(0);
  const exact = runNumpy(EXACT_RISK, at(name), at(`${name}.csv`), at(`${name}.json`));
  expect(exact, exact.output).toMatchObject({ code: 0 });
  const tableOf = (file: string) => {
    const [header, ...lines] = csvRows(readFileSync(at(name, 'confidential', `${file}.csv`))) as [string[], ...string[][]];
    return lines.map((line): Row => Object.fromEntries(header.map((column, k) => [column, line[k]!])));
  };
  return {
    exact: JSON.parse(exact.output) as Exact,
    attribute: tableOf('attribute-risk'),
    variable: tableOf('variable-risk'),
    summary: JSON.parse(readFileSync(at(name, 'confidential', 'summary.json'), 'utf8')),
  };
}

type CarriedOut = Awaited<ReturnType<typeof carryOut>>;

/** Rows of both tables side by side, each with what stands for it in a message; places are compared. */
function rowPairs({ exact, attribute, variable }: CarriedOut) {
  return [['attribute', exact.attribute, attribute] as const, ['variable', exact.variable, variable] as const].flatMap(
    ([table, expected, found]) => {
      expect(found, table).toHaveLength(expected.length);
      return expected.map((own, r) => {
        const row = found[r]!;
        const place = `${table} ${r + 1}`;
        expect(Number(row.record ?? row.combination), place).toBe(own.number);
        expect(Number(row.count), place).toBe(own.count);
        if (own.scenario !== null) expect(row.scenario, place).toBe(own.scenario);
        if (own.variable !== undefined) expect(row.variable, place).toBe(own.variable);
        return {
          place,
          own,
          row,
          figures: Object.entries(own).filter(([column]) => !PLACES.includes(column)) as [string, number | null][],
        };
      });
    },
  );
}

const rootMeanSquare = (values: readonly number[]) => Math.sqrt(values.reduce((sum, z) => sum + z * z, 0) / values.length);
const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));

/** Tells how a comparison came out, to whoever runs the tests. */
const tell = (line: string) => process.stdout.write(`${line}\n`);

const seven = ['001', '001', '120', '110', '011', '121', '001'];
const six = ['00', '00', '12', '11', '01', '12'];

const SIMULATED: readonly Case[] = [
  {
    name: 'unknown-model',
    columns: columnsOf(['003', '123', '001', '110', '023'], ['v0', 'v1', 'v2']),
    config: {
      model: { classes: 3, concentration: { value: 0.7 } },
      mcmc: FORGETFUL,
      synthesis: { datasets: 2 },
      attributeRisk: { candidates: { unknown: ['v1', 'v2'] }, prior: 'model' },
    },
  },
  {
    name: 'knows-less',
    columns: columnsOf(six, ['v0', 'v1']),
    config: {
      model: { classes: 3, concentration: { value: 0.8 } },
      mcmc: { ...FORGETFUL, thin: 3 },
      synthesis: { datasets: 2 },
      attributeRisk: {
        scenarios: [
          { name: 'nothing', knows: 'nothing' },
          { name: 'share', knows: { share: 0.5 }, candidates: { unknown: ['v0', 'v1'] } },
        ],
      },
    },
  },
  {
    name: 'partial',
    columns: columnsOf(seven, ['v0', 'v1', 'v2']),
    config: {
      model: { classes: 3, concentration: { value: 0.8 } },
      mcmc: FORGETFUL,
      synthesis: { datasets: 3, synthesized: ['v1', 'v0'] },
      attributeRisk: { prior: 'model' },
    },
  },
  {
    name: 'zeros',
    columns: columnsOf(['00', '00', '00', '01', '01', '10', '10', '10', '00', '10'], ['v0', 'v1']),
    zeros: [['c1', 'c1']],
    config: {
      model: { classes: 2, concentration: { value: 0.8 } },
      mcmc: FORGETFUL,
      synthesis: { datasets: 3 },
      attributeRisk: { candidates: { unknown: ['v0', 'v1'] }, prior: 'model' },
    },
  },
  {
    name: 'zeros-overlapping',
    columns: columnsOf(['000', '010', '001', '010', '101', '100', '101', '100', '101', '010'], ['v0', 'v1', 'v2']),
    zeros: [
      ['c1', 'c1', ''],
      ['', 'c1', 'c1'],
    ],
    config: { model: { classes: 1, concentration: { value: 1 } }, mcmc: FORGETFUL, synthesis: { datasets: 2 } },
  },
];

describe('a run that simulates, against another program that enumerates', () => {
  const standardized: number[] = [];

  it.each(SIMULATED)('is exact within its errors: $name', async (one) => {
    const began = performance.now();
    const carriedOut = await carryOut(one);
    const { exact, attribute, summary } = carriedOut;
    expect(exact.quadratureError).toBeLessThan(ROUNDING);
    const own: number[] = [];
    const compare = (found: number, error: number, value: number, place: string) => {
      const difference = Math.abs(found - value);
      expect(difference, place).toBeLessThanOrEqual(BOUND * error + ROUNDING);
      if (error > ROUNDING) own.push((found - value) / error);
    };
    for (const { place, own: expected, row, figures } of rowPairs(carriedOut)) {
      for (const [column, value] of figures) {
        const found = Number(row[column]);
        if (column === GAIN) expect(found, place).toBeCloseTo(Math.log2(Number(row.probability_after) / Number(row.probability_before)), 9);
        else if (ERRORS[column]) compare(found, Number(row[ERRORS[column]]), value!, `${place} ${column}`);
        else expect(Math.abs(found - value!), `${place} ${column}`).toBeLessThanOrEqual(WITHOUT_ERROR[column] ?? 0);
      }
      expect(Number(row.probability_se), place).toBeLessThan(0.015);
      if (typeof expected.rank === 'number') {
        expect(expected.rank, place).toBeGreaterThanOrEqual(Number(row.rank_low));
        expect(expected.rank, place).toBeLessThanOrEqual(Number(row.rank_high));
      }
    }
    // Of those who know less, each dataset by itself.
    for (const { scenario, separately } of summary.attributeRisk) {
      const rows = exact.attribute.filter((row) => row.scenario === scenario);
      const records = rows.reduce((sum, { count }) => sum + Number(count), 0);
      for (const [l, { probabilityMean, probabilityMeanSe }] of (separately ?? []).entries()) {
        const mean = rows.reduce((sum, row) => sum + (Number(row.count) * (row.separately as number[])[l]!) / records, 0);
        compare(probabilityMean, probabilityMeanSe, mean, `${scenario}, dataset ${l + 1}`);
      }
    }
    standardized.push(...own);
    // What a mistaken program would find is nowhere near.
    const names = exact.attribute.map(({ scenario, number }) => `${scenario ?? 'None'} ${number}`);
    for (const [mistake, rows] of Object.entries(exact.mistaken!)) {
      const apart = rows.map(([row, value]) => {
        const { probability, probability_se } = attribute[names.indexOf(row)]!;
        return (Number(probability) - value) / Math.max(Number(probability_se), ROUNDING);
      });
      expect(largest(apart), mistake).toBeGreaterThan(5);
    }
    const seconds = (performance.now() - began) / 1000;
    const [worst, typical] = [largest(own), rootMeanSquare(own)].map((value) => value.toFixed(2));
    tell(`${one.name}: ${own.length} figures, worst |z| ${worst}, rms z ${typical}, ${seconds.toFixed(1)} s`);
  });

  it('has errors that are as large as what it is off by', () => {
    const all = rootMeanSquare(standardized);
    tell(`all ${standardized.length} figures: rms z ${all.toFixed(2)}`);
    expect(all).toBeGreaterThan(0.4);
    expect(all).toBeLessThan(1.4);
  });
});

/** A column of so many values that look like none in particular. */
const scattered = <T>(records: number, step: number, values: readonly T[]) =>
  Array.from({ length: records }, (_, i) => values[(i * i * step + i * 5 + Math.floor(i / 3)) % values.length]!);

/** Records whose trees have divisions into sets of categories that gain the same: another order of them has another risk. */
const TIED = (
  '30101 43234 10800 02523 10701 51902 40200 01501 03610 00412 00914 41512 03102 23201 ' +
  '20201 00703 30212 00512 30733 00230 13130 03104 13432 50423 40121 11802 53720 01700'
).split(' ');

const TREES: readonly Case[] = [
  {
    name: 'trees-unknown',
    columns: {
      region: scattered(26, 3, ['east', 'north', 'south', 'west']),
      age: scattered(26, 7, [18, 23, 31, 37, 44, 58, 70]),
      income: scattered(26, 5, ['high', 'low', 'middle']),
      house: scattered(26, 11, ['owner', 'tenant', 'tenant']),
    },
    config: {
      model: { name: 'cart', minimumLeaf: 2 },
      // The order of visits is not that of the table.
      synthesis: { datasets: 3, synthesized: ['house', 'income'] },
      attributeRisk: { candidates: { unknown: ['income', 'house'] }, prior: 'model' },
    },
  },
  {
    name: 'trees-ties',
    columns: { ...columnsOf(TIED, ['kind', 'status', 'size', 'grade', 'area']), size: TIED.map((record) => Number(record[2])) },
    config: {
      model: { name: 'cart', minimumLeaf: 2, complexity: 0.037 },
      synthesis: { datasets: 2, synthesized: ['status', 'grade'] },
      attributeRisk: { candidates: 'one-change' },
    },
  },
  {
    name: 'trees-alone',
    columns: {
      region: scattered(30, 7, ['east', 'north', 'south', 'west']),
      degree: scattered(30, 3, ['a', 'b', 'c', 'd', 'a']),
      work: scattered(30, 13, ['full', 'none', 'part', 'full', 'full', 'none', 'part']),
    },
    config: { model: { name: 'cart', minimumLeaf: 2, predictors: 'none' }, synthesis: { datasets: 2, synthesized: ['degree', 'work'] } },
  },
];

describe('trees, grown with each guess and without the record by another program', () => {
  it.each(TREES)('have the same risk to 1e-9: $name', async (one) => {
    const began = performance.now();
    const carriedOut = await carryOut(one);
    let [most, moved, proven] = [0, 0, 0];
    for (const { place, own, row, figures } of rowPairs(carriedOut)) {
      for (const [column, value] of figures) {
        // A privacy loss without bound is not there.
        if (value === null) expect(row[column], `${place} ${column}`).toBe('');
        else {
          const difference = Math.abs(Number(row[column]) - value) / Math.max(1, Math.abs(value));
          expect(difference, `${place} ${column}`).toBeLessThan(1e-9);
          most = Math.max(most, difference);
        }
      }
      expect(row.proven, place).toBe(own.proven);
      if (own.rank !== undefined) expect(Number(row.rank), place).toBe(own.rank);
      if (own.proven === 'true') proven++;
      if (own.variable !== undefined) moved = Math.max(moved, Math.abs(Number(own.probability_after) - Number(own.probability_fixed)));
    }
    // It matters that trees are grown again.
    const seconds = (performance.now() - began) / 1000;
    tell(
      `${one.name}: worst difference ${most.toExponential(1)}, ${proven} rows proven, held trees off by ${moved.toFixed(2)}, ${seconds.toFixed(1)} s`,
    );
    expect(moved).toBeGreaterThan(0.1);
  });
});
