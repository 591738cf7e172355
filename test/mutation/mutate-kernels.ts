/**
 * Changes the kernels in one place at a time, builds them and looks whether their tests notice: npm run test:mutation:kernels
 * [-- --mutants 8 --seed 1 --folder ratios]. All happens in a copy of the project, which is removed afterwards.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { kernelMutants } from './kernel-mutants.ts';

/** The narrowest tests of the kernels of a folder. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  cells: ['test/kernels/cells'],
  evaluator: ['test/kernels/evaluator'],
  math: ['test/kernels/math', 'test/kernels/neighbours'],
  neighbours: ['test/kernels/neighbours'],
  random: ['test/kernels/sampler'],
  ratios: ['test/kernels/ratios'],
  sampler: ['test/kernels/sampler'],
};
/** A change may make a loop endless: it is stopped after this many times what the tests take, and a minute for a busy machine. */
const PATIENCE = 4;

const { values: asked } = parseArgs({
  options: { mutants: { type: 'string', default: '8' }, seed: { type: 'string', default: '1' }, folder: { type: 'string' } },
});
const project = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'kernel-mutants-'));
const binaries = join(copy, 'shared/numeric/kernel-binaries.ts');

/** Runs a program of Node's in the copy. */
const run = (limit: number, ...given: string[]) =>
  spawnSync(process.execPath, given, { cwd: copy, stdio: 'ignore', timeout: limit, killSignal: 'SIGKILL' });
const build = () => run(600_000, 'scripts/build-kernels.mjs').status === 0;
// Threads, so that an endless loop ends with its process.
const test = (tests: readonly string[], limit: number) =>
  run(limit, 'node_modules/vitest/vitest.mjs', 'run', ...tests, '--bail', '1', '--maxWorkers', '1', '--pool', 'threads');

/** Changes of all sources of a folder, in an order by chance. */
function shuffledMutants(folder: string) {
  const files = readdirSync(join(project, 'kernels', folder)).map((name) => join('kernels', folder, name));
  const mutants = files.flatMap((file) => kernelMutants(readFileSync(join(project, file), 'utf8')).map((one) => ({ file, ...one })));
  const random = new RandomStream(Number(asked.seed), `kernels/${folder}`);
  for (let i = mutants.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [mutants[i], mutants[j]] = [mutants[j]!, mutants[i]!];
  }
  return mutants;
}

/** Runs so many changes of a folder that build and make another binary, and says how each fared. */
function mutateFolder(folder: string, tests: readonly string[]): string {
  const begun = Date.now();
  if (test(tests, 600_000).status !== 0) throw new Error(`the tests of kernels/${folder} fail without any change`);
  const limit = PATIENCE * (Date.now() - begun) + 60_000;
  const unchanged = readFileSync(binaries, 'utf8');
  const counts = { killed: 0, 'out of time': 0, survived: 0, 'same binary': 0, 'not built': 0 };
  for (const { file, kind, line, before, after, source } of shuffledMutants(folder)) {
    if (counts.killed + counts['out of time'] + counts.survived === Number(asked.mutants)) break;
    writeFileSync(join(copy, file), source);
    let fate: keyof typeof counts = 'not built';
    if (build()) {
      if (readFileSync(binaries, 'utf8') === unchanged) fate = 'same binary';
      else {
        const { status } = test(tests, limit);
        fate = status === null ? 'out of time' : status === 0 ? 'survived' : 'killed';
      }
    }
    counts[fate]++;
    console.log(`${fate.padEnd(12)} ${file}:${line} ${kind}: ${before} -> ${after || 'nothing'}`);
    cpSync(join(project, file), join(copy, file));
  }
  writeFileSync(binaries, unchanged);
  return `${folder}: ${Object.entries(counts)
    .map(([fate, count]) => `${count} ${fate}`)
    .join(', ')}`;
}

try {
  const left = new Set(['node_modules', '.git', '.cache', 'dist', 'docs']);
  cpSync(project, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  const folders = Object.entries(TESTS).filter(([folder]) => asked.folder === undefined || folder === asked.folder);
  const totals = folders.map(([folder, tests]) => mutateFolder(folder, tests));
  console.log(['', ...totals].join('\n'));
} finally {
  rmSync(copy, { recursive: true });
}
