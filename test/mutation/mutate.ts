/**
 * Changes the code of folders in one place at a time and looks whether a test notices (Stryker):
 * npm run test:mutation -- --sample 60 --seed 2 shared/risk/intruder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { filesOf, reachingTests, readSources } from './reaching-tests.ts';

const REPORTS = '.cache/mutation';
const GENERATED = 'shared/numeric/kernel-binaries.ts';

const { values: asked, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '2' },
    tests: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

interface VitestReport {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly { readonly duration?: number | null }[] }[];
}

/** What files of tests take in seconds, without any change; what is known from earlier runs is not run again. */
function secondsOf(tests: readonly string[]): (test: string) => number {
  const kept = `${REPORTS}/seconds.json`;
  const known: Record<string, number> = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  const unknown = tests.filter((test) => known[test] === undefined);
  if (unknown.length > 0) {
    mkdirSync(REPORTS, { recursive: true });
    const report = `${REPORTS}/timed.json`;
    rmSync(report, { force: true });
    const given = ['run', ...unknown, '--maxWorkers', '1', '--reporter', 'json', '--outputFile', report];
    const { status } = spawnSync('node_modules/.bin/vitest', given, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('the tests fail without any change');
    const { testResults }: VitestReport = JSON.parse(readFileSync(report, 'utf8'));
    for (const { name, assertionResults } of testResults) {
      known[relative('.', name)] = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0) / 1000, 0);
    }
    writeFileSync(kept, JSON.stringify(known, null, 1));
  }
  return (test) => known[test] ?? Infinity;
}

/** Runs the changes of one folder or file; its report keeps the folder's name, for `--again`. */
function mutate(folder: string): number {
  const sources = readSources(['shared', 'cli', 'functions', 'test']);
  const reached = asked.tests?.split(',') ?? reachingTests(sources, folder, Number(asked.steps));
  const seconds = secondsOf(reached);
  const tests = reached.filter((test) => seconds(test) <= Number(asked.seconds));
  if (tests.length === 0) throw new Error(`no test comes to ${folder}: --steps 1 looks farther, --seconds 60 takes slower ones`);
  const report = `${REPORTS}/${folder.replaceAll('/', '-')}-${asked.sample ?? 'all'}-${asked.seed}`;
  console.log(`${folder}: ${tests.length} files of tests, ${reached.length - tests.length} too slow`);
  const files = filesOf(sources, folder).filter((file) => file !== GENERATED);
  const { status } = spawnSync('node_modules/.bin/stryker', ['run', '--mutate', files.join(',')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTANT_TESTS: tests.join(','),
      MUTANT_SEED: asked.seed,
      ...(asked.sample && { MUTANT_SAMPLE: asked.sample }),
      MUTANT_REPORT: asked.again ? `${report}-again` : report,
      ...(asked.again && { UNDETECTED_IN: `${report}.json` }),
    },
  });
  return status ?? 1;
}

process.exitCode = Math.max(...positionals.map(mutate));
