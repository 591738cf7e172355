import { instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Support } from '../../table/support/support.ts';
import type { ChainSampler } from '../chains/chain-sampler.ts';
import type { Counts, Parameters } from './class-sums.ts';
import { paddedClasses } from './class-sums.ts';
import { FAILURES, type SamplerKernel, samplerMemory, weightNumbers } from './sampler-memory.ts';
import { sharingOrder } from './sharing-order.ts';
import { truncate } from './truncation.ts';

/** Settings of the truncated Dirichlet process mixture of products of multinomials (Hu et al. 2014, eq. 1-6). */
export interface DpmpmSettings {
  /** F, the number of classes at which stick breaking is truncated. */
  readonly classes: number;
  /** Prior of alpha, Gamma(shape, rate), or a fixed value. */
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  /**
   * Moves of each kind between labels in an iteration; as many as classes unless a study of their effect says
   * otherwise. Without any, alpha is about three times too large (docs/studies/mixing.md).
   */
  readonly labelMoves?: number;
}

/** Numbers and addresses in the memory of kernels/sampler/dpmpm.ts beside those that it shares. */
interface DpmpmKernel
  extends SamplerKernel,
    Record<'firstColumns' | 'firstSets' | 'jointCategories' | 'joints' | 'shared' | 'counts' | 'classCounts', KernelGlobal> {
  allocateRecords(): number;
  drawParameters(): number;
}

/**
 * Binds the DPMPM to a set of distinct combinations with counts. The sampler is `kernels/sampler/dpmpm.ts`;
 * `bench/plain/dpmpm-reference.ts` is the same program to read, with the same results to the last bit.
 *
 * @param sizes number of categories of each variable; phi has a uniform Dirichlet prior (Hu et al. 2014, section 2)
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
    ...weightNumbers({ concentration, labelMoves }),
  });
  kernel.prepare();
  const memory = samplerMemory(kernel, { rows, classes, categories, parts: categories + setTotal });
  const { buffer, weights } = memory;
  const vectorBytes = padded * Float64Array.BYTES_PER_ELEMENT;
  const bytesBefore = (part: number) => part * vectorBytes;
  new Uint32Array(buffer, kernel.parts.value, parts.length).set(parts.map(bytesBefore));
  new Uint32Array(buffer, kernel.joints.value, joints.length).set(joints.map(bytesBefore));
  new Uint16Array(buffer, kernel.shared.value, rows).set(order.shared);
  new Uint32Array(buffer, kernel.counts.value, rows).set(order.counts);
  new Uint32Array(buffer, kernel.offsets.value, offsets.length).set(offsets);
  const ofParts = new Float64Array(buffer, kernel.probabilities.value, (categories + setTotal) * padded);
  // What every class gives a missing value; other sets are summed in every iteration.
  ofParts.fill(1, categories * padded);
  const parameters: Parameters = { ofClasses: weights, ofParts, stride: padded };
  const counts: Counts = {
    ofClasses: new Float64Array(buffer, kernel.classCounts.value, padded),
    ofParts: memory.partCounts,
    stride: padded,
  };

  const oneColumnEach = variableOfColumn.every((variable, column) => variable === column);
  return {
    ...(truncation === undefined && oneColumnEach ? { allocation: () => memory.allocation((row) => order.combinations[row]!) } : {}),
    init(random) {
      memory.run(random, kernel.init);
      return memory.currentState();
    },
    step(state, random, iterations = 1, onIteration = () => undefined) {
      memory.load(state);
      for (let i = 0; i < iterations; i++) {
        if (truncation === undefined) {
          memory.run(random, kernel.step);
        } else {
          truncation.sumSets(parameters);
          memory.run(random, kernel.allocateRecords);
          const occupied = truncation.complete(parameters, counts, random);
          memory.run(random, kernel.drawParameters);
          kernel.occupiedClasses.value = occupied;
        }
        onIteration();
      }
      return memory.currentState();
    },
    logLikelihood(state) {
      memory.load(state);
      truncation?.sumSets(parameters);
      const value = kernel.logLikelihood();
      if (Number.isNaN(value)) throw new RangeError(FAILURES[1]);
      return truncation === undefined ? value : value + truncation.logLikelihood(parameters);
    },
  };
}
