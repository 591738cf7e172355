import type { ChainSampler } from '../../shared/model/chains/chain-sampler.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { createMixed } from '../../shared/model/mixed/mixed.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { createReferenceDpmpm } from '../plain/dpmpm-reference.ts';
import { createReferenceMixed } from '../plain/mixed-reference.ts';
import type { BenchTable } from '../tables/bench-table.ts';
import { mixedRows } from '../tables/mixed-rows.ts';
import { compared, type Growth, growth, type Measurement, milliseconds } from './measure.ts';
import { discreteInput, findsCompiler, mixedInput, withTextbookGibbs } from './textbook-gibbs.ts';

const CLASSES = [20, 40, 80];

/** Iterations before the first that is timed: the chain leaves its random start, and the kernel is compiled to the end. */
const BURN_IN = 1000;

const settings = (classes: number) => ({ classes, concentration: { shape: 0.25, rate: 0.25 } });

/** Milliseconds of one iteration, the median over repeats of so many, after a burn-in. */
function iteration(model: ChainSampler, burnIn: number, iterations: number): number {
  const random = new RandomStream(1, 'bench/gibbs');
  let state = model.step(model.init(random), random, burnIn);
  const together = milliseconds(1, () => {
    state = model.step(state, random, iterations);
  });
  return together / iterations;
}

/** One iteration of the sampler against the plain program and, with a compiler, against a textbook in C++. */
export function measureGibbs(table: BenchTable): Measurement[] {
  const { combinations, sizes } = table;
  const kernels = CLASSES.map((classes) => {
    const work = `one iteration, ${table.records} records, ${combinations.count} combinations, ${classes} classes`;
    const kernelMs = iteration(createDpmpm(combinations, sizes, settings(classes)), BURN_IN, 60);
    return { classes, work, kernelMs };
  });
  const plain = kernels.map(({ classes, work, kernelMs }) => {
    const reference = createReferenceDpmpm(combinations, sizes, settings(classes));
    return compared(work, kernelMs, 'plain TypeScript', iteration(reference, 20, 3));
  });
  if (!findsCompiler()) {
    console.error('No g++ found: the ratios to a textbook program in C++ are left out.');
    return plain;
  }
  const textbook = withTextbookGibbs('dpmpm.cpp', (programs) =>
    kernels.flatMap(({ classes, work, kernelMs }) => {
      const input = discreteInput(table, { classes, iterations: 30, repeats: 9 });
      return programs.map((program) => compared(work, kernelMs, program.name, program.milliseconds(input)));
    }),
  );
  return [...plain, ...textbook];
}

/** A table for the model `mixed`, as large as that of a survey of expenditures. */
const MIXED = { rows: 5571, sizes: [4, 6, 2, 9], masses: [1, 0, 0], kinds: 20 };

/** One iteration of the sampler of the model `mixed` against the same programs. */
export function measureMixed(): Measurement[] {
  const table = mixedRows(MIXED, 1);
  const classes = 40;
  const work = `one iteration of the model mixed, ${table.rows} records, ${MIXED.sizes.length} categorical and ${MIXED.masses.length} continuous variables, ${classes} classes`;
  const kernelMs = iteration(createMixed(table, settings(classes)), BURN_IN, 60);
  const plain = compared(work, kernelMs, 'plain TypeScript', iteration(createReferenceMixed(table, settings(classes)), 20, 3));
  if (!findsCompiler()) return [plain];
  const input = mixedInput(table, { classes, iterations: 30, repeats: 9 });
  const textbook = withTextbookGibbs('mixed.cpp', (programs) =>
    programs.map((program) => compared(work, kernelMs, program.name, program.milliseconds(input))),
  );
  return [plain, ...textbook];
}

/** The first so many combinations, with one count for all. */
function reduced({ variables, codes }: Combinations, count: number, records: number): Combinations {
  return { variables, count, codes: codes.subarray(0, count * variables), counts: new Uint32Array(count).fill(records) };
}

/** How the time of an iteration grows with records, combinations and classes, each with the others fixed. */
export function growGibbs({ combinations, sizes }: BenchTable): Growth[] {
  const { count } = combinations;
  const time = (own: Combinations, classes: number) => iteration(createDpmpm(own, sizes, settings(classes)), 100, 20);
  const times = (values: number[], timeOf: (size: number) => number) => values.map((size) => ({ size, milliseconds: timeOf(size) }));
  return [
    growth(
      `one iteration, ${count} combinations, 40 classes`,
      'records',
      times(
        [1, 10, 100, 1000].map((factor) => factor * count),
        (records) => time(reduced(combinations, count, records / count), 40),
      ),
    ),
    growth(
      'one iteration, one record a combination, 40 classes',
      'combinations',
      times(
        [8, 4, 2, 1].map((part) => Math.floor(count / part)),
        (size) => time(reduced(combinations, size, 1), 40),
      ),
    ),
    growth(
      `one iteration, ${count} combinations, one record each`,
      'classes',
      times([20, 40, 80, 160], (classes) => time(reduced(combinations, count, 1), classes)),
    ),
  ];
}
