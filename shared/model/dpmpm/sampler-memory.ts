import { copyPadded, copyUnpadded, type KernelGlobal } from '../../numeric/kernel.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { zigguratTables } from '../../random/ziggurat.ts';
import type { Allocation, ChainState } from '../chains/chain-sampler.ts';
import { paddedClasses } from './class-sums.ts';

/** Numbers that the memory of kernels/sampler/dpmpm-memory.ts is laid out by, and those of the prior. */
type SharedNumber =
  | 'rows'
  | 'runs'
  | 'variables'
  | 'classes'
  | 'categories'
  | 'sets'
  | 'labelMoves'
  | 'fixedConcentration'
  | 'priorShape'
  | 'priorRate';

/** Addresses in that memory: of the records, and of the state of the sampler. */
type SharedAddress = 'parts' | 'offsets' | 'stream' | 'ziggurat' | 'weights' | 'probabilities' | 'categoryCounts' | 'classOfOne' | 'holder';

/** A kernel with the memory of the DPMPM's. `concentration` and `occupiedClasses` are alpha and the number of occupied classes themselves. */
export interface SamplerKernel extends Record<SharedNumber | SharedAddress | 'concentration' | 'occupiedClasses', KernelGlobal> {
  readonly memory: WebAssembly.Memory;
  prepare(): void;
  init(): number;
  step(): number;
  logLikelihood(): number;
}

/** Settings of the prior of pi, and of the moves between labels. */
interface WeightSettings {
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  readonly labelMoves: number;
}

/** The numbers of a kernel that say what the prior of pi is. */
export function weightNumbers({ concentration, labelMoves }: WeightSettings) {
  const isFixed = 'value' in concentration;
  return {
    labelMoves,
    fixedConcentration: Number(isFixed),
    priorShape: isFixed ? concentration.value : concentration.shape,
    priorRate: isFixed ? 0 : concentration.rate,
  };
}

/** Why the kernel could not finish, by what `init` and `step` return. */
export const FAILURES = [
  '',
  'every class gives some combination probability zero',
  'a class weight is not a number',
  'the concentration is not a number',
  'the variance of a class is not a number',
];

/**
 * The memory of a kernel that is laid out, and what its sampler does with it.
 *
 * @param parts vectors of the kernel over classes that begin with phi: categories, and sets of them
 */
export function samplerMemory(
  kernel: SamplerKernel,
  {
    rows,
    classes,
    categories,
    parts,
  }: { readonly rows: number; readonly classes: number; readonly categories: number; readonly parts: number },
) {
  const { buffer } = kernel.memory;
  const padded = paddedClasses(classes);
  new Float64Array(buffer, kernel.ziggurat.value, zigguratTables.length).set(zigguratTables);
  const weights = new Float64Array(buffer, kernel.weights.value, padded);
  const probabilities = new Float64Array(buffer, kernel.probabilities.value, categories * padded);
  const partCounts = new Uint32Array(buffer, kernel.categoryCounts.value, parts * padded);
  const streamState = new Int32Array(buffer, kernel.stream.value, 17);
  const classOfRow = new Uint16Array(buffer, kernel.classOfOne.value, rows);
  const holder = new Uint32Array(buffer, kernel.holder.value, classes);
  return {
    buffer,
    weights,
    partCounts,
    classOfRow,
    holder,
    load(state: ChainState): void {
      copyPadded(state.weights, classes, weights);
      copyPadded(state.probabilities, classes, probabilities);
      kernel.concentration.value = state.concentration;
      kernel.occupiedClasses.value = state.occupiedClasses;
    },
    run(random: RandomStream, work: () => number): void {
      streamState.set(random.exportState());
      const failure = work();
      random.importState(streamState);
      if (failure !== 0) throw new RangeError(FAILURES[failure]);
    },
    currentState: (): ChainState => ({
      weights: weights.slice(0, classes),
      probabilities: copyUnpadded(probabilities, classes, padded),
      concentration: kernel.concentration.value,
      occupiedClasses: kernel.occupiedClasses.value,
    }),
    /** The allocation in memory, by the labels that the classes have moved to. */
    allocation(combinationOf: (row: number) => number): Allocation {
      const labels = new Uint16Array(classes);
      for (const [label, held] of holder.entries()) labels[held] = label;
      const counts = new Uint32Array(categories * classes);
      for (let category = 0; category < categories; category++) {
        for (let f = 0; f < classes; f++) counts[category * classes + f] = partCounts[category * padded + holder[f]!]!;
      }
      const classOfCombination = new Uint16Array(rows);
      for (let row = 0; row < rows; row++) classOfCombination[combinationOf(row)] = labels[classOfRow[row]!]!;
      return { counts, classOfCombination };
    },
  };
}
