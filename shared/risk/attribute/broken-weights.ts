import type { RegionRule, RiskBound } from '../../contracts/settings/acceptance-region.ts';

/** Weights of the truth beforehand, between two of them. */
export type WeightInterval = readonly [low: number, high: number];

const NONE: WeightInterval = [1, 0];
const ALL: WeightInterval = [0, 1];

/**
 * Weights w in (0, 1) that meet a bound, an interval, where the Bayes factor is B (McClure & Reiter 2012, section 4):
 * R(w) = w B / (1 - w + w B) grows with w, and RR(w) = B / (1 - w + w B) goes from B to 1.
 */
function weightsWithin({ risk, inclusive, bound }: RiskBound, factor: number): WeightInterval {
  if (bound <= 0) return NONE;
  if (risk === 'R') return bound >= 1 ? ALL : [0, bound / (bound + factor * (1 - bound))];
  if (factor === 1) return bound > 1 || (inclusive && bound === 1) ? ALL : NONE;
  if (factor > 1) {
    // Written so that the largest factors do not overflow.
    return bound <= 1 ? NONE : [Math.max(0, (1 - bound / factor) / bound / (1 - 1 / factor)), 1];
  }
  return bound <= factor ? NONE : [0, Math.min(1, (1 - factor / bound) / (1 - factor))];
}

const intersection = (a: WeightInterval, b: WeightInterval): WeightInterval => [Math.max(a[0], b[0]), Math.min(a[1], b[1])];

/**
 * Weights of the truth beforehand, in (0, 1), for which a record's risk breaks a rule: disjoint intervals in order, none
 * where it meets the rule for every weight. Where two alternatives touch, nothing is broken.
 *
 * @param factor Bayes factor of the record, Infinity where the truth is certain
 */
export function brokenWeights({ alternatives }: RegionRule, factor: number): WeightInterval[] {
  const met = alternatives
    .map((bounds) => bounds.map((bound) => weightsWithin(bound, factor)).reduce(intersection))
    .filter(([low, high]) => low < high)
    .toSorted((a, b) => a[0] - b[0]);
  const broken: WeightInterval[] = [];
  let covered = 0;
  for (const [low, high] of [...met, [1, 1] as const]) {
    if (low > covered) broken.push([covered, low]);
    covered = Math.max(covered, high);
  }
  return broken;
}

/** Weights that break some of several rules, as {@link brokenWeights} gives them. */
export function brokenWeightsOf(rules: readonly RegionRule[], factor: number): WeightInterval[] {
  const joined: WeightInterval[] = [];
  const sorted = rules.flatMap((rule) => brokenWeights(rule, factor)).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [low, high] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && low <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], high)];
    else joined.push([low, high]);
  }
  return joined;
}

/** How much of (0, 1) some intervals take up. */
const measure = (intervals: readonly WeightInterval[]) => intervals.reduce((sum, [low, high]) => sum + high - low, 0);

/** Records that are named as the worst, at most. */
const WORST = 10;

/** By how many standard errors a Bayes factor is lowered to say that a rule is surely broken: 95 % on one side. */
const SURELY = 1.645;

/** What an acceptance region says of a whole file; shares and means are over records. */
export interface RegionFigures {
  readonly rules: { readonly rule: string; readonly brokenShare: number }[];
  /** Records that break some rule for some weight, and those that do beyond the error of their Bayes factor. */
  readonly brokenShare: number;
  readonly brokenSurelyShare: number;
  /** Measure of the weights for which a record breaks some rule. */
  readonly brokenWeightMean: number;
  readonly brokenWeightMax: number;
  /** The rows (from 1) that break rules for most weights, the worst first. */
  readonly worst: {
    readonly row: number;
    /** Null where it is Infinity, which JSON does not have. */
    readonly bayesFactor: number | null;
    readonly bayesFactorSe: number;
    readonly brokenWeight: number;
    readonly broken: [number, number][];
  }[];
}

/**
 * Holds the rows of a file to an acceptance region. A row without a Bayes factor has nothing to learn about, and breaks
 * nothing.
 *
 * @param rules at least one
 * @param counts records of each row
 */
export function judgeRegion(
  rules: readonly RegionRule[],
  bayesFactor: Float64Array,
  bayesFactorSe: Float64Array,
  counts: ArrayLike<number>,
): RegionFigures {
  let records = 0;
  let some = 0;
  let surely = 0;
  let weight = 0;
  let weightMax = 0;
  const ofRules = rules.map(() => 0);
  const breaking: { row: number; brokenWeight: number }[] = [];
  for (let row = 0; row < bayesFactor.length; row++) {
    const count = counts[row]!;
    records += count;
    const factor = bayesFactor[row]!;
    if (Number.isNaN(factor)) continue;
    for (const [r, rule] of rules.entries()) if (brokenWeights(rule, factor).length > 0) ofRules[r]! += count;
    const brokenWeight = measure(brokenWeightsOf(rules, factor));
    if (!(brokenWeight > 0)) continue;
    some += count;
    weight += count * brokenWeight;
    weightMax = Math.max(weightMax, brokenWeight);
    breaking.push({ row, brokenWeight });
    // Risk grows with the factor.
    const least = Math.max(0, factor - SURELY * bayesFactorSe[row]!);
    if (brokenWeightsOf(rules, least).length > 0) surely += count;
  }
  // Equal ones stay in the order of their rows.
  const worst = breaking.toSorted((a, b) => bayesFactor[b.row]! - bayesFactor[a.row]!).slice(0, WORST);
  return {
    rules: rules.map(({ rule }, r) => ({ rule, brokenShare: ofRules[r]! / records })),
    brokenShare: some / records,
    brokenSurelyShare: surely / records,
    brokenWeightMean: weight / records,
    brokenWeightMax: weightMax,
    worst: worst.map(({ row, brokenWeight }) => ({
      row: row + 1,
      bayesFactor: bayesFactor[row] === Infinity ? null : bayesFactor[row]!,
      bayesFactorSe: bayesFactorSe[row]!,
      brokenWeight,
      broken: brokenWeightsOf(rules, bayesFactor[row]!).map(([low, high]) => [low, high]),
    })),
  };
}
