import { categoricalFromSums } from '../../random/distributions.ts';
import { normalWithin } from '../../random/normal-within.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { ChainState } from '../chains/chain-sampler.ts';
import { categorySums, runningSums } from '../dpmpm/dpmpm-synthesis.ts';
import type { MixedSampler } from './mixed.ts';
import { normalParameters } from './mixed-draws.ts';
import { type ContinuousPart, MISSING, type MixedRows } from './mixed-rows.ts';

type Parameters = Pick<ChainState, 'weights' | 'probabilities' | 'latent'>;

/** Variables by their places in the model's view; the indicator of a continuous variable goes with it, and need not be named. */
export interface MixedVariables {
  readonly parts: readonly number[];
  readonly continuous: readonly number[];
}

/** What draws the values of a class. */
function valuesOfClasses(state: Parameters, sizes: readonly number[], random: RandomSource) {
  const sums = categorySums(state, sizes);
  const normals = normalParameters(state);
  return {
    category: (k: number, f: number) => categoricalFromSums(random, sums[k]!, f * sizes[k]!, sizes[k]!),
    value: (j: number, f: number) => normalWithin(random, normals[j]!.means[f]!, Math.sqrt(normals[j]!.variances[f]!)),
  };
}

/**
 * Fully synthetic rows drawn from one draw of the parameters: a class from pi, then every category from its phi and every
 * value from its normal in that class. A value outside of the declared range is drawn again, from the same class; where an
 * indicator says that a mass holds it, there is none.
 */
export function synthesizeMixed(
  state: Parameters,
  { sizes, continuous }: Pick<MixedRows, 'sizes' | 'continuous'>,
  rows: number,
  random: RandomSource,
): MixedRows {
  const { category, value } = valuesOfClasses(state, sizes, random);
  const classSums = runningSums(state.weights);
  const codes = new Uint16Array(sizes.length * rows);
  const values = new Float64Array(continuous.length * rows).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    const f = categoricalFromSums(random, classSums, 0, classSums.length);
    for (let k = 0; k < sizes.length; k++) codes[k * rows + row] = category(k, f);
    for (const [j, { indicator }] of continuous.entries()) {
      if (isNormal(codes, rows, indicator, row)) values[j * rows + row] = value(j, f);
    }
  }
  return { rows, sizes, codes, continuous, values };
}

/** Whether the normal holds a value, not a mass. */
const isNormal = (codes: Uint16Array, rows: number, indicator: number | null, row: number) =>
  indicator === null || codes[indicator * rows + row] === 0;

/** The parts of variables, with the indicators of the continuous ones. */
function withIndicators({ parts, continuous }: MixedVariables, of: readonly ContinuousPart[]): number[] {
  return [...parts, ...continuous.map((j) => of[j]!.indicator).filter((indicator) => indicator !== null)];
}

/**
 * Partially synthetic rows drawn from one draw of the parameters: for each row a class given all its values, then its
 * synthesized values from that class, as in {@link synthesizeMixed}, independently of its own ones
 * (docs/explanation/estimators.md, partial synthesis). Other values stay as they are.
 *
 * @param model bound to these rows
 * @param completed further variables, whose missing values are filled in from the class
 */
export function synthesizeMixedFromOwnClass(
  model: MixedSampler,
  state: ChainState,
  table: MixedRows,
  { synthesized, completed }: { readonly synthesized: MixedVariables; readonly completed: MixedVariables },
  random: RandomSource,
): MixedRows {
  const { rows, sizes, continuous } = table;
  const { category, value } = valuesOfClasses(state, sizes, random);
  const codes = table.codes.slice();
  const values = table.values.slice();
  const ownParts = withIndicators(synthesized, continuous);
  const completedParts = withIndicators(completed, continuous);
  for (const [row, f] of model.classesOf(state, random).entries()) {
    for (const k of ownParts) codes[k * rows + row] = category(k, f);
    for (const k of completedParts) if (codes[k * rows + row] === MISSING) codes[k * rows + row] = category(k, f);
    const draw = (j: number) => {
      values[j * rows + row] = isNormal(codes, rows, continuous[j]!.indicator, row) ? value(j, f) : Number.NaN;
    };
    for (const j of synthesized.continuous) draw(j);
    for (const j of completed.continuous) if (Number.isNaN(values[j * rows + row])) draw(j);
  }
  return { rows, sizes, codes, continuous, values };
}
