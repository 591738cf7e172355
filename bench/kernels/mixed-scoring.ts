import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createMixed } from '../../shared/model/mixed/mixed.ts';
import { NORMAL_PRIOR } from '../../shared/model/mixed/normal-prior.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createMixedScorer } from '../../shared/risk/mixed/mixed-scorer.ts';
import { mixedSpace } from '../../shared/risk/mixed/mixed-space.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { createReferenceMixedScorer } from '../plain/mixed-scorer-reference.ts';
import { besideColumns, mixedRows } from '../tables/mixed-rows.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';

/** A table for the model `mixed`, and how many of its records are scored together, as in a batch of a run. */
const TABLE = { rows: 5571, sizes: [4, 6, 2, 9], masses: [1, 0], kinds: 20 };
const SCORED = 500;
const CLASSES = 20;
const DRAWS = 10;
const CELLS = 64;

const identity = { toUnit: (value: number) => value, fromUnit: (unit: number) => unit };

/**
 * Scoring all candidates of records with continuous variables, alone, beside a dataset of the same values and as rows that are not in the table,
 * against the plain program.
 */
export function measureMixedScoring(): Measurement[] {
  const all = mixedRows(TABLE, 1);
  const continuous = [...all.continuous.keys()];
  const first = <Values extends Uint16Array | Float64Array>(values: Values, columns: number): Values => {
    const some = new (values.constructor as new (length: number) => Values)(columns * SCORED);
    for (let c = 0; c < columns; c++) some.set(values.subarray(c * all.rows, c * all.rows + SCORED), c * SCORED);
    return some;
  };
  const rows = { ...all, rows: SCORED, codes: first(all.codes, all.sizes.length), values: first(all.values, TABLE.masses.length) };
  const space = mixedSpace(
    candidateSpace('one-change', [], TABLE.sizes),
    TABLE.masses.map((count, part) => ({
      part,
      masses: Array.from({ length: count }, (_, m) => -1 - m),
      decimals: 2,
      scale: identity,
      cells: CELLS,
      within: { share: 0.1 },
    })),
  );
  const model = { sizes: all.sizes, continuous: all.continuous, prior: NORMAL_PRIOR };
  const parts = [...TABLE.sizes.keys()];
  const length = SCORED * space.perRecord;
  const schedule = { burnIn: 100, draws: DRAWS, thin: 1, keepAllocation: SCORED };
  return [
    { name: '', table: all, beside: null },
    { name: ' beside a dataset', table: besideColumns(all, all, { parts: [...all.sizes.keys()], continuous }), beside: rows },
    { name: ' that are not in the table', table: all, beside: 'outside' as const },
  ].map(({ name, table, beside }) => {
    const chain = createMixed(table, { classes: CLASSES, concentration: { shape: 0.25, rate: 0.25 } });
    const random = new RandomStream(1, 'bench/mixed-scoring');
    const { draws } = sampleChain(chain, chain.init(random), random, schedule, { name: 'bench' });
    const kernel = createMixedScorer(space, model, rows, parts, beside);
    const plain = createReferenceMixedScorer(space, model, rows, parts, beside);
    const kernelMs = milliseconds(3, () => ratioMeans(kernel, draws, length));
    return compared(
      `score ${SCORED} records of the model mixed${name}, ${space.perRecord} candidates, ${continuous.length} continuous variables, ${CLASSES} classes, ${DRAWS} draws`,
      kernelMs,
      'plain TypeScript',
      milliseconds(1, () => ratioMeans(plain, draws, length)),
    );
  });
}
