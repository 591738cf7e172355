import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { decodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';
import { runNumpy } from './programs.ts';

const directory = temporaryFolder();
const at = (...path: string[]) => join(directory, ...path);
const MIXED = fileURLToPath(new URL('exact/mixed.py', import.meta.url));

/** Standard errors by which a figure may differ, and by which one of a dataset fewer has to. */
const BOUND = 4;
const FURTHER = 5;

/** Figures with a Monte Carlo error, with the column that holds it, and how far others may be off. */
const ERRORS: Readonly<Record<string, string>> = {
  probability: 'probability_se',
  probability_after: 'probability_se',
  within_after: 'within_se',
  membership_bits: 'membership_bits_se',
};
const WITHOUT_ERROR: Readonly<Record<string, number>> = { probability_before: 0.015, within_before: 0.015 };

/** Half the sum of the differences of the probabilities of masses and cells, of what is exact and of a dataset fewer. */
const DENSITY = 0.03;
const FURTHER_DENSITY = 0.1;

type ExactRow = Readonly<Record<string, number | string | null | readonly number[]>>;
type Exact = Readonly<Record<'exact' | 'fewer', Readonly<Record<string, readonly ExactRow[]>>>>;
type Row = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly key: number;
  readonly variables: Readonly<Record<string, object>>;
  /** The variance's prior, and sections of a config. */
  readonly rate: number;
  readonly synthesis: object;
  readonly scenarios?: readonly object[];
  /** Rows as texts of values, nothing of a missing one; first the table. */
  readonly table: string;
  readonly control?: string;
  readonly datasets?: readonly string[];
}

const mcmc = { chains: 32, burnIn: 50, draws: 250, thin: 2, pairedChains: 32, pairedDraws: 250, pairedThin: 4 };
const level = { categories: ['a', 'b', 'c'] };
const group = { categories: ['x', 'y'] };
const income = { type: 'continuous', range: [-1e6, 1e6], scale: 'asinh', masses: [0], cells: 60, within: { share: 0.5 } };

// No fewer than twelve different numbers are taken for continuous. Ranges are so wide that a class has nothing beyond them, where sums have
// no closed form.
const CASES: readonly Case[] = [
  {
    name: 'partial',
    key: 1,
    variables: { level, group, income: { ...income, range: [-1000, 1400], scale: 'none', cells: 48, within: { share: 0.3 } } },
    rate: 0.003,
    synthesis: { datasets: 2, synthesized: ['level', 'income'] },
    table: 'a,x,0 b,y,90 a,x,120 c,y,310 b,x,45 a,y,150 c,x,260 b,x,21 a,y,199 c,y,333 a,x,75 c,x,222 b,y,61',
  },
  {
    // So coarse that it matters of classes with few records that none is narrower than rounding makes it.
    name: 'full',
    // One whose dataset has most of its rows in common with the table: there are fewer allocations to add up.
    key: 5,
    variables: { level: { categories: ['a', 'b'] }, hours: { type: 'continuous', range: [-30, 43], cells: 146, within: { amount: 1.6 } } },
    rate: 0.00004,
    synthesis: { datasets: 1 },
    table: 'a,1 a,2 a,3 a,4 a,5 a,6 b,7 b,8 b,9 b,10 b,11 b,12',
    control: 'a,2 b,11 b,1 a,7',
  },
  {
    name: 'missing-elsewhere',
    key: 3,
    variables: { level, group, income, hours: { type: 'continuous', range: [0.5, 2000], decimals: 1, scale: 'log', cells: 40 } },
    rate: 0.006,
    synthesis: { missing: 'impute' },
    table:
      'a,x,0,21.5 b,y,90,38 a,x,120, c,y,2310,40.5 b,x,45,33.2 a,,150,12.4 c,x,1260,44.1 ' +
      'b,x,21,30.8 ,y,400,28.7 c,y,3330,41.9 a,x,,18.3 c,x,1722,47.6 b,y,61,36.1 a,y,35,15.9',
    control: 'a,y,14,20.2 c,y,2900, b,x,0,34.4 ,x,700,25 c,y,1500,46.8 a,x,130,13.1',
    datasets: ['a,x,52,22.4 c,y,1810,42 b,y,0,35.5 a,x,180,14.7', 'c,x,2405,45.2 b,x,88,31.6 a,y,12,19.3'],
  },
  {
    name: 'knows-less',
    key: 4,
    variables: { level, income: { ...income, range: [-1e9, 1e9] } },
    rate: 0.003,
    synthesis: { datasets: 2 },
    scenarios: [
      { name: 'nothing', knows: 'nothing' },
      { name: 'share', knows: { share: 0.25 } },
      { name: 'file', knows: { file: 'known.csv' } },
    ],
    table: 'a,0 b,90 a,120 c,2310 b,45 a,150 c,1260 b,21 c,3330 a,-75 c,1722 b,61 a,-199',
    control: 'a,14 c,2900 b,0 c,-150',
  },
];

