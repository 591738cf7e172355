import { type CandidateSpace, unknownIndex } from './candidate-space.ts';

/**
 * The values that a record could have in some variables, the intruder knowing the others: the same candidates whatever
 * the truth is, so that probabilities over them are a forecast of the very record (docs/explanation/estimators.md).
 */
export interface ValueSet {
  /** Positions among the candidates that are considered, the truth first. */
  readonly candidates: Uint32Array;
  /** The value that each of them has, numbered from 0, which is the truth's. */
  readonly values: Uint32Array;
  /** What each value is: its code; of several variables together the number of the candidate in its {@link CandidateSpace}. */
  readonly codes: Uint32Array;
  /** Of a continuous variable: how its values, masses and cells in ascending order, lie to the true one. */
  readonly scale?: ContinuousScale;
}

/** Numbers of a mass or cell in {@link ContinuousScale}. */
export const CELL_NUMBERS = 4;

/** How the masses and cells of a continuous variable lie to a record's own value. All distances are in the variable's unit. */
export interface ContinuousScale {
  /**
   * entries x CELL_NUMBERS, in ascending order: distance from the end of the entry before, negative where it lies above the true
   * value; width, 0 of a mass; the share of it that lies below the true value; the share that lies within the tolerance.
   */
  readonly cells: Float64Array;
  /** entries x 2: where each begins and ends. */
  readonly bounds: Float64Array;
  /** Where a mass holds the true value, the position of that entry; null where its density is that of a value between masses. */
  readonly truthEntry: number | null;
  /** Logarithm of the probability that goes with one unit of the truth's density, by the decimals of its value; 0 in a mass. */
  readonly logPrecision: number;
}

/** What the intruder asks of every record of a run. */
export interface AskedVariables {
  readonly variables: readonly (readonly number[])[];
  /** Value sets whose gains add up to what the release reveals about a record: all unknown variables together, or else each variable. */
  readonly counted: readonly number[];
}

/**
 * The variables of the value sets of a candidate space. Under `one-change` and `two-changes` each variable has one, of
 * the candidates that differ in it alone. Unknown variables have one each, and one together. Cells, never listed one by
 * one, have none.
 */
export function askedVariables({ kind, sizes, unknown }: CandidateSpace): AskedVariables {
  if (kind === 'all-cells' || unknown.length === 0) return { variables: [], counted: [] };
  const single = (kind === 'unknown' ? unknown : [...sizes.keys()]).map((variable) => [variable]);
  if (kind !== 'unknown' || single.length === 1) return { variables: single, counted: [...single.keys()] };
  return { variables: [...single, unknown], counted: [single.length] };
}

/** The value sets of some rows. */
export interface RowValueSets {
  /** Value sets of a row, as many for each. */
  readonly count: number;
  readonly counted: AskedVariables['counted'];
  /** Candidates of all sets of a row together, at most. */
  readonly mostEntries: number;
  /** Sets of continuous variables, which come last, and the candidates of these together, at most; none if left out. */
  readonly continuous?: { readonly sets: number; readonly entries: number };
  readonly of: (row: number) => readonly ValueSet[];
}

/**
 * The value sets of rows.
 *
 * @param codes rows x variables
 * @param considered candidates of each row, the truth first; all if left out
 */
export function rowValueSets(space: CandidateSpace, codes: Uint16Array, considered?: readonly Uint32Array[]): RowValueSets {
  const { variables, counted } = askedVariables(space);
  const { kind, sizes, perCombination } = space;
  const width = sizes.length;
  return {
    count: variables.length,
    counted,
    mostEntries: kind === 'unknown' ? variables.length * perCombination : variables.reduce((sum, [variable]) => sum + sizes[variable!]!, 0),
    of: (row) => valueSets(space, codes.subarray(row * width, (row + 1) * width), considered?.[row]),
  };
}

/**
 * The value sets of a combination, in the order of {@link askedVariables}; empty where there is nothing to guess: the
 * value is missing, or the only one that is possible.
 */
function valueSets(space: CandidateSpace, codes: ArrayLike<number>, considered?: Uint32Array): ValueSet[] {
  if (space.kind === 'all-cells' || space.unknown.length === 0) return [];
  return space.kind === 'unknown' ? ofUnknown(space, codes, considered) : ofChanges(space, codes, considered);
}

/** Each variable's own changes, which come first among the candidates, one variable after the other. */
function ofChanges({ sizes }: CandidateSpace, codes: ArrayLike<number>, considered: Uint32Array | undefined): ValueSet[] {
  let position = 1;
  let next = 1;
  return sizes.map((size, variable) => {
    const truth = codes[variable]!;
    const candidates = [0];
    const codesInOrder = [truth];
    for (let change = 0; change < size - 1; change++, next++) {
      if (considered !== undefined && considered[position] !== next) continue;
      candidates.push(position++);
      codesInOrder.push(change < truth ? change : change + 1);
    }
    return setOf(candidates, [...codesInOrder.keys()], codesInOrder);
  });
}

/** Unknown variables: each by itself, whatever the others are, and all of them together. */
function ofUnknown(space: CandidateSpace, codes: ArrayLike<number>, considered: Uint32Array | undefined): ValueSet[] {
  const { sizes, unknown, perCombination } = space;
  const truth = unknownIndex(space, codes);
  const numbers = considered ?? Uint32Array.from({ length: perCombination }, (_, x) => x);
  const positions = [...numbers.keys()];
  const cells = Array.from(numbers, (x) => (x === 0 ? truth : x <= truth ? x - 1 : x));
  let stride = perCombination;
  const single = unknown.map((variable) => {
    const size = sizes[variable]!;
    stride /= size;
    const numberOf = new Map<number, number>();
    const values = cells.map((cell) => {
      const code = Math.floor(cell / stride) % size;
      const known = numberOf.get(code) ?? numberOf.size;
      numberOf.set(code, known);
      return known;
    });
    return setOf(positions, values, [...numberOf.keys()]);
  });
  return unknown.length === 1 ? single : [...single, setOf(positions, positions, [...numbers])];
}

function setOf(candidates: number[], values: number[], codes: number[]): ValueSet {
  // A single value leaves nothing to guess.
  const some = codes.length > 1;
  const taken = (list: number[]) => Uint32Array.from(some ? list : []);
  return { candidates: taken(candidates), values: taken(values), codes: taken(codes) };
}
