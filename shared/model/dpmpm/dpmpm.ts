import { copyPadded, copyUnpadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { zigguratTables } from '../../random/ziggurat.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Support } from '../../table/support/support.ts';
import type { Allocation, ChainSampler, ChainState } from '../chains/chain-sampler.ts';
import type { Counts, Parameters } from './class-sums.ts';
import { paddedClasses } from './class-sums.ts';
import { sharingOrder } from './sharing-order.ts';
import { truncate } from './truncation.ts';

/** Settings of the truncated Dirichlet process mixture of products of multinomials (000 eq. 1-6). */
export interface DpmpmSettings {
  /** F, the number of classes at which stick breaking is truncated. */
  readonly classes: number;
  /** Prior of alpha, Gamma(shape, rate), or a fixed value. */
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  /**
   * Moves of each kind between labels in an iteration; as many as classes unless a study of their effect says
   * otherwise. Without any, alpha is about ten times too large and the risk is miscalibrated (docs/explanation/estimators.md).
   */
  readonly labelMoves?: number;
}

/** Numbers that the memory of kernels/sampler/dpmpm.ts is laid out by, and those of the prior. */
type LayoutNumber = 'rows' | 'runs' | 'variables' | 'firstColumns' | 'firstSets' | 'classes' | 'categories' | 'sets' | 'jointCategories';
type PriorNumber = 'labelMoves' | 'fixedConcentration' | 'priorShape' | 'priorRate';

/** Addresses in that memory: of the records, and of the state of the sampler. */
type RecordAddress = 'parts' | 'joints' | 'shared' | 'counts' | 'offsets' | 'stream' | 'ziggurat';
type StateAddress = 'weights' | 'probabilities' | 'classCounts' | 'categoryCounts' | 'classOfOne' | 'holder';

/** `concentration` and `occupiedClasses` are alpha and the number of occupied classes themselves. */
interface DpmpmKernel
  extends Record<LayoutNumber | PriorNumber | RecordAddress | StateAddress | 'concentration' | 'occupiedClasses', KernelGlobal> {
  readonly memory: WebAssembly.Memory;
  prepare(): void;
  init(): number;
  step(): number;
  allocateRecords(): number;
  drawParameters(): number;
  logLikelihood(): number;
}

/** Why the kernel could not finish, by what `init` and `step` return. */
const FAILURES = [
  '',
  'every class gives some combination probability zero',
  'a class weight is not a number',
  'the concentration is not a number',
];

/**
 * Binds the DPMPM to a set of distinct combinations with counts. The sampler is `kernels/sampler/dpmpm.ts`;
 * `bench/plain/dpmpm-reference.ts` is the same program to read, with the same results to the last bit.
 *
 * @param sizes number of categories of each variable; phi has a uniform Dirichlet prior (000 section 2)
 * @param variableOfColumn the variable of each column of the combinations; a column a variable if not said otherwise.
 * A record emits one category a column from its class, and those of columns of one variable from the same phi
 * @param support the possible cells, when some are not; missing values are then imputed within them, and columns are
 * the variables
 */
export function createDpmpm(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
  variableOfColumn: readonly number[] = [...sizes.keys()],
  support?: Support,
): ChainSampler {
  const { classes, concentration, labelMoves = classes } = settings;
  const { allocated, sets, truncation } = truncate(combinations, sizes, classes, support);
  const order = sharingOrder(allocated, sizes, variableOfColumn, sets);
  const offsets = categoryOffsets(sizes);
  const categories = offsets[sizes.length]!;
  const setTotal = sets.reduce((sum, count) => sum + count, 0);
  const padded = paddedClasses(classes);
  const kernel = instantiateKernel<DpmpmKernel>('dpmpm');
  const { rows, runs, parts, joints } = order;
  const firstColumns = variableOfColumn.filter((k) => k === 0).length;
  const isFixed = 'value' in concentration;
  setNumbers(kernel, {
    rows,
    runs,
    variables: sizes.length,
    firstColumns,
    firstSets: sets[0] ?? 0,
    classes,
    categories,
    sets: setTotal,
    jointCategories: joints.length / 2,
    labelMoves,
    fixedConcentration: Number(isFixed),
    priorShape: isFixed ? concentration.value : concentration.shape,
    priorRate: isFixed ? 0 : concentration.rate,
  });
  kernel.prepare();
  const { buffer } = kernel.memory;
  new Float64Array(buffer, kernel.ziggurat.value, zigguratTables.length).set(zigguratTables);
  const vectorBytes = padded * Float64Array.BYTES_PER_ELEMENT;
  const bytesBefore = (part: number) => part * vectorBytes;
  new Uint32Array(buffer, kernel.parts.value, parts.length).set(parts.map(bytesBefore));
  new Uint32Array(buffer, kernel.joints.value, joints.length).set(joints.map(bytesBefore));
  new Uint16Array(buffer, kernel.shared.value, rows).set(order.shared);
  new Uint32Array(buffer, kernel.counts.value, rows).set(order.counts);
  new Uint32Array(buffer, kernel.offsets.value, offsets.length).set(offsets);
  const weights = new Float64Array(buffer, kernel.weights.value, padded);
  const probabilities = new Float64Array(buffer, kernel.probabilities.value, categories * padded);
  const partVectors = (categories + setTotal) * padded;
  const ofParts = new Float64Array(buffer, kernel.probabilities.value, partVectors);
  // What every class gives a missing value; other sets are summed in every iteration.
  ofParts.fill(1, probabilities.length);
  const parameters: Parameters = { ofClasses: weights, ofParts, stride: padded };
  const counts: Counts = {
    ofClasses: new Float64Array(buffer, kernel.classCounts.value, padded),
    ofParts: new Uint32Array(buffer, kernel.categoryCounts.value, partVectors),
    stride: padded,
  };
  const streamState = new Int32Array(buffer, kernel.stream.value, 17);

  function load(state: ChainState): void {
    copyPadded(state.weights, classes, weights);
    copyPadded(state.probabilities, classes, probabilities);
    kernel.concentration.value = state.concentration;
    kernel.occupiedClasses.value = state.occupiedClasses;
  }

  function run(random: RandomStream, work: () => number): void {
    streamState.set(random.exportState());
    const failure = work();
    random.importState(streamState);
    if (failure !== 0) throw new RangeError(FAILURES[failure]);
  }

  const currentState = (): ChainState => ({
    weights: weights.slice(0, classes),
    probabilities: copyUnpadded(probabilities, classes, padded),
    concentration: kernel.concentration.value,
    occupiedClasses: kernel.occupiedClasses.value,
  });

  const classOfRow = new Uint16Array(buffer, kernel.classOfOne.value, rows);
  const holder = new Uint32Array(buffer, kernel.holder.value, classes);

  /** The allocation in memory, by the labels that the classes have moved to. */
  function allocation(): Allocation {
    const labels = new Uint16Array(classes);
    for (const [label, held] of holder.entries()) labels[held] = label;
    const ofLabels = new Uint32Array(categories * classes);
    for (let category = 0; category < categories; category++) {
      for (let f = 0; f < classes; f++) {
        ofLabels[category * classes + f] = counts.ofParts[category * padded + holder[f]!]!;
      }
    }
    const classOfCombination = new Uint16Array(rows);
    for (let row = 0; row < rows; row++) {
      classOfCombination[order.combinations[row]!] = labels[classOfRow[row]!]!;
    }
    return { counts: ofLabels, classOfCombination };
  }

  const oneColumnEach = variableOfColumn.every((variable, column) => variable === column);
  return {
    ...(truncation === undefined && oneColumnEach ? { allocation } : {}),
    init(random) {
      run(random, kernel.init);
      return currentState();
    },
    step(state, random, iterations = 1, onIteration = () => undefined) {
      load(state);
      for (let i = 0; i < iterations; i++) {
        if (truncation === undefined) {
          run(random, kernel.step);
        } else {
          truncation.sumSets(parameters);
          run(random, kernel.allocateRecords);
          const occupied = truncation.complete(parameters, counts, random);
          run(random, kernel.drawParameters);
          kernel.occupiedClasses.value = occupied;
        }
        onIteration();
      }
      return currentState();
    },
    logLikelihood(state) {
      load(state);
      truncation?.sumSets(parameters);
      const value = kernel.logLikelihood();
      if (Number.isNaN(value)) throw new RangeError(FAILURES[1]);
      return truncation === undefined ? value : value + truncation.logLikelihood(parameters);
    },
  };
}
