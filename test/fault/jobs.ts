import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  CATEGORY_TREE_SETTINGS,
  COUNT_SETTINGS,
  MIXED_SETTINGS,
  mixedTable,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from '../pipeline/small-run.ts';
import { type Outcome, synthrisk } from '../run-command.ts';

/** Something that a person has done by the command line, in a folder, and that goes on after it was broken off. */
export interface Job {
  readonly name: string;
  /** Commands that end in the results, one after the other; `again` holds what is added where one was broken off. */
  readonly commands: (out: string) => AsyncGenerator<readonly string[], void, Outcome> | Generator<readonly string[], void, Outcome>;
  readonly again: readonly string[];
  /** Whether it reads the runs `released` and `released-again`. */
  readonly ofRun?: boolean;
}

const settings: Record<string, object> = {
  dpmpm: SMALL_SETTINGS,
  rounds: { utility: 'off', ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, reproducibility: 0.9999, maxChains: 8 } },
  knowledge: {
    utility: 'off',
    ...SMALL_SETTINGS,
    attributeRisk: { phi: 'integrated', scenarios: [{ name: 'half', knows: { share: 0.5 } }] },
  },
  partial: {
    utility: 'off',
    ...SMALL_SETTINGS,
    synthesis: { datasets: 2, synthesized: ['education'] },
    identification: [{ known: ['region'] }],
  },
  mixed: MIXED_SETTINGS,
  areal: {
    utility: 'off',
    ...SMALL_SETTINGS,
    model: { name: 'dp-areal', clusters: 8 },
    synthesis: { datasets: 2, synthesized: ['region'] },
  },
  trees: CATEGORY_TREE_SETTINGS,
  numbers: TREE_SETTINGS,
  counts: COUNT_SETTINGS,
  cells: { utility: 'off', ...SMALL_SETTINGS, attributeRisk: { candidates: 'all-cells' } },
  importance: { utility: 'off', ...SMALL_SETTINGS, attributeRisk: { estimator: 'importance' } },
};
const MIXED = new Set(['mixed', 'trees', 'numbers']);

const config = (name: string) => [MIXED.has(name) ? 'mixed.csv' : 'table.csv', '--config', `${name}.yaml`];

/** One command that goes on by `--resume`. */
const one = (name: string, ...args: readonly string[]): Job => ({
  name,
  *commands(out) {
    yield [...args, '--quiet', '--jobs', '1', '--out', out];
  },
  again: ['--resume'],
});

const evaluations = Object.keys(settings).map((name) => one(`evaluate-${name}`, 'evaluate', ...config(name)));

const SYNTHETIC = ['--synthetic', 'released/release/synthetic-1.csv', 'released/release/synthetic-2.csv'];

const batch: Job = {
  name: 'batch',
  async *commands(out) {
    yield ['batch', 'plan', ...config('dpmpm'), '--out', out];
    for (;;) {
      const { code, stdout } = yield ['batch', 'list', out, '--json'];
      if (code !== 0) return;
      const { status, tasks } = JSON.parse(stdout);
      if (status === 'finished') return;
      if (status === 'tasks') yield ['batch', 'run', out, tasks.join(','), '--jobs', '1', '--quiet'];
      else yield ['batch', 'close', out, '--quiet'];
    }
  },
  again: [],
};

/** Every long command, and every synthesizer. */
export const JOBS: readonly Job[] = [
  ...evaluations,
  one('synthesize', 'synthesize', ...config('dpmpm')),
  one('synthesize-trees', 'synthesize', ...config('trees')),
  { ...one('assess', 'assess', ...config('dpmpm'), ...SYNTHETIC), ofRun: true },
  { ...one('assess-run', 'assess', 'table.csv', '--run', 'released'), ofRun: true },
  one('calibrate', 'calibrate', ...config('dpmpm'), '--targets', '6', '--replicates', '2'),
  one('sweep', 'sweep', '--config', 'grid.yaml'),
  { ...one('remedies', 'remedies', 'released-again', '--table', 'table.csv', '--datasets', '1'), ofRun: true },
  { ...one('reassess', 'reassess', 'released-again', '--unknown', 'education', '--prior', 'empirical'), ofRun: true },
  batch,
];

/** Writes what jobs read into a folder. */
export async function writeInputs(directory: string, jobs: readonly Job[]): Promise<void> {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'table.csv'), smallTable({ records: 40 }));
  writeFileSync(join(directory, 'mixed.csv'), mixedTable({ records: 40 }));
  for (const [name, value] of Object.entries(settings)) writeFileSync(join(directory, `${name}.yaml`), stringify(value));
  const grid = { model: SMALL_SETTINGS.model, mcmc: SMALL_SETTINGS.mcmc, table: 'table.csv', utility: 'off', grid: { datasets: [1, 2] } };
  writeFileSync(join(directory, 'grid.yaml'), stringify(grid));
  for (const out of jobs.some(({ ofRun }) => ofRun) ? ['released', 'released-again'] : []) {
    const { code, stderr } = await synthrisk(directory, ['evaluate', ...config('dpmpm'), '--quiet', '--no-utility', '--out', out]);
    if (code !== 0) throw new Error(stderr);
  }
}
