import { recordGain } from '../../model/conjugate/added-count.ts';
import { exp } from '../../numeric/portable-math.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import { BASE_CHAINS } from '../attribute/chain-evaluations.ts';
import type { ExpectationTerm } from '../attribute/expectation.ts';
import { type CandidateSpace, candidateChanges } from '../intruder/candidate-space.ts';

/** What a table and a release of it by a model of counts come to, cell by cell. */
export interface CountedRelease {
  readonly sizes: readonly number[];
  readonly alpha: number;
  readonly epsilon: number;
  /** Cells that the table or a dataset has; all others have no record anywhere. */
  readonly cells: Pick<Combinations, 'codes' | 'count' | 'variables'>;
  /** Of each of these cells, records of the table. */
  readonly counts: Uint32Array;
  /** Of each dataset, records in each of these cells. */
  readonly drawn: readonly Uint32Array[];
  /** Place of a cell among them, or -1. */
  readonly find: (codes: Uint16Array, offset: number) => number;
}

/** Counts a table and its datasets by cell; the cells of the table come first, in its order. */
export function countRelease(
  table: Combinations,
  datasets: readonly Combinations[],
  { sizes, alpha, epsilon }: Pick<CountedRelease, 'sizes' | 'alpha' | 'epsilon'>,
): CountedRelease {
  const { variables } = table;
  const index = new CombinationIndex(variables);
  const places = [table, ...datasets].map(({ codes, count }) =>
    Uint32Array.from({ length: count }, (_, row) => index.add(codes, row * variables, 1)),
  );
  const cells = index.combinations();
  const [counts, ...drawn] = [table, ...datasets].map((rows, which) => {
    const byCell = new Uint32Array(cells.count);
    for (const [row, place] of places[which]!.entries()) byCell[place]! += rows.counts[row]!;
    return byCell;
  });
  return { sizes, alpha, epsilon, cells, drawn, counts: counts!, find: (codes, offset) => index.find(codes, offset) };
}

/**
 * Log-likelihood of what was drawn given that the record is in a cell, up to a constant, in nats.
 *
 * @param place of the cell; -1 for one that is empty everywhere
 * @param without 1 to leave out the record's own row of the table
 */
export function cellGain({ counts, alpha }: CountedRelease, drawn: Uint32Array, place: number, without: 0 | 1): number {
  return place < 0 ? 0 : recordGain(counts[place]! - without, drawn[place]!, alpha);
}

/** Records in each cell over all datasets. */
export function drawnInAll({ drawn, cells }: CountedRelease): Uint32Array {
  return Uint32Array.from({ length: cells.count }, (_, place) => drawn.reduce((sum, ofDataset) => sum + ofDataset[place]!, 0));
}

/** A likelihood ratio is carried as a root of it whose logarithm is no larger, which leaves double precision room. */
const LARGEST_LOG = 600;

/**
 * The likelihood of a release by a model of counts as terms of an estimator, each of one draw without error: that of all
 * datasets together, in which equal candidates tie; for each dataset a pair of terms, its own likelihood and a constant,
 * which tell what it adds and count nothing else; and the model's prior, c_x + alpha, the share of the candidate's cell
 * without the record.
 *
 * @param codes rows x variables
 * @returns with the largest |log L_x - log L_t| of each row over its candidates, in nats
 */
export function exactTerms(
  release: CountedRelease,
  space: CandidateSpace,
  codes: Uint16Array,
): { terms: ExpectationTerm[]; privacyLoss: Float64Array } {
  const { sizes, alpha, counts, drawn, find, epsilon } = release;
  const width = sizes.length;
  const rows = codes.length / width;
  const candidates = space.perCombination;
  const length = rows * candidates;
  const divisor = Math.max(1, Math.ceil(epsilon / LARGEST_LOG));
  const ratios = drawn.map(() => new Float64Array(length));
  const together = new Float64Array(length);
  const prior = new Float64Array(length);
  const privacyLoss = new Float64Array(rows);
  const all = drawnInAll(release);
  const cell = new Uint16Array(width);
  for (let row = 0; row < rows; row++) {
    const ownCodes = codes.subarray(row * width, (row + 1) * width);
    const truth = find(ownCodes, 0);
    const truthGains = drawn.map((ofDataset) => cellGain(release, ofDataset, truth, 1));
    const allOfTruth = cellGain(release, all, truth, 1);
    for (let candidate = 0; candidate < candidates; candidate++) {
      cell.set(ownCodes);
      for (const { variable, code } of candidateChanges(space, ownCodes, candidate)) cell[variable] = code;
      const place = candidate === 0 ? truth : find(cell, 0);
      const without = candidate === 0 ? 1 : 0;
      const at = row * candidates + candidate;
      for (const [l, ofDataset] of drawn.entries()) {
        ratios[l]![at] = exp((cellGain(release, ofDataset, place, without) - truthGains[l]!) / divisor);
      }
      const count = place < 0 ? 0 : counts[place]! - without;
      prior[at] = (count + alpha) / (counts[truth]! - 1 + alpha);
      const gain = cellGain(release, all, place, without) - allOfTruth;
      together[at] = exp(gain / divisor);
      privacyLoss[row] = Math.max(privacyLoss[row]!, Math.abs(gain));
    }
  }
  const constant = new Float64Array(length).fill(1);
  const exact = { draws: 1, pool: 'arithmetic' } as const;
  const terms = ratios.flatMap((ratio, l): ExpectationTerm[] => {
    const ofDataset = { ...exact, coefficient: 0, chains: `exact/${l + 1}`, dataset: l + 1 };
    return [
      { ...ofDataset, ownCoefficient: divisor, means: [ratio] },
      { ...ofDataset, ownCoefficient: -divisor, means: [constant] },
    ];
  });
  return {
    terms: [
      { ...exact, coefficient: divisor, chains: 'exact', means: [together] },
      ...terms,
      { ...exact, coefficient: 0, chains: BASE_CHAINS, means: [prior] },
    ],
    privacyLoss,
  };
}
