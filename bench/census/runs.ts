import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'yaml';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';
import { CLASSES, DATASETS, SEED, UNKNOWN } from './setting.ts';

/** Intruders, the first as in Hu et al. (2014), section 4.2. */
export const SCENARIOS = {
  change: 'one change',
  unknown: 'three values unknown',
  modelled: 'three values unknown, prior of the model',
} as const;

/** What a run says of every combination, in order of first appearance in the table. */
export interface RunRisk {
  readonly count: Float64Array;
  readonly rank: Float64Array;
  readonly probability: Float64Array;
  readonly effectiveDraws: Float64Array;
  readonly priorOddsToFirst: Float64Array;
}

/** A run of the study: its folder, the figures of the file, and the risk under its scenarios. */
export interface CensusRun {
  readonly folder: string;
  readonly summary: Summary;
  /** Under the first scenario. */
  readonly change: RunRisk;
  /** Under the second; of no rows where the run has one scenario alone. */
  readonly unknown: RunRisk;
}

/** The runs of the study, all of one release. */
export interface CensusRuns {
  readonly augmented: readonly [CensusRun, CensusRun];
  readonly importance: readonly [CensusRun, CensusRun];
}

/**
 * Carries the runs of the study out by the command line, or reads those that have finished: a release with five datasets
 * from one chain, as in Hu et al. (2014), assessed twice by `augmented` and twice by the published estimator, each time with fresh
 * chains.
 *
 * @param out a folder that is there, for the folders of the runs
 */
export async function censusRuns({ table, out, jobs }: { table: string; out: string; jobs: number }): Promise<CensusRuns> {
  const releaseKey = join(out, 'release-key');
  if (!existsSync(releaseKey)) writeFileSync(releaseKey, encodeKey(studyKey()));
  const run = async (command: string, name: string, attributeRisk: object, ...flags: string[]) => {
    const folder = join(out, name);
    const config = join(out, `${name}.yaml`);
    writeFileSync(config, stringify({ ...SETTINGS, attributeRisk }));
    const common = ['--config', config, '--out', folder, '--jobs', `${jobs}`, '--resume'];
    await runSynthrisk([command, table, ...common, ...flags]);
    console.log(`${name}: assessed`);
    return readRun(folder);
  };
  const first = await run('evaluate', 'augmented-1', { scenarios: ALL }, '--release-key', releaseKey);
  const again = (name: string, seed: number, attributeRisk: object) =>
    run('assess', name, attributeRisk, '--run', first.folder, '--seed', `${seed}`);
  const scenarios = ALL.slice(0, 1);
  // The first run scores phi integrated out, which importance weights are not of.
  const published = { estimator: 'importance', phi: 'drawn', scenarios };
  return {
    augmented: [first, await again('augmented-2', SEED + 1, { scenarios })],
    importance: [await again('importance-1', SEED, published), await again('importance-2', SEED + 1, published)],
  };
}

const UNKNOWN_VALUES = { unknown: UNKNOWN };

/** All scenarios, of which only the first run has more than one. */
const ALL = [
  { name: SCENARIOS.change, candidates: 'one-change' },
  { name: SCENARIOS.unknown, candidates: UNKNOWN_VALUES },
  { name: SCENARIOS.modelled, candidates: UNKNOWN_VALUES, prior: 'model' },
];

/** What all runs have in common. */
const SETTINGS = {
  seed: SEED,
  model: { name: 'dpmpm', classes: CLASSES },
  // No rounds: every evaluation is to have as many chains as the others.
  mcmc: { reproducibility: 'off' },
  synthesis: { datasets: DATASETS, chains: 'one' },
};

/** The table is public, so that the key of the study may be: it makes the same release every time. */
function studyKey(): Uint8Array {
  const random = new RandomStream(SEED, 'census/release-key');
  return Uint8Array.from({ length: 32 }, () => random.below(256));
}

/** Reads a finished run in its folder. */
function readRun(folder: string): CensusRun {
  const read = (file: string) => readFileSync(join(folder, 'confidential', file));
  const rows: Record<string, string>[] = parse(read('attribute-risk.csv'), { columns: true });
  return { folder, summary: readSummary(folder), change: riskOf(rows, SCENARIOS.change), unknown: riskOf(rows, SCENARIOS.unknown) };
}

function riskOf(rows: readonly Record<string, string>[], scenario: string): RunRisk {
  const own = rows.filter((row) => row.scenario === scenario);
  const column = (name: string) => Float64Array.from(own, (row) => Number(row[name]));
  return {
    count: column('count'),
    rank: column('rank'),
    probability: column('probability'),
    effectiveDraws: column('effective_draws'),
    priorOddsToFirst: column('prior_odds_to_first'),
  };
}
