import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { environmentFileSchema } from '../../shared/contracts/cloud/environment-settings.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { sweptRuns } from '../../shared/contracts/settings/sweep-grid.ts';
import { FLAGS_WITH_UTILITY } from '../run-command.ts';
import { QUICK } from './fresh-clone.ts';
import type { Block } from './page-blocks.ts';

const CALIBRATION = ['--targets', '20', '--replicates', '2'];

/** Flags that make the runs of a block short, by command; others take no chains. */
const SMALLER: Readonly<Record<string, readonly string[]>> = {
  evaluate: FLAGS_WITH_UTILITY,
  synthesize: FLAGS_WITH_UTILITY,
  assess: FLAGS_WITH_UTILITY,
  calibrate: [...FLAGS_WITH_UTILITY, ...CALIBRATION],
  'batch plan': FLAGS_WITH_UTILITY,
};

/**
 * The block with flags that make its runs short, put behind the name of each command, of which `npm start` evaluates; no target
 * adds more than a few chains.
 */
export function smaller(block: string): string {
  return block
    .replace(/npm start --/g, (call) => [call, ...SMALLER.evaluate!].join(' '))
    .replace(/(synthrisk|\.tgz) (batch plan|\w+)/g, (call, _, command: string) => [call, ...(SMALLER[command] ?? [])].join(' '))
    .replace(/--reproducibility [\d.]+/g, '$& --max-chains 30');
}

/** What a block of shell came to. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a block of shell in the folder that stands for the clone, as a user would paste it: the first command that fails
 * ends it. npm may ask nothing of a network.
 */
export function runShell(folder: string, block: Block, environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const text = block.manner === 'small' ? smaller(block.text) : block.text;
  const env: NodeJS.ProcessEnv = { ...process.env, npm_config_offline: 'true', ...environment };
  env.npm_config_cache = join(folder, '.cache', 'npm');
  env.PATH = `${join(folder, QUICK)}:${env.PATH}`;
  // What the runner of the tests sets is not there for a user.
  for (const name of Object.keys(env)) if (/^(VITEST|NODE_ENV|npm_(?!config_))/.test(name)) delete env[name];
  return new Promise((done, fail) => {
    const child = spawn('/bin/bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', text], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (printed) => {
        output += printed;
      });
    }
    child.on('error', fail).on('close', (code) => done({ code, output }));
  });
}

/** Name of the file that a block says it is: a comment in its first line, such as `# run.yaml: settings`. */
export const fileName = ({ text }: Block): string | undefined => /^# ([\w./-]+\.ya?ml)\b/.exec(text)?.[1];

/**
 * Holds settings to their schema: those of an environment, of a sweep, or of a run.
 *
 * @throws InvalidConfigError, or what the schema throws
 */
export function checkSettings({ text }: Block): void {
  const settings = parseSettings(new TextEncoder().encode(text), 'the block');
  if ('environment' in settings) environmentFileSchema.parse(parse(text));
  else if ('grid' in settings) for (const run of sweptRuns(settings)) completeConfig(run.settings);
  else completeConfig({ table: 'table.csv' }, settings);
}

/** Saves settings under the name that their block says, as the reader is told to. */
export function saveFile(folder: string, block: Block): void {
  const name = fileName(block);
  if (name === undefined) return;
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), `${block.text}\n`);
}
