import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'yaml';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';

/** The survey's continuous variables, as the model `mixed` needs them declared: what they can be, not what the table has. */
export const DECLARED = {
  Age: { type: 'continuous', range: [15, 90] },
  Educ: { type: 'categorical' },
  Expenditure: { type: 'continuous', range: [0, 500_000], scale: 'log', masses: [0], decimals: 4 },
  Income: { type: 'continuous', range: [-200_000, 1_000_000], scale: 'asinh', masses: [0] },
};

/** Where bands begin. */
const BREAKS: Readonly<Record<string, readonly number[]>> = {
  Age: [0, 25, 35, 45, 55, 65, 75],
  Expenditure: [0, 2500, 4000, 6000, 8000, 10_000, 15_000, 25_000],
  Income: [-200_000, 0, 1, 10_000, 20_000, 30_000, 45_000, 60_000, 90_000, 140_000, 250_000],
};

/** What is synthesized: the numbers that Hornby & Hu (2021) take for sensitive, or everything. */
export const SYNTHESIZED = { numbers: ['Expenditure', 'Income'], all: 'all' } as const;
export type Synthesized = keyof typeof SYNTHESIZED;

/** The synthesizers beside each other, each with what its risk needs. */
export const SYNTHESIZERS = ['mixed', 'bands', 'trees'] as const;
export type SynthesizerName = (typeof SYNTHESIZERS)[number];

const MODELS: Record<SynthesizerName, object> = {
  mixed: { model: { name: 'mixed' }, variables: DECLARED },
  bands: {
    model: { name: 'dpmpm' },
    variables: { ...Object.fromEntries(Object.entries(BREAKS).map(([name, breaks]) => [name, { breaks }])), Educ: { type: 'categorical' } },
  },
  trees: {
    model: { name: 'cart', predictors: 'kept' },
    variables: {
      Age: { type: 'continuous' },
      Educ: { type: 'categorical' },
      Expenditure: { type: 'continuous', candidates: { bands: BREAKS.Expenditure } },
      Income: { type: 'continuous', candidates: { bands: BREAKS.Income } },
    },
  },
};

/** Of one release: figures of its own run, and its utility in bands, which all synthesizers have. */
export interface Found {
  readonly summary: Summary;
  readonly inBands: Record<string, number>;
}

/** Runs that a study has; trees synthesize some variables given others, and are not asked for all. */
export const RUNS: readonly (readonly [Synthesized, SynthesizerName])[] = [
  ...SYNTHESIZERS.map((name) => ['numbers', name] as const),
  ['all', 'mixed'],
  ['all', 'bands'],
];

/** Rows of a table or of a dataset with bands in the place of numbers, as a run in bands releases them. */
function inBands(file: string): Uint8Array {
  const [head, ...rows]: string[][] = parse(readFileSync(file), { skip_empty_lines: true });
  const banded = rows.map((row) =>
    row.map((text, column) => {
      const breaks = BREAKS[head![column]!];
      if (breaks === undefined) return text;
      const from = text.startsWith('[') ? Number(/^\[([^,]+),/.exec(text)![1]) : breaks.findLast((own) => own <= Number(text));
      return `from ${from}`;
    }),
  );
  return encodeCsv(head!, banded);
}

/** Carries a release out, unless its folder has it, and measures its utility in bands. */
export async function release(table: string, out: string, [synthesized, name]: (typeof RUNS)[number], number: number): Promise<Found> {
  const folder = join(out, `${synthesized}-${name}-${number}`);
  const run = join(folder, 'run');
  if (!existsSync(join(run, 'confidential', 'report.html'))) {
    mkdirSync(folder, { recursive: true });
    const settings = {
      table,
      ...MODELS[name],
      mcmc: { precision: 'quick' },
      synthesis: { datasets: 5, synthesized: SYNTHESIZED[synthesized] },
      ...(synthesized === 'numbers' && name !== 'bands'
        ? { identification: [{ known: ['Age', 'Urban', 'Marital'], radius: { Age: 0.1, Expenditure: 0.1, Income: 0.1 } }] }
        : {}),
    };
    writeFileSync(join(folder, 'run.yaml'), stringify(settings));
    await runSynthrisk(['evaluate', '--config', join(folder, 'run.yaml'), '--out', run]);
  }
  const utility = join(folder, 'utility');
  if (!existsSync(utility)) await measureInBands(table, folder, run, utility, SYNTHESIZED[synthesized]);
  const { figures } = JSON.parse(readFileSync(join(utility, 'confidential', 'utility.json'), 'utf8'));
  return { summary: readSummary(run), inBands: figures };
}

/** Utility of a run's datasets with all numbers in bands, by the command, beside the table so. */
async function measureInBands(table: string, folder: string, run: string, out: string, synthesized: readonly string[] | 'all') {
  const banded = (file: string, name: string) => {
    const own = join(folder, name);
    writeFileSync(own, inBands(file));
    return own;
  };
  const datasets = readdirSync(join(run, 'release')).filter((file) => /^synthetic-\d+\.csv$/.test(file));
  const files = datasets.map((file) => banded(join(run, 'release', file), `banded-${file}`));
  const args = synthesized === 'all' ? [] : ['--synthesized', synthesized.join(',')];
  const categorical = ['--categorical', 'Educ,Urban,Tenure,Marital'];
  await runSynthrisk(['utility', banded(table, 'banded.csv'), '--synthetic', ...files, ...args, ...categorical, '--out', out]);
}
