import type { Allocation } from '../../model/chains/chain-sampler.ts';
import { copyPadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { type CandidateSpace, candidateChanges, unknownIndex } from '../intruder/candidate-space.ts';
import { leaveOut, occupiedClasses } from './leave-out.ts';
import { knownColumns, logRatios, SAFE_DENSITY } from './log-ratios.ts';
import { type AveragingScorer, averagingScorer } from './ratio-scorer.ts';
import { groupByValues, type ValueGroups } from './value-groups.ts';
import { headVariables, leftVariables } from './variable-cut.ts';

/**
 * What kernels/ratios/likelihood-ratio.ts exports: numbers that its memory is laid out by; then globals and functions of a group
 * that give addresses in it.
 */
interface LikelihoodRatioKernel {
  readonly memory: WebAssembly.Memory;
  readonly rows: KernelGlobal;
  readonly classes: KernelGlobal;
  readonly variables: KernelGlobal;
  readonly categories: KernelGlobal;
  readonly candidates: KernelGlobal;
  readonly leftVariables: KernelGlobal;
  readonly leftValues: KernelGlobal;
  readonly rightValues: KernelGlobal;
  readonly leftChanges: KernelGlobal;
  readonly twoChanges: KernelGlobal;
  readonly unknownVariables: KernelGlobal;
  readonly headVariables: KernelGlobal;
  readonly blockValues: KernelGlobal;
  readonly knownVariables: KernelGlobal;
  readonly knownValues: KernelGlobal;
  layOut(): void;
  categoriesOf(group: number): number;
  startsOf(group: number): number;
  membersOf(group: number): number;
  valuesOf(group: number): number;
  readonly weights: KernelGlobal;
  readonly probabilities: KernelGlobal;
  readonly offsets: KernelGlobal;
  readonly singles: KernelGlobal;
  readonly pairs: KernelGlobal;
  readonly firsts: KernelGlobal;
  readonly sizes: KernelGlobal;
  readonly own: KernelGlobal;
  readonly sums: KernelGlobal;
  readonly squares: KernelGlobal;
  readonly scales: KernelGlobal;
  readonly unsafeCount: KernelGlobal;
  readonly counts: KernelGlobal;
  readonly classOfRow: KernelGlobal;
  readonly held: KernelGlobal;
  readonly centres: KernelGlobal;
  readonly firstCategories: KernelGlobal;
  readonly changed: KernelGlobal;
  readonly unknown: KernelGlobal;
  setClasses(classes: number): void;
  score(safeDensity: number, allocated: boolean): void;
}

/** The kernel with its memory laid out for a number of classes. */
interface BoundKernel {
  readonly classes: number;
  /** Forgets the draws that were added. */
  readonly clear: () => void;
  /** Adds the ratios of a draw, and their squares, to the sums; `logWeights` and `allocation` as `RatioScorer` takes them. */
  readonly add: (weights: Float64Array, probabilities: Float64Array, logWeights?: Float64Array, allocation?: Allocation) => void;
  /** The means over the draws added: combinations x candidates. */
  readonly take: (which: 'sums' | 'squares', out: Float64Array) => void;
}

/**
 * A scorer for combinations, by `kernels/ratios/likelihood-ratio.ts`.
 *
 * @param codes combinations x columns. Under `one-change` values may be missing, and densities are those of the others;
 * what candidates that change a missing value get means nothing
 * @param variableOfColumn the variable of each column; a column a variable if not said otherwise. Under `unknown`
 * further columns may follow those, which every candidate has in common with the truth: the densities are then those
 * of all columns, f2(x, z) / f2(x_i, z) of docs/explanation/estimators.md
 * @param held what the records of the combinations have in the table whose allocations are given, where these are other
 * values
 */
export function createRatioScorer(
  space: CandidateSpace,
  codes: Uint16Array,
  variableOfColumn: readonly number[] = [...space.sizes.keys()],
  held: Uint16Array = codes,
): AveragingScorer {
  let kernel: BoundKernel | undefined;
  const cleared = (classes: number): BoundKernel => {
    if (kernel?.classes !== classes) kernel = bindKernel(space, codes, variableOfColumn, held, classes);
    kernel.clear();
    return kernel;
  };
  return averagingScorer({ rows: codes.length / variableOfColumn.length, candidates: space.perCombination }, (classes) => {
    const { add, take } = cleared(classes);
    return { add: ({ weights, probabilities, allocation }, logWeights) => add(weights, probabilities, logWeights, allocation), take };
  });
}

function bindKernel(
  space: CandidateSpace,
  codes: Uint16Array,
  variableOfColumn: readonly number[],
  held: Uint16Array,
  classes: number,
): BoundKernel {
  const { sizes, perCombination } = space;
  const variables = sizes.length;
  const columns = variableOfColumn.length;
  const rows = codes.length / columns;
  const offsets = categoryOffsets(sizes);
  const padded = classes + (classes % 2);
  const kernel = instantiateKernel<LikelihoodRatioKernel>('likelihood-ratio');
  if (space.kind === 'unknown') layOutUnknown(kernel, space, codes, variableOfColumn, padded);
  else if (columns === variables) layOutChanges(kernel, space, codes, padded);
  else throw new RangeError('further columns need candidates on unknown variables');
  if (columns === variables) layOutRecords(kernel, space, codes, held);
  const { buffer } = kernel.memory;
  const kernelWeights = new Float64Array(buffer, kernel.weights.value, padded);
  const kernelProbabilities = new Float64Array(buffer, kernel.probabilities.value, offsets[variables]! * padded);
  /** Says how many classes a draw has. What every class gives a missing value stands after the categories. */
  const setClasses = (count: number) => {
    kernel.setClasses(count);
    const missing = kernel.probabilities.value + offsets[variables]! * count * Float64Array.BYTES_PER_ELEMENT;
    new Float64Array(buffer, missing, count).fill(1);
  };
  const scales = new Float64Array(buffer, kernel.scales.value, rows);
  const counts = new Uint32Array(buffer, kernel.counts.value, offsets[variables]! * padded);
  const classOfRow = new Uint32Array(buffer, kernel.classOfRow.value, rows);
  const totals = {
    sums: new Float64Array(buffer, kernel.sums.value, rows * perCombination),
    squares: new Float64Array(buffer, kernel.squares.value, rows * perCombination),
  };
  const ownCodes = (row: number) => codes.subarray(row * columns, (row + 1) * columns);
  // The kernel lays unknown candidates out by their values, so that each truth stands among the others.
  const truths = Uint32Array.from({ length: rows }, (_, row) => (space.kind === 'unknown' ? unknownIndex(space, ownCodes(row)) : 0));
  const logged = new Float64Array(perCombination);
  const occupiedOf = occupiedClasses(classes, offsets[variables]!);
  let draws = 0;
  return {
    classes,
    clear: () => {
      draws = 0;
      totals.sums.fill(0);
      totals.squares.fill(0);
    },
    add: (weights, probabilities, logWeights, allocation) => {
      draws++;
      if (allocation) {
        if (columns !== variables) throw new RangeError('phi cannot be integrated out of further columns');
        const occupied = occupiedOf(weights, allocation);
        const stride = occupied.classes + (occupied.classes % 2);
        setClasses(stride);
        copyPadded(occupied.weights, occupied.classes, kernelWeights.subarray(0, stride));
        copyPadded(occupied.counts, occupied.classes, counts.subarray(0, offsets[variables]! * stride));
        const { classOfCombination } = allocation;
        for (let row = 0; row < classOfCombination.length; row++) classOfRow[row] = occupied.place[classOfCombination[row]!]!;
      } else {
        setClasses(padded);
        copyPadded(weights, classes, kernelWeights);
        copyPadded(probabilities, classes, kernelProbabilities);
      }
      kernel.score(SAFE_DENSITY, allocation !== undefined);
      if (logWeights) for (let row = 0; row < rows; row++) logWeights[row] = log(scales[row]!);
      if (kernel.unsafeCount.value === 0) return;
      // Rare: a density near underflow is scored in logs, and so is one of which a class takes nearly all away.
      for (let row = scales.indexOf(0); row >= 0; row = scales.indexOf(0, row + 1)) {
        const heldCodes = held.subarray(row * columns, (row + 1) * columns);
        const phi = allocation ? leaveOut(allocation, row, heldCodes, sizes, classes) : probabilities;
        const logWeight = logRatios(space, { own: ownCodes(row), variableOfColumn }, { weights, probabilities: phi }, logged);
        if (logWeights) logWeights[row] = logWeight;
        const from = row * perCombination;
        const truth = truths[row]!;
        for (let x = 1; x < perCombination; x++) {
          const at = from + (x <= truth ? x - 1 : x);
          totals.sums[at]! += logged[x]!;
          totals.squares[at]! += logged[x]! * logged[x]!;
        }
      }
    },
    take: (which, out) => {
      const total = totals[which];
      for (let row = 0; row < rows; row++) {
        const from = row * perCombination;
        const truth = from + truths[row]!;
        out[from] = 1;
        for (let at = from; at < truth; at++) out[at + 1] = total[at]! / draws;
        for (let at = truth + 1; at < from + perCombination; at++) out[at] = total[at]! / draws;
      }
    },
  };
}

function layOutChanges(
  kernel: LikelihoodRatioKernel,
  { kind, sizes, perCombination }: CandidateSpace,
  codes: Uint16Array,
  padded: number,
): void {
  const variables = sizes.length;
  const offsets = categoryOffsets(sizes);
  const middle = leftVariables(sizes);
  const columns = [...sizes.keys()];
  const left = groupByValues(codes, variables, columns.slice(0, middle));
  const right = groupByValues(codes, variables, columns.slice(middle));
  // Each variable has one change fewer than categories, and changes come after the truth.
  const singles = Int32Array.from(offsets, (offset, k) => 1 + offset - k);
  const changes = singles[variables]! - 1;
  const pairs = new Int32Array(variables);
  let pair = 1 + changes;
  for (const [k, size] of sizes.entries()) {
    pairs[k] = pair;
    pair += (size - 1) * (1 + changes - singles[k + 1]!);
  }
  setNumbers(kernel, {
    rows: codes.length / variables,
    classes: padded,
    variables,
    categories: offsets[variables]!,
    candidates: perCombination,
    leftVariables: middle,
    leftValues: left.starts.length - 1,
    rightValues: right.starts.length - 1,
    leftChanges: singles[middle]! - 1,
    twoChanges: Number(kind === 'two-changes'),
  });
  kernel.layOut();
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, kernel.offsets.value, variables + 1).set(offsets);
  new Int32Array(buffer, kernel.singles.value, variables + 1).set(singles);
  new Int32Array(buffer, kernel.pairs.value, variables).set(pairs);
  setGroups(kernel, 0, left, sizes, columns.slice(0, middle));
  setGroups(kernel, 1, right, sizes, columns.slice(middle));
}

