import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchTable } from '../tables/bench-table.ts';

// The bench runs as a bundle in dist/, beside which bench/ lies.
const SOURCE = fileURLToPath(new URL('../bench/kernels/dpmpm.cpp', import.meta.url));

const COMPILER = 'g++';
const FLAGS = [['-O2'], ['-O3', '-march=native']];

/** The sampler of bench/kernels/dpmpm.cpp, compiled in one way. */
export interface TextbookGibbs {
  readonly name: string;
  /** Milliseconds of CPU an iteration, the median over repeats, after as many iterations to begin with. */
  milliseconds(table: BenchTable, classes: number, iterations: number, repeats: number): number;
}

/** Whether there is a C++ compiler. */
export function findsCompiler(): boolean {
  return spawnSync(COMPILER, ['--version']).status === 0;
}

function expandedRecords({ combinations, sizes, records }: BenchTable): string {
  const { variables, count, codes, counts } = combinations;
  const lines: string[] = [];
  for (let r = 0; r < count; r++) {
    const line = codes.subarray(r * variables, (r + 1) * variables).join(' ');
    for (let i = 0; i < counts[r]!; i++) lines.push(line);
  }
  if (lines.length !== records) throw new Error('every record has one combination');
  return `${sizes.join(' ')}\n${lines.join('\n')}\n`;
}

/** Compiles the textbook program with each set of flags and hands it to `use`; the binaries are gone after it. */
export function withTextbookGibbs<Result>(use: (programs: TextbookGibbs[]) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-bench-'));
  try {
    return use(
      FLAGS.map((flags, i) => {
        const binary = join(folder, `dpmpm-${i}`);
        execFileSync(COMPILER, [...flags, '-o', binary, SOURCE], { stdio: 'inherit' });
        return {
          name: `textbook C++, ${COMPILER} ${flags.join(' ')}`,
          milliseconds(table, classes, iterations, repeats) {
            const header = [table.records, table.sizes.length, classes, iterations, repeats, 1].join(' ');
            const input = `${header}\n${expandedRecords(table)}`;
            return Number(execFileSync(binary, { input }).toString().split(' ')[0]);
          },
        };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
