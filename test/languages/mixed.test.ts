import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { runNumpy } from './programs.ts';

const directory = temporaryFolder();
const at = (...path: string[]) => join(directory, ...path);
const MIXED = fileURLToPath(new URL('exact/mixed.py', import.meta.url));

/** Standard errors by which a figure may differ, and bits by which that of a record may, which has none. */
const BOUND = 4;
const BITS = 0.05;

const FIGURES = ['gain_bits', 'within_before', 'within_after'] as const;
type Exact = Readonly<Record<'exact' | 'fewer', readonly Readonly<Record<(typeof FIGURES)[number], number>>[]>>;

it('what thirteen records have of a continuous variable is what a program in Python finds by enumeration', async () => {
  const config = {
    model: { name: 'mixed', classes: 2, concentration: { value: 0.7 }, meanRecords: 0.1, variance: { shape: 2, rate: 0.01 } },
    mcmc: { chains: 32, burnIn: 50, draws: 250, thin: 2, pairedChains: 32, pairedDraws: 250, pairedThin: 4 },
    synthesis: { datasets: 2, synthesized: ['level', 'income'] },
    utility: 'off',
    variables: {
      level: { categories: ['a', 'b', 'c'] },
      group: { categories: ['x', 'y'] },
      income: { type: 'continuous', range: [0, 400], scale: 'sqrt', masses: [0], cells: 24, within: { share: 0.3 } },
    },
  };
  // No fewer than twelve different numbers are taken for continuous.
  const rows = [
    ...(['a x 0', 'b y 90', 'a x 120', 'c y 310', 'b x 45', 'a y 150', 'c x 260'] as const),
    ...(['b x 21', 'a y 199', 'c y 333', 'a x 75', 'c x 222', 'b y 61'] as const),
  ].map((row) => row.split(' '));
  writeFileSync(at('table.csv'), encodeCsv(['level', 'group', 'income'], rows));
  writeFileSync(at('config.json'), JSON.stringify(config));
  const run = 'run';
  const { code, stderr } = await synthrisk(directory, ['evaluate', 'table.csv', '--config', 'config.json', '--out', run, '--quiet']);
  expect(code, stderr).toBe(0);
  const python = runNumpy(MIXED, at(run), at('table.csv'), at('config.json'));
  expect(python, python.output).toMatchObject({ code: 0 });
  const { exact, fewer }: Exact = JSON.parse(python.output);
  const [header, ...lines] = csvRows(readFileSync(at(run, 'confidential', 'continuous-risk.csv'))) as [string[], ...string[][]];
  expect(lines).toHaveLength(rows.length);
  const of = (row: number, column: string) => Number(lines[row]![header.indexOf(column)]);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { continuousVariables } = summarySchema.parse(JSON.parse(readFileSync(at(run, 'confidential', 'summary.json'), 'utf8')))
    .attributeRisk[0]!;
  const [income] = continuousVariables!;
  /** By how many errors the file and the worst record differ. */
  const apart = (expected: Exact['exact']) => ({
    within: Math.max(...expected.map((own, row) => Math.abs(of(row, 'within_after') - own.within_after) / of(row, 'within_se'))),
    gain: Math.abs(income!.gainBitsMean - mean(expected.map((own) => own.gain_bits))) / income!.gainBitsMeanSimulationSe!,
    bits: Math.max(...expected.map((own, row) => Math.abs(of(row, 'gain_bits') - own.gain_bits))),
  });
  const found = apart(exact);
  process.stdout.write(`mixed: ${JSON.stringify(found)}, with one dataset fewer ${JSON.stringify(apart(fewer))}\n`);
  expect(found.within).toBeLessThan(BOUND);
  expect(found.gain).toBeLessThan(BOUND);
  expect(found.bits).toBeLessThan(BITS);
  for (const [row, own] of exact.entries()) expect(of(row, 'within_before')).toBeCloseTo(own.within_before, 1);
  // The test would notice a dataset that is left out.
  expect(apart(fewer).within).toBeGreaterThan(BOUND);
  expect(apart(fewer).bits).toBeGreaterThan(BITS);
}, 120_000);
