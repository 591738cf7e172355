import type { Prior } from '../../contracts/config/config.ts';
import { log } from '../../numeric/portable-math.ts';
import type { Combinations } from '../../table/combinations.ts';
import { type CandidateSpace, unknownIndex } from '../intruder/candidate-space.ts';
import type { PriorWeights } from './prior-weights.ts';
import { LOG_ZERO, priorOf, type RowPriors } from './row-priors.ts';
import { cellStrides, logsByCell, logWeightOf } from './weight-by-cell.ts';

/** The rows whose candidates are listed one by one. */
export interface ListedRows {
  readonly space: CandidateSpace;
  /** rows x variables. */
  readonly codes: Uint16Array;
  /** For each row, which candidates the intruder considers, the truth first; all if left out. */
  readonly considered?: readonly Uint32Array[] | undefined;
}

/**
 * Logarithms of the prior of the candidates of rows, as {@link RowPriors}.
 *
 * @param combinations of the table, which the prior `empirical` counts
 * @param weights of a prior from files
 * @throws RangeError when a prior other than the uniform one meets candidates that depend on the truth
 */
export function listedPriors(prior: Prior, rows: ListedRows, combinations: Combinations, weights: readonly PriorWeights[]): RowPriors {
  if (prior === 'uniform') return priorOf(prior);
  if (rows.space.kind !== 'unknown') throw new RangeError('a prior needs candidates that are known beforehand');
  if (prior === 'model') return priorOf(prior);
  const logOf = prior === 'empirical' ? empiricalLogs(rows, combinations) : productOfLogs(rows.space, weights);
  const { space, codes, considered } = rows;
  const width = space.sizes.length;
  return {
    source: 'given',
    of: (row) => {
      const ownCodes = codes.subarray(row * width, (row + 1) * width);
      const truth = unknownIndex(space, ownCodes);
      const candidates = considered?.[row];
      const logs = logOf(ownCodes, truth, candidates?.length ?? space.perCombination);
      // Candidate 0 is the truth; the others are the values but the truth's, in order.
      const valueNumber = (candidate: number) => {
        if (candidate === 0) return truth;
        return candidate <= truth ? candidate - 1 : candidate;
      };
      return Float64Array.from({ length: candidates?.length ?? space.perCombination }, (_, x) => logs(valueNumber(candidates?.[x] ?? x)));
    },
  };
}

/** Logarithms of the weights of a record's values, which are numbered as `unknownIndex` does. */
type LogsOfRecord = (codes: Uint16Array, truth: number, candidates: number) => (value: number) => number;

/** Of each value, the records of D_-i that have it beside what is known of record i, and one more spread evenly. */
function empiricalLogs({ space }: ListedRows, { codes, counts, variables }: Combinations): LogsOfRecord {
  const isUnknown = space.sizes.map((_, k) => space.unknown.includes(k));
  const known = (own: Uint16Array) => own.filter((_, k) => !isUnknown[k]).join();
  const countsByKnown = new Map<string, Map<number, number>>();
  for (const [c, count] of counts.entries()) {
    const rowCodes = codes.subarray(c * variables, (c + 1) * variables);
    const key = known(rowCodes);
    const values = countsByKnown.get(key) ?? new Map<number, number>();
    countsByKnown.set(key, values.set(unknownIndex(space, rowCodes), count));
  }
  return (own, truth, candidates) => {
    const values = countsByKnown.get(known(own));
    return (value) => log((values?.get(value) ?? 0) - (value === truth ? 1 : 0) + 1 / candidates);
  };
}

/** The product over files of the weight that each gives to a record with these values. */
function productOfLogs(space: CandidateSpace, files: readonly PriorWeights[]): LogsOfRecord {
  const factors = files.map((file) => fileLogs(space, file));
  return (own) => {
    const ofRecord = factors.map((factor) => factor(own));
    return (value) => {
      let sum = 0;
      for (const factor of ofRecord) {
        const one = factor(value);
        if (one === LOG_ZERO) return LOG_ZERO;
        sum += one;
      }
      return sum;
    };
  };
}

/** Logarithms of one file's weights: of the values of a record, given what is known of it. */
function fileLogs(space: CandidateSpace, file: PriorWeights): (own: Uint16Array) => (value: number) => number {
  const { sizes, unknown, perCombination } = space;
  const weights = logsByCell(file, sizes);
  const strides = cellStrides(file.variables, sizes);
  // What the values of the unknown variables add to a cell's number.
  const offsets = Float64Array.from({ length: perCombination }, (_, value) => {
    let rest = value;
    let offset = 0;
    for (const variable of unknown.toReversed()) {
      const code = rest % sizes[variable]!;
      rest = (rest - code) / sizes[variable]!;
      const at = file.variables.indexOf(variable);
      if (at >= 0) offset += code * strides[at]!;
    }
    return offset;
  });
  return (own) => {
    let cell = 0;
    for (const [at, variable] of file.variables.entries()) {
      if (!unknown.includes(variable)) cell += own[variable]! * strides[at]!;
    }
    return (value) => weights.get(cell + offsets[value]!) ?? LOG_ZERO;
  };
}

/**
 * Which combinations a prior from files gives a positive weight.
 *
 * @returns a truth value for each combination
 */
export function positiveWeights(
  { codes, count, variables }: Combinations,
  sizes: readonly number[],
  files: readonly PriorWeights[],
): boolean[] {
  const logOf = logWeightOf(files, sizes);
  return Array.from({ length: count }, (_, row) => logOf(codes.subarray(row * variables, (row + 1) * variables)) !== undefined);
}
