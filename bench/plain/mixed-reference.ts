import type { Allocation, ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { drawSticks, swapWithoutSticks, switchLabels } from '../../shared/model/chains/label-moves.ts';
import { drawNormals } from '../../shared/model/mixed/draw-normals.ts';
import type { MixedSettings } from '../../shared/model/mixed/mixed.ts';
import { normalParameters, normalSums, sumNumbers } from '../../shared/model/mixed/mixed-draws.ts';
import { MISSING, type MixedRows, releasedPlaces } from '../../shared/model/mixed/mixed-rows.ts';
import { NORMAL_PRIOR } from '../../shared/model/mixed/normal-prior.ts';
import { logNormalMass } from '../../shared/numeric/normal-mass.ts';
import { exp, log } from '../../shared/numeric/portable-math.ts';
import { gamma } from '../../shared/random/distributions.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { normal as normalVariate } from '../../shared/random/ziggurat.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import { drawProbabilities, weightsOf } from './dpmpm-reference.ts';

/** Classes whose share of a row is below exp(-50) of the largest are left out. */
const LEAST = -50;
const HALF_LOG_2PI = 0.9189385332046727;
const BELOW_ONE = 1 - Number.EPSILON / 2;

/** Standard deviations beyond which nothing of a normal is left, to the last digit. */
const REACH = 8.5;

/** Numbers beyond the range that are drawn for one value, at most. */
const MOST_REJECTED = 10_000;

/** Whether an end of the range cuts something off a normal. */
function isCut(mean: number, variance: number): boolean {
  const nearest = Math.min(mean, 1 - mean);
  return !(nearest > 0 && nearest * nearest >= REACH * REACH * variance);
}

/** For each class, the sum of what it and those before it of its parity give a row, divided by exp(most). */
interface RowSums {
  readonly sums: Float64Array;
  readonly even: number;
  readonly odd: number;
  readonly most: number;
}

function sumLogs(logs: Float64Array): RowSums {
  const most = logs.reduce((largest, value) => Math.max(largest, value), -Infinity);
  if (!(most > -Infinity)) throw new RangeError('every class gives some row probability zero');
  const totals = [0, 0];
  const sums = logs.map((value, f) => {
    if (value - most > LEAST) totals[f % 2]! += exp(value - most);
    return totals[f % 2]!;
  });
  return { sums, even: totals[0]!, odd: totals[1]!, most };
}

function drawClass({ sums, even, odd }: RowSums, random: RandomStream): number {
  let target = random.uniform() * (even + odd);
  let f = 0;
  if (target >= even) {
    target = Math.min(target - even, odd * BELOW_ONE);
    f = 1;
  }
  while (sums[f]! <= target) f += 2;
  return f;
}

/**
 * The model `mixed` in plain TypeScript: the program to read, and the oracle of the kernel behind `createMixed`.
 *
 * The blocked Gibbs sampler of the DPMPM (bench/plain/dpmpm-reference.ts), a row at a time: rows are allocated given all
 * parameters; values that a release was not given are drawn beyond the range; labels move; sticks, phi and alpha are drawn; then sigma2
 * from its truncated inverse gamma and mu given it.
 */
export function createReferenceMixed(table: MixedRows, settings: MixedSettings): Required<ChainSampler> {
  const { rows, sizes, codes, continuous, values } = table;
  const { columns = { parts: [...sizes.keys()], continuous: [...continuous.keys()] } } = table;
  const { classes, concentration, labelMoves = classes, normal = NORMAL_PRIOR } = settings;
  const { releasedRow, releasedColumn } = releasedPlaces(table, columns.continuous.length);
  const isReleased = (row: number, column: number) => row >= releasedRow || column >= releasedColumn;
  const offsets = categoryOffsets(sizes);

  function sumsOf(state: ChainState): (row: number) => RowSums {
    const logPi = state.weights.map(log);
    const logPhi = state.probabilities.map(log);
    const normals = normalParameters(state).map(({ means, variances }) => ({
      means,
      roots: variances.map((variance) => Math.sqrt(0.5 / variance)),
      factors: variances.map((variance) => -(log(variance) / 2 + HALF_LOG_2PI)),
      // That of the normal within the range, which all of a release is.
      within: variances.map((variance, f) => {
        const factor = -(log(variance) / 2 + HALF_LOG_2PI);
        const [mean, deviation] = [means[f]!, Math.sqrt(variance)];
        return isCut(mean, variance) ? factor - logNormalMass(-mean / deviation, (1 - mean) / deviation) : factor;
      }),
    }));
    return (row) => {
      const logs = logPi.slice();
      for (const [column, k] of columns.parts.entries()) {
        const code = codes[column * rows + row]!;
        if (code === MISSING) continue;
        for (let f = 0; f < classes; f++) logs[f]! += logPhi[(offsets[k]! + code) * classes + f]!;
      }
      const present = columns.continuous.flatMap((j, column) => {
        const value = values[column * rows + row]!;
        return Number.isNaN(value) ? [] : [{ ...normals[j]!, value, column }];
      });
      for (const { factors, within, column } of present) {
        const own = isReleased(row, column) ? within : factors;
        for (let f = 0; f < classes; f++) logs[f]! += own[f]!;
      }
      for (const { means, roots, value } of present) {
        for (let f = 0; f < classes; f++) {
          const z = (value - means[f]!) * roots[f]!;
          logs[f]! -= z * z;
        }
      }
      return sumLogs(logs);
    };
  }

  /** Number, mean and centred squares of the values in each class: the mean first, then distances from it. */
  function valueSumsOf(classOfRow: Uint16Array): Float64Array {
    const valueSums = new Float64Array(sumNumbers(continuous.length, classes));
    for (const [j, { numbers, averages, squares }] of normalSums({ valueSums }, classes).entries()) {
      const own = (add: (f: number, value: number) => void) => {
        for (const [row, f] of classOfRow.entries()) {
          for (const [column, of] of columns.continuous.entries()) {
            const value = values[column * rows + row]!;
            if (of === j && !Number.isNaN(value)) add(f, value);
          }
        }
      };
      own((f, value) => {
        numbers[f]!++;
        averages[f]! += value;
      });
      for (let f = 0; f < classes; f++) if (numbers[f]! > 0) averages[f]! /= numbers[f]!;
      const rests = new Float64Array(classes);
      own((f, value) => {
        const distance = value - averages[f]!;
        squares[f]! += distance * distance;
        rests[f]! += distance;
      });
      for (let f = 0; f < classes; f++) {
        if (numbers[f] === 0) continue;
        const rest = rests[f]! / numbers[f]!;
        averages[f]! += rest;
        squares[f] = Math.max(0, squares[f]! - rest * rests[f]!);
      }
    }
    return valueSums;
  }

  /** Adds the values beyond the range that were drawn before those of a release. */
  function addRejected(valueSums: Float64Array, classOfRow: Uint16Array, state: ChainState, random: RandomStream): void {
    const sums = normalSums({ valueSums }, classes);
    const normals = normalParameters(state);
    for (let row = 0; row < rows; row++) {
      const f = classOfRow[row]!;
      for (const [column, j] of columns.continuous.entries()) {
        if (!isReleased(row, column) || Number.isNaN(values[column * rows + row])) continue;
        const { numbers, averages, squares } = sums[j]!;
        const [mean, variance] = [normals[j]!.means[f]!, normals[j]!.variances[f]!];
        if (!isCut(mean, variance)) continue;
        for (let drawn = 0; drawn < MOST_REJECTED; drawn++) {
          const value = mean + Math.sqrt(variance) * normalVariate(random);
          if (value >= 0 && value <= 1) break;
          numbers[f]!++;
          const distance = value - averages[f]!;
          averages[f]! += distance / numbers[f]!;
          squares[f]! += distance * (value - averages[f]!);
        }
      }
    }
  }

  /** The allocation by its own classes, and how many rows are in each. */
  function tally(classOfRow: Uint16Array): Allocation & { readonly classCounts: Float64Array } {
    const classCounts = new Float64Array(classes);
    const counts = new Uint32Array(offsets[sizes.length]! * classes);
    for (const [row, f] of classOfRow.entries()) {
      classCounts[f]!++;
      for (const [column, k] of columns.parts.entries()) {
        const code = codes[column * rows + row]!;
        if (code !== MISSING) counts[(offsets[k]! + code) * classes + f]!++;
      }
    }
    return { classCounts, counts, classOfCombination: classOfRow, valueSums: valueSumsOf(classOfRow) };
  }

  let last: Allocation | undefined;

  function drawState(classOfRow: Uint16Array, previousAlpha: number, random: RandomStream, before?: ChainState): ChainState {
    const { classCounts, counts, valueSums } = tally(classOfRow);
    if (before) addRejected(valueSums!, classOfRow, before, random);
    const labelled = { counts: classCounts, holder: Uint32Array.from({ length: classes }, (_, f) => f) };
    swapWithoutSticks(labelled, previousAlpha, random, labelMoves);
    const sticks = drawSticks(classCounts, previousAlpha, random);
    switchLabels(labelled, sticks, random, labelMoves);
    const { holder } = labelled;
    const byLabel = <A extends Float64Array | Uint32Array>(vectors: A) =>
      vectors.map((_, at) => vectors[at - (at % classes) + holder[at % classes]!]!) as A;
    last = { counts: byLabel(counts), classOfCombination: classOfRow.map((f) => holder.indexOf(f)), valueSums: byLabel(valueSums!) };
    const probabilities = drawProbabilities(last.counts, offsets, random);
    const logRest = sticks.logWeights[classes - 1]!;
    const alpha =
      'value' in concentration ? concentration.value : gamma(random, concentration.shape + classes - 1) / (concentration.rate - logRest);
    if (!(alpha < Infinity)) throw new RangeError('the concentration is not a number');
    return {
      weights: weightsOf(sticks.logWeights),
      probabilities,
      concentration: alpha,
      occupiedClasses: classCounts.filter((count) => count > 0).length,
      latent: drawNormals(last.valueSums!, classes, continuous, normal, random),
    };
  }

  return {
    allocation() {
      if (last === undefined) throw new RangeError('no allocation has been drawn');
      return last;
    },
    init(random) {
      const classOfRow = Uint16Array.from({ length: rows }, () => random.below(classes));
      return drawState(classOfRow, 'value' in concentration ? concentration.value : 1, random);
    },
    step(start, random, iterations = 1, onIteration = () => undefined) {
      let state = start;
      for (let i = 0; i < iterations; i++) {
        const sums = sumsOf(state);
        const classOfRow = Uint16Array.from({ length: rows }, (_, row) => drawClass(sums(row), random));
        state = drawState(classOfRow, state.concentration, random, state);
        onIteration();
      }
      return state;
    },
    logLikelihood(state) {
      const sums = sumsOf(state);
      let sum = 0;
      for (let row = 0; row < rows; row++) {
        const { even, odd, most } = sums(row);
        sum += log(even + odd) + most;
      }
      return sum;
    },
  };
}
