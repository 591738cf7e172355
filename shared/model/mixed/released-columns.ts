import { categoricalFromSums } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { normal } from '../../random/ziggurat.ts';
import type { Column } from '../../table/table.ts';
import type { ChainState } from '../chains/chain-sampler.ts';
import { categorySums, runningSums } from '../dpmpm/dpmpm-synthesis.ts';
import { normalParameters } from './mixed-draws.ts';
import type { MixedView } from './mixed-view.ts';

/** Tries at most at a value that can be released: a class that holds the record's own value gives one soon. */
const MOST_TRIES = 1_000_000;

/** Draws one value of a variable in a class: a code, or a number as it is released; NaN for one that cannot be released. */
type Draw = (f: number) => number;

/** How each of some variables is drawn from a state. */
function drawsOf(view: MixedView, state: ChainState, variables: readonly number[], random: RandomSource): Draw[] {
  const sums = categorySums(state, view.sizes);
  const normals = normalParameters(state);
  const codeOf = (part: number, f: number) => {
    const size = view.sizes[part]!;
    return categoricalFromSums(random, sums[part]!, f * size, size);
  };
  return variables.map((variable) => {
    const part = view.categorical.indexOf(variable);
    if (part >= 0) return (f) => codeOf(part, f);
    const j = view.continuous.findIndex((one) => one.variable === variable);
    const { declared, scale, indicator } = view.continuous[j]!;
    const { means, variances } = normals[j]!;
    return (f) => {
      const mass = indicator === null ? 0 : codeOf(indicator, f);
      return mass > 0 ? declared.masses[mass - 1]! : scale.released(means[f]! + Math.sqrt(variances[f]!) * normal(random));
    };
  });
}

/** Empty columns of some of a table's variables, by index. */
function emptyColumns({ schema }: MixedView, variables: readonly number[], records: number): Map<number, Column> {
  return new Map(
    variables.map((v): [number, Column] => [
      v,
      schema.variables[v]!.type === 'continuous'
        ? { type: 'continuous', values: new Float64Array(records) }
        : { type: 'categorical', codes: new Uint16Array(records) },
    ]),
  );
}

const elements = (column: Column) => (column.type === 'continuous' ? column.values : column.codes);

/**
 * Fully synthetic records drawn from a state: a class from pi, then every variable in that class. A record with a value
 * that cannot be released is drawn again, class and all: those that are released have the distribution truncated to them.
 *
 * @returns the columns of all variables, by index
 */
export function synthesizeColumns(view: MixedView, state: ChainState, records: number, random: RandomSource): Map<number, Column> {
  const variables = [...view.schema.variables.keys()];
  const classSums = runningSums(state.weights);
  const draws = drawsOf(view, state, variables, random);
  const columns = emptyColumns(view, variables, records);
  const arrays = [...columns.values()].map(elements);
  for (let i = 0; i < records; i++) {
    let isReleased: boolean;
    do {
      const f = categoricalFromSums(random, classSums, 0, state.weights.length);
      isReleased = true;
      for (const [k, draw] of draws.entries()) {
        const value = draw(f);
        arrays[k]![i] = value;
        isReleased &&= !Number.isNaN(value);
      }
    } while (!isReleased);
  }
  return columns;
}

/** What is replaced of a table's records, each in a class of its own. */
export interface ReplacedValues {
  readonly classOfRecord: Uint16Array;
  /** Variables whose values are drawn for every record. */
  readonly synthesized: readonly number[];
  /** Columns of further variables whose missing values are filled in, by index. */
  readonly completed: ReadonlyMap<number, { readonly column: Column; readonly isMissing: (record: number) => boolean }>;
}

/**
 * Partially synthetic columns: each record's values drawn in its class, independently of its own value; one that cannot be
 * released is drawn again.
 *
 * @returns the columns of variables synthesized, then of those completed, by index
 * @throws RangeError where a class gives no value that can be released
 */
export function replaceColumns(
  view: MixedView,
  state: ChainState,
  { classOfRecord, synthesized, completed }: ReplacedValues,
  random: RandomSource,
): Map<number, Column> {
  const variables = [...synthesized, ...completed.keys()];
  const draws = drawsOf(view, state, variables, random);
  const columns = emptyColumns(view, variables, classOfRecord.length);
  const arrays = [...columns.values()].map(elements);
  for (const [i, f] of classOfRecord.entries()) {
    for (const [k, draw] of draws.entries()) {
      const kept = completed.get(variables[k]!);
      arrays[k]![i] = kept && !kept.isMissing(i) ? elements(kept.column)[i]! : drawReleased(draw, f);
    }
  }
  return columns;
}

function drawReleased(draw: Draw, f: number): number {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const value = draw(f);
    if (!Number.isNaN(value)) return value;
  }
  throw new RangeError('a class gives no value that can be released');
}
