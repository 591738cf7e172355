import { withErrors } from '../../contracts/figure-errors.ts';
import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';
import { binomialMasses } from '../../numeric/binomial-mass.ts';
import { KEPT_HALF, keptErrors } from '../attribute/kept-evaluations.ts';
import { joinErrors } from '../attribute/release-error.ts';
import { chanceError } from '../calibration/reliability.ts';
import { meansOfFirst } from './means-of-first.ts';
import { presentInSample } from './present-among.ts';
import type { ReconstructionCandidates } from './reconstruction-candidates.ts';

/** Numbers of combinations that are named, with figures of their own, and those of the curve beside them. */
const CUTS = [10, 100, 1000] as const;
const CURVE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** Where groups of confidences begin and end. */
const CONFIDENCES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1] as const;

/** Combinations of which the list of a run holds each. */
const MOST_LISTED = CUTS[2];

/** Real people or records, and how many of them are each candidate. */
export interface CountedPeople {
  readonly records: number;
  readonly counts: Uint32Array;
}

/** Each combination of a control: how many of its people have it, and how many records of the table. */
export interface ControlCombinations {
  readonly counts: Uint32Array;
  readonly inTable: Uint32Array;
}

/** What is known of candidates; numbers are evaluations x candidates, as `KeptMeans` has them. */
export interface RankedCandidates {
  readonly candidates: ReconstructionCandidates;
  /** E[f(x) | Z], by which candidates are ranked. */
  readonly densities: readonly Float64Array[];
  /** The probability of being in the table given the release. */
  readonly confidences: readonly Float64Array[];
  readonly table: CountedPeople;
  /**
   * People who are not in the table; or the probability of being in a new table of the model that is fitted to the confidential
   * one, evaluations x candidates.
   */
  readonly baseline:
    | { readonly control: CountedPeople; readonly ownCombinations: ControlCombinations }
    | { readonly simulated: readonly Float64Array[] };
}

/** How frequent each candidate is among released records: the mean of its shares of the datasets, in every evaluation. */
export function releasedShares({ released, count }: ReconstructionCandidates, records: readonly number[], evaluations: number) {
  const mean = (datasets: readonly number[]) =>
    Float64Array.from({ length: count }, (_, x) => datasets.reduce((sum, l) => sum + released[l]![x]! / records[l]!, 0) / datasets.length);
  const all = [...released.keys()];
  const whole = mean(all);
  return Array.from({ length: evaluations }, (_, e) => (e <= KEPT_HALF ? whole : mean(all.toSpliced(e - KEPT_HALF - 1, 1))));
}

/** How many records of table and baseline are compared, and how probably each candidate is among them; of the latter by evaluation. */
interface ComparedPeople {
  readonly records: number;
  readonly inTable: Float64Array;
  readonly inBaseline: readonly Float64Array[];
}

/** The probability that each candidate is the baseline's, and the table's, in as many records of either. */
export function comparedWith({ table, baseline, densities }: RankedCandidates): ComparedPeople {
  const records = 'control' in baseline ? Math.min(table.records, baseline.control.records) : table.records;
  const present = (people: CountedPeople) => Float64Array.from(people.counts, (own) => presentInSample(own, people.records, records));
  const inTable = present(table);
  if ('simulated' in baseline) return { records, inTable, inBaseline: baseline.simulated };
  const ofControl = present(baseline.control);
  return { records, inTable, inBaseline: densities.map(() => ofControl) };
}

/** Means over the first candidates of a ranking, by how many are named: of each an entry an evaluation. */
function ranking(
  { table, confidences }: RankedCandidates,
  { inTable, inBaseline }: ComparedPeople,
  scores: readonly Float64Array[],
  cuts: readonly number[],
) {
  const isThere = table.counts.map((own) => Math.min(1, own));
  const means = scores.map((own, e) => meansOfFirst(own, [isThere, confidences[e]!, inBaseline[e]!, inTable], cuts));
  return cuts.map((cut, c) => {
    const of = (value: number) => Float64Array.from(means, (own) => own[c]![value]!);
    const [share, expected, baseline, compared] = [of(0), of(1), of(2), of(3)];
    return { cut, share, expected, baseline, above: compared.map((own, e) => own - baseline[e]!), compared };
  });
}

type Ranked = ReturnType<typeof ranking>[number];

/** A share is one by rounding alone where it is above it. */
const toShare = (value: number) => Math.min(1, Math.max(0, value));

const told = <Name extends string>(name: Name, values: Float64Array) => withErrors(name, toShare(values[0]!), keptErrors(values));

