import { arealCells, arealParameters } from '../../shared/model/dp-areal/cells.ts';
import { createDpAreal } from '../../shared/model/dp-areal/dp-areal.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { patternCounts } from '../../shared/table/pattern-counts.ts';
import { type CountedTable, countedTable } from '../tables/counted-table.ts';
import { compared, type Growth, growth, type Measurement, milliseconds } from './measure.ts';
import { iteratePlainly } from './plain-areal.ts';

/** That of Hu & Savitsky (2018). */
const CLUSTERS = 50;
const CATEGORIES = 11;
const CONCENTRATION = { shape: 1, rate: 1 };

/** After so many iterations most clusters of the start have emptied. */
const BURN_IN = 300;

/** The model on a table, its cells, and a chain past its burn-in. */
function chainOn({ combinations, sizes }: CountedTable, clusters: number) {
  const synthesized = [sizes.length - 1];
  const model = createDpAreal(combinations, sizes, synthesized, { clusters, concentration: CONCENTRATION });
  const random = new RandomStream(1, 'bench/dp-areal');
  const state = model.step(model.init(random), random, BURN_IN);
  const cells = arealCells(patternCounts(combinations, sizes, synthesized), sizes, clusters);
  return { model, cells, random, state };
}

function iterationMilliseconds(table: CountedTable, clusters: number): number {
  const { model, random, state } = chainOn(table, clusters);
  let now = state;
  const iterations = 5;
  const calls = milliseconds(2, () => {
    now = model.step(now, random, iterations);
  });
  return calls / iterations;
}

/** An iteration of DP-areal against the program that takes every step cell by cell with all clusters. */
export function measureAreal(): Measurement[] {
  const table = countedTable(CATEGORIES);
  const { cells, random, state } = chainOn(table, CLUSTERS);
  const parameters = arealParameters(state.latent!.slice(), cells);
  let alpha = state.concentration;
  return [
    compared(
      `an iteration of DP-areal, ${table.cells} cells, ${CLUSTERS} clusters`,
      iterationMilliseconds(table, CLUSTERS),
      'plain TypeScript, every density anew',
      milliseconds(1, () => {
        alpha = iteratePlainly(cells, parameters, alpha, random);
      }),
    ),
  ];
}

/** How the time of an iteration grows with cells, and with clusters. */
export function growAreal(): Growth[] {
  return [
    growth(
      `an iteration of DP-areal, ${CLUSTERS} clusters`,
      'cells',
      [6, 12, 24, 48, 96].map((categories) => {
        const table = countedTable(categories);
        return { size: table.cells, milliseconds: iterationMilliseconds(table, CLUSTERS) };
      }),
    ),
    growth(
      `an iteration of DP-areal, ${countedTable(CATEGORIES).cells} cells`,
      'clusters',
      [12, 25, 50, 100, 200].map((clusters) => ({
        size: clusters,
        milliseconds: iterationMilliseconds(countedTable(CATEGORIES), clusters),
      })),
    ),
  ];
}