/** Carries a case out by the command line, and by the program in Python. */
async function carryOut({ name, key, variables, rate, synthesis, scenarios, table, control, datasets = [] }: Case) {
  const write = (file: string, rows: string) =>
    writeFileSync(
      at(file),
      encodeCsv(
        Object.keys(variables),
        rows.split(' ').map((row) => row.split(',')),
      ),
    );
  const of = (file: string) => `${name}-${file}`;
  write(of('table.csv'), table);
  const model = { name: 'mixed', classes: 2, concentration: { value: 0.7 }, meanRecords: 0.1, variance: { shape: 2, rate } };
  const settings = { model, mcmc, synthesis, utility: 'off', variables, ...(scenarios && { attributeRisk: { scenarios } }) };
  writeFileSync(at(of('config.json')), JSON.stringify(settings));
  writeFileSync(at('key'), encodeKey(testKey(key)));
  writeFileSync(at('known.csv'), encodeCsv(['record'], [['2'], ['4'], ['9'], ['10']]));
  if (control) write(of('control.csv'), control);
  const elsewhere = datasets.map((rows, l) => {
    write(of(`${l}.csv`), rows);
    return of(`${l}.csv`);
  });
  const { code, stderr } = await synthrisk(directory, [
    ...[elsewhere.length > 0 ? 'assess' : 'evaluate', of('table.csv'), '--config', of('config.json'), '--out', name, '--quiet'],
    ...['--release-key', 'key', ...(control ? ['--control', of('control.csv')] : [])],
    ...(elsewhere.length > 0 ? ['--synthetic', ...elsewhere] : []),
  ]);
  expect(code, stderr).toBe(0);
  const files = [name, of('table.csv'), of('config.json'), ...(control ? [of('control.csv')] : []), ...elsewhere];
  const python = runNumpy(MIXED, ...files.map((file) => at(file)));
  expect(python, python.output).toMatchObject({ code: 0 });
  const tableOf = (file: string) => {
    const [header, ...lines] = csvRows(readFileSync(at(name, 'confidential', `${file}.csv`))) as [string[], ...string[][]];
    return lines.map((line): Row => Object.fromEntries(header.map((column, k) => [column, line[k]!])));
  };
  return {
    found: JSON.parse(python.output) as Exact,
    tableOf,
    densities: drawnDensities(at(name, 'parts', '1')),
    summary: summarySchema.parse(JSON.parse(readFileSync(at(name, 'confidential', 'summary.json'), 'utf8'))),
  };
}

/** What the report draws of numbers, batch by batch: of each record masses and cells before the release, then after it. */
const drawnDensities = (parts: string) =>
  readdirSync(parts)
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((batch) => {
      const path = join(parts, batch, 'densities.npy');
      return Array.from(decodeCheckedNpy(readFileSync(path), path).data as Float32Array);
    });

type CarriedOut = Awaited<ReturnType<typeof carryOut>>;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const isOf = (row: ExactRow, scenario: string) => row.scenario === null || row.scenario === scenario;