function layOutUnknown(
  kernel: LikelihoodRatioKernel,
  { sizes, unknown, perCombination }: CandidateSpace,
  codes: Uint16Array,
  variableOfColumn: readonly number[],
  padded: number,
): void {
  const columns = variableOfColumn.length;
  const rows = codes.length / columns;
  const offsets = categoryOffsets(sizes);
  const known = knownColumns(unknown, variableOfColumn);
  const groups = groupByValues(codes, columns, known);
  const unknownSizes = unknown.map((k) => sizes[k]!);
  const head = headVariables(unknownSizes);
  setNumbers(kernel, {
    rows,
    classes: padded,
    variables: sizes.length,
    categories: offsets[sizes.length]!,
    candidates: perCombination,
    unknownVariables: unknown.length,
    headVariables: head,
    blockValues: unknownSizes.slice(head).reduce((values, size) => values * size, 1),
    knownVariables: known.length,
    knownValues: groups.starts.length - 1,
  });
  kernel.layOut();
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, kernel.firsts.value, unknown.length).set(unknown.map((k) => offsets[k]!));
  new Uint32Array(buffer, kernel.sizes.value, unknown.length).set(unknownSizes);
  const ownCategories = new Uint32Array(buffer, kernel.own.value, rows * unknown.length);
  for (let row = 0; row < rows; row++) {
    for (const [j, k] of unknown.entries()) {
      ownCategories[row * unknown.length + j] = offsets[k]! + codes[row * columns + k]!;
    }
  }
  setGroups(
    kernel,
    0,
    groups,
    sizes,
    known.map((column) => variableOfColumn[column]!),
  );
}

