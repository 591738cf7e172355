import { exp } from '../../numeric/portable-math.ts';
import { BASE_CHAINS } from '../attribute/chain-evaluations.ts';
import type { ExpectationTerm } from '../attribute/expectation.ts';
import { type CandidateSpace, candidateChanges } from '../intruder/candidate-space.ts';
import { type CountedRelease, cellGain, drawnInAll } from './counted-release.ts';

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
