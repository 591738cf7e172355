import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MISSING, type MixedRows } from '../../shared/model/mixed/mixed-rows.ts';
import { NORMAL_PRIOR } from '../../shared/model/mixed/normal-prior.ts';
import type { BenchTable } from '../tables/bench-table.ts';

// The bench runs as a bundle in dist/, beside which bench/ lies.
const SOURCES = new URL('../bench/kernels/', import.meta.url);

const COMPILER = 'g++';
const FLAGS = [['-O2'], ['-O3', '-march=native']];

/** A sampler of bench/kernels/ in C++, compiled in one way. */
interface TextbookGibbs {
  readonly name: string;
  /** Milliseconds of CPU an iteration, the median over repeats, after as many iterations to begin with. */
  milliseconds(input: string): number;
}

/** How long a chain of a textbook program runs. */
interface TextbookChain {
  readonly classes: number;
  readonly iterations: number;
  readonly repeats: number;
}

/** Whether there is a C++ compiler. */
export function findsCompiler(): boolean {
  return spawnSync(COMPILER, ['--version']).status === 0;
}

/** What bench/kernels/dpmpm.cpp reads. */
export function discreteInput({ combinations, sizes, records }: BenchTable, { classes, iterations, repeats }: TextbookChain): string {
  const { variables, count, codes, counts } = combinations;
  const lines: string[] = [];
  for (let r = 0; r < count; r++) {
    const line = codes.subarray(r * variables, (r + 1) * variables).join(' ');
    for (let i = 0; i < counts[r]!; i++) lines.push(line);
  }
  if (lines.length !== records) throw new Error('every record has one combination');
  const header = [records, sizes.length, classes, iterations, repeats, 1].join(' ');
  return `${header}\n${sizes.join(' ')}\n${lines.join('\n')}\n`;
}

/** What bench/kernels/mixed.cpp reads. */
export function mixedInput({ rows, sizes, codes, continuous, values }: MixedRows, { classes, iterations, repeats }: TextbookChain): string {
  const { kappa, shape, rate } = NORMAL_PRIOR;
  const lines = Array.from({ length: rows }, (_, row) => {
    const own = sizes.map((__, k) => codes[k * rows + row]!).map((code) => (code === MISSING ? -1 : code));
    return [...own, ...continuous.map((__, j) => values[j * rows + row])].join(' ');
  });
  const header = [rows, sizes.length, continuous.length, classes, iterations, repeats, 1, kappa, shape, rate].join(' ');
  return `${header}\n${sizes.join(' ')}\n${continuous.map(({ smallest }) => smallest).join(' ')}\n${lines.join('\n')}\n`;
}

/** Compiles a textbook program with each set of flags and hands it to `use`; the binaries are gone after it. */
export function withTextbookGibbs<Result>(source: 'dpmpm.cpp' | 'mixed.cpp', use: (programs: TextbookGibbs[]) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-bench-'));
  try {
    return use(
      FLAGS.map((flags, i) => {
        const binary = join(folder, `sampler-${i}`);
        execFileSync(COMPILER, [...flags, '-o', binary, fileURLToPath(new URL(source, SOURCES))], { stdio: 'inherit' });
        return {
          name: `textbook C++, ${COMPILER} ${flags.join(' ')}`,
          milliseconds: (input) => Number(execFileSync(binary, { input }).toString().split(' ')[0]),
        };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