/** By how many errors each figure is off at most, and by how much those that have none, and densities. */
function apart({ tableOf, densities, summary }: CarriedOut, expected: Exact['exact']) {
  const worst = { errors: {} as Record<string, number>, others: {} as Record<string, number>, ranks: 0, densities: 0 };
  const note = (of: Record<string, number>, name: string, value: number) => {
    of[name] = Math.max(of[name] ?? 0, Math.abs(value));
  };
  for (const [file, rows] of Object.entries(expected)) {
    if (rows.length === 0) continue;
    const lines = tableOf(file);
    expect(lines, file).toHaveLength(rows.length);
    for (const [r, own] of rows.entries()) {
      const line = lines[r]!;
      for (const place of ['record', 'row', 'variable']) if (own[place] !== undefined) expect(line[place]).toBe(String(own[place]));
      for (const [name, value] of Object.entries(own)) {
        const difference = Number(line[name]) - Number(value);
        if (ERRORS[name]) note(worst.errors, `${file} ${name}`, difference / Number(line[ERRORS[name]]));
        else if (WITHOUT_ERROR[name]) note(worst.others, name, difference);
      }
      if (own.rank !== undefined && (Number(own.rank) < Number(line.rank_low) || Number(own.rank) > Number(line.rank_high))) worst.ranks++;
    }
  }
  const numbers = expected['continuous-risk']!;
  for (const { scenario, continuousVariables } of summary.attributeRisk) {
    for (const { variable, gainBitsMean, gainBitsMeanSimulationSe } of continuousVariables!) {
      const gains = numbers.filter((row) => isOf(row, scenario) && row.variable === variable).map((row) => Number(row.gain_bits));
      note(worst.errors, 'gainBitsMean', (gainBitsMean - mean(gains)) / gainBitsMeanSimulationSe!);
    }
  }
  // A missing value is not guessed at, and has a place.
  const lengths = new Map(numbers.map((row) => [row.variable, (row.before as readonly number[]).length]));
  let start = 0;
  for (const { scenario, record } of expected['attribute-risk']!) {
    for (const when of ['before', 'after']) {
      for (const [variable, length] of lengths) {
        const own = numbers.find((row) => row.scenario === scenario && row.record === record && row.variable === variable);
        const probabilities = own?.[when] as readonly number[] | undefined;
        const differences = probabilities?.map((value, c) => Math.abs(value - densities[start + c]!) / 2) ?? [];
        worst.densities = Math.max(
          worst.densities,
          differences.reduce((sum, value) => sum + value, 0),
        );
        start += length;
      }
    }
  }
  expect(densities).toHaveLength(start);
  return worst;
}

it.each(CASES)('is what a program in Python finds by enumeration: $name', async (one) => {
  const began = performance.now();
  const carriedOut = await carryOut(one);
  const exact = apart(carriedOut, carriedOut.found.exact);
  const fewer = apart(carriedOut, carriedOut.found.fewer);
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${one.name}: ${JSON.stringify(exact)}, with a dataset fewer ${JSON.stringify(fewer)}, ${seconds.toFixed(1)} s\n`);
  for (const [name, errors] of Object.entries(exact.errors)) expect(errors, name).toBeLessThan(BOUND);
  for (const [name, difference] of Object.entries(exact.others)) expect(difference, name).toBeLessThan(WITHOUT_ERROR[name]!);
  expect(exact.ranks).toBe(0);
  expect(exact.densities).toBeLessThan(DENSITY);
  // The test would notice a dataset that is left out.
  for (const [name, errors] of Object.entries(fewer.errors)) expect(errors, name).toBeGreaterThan(FURTHER);
  expect(fewer.densities).toBeGreaterThan(FURTHER_DENSITY);
  // The AUC is that of the bits.
  const ofScenario = (rows: readonly Row[], scenario: string) =>
    rows.filter((row) => (row.scenario ?? scenario) === scenario).map((row) => Number(row.membership_bits));
  for (const { scenario, membership } of one.control ? carriedOut.summary.attributeRisk : []) {
    const [members, others] = ['attribute-risk', 'control-membership'].map((file) => ofScenario(carriedOut.tableOf(file), scenario));
    const wins = members!.flatMap((own) => others!.map((other) => Number(own > other) + Number(own === other) / 2));
    expect(membership!.auc).toBeCloseTo(mean(wins), 9);
  }
});