/** Figures of the first of a ranking; which people are in the table, and in a control, is chance as well as what chains say. */
function rankedFigures({ cut, share, baseline, above, compared }: Ranked, hasControl: boolean) {
  const sampled = hasControl ? [compared, baseline] : [compared];
  const errors = sampled.map((own) => chanceError(toShare(own[0]!), cut));
  const chance = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0));
  const { simulationSe, releaseSe } = keptErrors(above);
  return {
    hits: share[0]! * cut,
    ...told('share', share),
    ...told('baseline', baseline),
    ...withErrors('aboveBaseline', above[0]!, joinErrors(Math.sqrt(simulationSe * simulationSe + chance * chance), releaseSe)),
    aboveBaselineChanceSe: chance,
  };
}

/** Share in the table of so many combinations that are most frequent in a control, or of all of them. */
function shareByControl({ counts, inTable }: ControlCombinations, cut: number): number {
  const isThere = inTable.map((own) => Math.min(1, own));
  const [[share]] = meansOfFirst(Float64Array.from(counts), [isThere], [Math.min(cut, counts.length)]) as [[number]];
  return toShare(share);
}

/** Numbers of candidates in the order in which they are named: ties in the order of their codes. */
export const namedFirst = (densities: Float64Array): Uint32Array =>
  Uint32Array.from(densities.keys())
    .sort((a, b) => densities[b]! - densities[a]! || a - b)
    .slice(0, MOST_LISTED);

/** Claimed and achieved, by groups of confidences among the first. */
function calibrationOf({ table, densities, confidences }: RankedCandidates): ReconstructionSummary['calibration'] {
  const first = [...namedFirst(densities[0]!)];
  return CONFIDENCES.slice(1).map((to, g) => {
    const from = CONFIDENCES[g]!;
    const own = first.filter((x) => confidences[0]![x]! >= from && (confidences[0]![x]! < to || to === 1));
    const mean = (value: (x: number) => number) =>
      own.length === 0 ? null : toShare(own.reduce((sum, x) => sum + value(x), 0) / own.length);
    return {
      from,
      to,
      candidates: own.length,
      expected: mean((x) => confidences[0]![x]!),
      share: mean((x) => (table.counts[x]! > 0 ? 1 : 0)),
    };
  });
}

/** The probability that at most `most` of so many independent draws have a value of that density. */
const atMost = (most: number, draws: number, density: number) =>
  toShare(
    binomialMasses(draws)(density)
      .subarray(0, most + 1)
      .reduce((sum, mass) => sum + mass, 0),
  );

/** What a run has beside its candidates. */
export interface RankedRelease {
  /** Records of each dataset. */
  readonly released: readonly number[];
  /** Records drawn to find candidates; 0 where these are all cells. */
  readonly drawn: number;
  /** Cells of the table, and how many of them have a record. */
  readonly cells: number;
  readonly combinations: number;
}

/** How many of the combinations that are named first are in the table, against the baseline and against what was expected. */
export function reconstructionFigures(ranked: RankedCandidates, release: RankedRelease): ReconstructionSummary {
  const { candidates, densities, baseline } = ranked;
  const hasControl = 'control' in baseline;
  const compared = comparedWith(ranked);
  const cutsOf = (cuts: readonly number[]) => cuts.map((cut) => Math.min(cut, candidates.count));
  const all = [...new Set(cutsOf([...CURVE, ...CUTS]))].sort((a, b) => a - b);
  const byDensity = ranking(ranked, compared, densities, all);
  const byFrequency = ranking(ranked, compared, releasedShares(candidates, release.released, densities.length), all);
  const lastOf = densities[0]!.toSorted().reverse();
  const first = (wanted: number) => {
    const at = all.indexOf(Math.min(wanted, candidates.count));
    const own = byDensity[at]!;
    return {
      guesses: own.cut,
      ...rankedFigures(own, hasControl),
      ...told('expected', own.expected),
      missed: release.drawn === 0 ? 0 : atMost(candidates.leftOut, release.drawn, lastOf[own.cut - 1]!),
      ...('control' in baseline && { byControl: shareByControl(baseline.ownCombinations, own.cut) }),
      byFrequency: rankedFigures(byFrequency[at]!, hasControl),
    };
  };
  return {
    candidates: candidates.count,
    allCells: release.drawn === 0,
    baselineOf: hasControl ? 'control' : 'simulated',
    baselineRecords: compared.records,
    cellsShare: release.combinations / release.cells,
    first10: first(CUTS[0]),
    first100: first(CUTS[1]),
    first1000: first(CUTS[2]),
    curve: all.map((rank, c) => ({
      rank,
      ...told('share', byDensity[c]!.share),
      expected: toShare(byDensity[c]!.expected[0]!),
      baseline: toShare(byDensity[c]!.baseline[0]!),
      byFrequency: toShare(byFrequency[c]!.share[0]!),
    })),
    calibration: calibrationOf(ranked),
  };
}
