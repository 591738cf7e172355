import type { Allocation, ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { drawSticks, swapWithoutSticks, switchLabels } from '../../shared/model/chains/label-moves.ts';
import type { Parameters } from '../../shared/model/dpmpm/class-sums.ts';
import { type ClassSums, drawClasses, paddedClasses, sumClasses } from '../../shared/model/dpmpm/class-sums.ts';
import type { DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { type SharingOrder, sharingOrder } from '../../shared/model/dpmpm/sharing-order.ts';
import { truncate } from '../../shared/model/dpmpm/truncation.ts';
import { exp, log } from '../../shared/numeric/portable-math.ts';
import { gamma } from '../../shared/random/distributions.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import type { Support } from '../../shared/table/support/support.ts';

/**
 * Below this a product of probabilities may have lost digits to underflow in classes that matter, and is
 * formed again in logs. Sums above it are exact to rounding for every class of relative weight over 1e-50.
 */
const SAFE_SUM = 1e-250;

interface AllocatedRecords {
  readonly classCounts: Float64Array;
  /** Categories of all variables end to end x classes. */
  readonly categoryCounts: Float64Array;
  /** Class of the first record of each row. */
  readonly classOfRow: Uint16Array;
}

/** pi_f prod_k phi[f][k][x_k] for one combination, divided by exp(scale) and added up over classes. */
interface ScaledSums {
  readonly sums: ClassSums;
  /** 0 but for totals that would underflow. */
  readonly scale: number;
}

/** The categories of a part, in the order of their columns; those of missing values among them. */
function categoriesOf({ joints }: SharingOrder, part: number, partsBeforeJoints: number): number[] {
  const categories: number[] = [];
  let rest = part;
  while (rest >= partsBeforeJoints) {
    const joint = 2 * (rest - partsBeforeJoints);
    categories.unshift(joints[joint + 1]!);
    rest = joints[joint]!;
  }
  return [rest, ...categories];
}

/** @param parts the combination's categories, run by run */
function classSums(parts: readonly number[][], state: ChainState): ScaledSums {
  const { weights, probabilities } = state;
  const classes = weights.length;
  const products = new Float64Array(paddedClasses(classes));
  for (let f = 0; f < classes; f++) {
    let product = weights[f]!;
    for (const part of parts) {
      let own = probabilities[part[0]! * classes + f]!;
      for (let j = 1; j < part.length; j++) own *= probabilities[part[j]! * classes + f]!;
      product *= own;
    }
    products[f] = product;
  }
  const sums = sumClasses(products);
  return sums.total > SAFE_SUM ? { sums, scale: 0 } : logClassSums(parts, state);
}

/** The slow path of {@link classSums}: the same sums formed in logs. */
function logClassSums(parts: readonly number[][], { weights, probabilities }: ChainState): ScaledSums {
  const classes = weights.length;
  const logs = weights.map((weight, f) => {
    let value = log(weight);
    for (const part of parts) {
      for (const category of part.toReversed()) value += log(probabilities[category * classes + f]!);
    }
    return value;
  });
  let scale = -Infinity;
  for (const value of logs) if (value > scale) scale = value;
  if (!(scale > -Infinity)) throw new RangeError('every class gives some combination probability zero');
  const scaled = new Float64Array(paddedClasses(classes));
  for (let f = 0; f < classes; f++) scaled[f] = exp(logs[f]! - scale);
  return { sums: sumClasses(scaled), scale };
}

/**
 * phi given the records of each category: categories of all variables end to end x classes.
 *
 * @param offsets first category of each variable, and their number
 */
export function drawProbabilities(counts: Float64Array | Uint32Array, offsets: Uint32Array, random: RandomStream): Float64Array {
  const variables = offsets.length - 1;
  const classes = variables === 0 ? 0 : counts.length / offsets[variables]!;
  const probabilities = new Float64Array(counts.length);
  for (let k = 0; k < variables; k++) {
    const totals = new Float64Array(classes);
    for (let c = offsets[k]!; c < offsets[k + 1]!; c++) {
      for (let f = 0; f < classes; f++) {
        const variate = gamma(random, 1 + counts[c * classes + f]!);
        probabilities[c * classes + f] = variate;
        totals[f]! += variate;
      }
    }
    const shares = totals.map((total) => 1 / total);
    for (let c = offsets[k]!; c < offsets[k + 1]!; c++) {
      for (let f = 0; f < classes; f++) probabilities[c * classes + f]! *= shares[f]!;
    }
  }
  return probabilities;
}

/** pi from its logarithms. */
export function weightsOf(logWeights: Float64Array): Float64Array {
  let largest = -Infinity;
  for (const value of logWeights) if (value > largest) largest = value;
  const weights = logWeights.map((value) => exp(value - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * The DPMPM in plain TypeScript: the program to read, and the oracle of the kernel behind `createDpmpm`, which
 * does the same operations in the same order but forms no product twice that combinations share.
 *
 * The blocked Gibbs sampler (Ishwaran & James 2001; Hu et al. 2014, section 2): records are allocated given (pi, phi),
 * by combination since equal records share their class probabilities; a truncation completes them; labels move
 * without sticks; then the
 * sticks given the counts, label moves with sticks (phi integrated out of both), phi, and
 * alpha ~ Gamma(a + F - 1, rate b - log pi_F).
 *
 * @param sizes number of categories of each variable; phi has a uniform Dirichlet prior (Hu et al. 2014, section 2)
 * @param variableOfColumn as `createDpmpm` takes it, like `support`
 */
export function createReferenceDpmpm(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
  variableOfColumn?: readonly number[],
  support?: Support,
): ChainSampler {
  const { classes, concentration, labelMoves = classes } = settings;
  const { allocated, sets, truncation } = truncate(combinations, sizes, classes, support);
  const order = sharingOrder(allocated, sizes, variableOfColumn, sets);
  const { runs, counts } = order;
  const offsets = categoryOffsets(sizes);
  const categoryTotal = offsets[sizes.length]!;
  const partsBeforeJoints = sets.reduce((sum, count) => sum + count, categoryTotal);
  /** For each combination, the categories of its parts; and of all of them together. */
  const combinationParts = Array.from({ length: order.rows }, (_, row) =>
    Array.from(order.parts.subarray(row * runs, (row + 1) * runs), (part) => categoriesOf(order, part, partsBeforeJoints)),
  );

  const combinationCategories = combinationParts.map((own) => own.flat());

  const parametersOf = ({ weights, probabilities }: ChainState): Parameters => ({
    ofClasses: weights,
    ofParts: probabilities,
    stride: classes,
  });

  /** A state with what its classes give sets of categories after phi. */
  function withSets(state: ChainState): ChainState {
    const probabilities = new Float64Array(partsBeforeJoints * classes).fill(1);
    probabilities.set(state.probabilities);
    const extended = { ...state, probabilities };
    truncation?.sumSets(parametersOf(extended));
    return extended;
  }

  /** Allocates all records given, for each combination, sums over the class probabilities. */
  function allocate(sumsOf: (row: number) => ClassSums, random: RandomStream): AllocatedRecords {
    const classOfRow = new Uint16Array(order.rows);
    const classCounts = new Float64Array(classes);
    // Those of sets as well; of missing values nothing reads them.
    const categoryCounts = new Float64Array(partsBeforeJoints * classes);
    for (let row = 0; row < order.rows; row++) {
      if (counts[row] === 0) continue;
      const sums = sumsOf(row);
      if (!(sums.total < Infinity)) throw new RangeError('a class weight is not a number');
      let isFirst = true;
      drawClasses(sums, counts[row]!, random, (f, records) => {
        if (isFirst) classOfRow[row] = f;
        isFirst = false;
        classCounts[f]! += records;
        for (const category of combinationCategories[row]!) {
          categoryCounts[category * classes + f]! += records;
        }
      });
    }
    return { classCounts, categoryCounts, classOfRow };
  }

  let last: Allocation | undefined;

  /** An allocation by the labels that its classes have moved to. */
  function relabelled({ categoryCounts, classOfRow }: AllocatedRecords, holder: Uint32Array): Allocation {
    const categoriesByClasses = Array.from({ length: categoryTotal }, (_, category) =>
      Array.from(holder, (held) => categoryCounts[category * classes + held]!),
    );
    const classOfCombination = new Uint16Array(order.rows);
    for (const [row, combination] of order.combinations.entries()) {
      classOfCombination[combination] = holder.indexOf(classOfRow[row]!);
    }
    return { counts: Uint32Array.from(categoriesByClasses.flat()), classOfCombination };
  }

  function drawState(allocation: AllocatedRecords, previousAlpha: number, random: RandomStream): ChainState {
    const { classCounts } = allocation;
    const labelled = { counts: classCounts, holder: Uint32Array.from({ length: classes }, (_, f) => f) };
    swapWithoutSticks(labelled, previousAlpha, random, labelMoves);
    const sticks = drawSticks(classCounts, previousAlpha, random);
    const logRest = sticks.logWeights[classes - 1]!;
    switchLabels(labelled, sticks, random, labelMoves);
    last = relabelled(allocation, labelled.holder);
    const probabilities = drawProbabilities(last.counts, offsets, random);
    const alpha =
      'value' in concentration ? concentration.value : gamma(random, concentration.shape + classes - 1) / (concentration.rate - logRest);
    let occupiedClasses = 0;
    for (const count of classCounts) if (count > 0) occupiedClasses++;
    if (!(alpha < Infinity)) throw new RangeError('the concentration is not a number');
    return { weights: weightsOf(sticks.logWeights), probabilities, concentration: alpha, occupiedClasses };
  }

  function allocation(): Allocation {
    if (last === undefined) throw new RangeError('no allocation has been drawn');
    return last;
  }

  const oneColumnEach = (variableOfColumn ?? []).every((variable, column) => variable === column);
  return {
    ...(truncation === undefined && oneColumnEach ? { allocation } : {}),
    init(random) {
      const equal = new Float64Array(paddedClasses(classes)).fill(1, 0, classes);
      const sums = sumClasses(equal);
      const alpha = 'value' in concentration ? concentration.value : 1;
      return drawState(
        allocate(() => sums, random),
        alpha,
        random,
      );
    },
    step(start, random, iterations = 1, onIteration = () => undefined) {
      let state = start;
      for (let i = 0; i < iterations; i++) {
        const { concentration: alpha } = state;
        const current = withSets(state);
        const allocation = allocate((row) => classSums(combinationParts[row]!, current).sums, random);
        const { classCounts: ofClasses, categoryCounts: ofParts } = allocation;
        const counts = { ofClasses, ofParts, stride: classes };
        const occupiedClasses = truncation?.complete(parametersOf(current), counts, random);
        state = drawState(allocation, alpha, random);
        if (occupiedClasses !== undefined) state = { ...state, occupiedClasses };
        onIteration();
      }
      return state;
    },
    logLikelihood(state) {
      const current = withSets(state);
      let sum = 0;
      for (let row = 0; row < order.rows; row++) {
        if (counts[row] === 0) continue;
        const { sums, scale } = classSums(combinationParts[row]!, current);
        sum += counts[row]! * (log(sums.total) + scale);
      }
      return truncation === undefined ? sum : sum + truncation.logLikelihood(parametersOf(current));
    },
  };
}
