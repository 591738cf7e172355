import type { Allocation } from '../../model/chains/chain-sampler.ts';
import { normalSums } from '../../model/mixed/mixed-draws.ts';
import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';
import { copyPadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { occupiedClasses } from '../scoring/leave-out.ts';
import { type AveragingScorer, averagingScorer } from '../scoring/ratio-scorer.ts';
import type { Beside } from './beside.ts';
import type { MixedModel } from './class-tables.ts';
import { logBesideRatios } from './log-beside-ratios.ts';
import { logMixedRatios, mixedLayout } from './log-mixed-ratios.ts';
import type { MixedSpace } from './mixed-space.ts';

/** What kernels/densities/density-ratios.ts exports: numbers that its memory is laid out by, and addresses in it. */
interface DensityRatiosKernel
  extends Record<
    | 'rows'
    | 'mostClasses'
    | 'parts'
    | 'categories'
    | 'continuous'
    | 'factors'
    | 'together'
    | 'candidates'
    | 'kappa'
    | 'normalShape'
    | 'normalRate'
    | 'paddedRows'
    | 'offsets'
    | 'floors'
    | 'cellCounts'
    | 'layout'
    | 'codes'
    | 'values'
    | 'distinctCounts'
    | 'distinctValues'
    | 'placeOfValue'
    | 'besideCodes'
    | 'besideValues'
    | 'weights'
    | 'counts'
    | 'valueSums'
    | 'classOfRow'
    | 'scales'
    | 'sums'
    | 'squares',
    KernelGlobal
  > {
  readonly memory: WebAssembly.Memory;
  prepare(): void;
  prepareCells(): void;
  setClasses(classes: number): void;
  score(safeDensity: number): number;
}

/**
 * A density of a row below this may have lost digits to underflow, in itself or without one variable: the row is scored in logs.
 */
const SAFE_DENSITY = 1e-150;

/**
 * The least mean of r_x: a cell far from all values, in a table of so many that each class is narrow, would have none, and then no
 * logarithm. Its posterior cannot be told from zero either way.
 */
const LEAST_MEAN = 1e-300;

/** Classes are taken four at a time. */
const padded = (classes: number) => 4 * Math.ceil(classes / 4);

/** Stands in the kernel for what is not there. */
const NONE = 0xffffffff;

/** What is scored, and by what. */
interface Batch {
  readonly space: MixedSpace;
  readonly model: MixedModel;
  readonly table: MixedRows;
  readonly parts: readonly number[];
  readonly beside: Beside | 'outside' | null;
}

/** The kernel with its memory laid out for a number of classes. */
interface BoundKernel {
  readonly classes: number;
  /** Forgets the draws that were added. */
  readonly clear: () => void;
  /** Adds the ratios of a draw, and their squares, to the sums; arguments as `RatioScorer` takes them. */
  readonly add: (weights: Float64Array, allocation: Allocation, logInverses?: Float64Array) => void;
  /** The means over the draws added: rows x candidates. */
  readonly take: (which: 'sums' | 'squares', out: Float64Array) => void;
}

/**
 * A scorer of rows of the model `mixed`: r_x = f(x) / f(x_i) of every candidate of {@link MixedSpace} under one draw, with phi, mu and
 * sigma integrated out given the classes of all other records. Of a continuous candidate f(x) is the probability of its mass or
 * cell, and f(x_i) a density on the unit scale where no mass holds the value. Ratios of what a record lacks are 1. With what a
 * dataset has beside the rows, f(x) is f2(x, z). By kernels/densities/density-ratios.ts; {@link logMixedRatios} and {@link logBesideRatios}
 * are the same to read.
 *
 * @param parts the discrete part of each categorical variable that is guessed at
 * @param beside `outside` for rows that are not in the table of the draws: no class has to be without them
 * @throws RangeError without an allocation
 */
export function createMixedScorer(
  space: MixedSpace,
  model: MixedModel,
  table: MixedRows,
  parts: readonly number[],
  beside: Beside | 'outside' | null = null,
): AveragingScorer {
  const batch = { space, model, table, parts, beside };
  let kernel: BoundKernel | undefined;
  const cleared = (classes: number): BoundKernel => {
    if (kernel?.classes !== classes) kernel = bindKernel(batch, classes);
    kernel.clear();
    return kernel;
  };
  const given = (allocation: Allocation | undefined): Allocation => {
    if (allocation === undefined) throw new RangeError('a scorer of the model mixed needs allocations');
    return allocation;
  };
  return averagingScorer({ rows: batch.table.rows, candidates: batch.space.perRecord }, (classes) => {
    const { add, take } = cleared(classes);
    return { add: ({ weights, allocation }, logInverses) => add(weights, given(allocation), logInverses), take };
  });
}

function bindKernel(batch: Batch, classes: number): BoundKernel {
  const { space, model, table, parts, beside } = batch;
  const { sizes, continuous } = model;
  const { rows } = table;
  const { perRecord } = space;
  const offsets = categoryOffsets(sizes);
  const categories = offsets[sizes.length]!;
  const isOutside = beside === 'outside';
  // Rows of no class leave one that no row is drawn from: of weight 0, with a record of each category to be left.
  const mostClasses = padded(classes + (isOutside ? 1 : 0));
  const kernel = layOut(batch, mostClasses);
  const { buffer } = kernel.memory;
  const vectors = <Vectors extends Float64Array | Uint32Array>(
    kind: new (buffer: ArrayBuffer, from: number, length: number) => Vectors,
    { value }: KernelGlobal,
    count: number,
  ) => new kind(buffer, value, count * mostClasses);
  const weightsOf = vectors(Float64Array, kernel.weights, 1);
  const countsOf = vectors(Uint32Array, kernel.counts, categories);
  const sumsOf = vectors(Float64Array, kernel.valueSums, 3 * continuous.length);
  const classOfRow = new Uint32Array(buffer, kernel.classOfRow.value, rows);
  const scales = new Float64Array(buffer, kernel.scales.value, rows);
  const totals = {
    sums: new Float64Array(buffer, kernel.sums.value, rows * perRecord),
    squares: new Float64Array(buffer, kernel.squares.value, rows * perRecord),
  };
  const occupiedOf = occupiedClasses(classes, categories);
  const inLogs =
    beside === null || isOutside
      ? logMixedRatios(space, model, { rows: table, isOutside }, parts)
      : logBesideRatios(space, model, { rows: table, beside }, parts);
  const logged = new Float64Array(perRecord);
  let draws = 0;
  return {
    classes,
    clear: () => {
      draws = 0;
      totals.sums.fill(0);
      totals.squares.fill(0);
    },
    add(weights, allocation, logInverses) {
      draws++;
      const ofValues = continuous.length === 0 ? [] : normalSums(allocation, classes);
      const { classes: own, ...occupied } = occupiedOf(
        weights,
        allocation,
        ofValues.map(({ numbers }) => numbers),
      );
      const stride = padded(own + (isOutside ? 1 : 0));
      kernel.setClasses(stride);
      copyPadded(occupied.weights, own, weightsOf.subarray(0, stride));
      copyPadded(occupied.counts, own, countsOf.subarray(0, categories * stride));
      if (isOutside) for (let c = 0; c < categories; c++) countsOf[c * stride + own] = 1;
      sumsOf.fill(0);
      for (const [j, { numbers, averages, squares }] of ofValues.entries()) {
        for (const [f, at] of occupied.place.entries()) {
          if (numbers[f] === 0) continue;
          for (const [which, vector] of [numbers, averages, squares].entries()) sumsOf[(3 * j + which) * stride + at] = vector[f]!;
        }
      }
      for (let row = 0; row < rows; row++) classOfRow[row] = isOutside ? own : occupied.place[allocation.classOfCombination[row]!]!;
      const unsafe = kernel.score(SAFE_DENSITY);
      if (logInverses) for (let row = 0; row < rows; row++) logInverses[row] = -log(scales[row]!);
      if (unsafe === 0) return;
      const ofRow = inLogs(weights, allocation);
      for (let row = scales.indexOf(0); row >= 0; row = scales.indexOf(0, row + 1)) {
        const logInverse = ofRow(row, logged);
        if (logInverses) logInverses[row] = logInverse;
        for (const [x, ratio] of logged.entries()) {
          totals.sums[row * perRecord + x]! += ratio;
          totals.squares[row * perRecord + x]! += ratio * ratio;
        }
      }
    },
    take: (which, out) => {
      const total = totals[which];
      const least = which === 'sums' ? LEAST_MEAN : 0;
      for (let at = 0; at < total.length; at++) out[at] = Math.max(least, total[at]! / draws);
    },
  };
}

/** The kernel with what it needs of the rows in its memory. */
function layOut({ space, model, table, parts, beside }: Batch, mostClasses: number): DensityRatiosKernel {
  const { sizes, continuous, prior } = model;
  const { rows } = table;
  const offsets = categoryOffsets(sizes);
  const { factors, guessedCategories, together, guessedValues } = mixedLayout(space, model, parts);
  const kernel = instantiateKernel<DensityRatiosKernel>('density-ratios');
  setNumbers(kernel, {
    rows,
    mostClasses,
    parts: sizes.length,
    categories: offsets[sizes.length]!,
    continuous: continuous.length,
    factors: factors.length,
    together: together.length,
    candidates: space.perRecord,
    kappa: prior.kappa,
    normalShape: prior.shape,
    normalRate: prior.rate,
  });
  kernel.prepare();
  new Uint32Array(kernel.memory.buffer, kernel.cellCounts.value, continuous.length).set(
    continuous.map((_, part) => guessedValues.find((own) => own.part === part)?.cells ?? 0),
  );
  kernel.prepareCells();
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, kernel.offsets.value, offsets.length).set(offsets);
  new Float64Array(buffer, kernel.floors.value, continuous.length).set(continuous.map(({ smallest }) => smallest * smallest));
  const layout = new Uint32Array(buffer, kernel.layout.value, 4 * factors.length);
  for (const [v, { discrete, continuous: part }] of factors.entries()) layout.set([discrete ?? NONE, part ?? NONE, 0, 0], 4 * v);
  let first = 1;
  for (const { part, factor } of guessedCategories) {
    layout[4 * factor + 2] = first;
    first += sizes[part]! - 1;
  }
  for (const { factor, first, masses } of guessedValues) layout.set([first, masses.length], 4 * factor + 2);
  const setRows = (own: Beside, ofCodes: KernelGlobal, ofValues: KernelGlobal) => {
    const codes = new Uint32Array(buffer, ofCodes.value, rows * sizes.length);
    for (const k of sizes.keys()) {
      for (let row = 0; row < rows; row++) {
        const code = own.codes[k * rows + row]!;
        codes[row * sizes.length + k] = code === MISSING ? NONE : offsets[k]! + code;
      }
    }
    const stride = kernel.paddedRows.value;
    const values = new Float64Array(buffer, ofValues.value, stride * continuous.length);
    for (const j of continuous.keys()) values.set(own.values.subarray(j * rows, (j + 1) * rows), j * stride);
  };
  const nothing = {
    codes: new Uint16Array(table.codes.length).fill(MISSING),
    values: new Float64Array(table.values.length).fill(Number.NaN),
  };
  setRows(table, kernel.codes, kernel.values);
  setDistinct(kernel, rows, continuous.length);
  setRows(beside === null || beside === 'outside' ? nothing : beside, kernel.besideCodes, kernel.besideValues);
  return kernel;
}

/** Lists the distinct values of the rows, of which each has its density found once: a number that is seldom precise has few. */
function setDistinct({ memory: { buffer }, ...kernel }: DensityRatiosKernel, rows: number, continuous: number): void {
  const stride = kernel.paddedRows.value;
  const counts = new Uint32Array(buffer, kernel.distinctCounts.value, continuous);
  for (let j = 0; j < continuous; j++) {
    const ofPart = ({ value }: KernelGlobal) => [buffer, value + j * stride * Float64Array.BYTES_PER_ELEMENT, rows] as const;
    const values = new Float64Array(...ofPart(kernel.values));
    const distinct = [...new Set(values)];
    const places = new Map(distinct.map((value, place) => [value, place]));
    counts[j] = distinct.length;
    new Float64Array(...ofPart(kernel.distinctValues)).set(distinct);
    const from = kernel.placeOfValue.value + j * stride * Uint32Array.BYTES_PER_ELEMENT;
    new Uint32Array(buffer, from, rows).set(values.map((value) => places.get(value)!));
  }
}