/** Writes what taking records out of their classes needs: what they have, and what every candidate changes. */
function layOutRecords(kernel: LikelihoodRatioKernel, space: CandidateSpace, codes: Uint16Array, held: Uint16Array): void {
  const { kind, sizes, unknown, perCombination } = space;
  const variables = sizes.length;
  const offsets = categoryOffsets(sizes);
  const { buffer } = kernel.memory;
  const numbered = (code: number, i: number) => {
    const k = i % variables;
    return code === sizes[k] ? offsets[variables]! : offsets[k]! + code;
  };
  new Uint32Array(buffer, kernel.held.value, held.length).set(Uint32Array.from(held, numbered));
  new Uint32Array(buffer, kernel.firstCategories.value, variables + 1).set(offsets);
  // Candidates on unknown variables have values of them, which are changes of none.
  const none = 0xffffffff;
  const isUnknown = (k: number) => kind === 'unknown' && unknown.includes(k);
  new Uint32Array(buffer, kernel.centres.value, codes.length).set(
    Uint32Array.from(codes, (code, i) => (isUnknown(i % variables) ? none : numbered(code, i))),
  );
  if (kind === 'unknown') {
    new Uint32Array(buffer, kernel.unknown.value, unknown.length).set(unknown);
    const values = new Uint32Array(buffer, kernel.changed.value, perCombination * unknown.length);
    for (let value = 0; value < perCombination; value++) {
      let rest = value;
      for (let j = unknown.length - 1; j >= 0; j--) {
        const k = unknown[j]!;
        values[value * unknown.length + j] = offsets[k]! + (rest % sizes[k]!);
        rest = Math.floor(rest / sizes[k]!);
      }
    }
    return;
  }
  // Changes of the first categories put the others in their order.
  const first = new Uint16Array(variables);
  const changes = new Uint32Array(buffer, kernel.changed.value, 4 * perCombination);
  for (let candidate = 0; candidate < perCombination; candidate++) {
    const [one, other] = candidateChanges(space, first, candidate);
    for (const [i, change] of [one, other].entries()) {
      changes[4 * candidate + 2 * i] = change?.variable ?? variables;
      changes[4 * candidate + 2 * i + 1] = (change?.code ?? 1) - 1;
    }
  }
}

/** Writes the groups of rows on some variables to the kernel; missing values have the number after all categories. */
function setGroups(
  kernel: LikelihoodRatioKernel,
  group: number,
  { codes, starts, members, valueOfRow }: ValueGroups,
  sizes: readonly number[],
  variables: readonly number[],
): void {
  const { buffer } = kernel.memory;
  const offsets = categoryOffsets(sizes);
  const categories = new Uint32Array(buffer, kernel.categoriesOf(group), codes.length);
  for (const [i, code] of codes.entries()) {
    const k = variables[i % variables.length]!;
    categories[i] = code === sizes[k] ? offsets[sizes.length]! : offsets[k]! + code;
  }
  new Uint32Array(buffer, kernel.startsOf(group), starts.length).set(starts);
  new Uint32Array(buffer, kernel.membersOf(group), members.length).set(members);
  new Uint32Array(buffer, kernel.valuesOf(group), valueOfRow.length).set(valueOfRow);
}
