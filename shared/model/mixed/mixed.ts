import { copyPadded, copyUnpadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { ChainSampler, ChainState } from '../chains/chain-sampler.ts';
import { paddedClasses } from '../dpmpm/class-sums.ts';
import type { DpmpmSettings } from '../dpmpm/dpmpm.ts';
import { FAILURES, type SamplerKernel, samplerMemory, weightNumbers } from '../dpmpm/sampler-memory.ts';
import { requireLatent, sumNumbers } from './mixed-draws.ts';
import { MISSING, type MixedRows, releasedPlaces } from './mixed-rows.ts';
import { NORMAL_PRIOR, type NormalPrior } from './normal-prior.ts';

/** Settings of the model `mixed`: those of the DPMPM, and the prior of the normals. */
export interface MixedSettings extends DpmpmSettings {
  /** {@link NORMAL_PRIOR} unless a study of its effect says otherwise. */
  readonly normal?: NormalPrior;
}

/** The sampler of the model `mixed`. */
export interface MixedSampler extends ChainSampler {
  /** A class of each row, drawn given its values and a state: what its synthetic values come from in partial synthesis. */
  classesOf(state: ChainState, random: RandomSource): Uint16Array;
}

/** Numbers and addresses in the memory of kernels/mixed/mixed.ts beside those of the DPMPM. */
interface MixedKernel
  extends SamplerKernel,
    Record<
      | 'continuous'
      | 'partColumns'
      | 'valueColumns'
      | 'kappa'
      | 'normalShape'
      | 'normalRate'
      | 'releasedRow'
      | 'releasedColumn'
      | 'smallest'
      | 'values'
      | 'normalsOfValues'
      | 'uniforms'
      | 'order'
      | 'groupOfRow'
      | 'latent'
      | 'valueSums',
      KernelGlobal
    > {
  classesByUniforms(): number;
}

/**
 * Binds the model `mixed` to rows: a truncated Dirichlet process mixture whose classes are products of multinomials, as in
 * the DPMPM, and of normals: sum_f pi_f prod_k phi_fk(x_k) prod_j N(y_j; mu_fj, sigma2_fj). The sampler is
 * `kernels/mixed/mixed.ts`; `bench/plain/mixed-reference.ts` is the same program to read, with the same results to the last
 * bit.
 *
 * States hold mu and sigma2 in `latent` (`normalParameters`). Missing values, and continuous ones that a mass holds,
 * contribute nothing. The allocation has the class of each row in `classOfCombination`, and `valueSums` (`normalSums`);
 * where a variable has several columns the values of all count.
 *
 * A release has its values drawn again while they lie beyond the range, so that they follow the normals within it. What was
 * drawn before each is drawn as well, given its class, and counts in `valueSums`: given it the normals are whole again (Rao, Lin &
 * Dunson 2016, Biometrika 103(2)).
 *
 * @throws RangeError for a smallest standard deviation that is not positive, or a value that is infinite
 */
export function createMixed(table: MixedRows, settings: MixedSettings): MixedSampler {
  const { rows, sizes, codes, continuous, values } = table;
  const { columns = { parts: [...sizes.keys()], continuous: [...continuous.keys()] } } = table;
  const { classes, concentration, labelMoves = classes, normal = NORMAL_PRIOR } = settings;
  if (!continuous.every(({ smallest }) => smallest > 0)) throw new RangeError('the smallest standard deviation must be positive');
  const offsets = categoryOffsets(sizes);
  const categories = offsets[sizes.length]!;
  const padded = paddedClasses(classes);
  const partColumns = columns.parts.length;
  const valueColumns = columns.continuous.length;
  const { releasedRow, releasedColumn } = releasedPlaces(table, valueColumns);
  const runs = partColumns + valueColumns;
  const kernel = instantiateKernel<MixedKernel>('mixed');
  setNumbers(kernel, {
    rows,
    runs,
    variables: sizes.length,
    classes,
    categories,
    sets: 1,
    ...weightNumbers({ concentration, labelMoves }),
    continuous: continuous.length,
    partColumns,
    valueColumns,
    kappa: normal.kappa,
    normalShape: normal.shape,
    normalRate: normal.rate,
    releasedRow,
    releasedColumn,
  });
  kernel.prepare();
  const memory = samplerMemory(kernel, { rows, classes, categories, parts: categories + 1 });
  const { buffer } = memory;
  new Uint32Array(buffer, kernel.offsets.value, offsets.length).set(offsets);
  new Float64Array(buffer, kernel.smallest.value, continuous.length).set(continuous.map(({ smallest }) => smallest * smallest));

  const vectorBytes = padded * Float64Array.BYTES_PER_ELEMENT;
  const partsOfRows = new Uint32Array(buffer, kernel.parts.value, rows * runs);
  const ownValues = new Float64Array(buffer, kernel.values.value, rows * valueColumns);
  const normalsOfValues = new Uint32Array(buffer, kernel.normalsOfValues.value, ownValues.length);
  for (let row = 0; row < rows; row++) {
    for (const [column, k] of columns.parts.entries()) {
      const code = codes[column * rows + row]!;
      partsOfRows[row * runs + column] = (code === MISSING ? categories : offsets[k]! + code) * vectorBytes;
    }
    for (const [column, j] of columns.continuous.entries()) {
      const value = values[column * rows + row]!;
      const isAbsent = Number.isNaN(value);
      if (Math.abs(value) === Infinity) throw new RangeError('a value is not finite');
      const at = row * valueColumns + column;
      ownValues[at] = isAbsent ? 0 : value;
      normalsOfValues[at] = (isAbsent ? continuous.length : j) * 2 * vectorBytes;
      const factor = row >= releasedRow || column >= releasedColumn ? continuous.length + j : j;
      partsOfRows[row * runs + partColumns + column] = (isAbsent ? categories : categories + 1 + factor) * vectorBytes;
    }
  }

  const groups = groupsOf(partsOfRows, runs);
  new Uint32Array(buffer, kernel.groupOfRow.value, rows).set(groups);
  new Uint32Array(buffer, kernel.order.value, rows).set(Uint32Array.from(groups.keys()).sort((a, b) => groups[a]! - groups[b]! || a - b));

  const uniforms = new Float64Array(buffer, kernel.uniforms.value, rows);
  const latent = new Float64Array(buffer, kernel.latent.value, continuous.length * 2 * padded);
  const valueSums = new Float64Array(buffer, kernel.valueSums.value, continuous.length * 4 * padded);

  function load(state: ChainState): void {
    memory.load(state);
    copyPadded(requireLatent(state), classes, latent);
  }

  const currentState = (): ChainState => ({ ...memory.currentState(), latent: copyUnpadded(latent, classes, padded) });

  /** Numbers, means and squares in memory, by the labels that the classes have moved to. */
  function sumsByLabel(): Float64Array {
    const sums = new Float64Array(sumNumbers(continuous.length, classes));
    for (let vector = 0; vector < 3 * continuous.length; vector++) {
      const from = (Math.floor(vector / 3) * 4 + (vector % 3)) * padded;
      for (let f = 0; f < classes; f++) sums[vector * classes + f] = valueSums[from + memory.holder[f]!]!;
    }
    return sums;
  }

  return {
    allocation: () => ({ ...memory.allocation((row) => row), valueSums: sumsByLabel() }),
    init(random) {
      memory.run(random, kernel.init);
      return currentState();
    },
    step(state, random, iterations = 1, onIteration = () => undefined) {
      load(state);
      for (let i = 0; i < iterations; i++) {
        memory.run(random, kernel.step);
        onIteration();
      }
      return currentState();
    },
    classesOf(state, random) {
      load(state);
      for (let row = 0; row < rows; row++) uniforms[row] = random.uniform();
      const failure = kernel.classesByUniforms();
      if (failure !== 0) throw new RangeError(FAILURES[failure]);
      return memory.classOfRow.slice();
    },
    logLikelihood(state) {
      load(state);
      const value = kernel.logLikelihood();
      if (Number.isNaN(value)) throw new RangeError(FAILURES[1]);
      return value;
    },
  };
}

/** Numbers rows that have equal parts, rows x `runs`, in the order in which they are met. */
function groupsOf(parts: Uint32Array, runs: number): Uint32Array {
  const index = new CombinationIndex(2 * runs);
  const halves = new Uint16Array(parts.buffer, parts.byteOffset, 2 * parts.length);
  return Uint32Array.from({ length: runs === 0 ? 0 : parts.length / runs }, (_, row) => index.add(halves, 2 * row * runs, 1));
}
