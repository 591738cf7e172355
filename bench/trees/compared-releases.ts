import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Summary } from '../../shared/contracts/results/summary.ts';

/** The program, as `npm run build` leaves it beside the bundle of this study. */
const program = fileURLToPath(new URL('./synthrisk.mjs', import.meta.url));

/** A table of which one variable is synthesized, and who matches its records. */
export interface ComparedTable {
  readonly name: string;
  readonly path: string;
  readonly synthesized: string;
  /** Settings of `variables` in the config. */
  readonly variables: Readonly<Record<string, object>>;
  readonly known: readonly string[];
}

/** A way of synthesizing: settings of `model`, the number of datasets, and `mcmc` of models with chains. */
export interface ComparedWay {
  readonly name: string;
  readonly model: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly datasets: number;
  readonly mcmc?: Readonly<Record<string, unknown>>;
  /** Whether attribute risk can be measured of it; default: yes. */
  readonly attributeRisk?: boolean;
}

/** Where summaries are kept, so that what is there is not run again, and whether what is not there is run. */
export interface Kept {
  readonly folder: string;
  readonly run: boolean;
}

/** Utility on so many records, by what tells most for its time. */
const UTILITY = { ways: [1, 2], propensity: ['main', 'pairs'], records: 3000 };

/**
 * Evaluates a table under one way of synthesizing, as the command does, and gives its summary; null where nothing is run
 * and none is kept.
 *
 * @throws Error when the program fails, with what it said
 */
export function evaluateWay(table: ComparedTable, way: ComparedWay, { folder, run }: Kept): Summary | null {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${table.name} ${way.name}`.replaceAll(/[^a-zA-Z0-9.-]+/g, '-').concat('.json'));
  if (!existsSync(file)) {
    if (!run) return null;
    writeFileSync(file, runWay(table, way));
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function runWay({ path, synthesized, variables, known }: ComparedTable, way: ComparedWay): string {
  const directory = mkdtempSync(join(tmpdir(), 'bench-trees-'));
  try {
    const config = join(directory, 'config.yaml');
    writeFileSync(
      config,
      stringify({
        variables,
        model: way.model,
        ...(way.mcmc ? { mcmc: way.mcmc } : {}),
        synthesis: { datasets: way.datasets, synthesized: [synthesized], missing: 'category' },
        ...(way.attributeRisk === false ? {} : { attributeRisk: { candidates: { unknown: [synthesized] } } }),
        identification: [{ known }],
        utility: UTILITY,
      }),
    );
    const args = [...['evaluate', path, '--config', config, '--out', join(directory, 'run')], ...['--jobs', '1', '--json', '--quiet']];
    // One batch: each grows the trees for itself.
    const batch = way.model.name === 'cart' ? ['--batch-size', '1000000'] : [];
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, ...batch], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`${way.name}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
