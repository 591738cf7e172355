import { stepOf, type Tolerance } from '../../contracts/continuous.ts';
import { log } from '../../numeric/portable-math.ts';
import type { CandidateSpace } from '../intruder/candidate-space.ts';
import { CELL_NUMBERS, type ContinuousScale, type RowValueSets, rowValueSets, type ValueSet } from '../intruder/value-sets.ts';

/** Between the unit of a variable and the unit scale of the model, on which its range is [0, 1]; increasing. */
export interface VariableScale {
  toUnit(value: number): number;
  fromUnit(unit: number): number;
}

/** A continuous variable whose values an intruder considers, as it is declared. */
export interface GuessedContinuous {
  /** Its place among the continuous parts of the model's rows. */
  readonly part: number;
  readonly masses: readonly number[];
  readonly decimals: number;
  readonly scale: VariableScale;
  /** Cells of equal width on the unit scale. */
  readonly cells: number;
  readonly within: Tolerance;
}

/** A mass or a cell of a continuous variable, in its unit: a mass ends where it begins. */
interface Entry {
  readonly from: number;
  readonly to: number;
  /** Its place among the variable's candidates: masses in the order in which they are declared, then cells. */
  readonly place: number;
}

/** Where the candidates of a continuous variable are. */
export interface ContinuousCandidates extends GuessedContinuous {
  /** Number of its first candidate. */
  readonly first: number;
  /** Masses and cells in ascending order. */
  readonly entries: readonly Entry[];
  /** entries x 2: where each begins and ends. */
  readonly bounds: Float64Array;
}

/**
 * What an intruder considers for a record: first the candidates of the categorical variables, which are ranked, then for each
 * continuous variable, all others being known, its masses and its cells, the same for every record. Candidate 0 is the record itself.
 */
export interface MixedSpace {
  readonly categorical: CandidateSpace;
  readonly continuous: readonly ContinuousCandidates[];
  readonly perRecord: number;
}

/** Lays out the candidates: those of categorical variables, and of continuous ones. */
export function mixedSpace(categorical: CandidateSpace, guessed: readonly GuessedContinuous[]): MixedSpace {
  let first = categorical.perCombination;
  const continuous = guessed.map((variable): ContinuousCandidates => {
    const { masses, cells, scale } = variable;
    const bound = (c: number) => scale.fromUnit(c / cells);
    const entries = [
      ...masses.map((mass, place) => ({ from: mass, to: mass, place })),
      ...Array.from({ length: cells }, (_, c) => ({ from: bound(c), to: bound(c + 1), place: masses.length + c })),
    ];
    // A mass within the range stands beside the cell that holds it, on the side of its middle on which it lies.
    const middle = ({ from, to }: Entry) => (from + to) / 2;
    entries.sort((a, b) => middle(a) - middle(b));
    const own = { ...variable, first, entries, bounds: Float64Array.from(entries.flatMap(({ from, to }) => [from, to])) };
    first += entries.length;
    return own;
  });
  return { categorical, continuous, perRecord: first };
}

/** The half width of what counts as near a value; no less than what rounding leaves open. */
function nearness({ within, decimals }: Pick<GuessedContinuous, 'within' | 'decimals'>, value: number): number {
  const asked = 'share' in within ? within.share * Math.abs(value) : within.amount;
  return Math.max(asked, stepOf(decimals) / 2);
}

/** How the masses and cells of a variable lie to the value of a record. */
function scaleOf(variable: ContinuousCandidates, value: number): ContinuousScale {
  const { entries, bounds, masses, decimals, scale } = variable;
  const near = nearness(variable, value);
  const cells = new Float64Array(entries.length * CELL_NUMBERS);
  let end = entries[0]!.from;
  for (const [v, { from, to }] of entries.entries()) {
    const width = to - from;
    const gap = Math.max(0, from - end);
    const overlap = Math.min(to, value + near) - Math.max(from, value - near);
    const shareBelow = width > 0 ? Math.min(1, Math.max(0, (value - from) / width)) : value > from ? 1 : 0;
    const shareWithin = width > 0 ? Math.max(0, overlap) / width : overlap >= 0 ? 1 : 0;
    cells.set([value >= from ? gap : -gap, width, shareBelow, shareWithin], v * CELL_NUMBERS);
    end = Math.max(end, to);
  }
  const mass = masses.indexOf(value);
  const half = stepOf(decimals) / 2;
  const unit = (bound: number) => scale.toUnit(Math.min(scale.fromUnit(1), Math.max(scale.fromUnit(0), bound)));
  return {
    cells,
    bounds,
    truthEntry: mass < 0 ? null : entries.findIndex(({ place }) => place === mass),
    logPrecision: mass < 0 ? log(unit(value + half) - unit(value - half)) : 0,
  };
}

/**
 * The value sets of some records: of each categorical variable, then of each continuous one.
 *
 * @param codes records x categorical variables that are guessed at
 * @param values continuous variables that are guessed at x records, in their unit; NaN where one is missing
 * @param considered candidates of each record, in ascending order, with all of the continuous variables; all if left out
 */
export function mixedValueSets(
  { categorical, continuous, perRecord }: MixedSpace,
  { codes, values }: { readonly codes: Uint16Array; readonly values: Float64Array },
  considered?: readonly Uint32Array[],
): RowValueSets {
  const ofCategories = rowValueSets(categorical, codes, considered);
  const count = ofCategories.count + continuous.length;
  const entries = perRecord - categorical.perCombination;
  const rows = values.length / Math.max(1, continuous.length);
  return {
    count,
    counted: [...ofCategories.counted, ...continuous.map((_, j) => ofCategories.count + j)],
    mostEntries: ofCategories.mostEntries + entries,
    continuous: { sets: continuous.length, entries },
    of(row) {
      const dropped = considered === undefined ? 0 : perRecord - considered[row]!.length;
      return [
        ...ofCategories.of(row),
        ...continuous.map((variable, j): ValueSet => {
          const value = values[j * rows + row]!;
          if (Number.isNaN(value)) return EMPTY;
          const order = Uint32Array.from(variable.entries.keys());
          const candidates = Uint32Array.from(variable.entries, ({ place }) => variable.first + place - dropped);
          return { candidates, values: order, codes: order, scale: scaleOf(variable, value) };
        }),
      ];
    },
  };
}

const NONE = new Uint32Array(0);
const EMPTY: ValueSet = { candidates: NONE, values: NONE, codes: NONE };
