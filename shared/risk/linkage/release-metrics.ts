import type { MaskedAs } from '../../contracts/config/linkage.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { lowerBound } from '../../numeric/bound-search.ts';
import { factorize, independentPlaces, solveLower, solveUpper } from '../../numeric/cholesky.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { Column } from '../../table/table.ts';
import type { Band, Comparison } from './candidate-pairs.ts';
import { equalBand, neighbourBands, noiseBands, rankBands, tailRows, topCodedBand } from './value-metrics.ts';

const RECORDS_A_STEP = 1000;

/**
 * The metric for several variables that were aggregated at once (Winkler 2004, section 4): a record agrees with the rows of the
 * group whose values are nearest to it, each variable in units of its deviation in the release; of equally near groups
 * with the first. Both files are columns.
 *
 * @returns stepwise: records of the file
 */
export function* groupComparison(release: readonly Float64Array[], file: readonly Float64Array[]): Stepwise<Comparison> {
  const scales = release.map((values) => {
    const deviation = standardDeviation(values);
    return deviation > 0 ? 1 / deviation : 0;
  });
  const { groupOf, centres } = releasedGroups(release, scales);
  const nearest = nearestCentre(centres, scales.length);
  const records = file[0]!.length;
  const values = new Float64Array(records);
  const point = new Float64Array(scales.length);
  for (let record = 0; record < records; record++) {
    for (let v = 0; v < point.length; v++) point[v] = file[v]![record]! * scales[v]!;
    values[record] = nearest(point);
    if (record % RECORDS_A_STEP === 0) yield record;
  }
  return { name: 'group', values, bands: [{ low: groupOf, high: groupOf }], tells: null };
}

/** Distinct points of the release, in the order in which they come, and which one each row has. */
function releasedGroups(release: readonly Float64Array[], scales: readonly number[]): { groupOf: Float64Array; centres: Float64Array } {
  const rows = release[0]!.length;
  const groupOf = new Float64Array(rows);
  const numberOf = new Map<string, number>();
  const centres: number[] = [];
  for (let row = 0; row < rows; row++) {
    const point = release.map((values, v) => values[row]! * scales[v]!);
    const key = point.join(' ');
    let group = numberOf.get(key);
    if (group === undefined) {
      group = numberOf.size;
      numberOf.set(key, group);
      centres.push(...point);
    }
    groupOf[row] = group;
  }
  return { groupOf, centres: Float64Array.from(centres) };
}

/** Finds the nearest centre of a point, looking outwards from its place in the order of the first variable. */
function nearestCentre(centres: Float64Array, variables: number): (point: Float64Array) => number {
  const count = centres.length / variables;
  const first = Float64Array.from({ length: count }, (_, group) => centres[group * variables]!);
  const order = sortedOrder(first);
  const sorted = Float64Array.from(order, (group) => first[group]!);
  return (point) => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    const look = (place: number): boolean => {
      const along = sorted[place]! - point[0]!;
      if (along * along > least) return false;
      const group = order[place]!;
      let distance = 0;
      for (let v = 0; v < variables && distance <= least; v++) {
        const difference = centres[group * variables + v]! - point[v]!;
        distance += difference * difference;
      }
      if (distance < least || (distance === least && group < best)) {
        least = distance;
        best = group;
      }
      return true;
    };
    let up = lowerBound(sorted, point[0]!);
    let down = up - 1;
    let [goesUp, goesDown] = [true, true];
    while (goesUp || goesDown) {
      goesUp = goesUp && up < count && look(up++);
      goesDown = goesDown && down >= 0 && look(down--);
    }
    return best;
  };
}

/** A variable of the release, and the same of the intruder's file. */
export interface ComparedVariable {
  readonly name: string;
  readonly release: Column;
  readonly file: Column;
}

interface ComparedValues {
  readonly name: string;
  readonly release: Float64Array;
  readonly file: Float64Array;
}

/**
 * What an intruder compares, from nothing but the release, how it was masked and their own file (Winkler 2004, sections 3 to 5).
 * Categorical variables agree where they are equal.
 *
 * @returns stepwise: records of the file, under MDAV alone
 */
export function* releaseMetrics(masked: MaskedAs, variables: readonly ComparedVariable[]): Stepwise<Comparison[]> {
  const categorical: Comparison[] = [];
  const continuous: ComparedValues[] = [];
  for (const { name, release, file } of variables) {
    if (release.type === 'continuous' && file.type === 'continuous') continuous.push({ name, release: release.values, file: file.values });
    else if (release.type === 'categorical' && file.type === 'categorical') categorical.push(equalCodes(name, release.codes, file.codes));
    else throw new RangeError('a variable is of another type in the release');
  }
  if (continuous.length === 0) return categorical;
  if (masked.method === 'mdav') {
    const columns = (side: 'release' | 'file') => continuous.map((variable) => variable[side]);
    return [...categorical, yield* groupComparison(columns('release'), columns('file'))];
  }
  if (masked.method === 'synthetic') return [...categorical, ...outlierComparisons(continuous, masked.tail)];
  const byValue = continuous.map(({ name, release, file }) => ({ name, values: file, bands: valueBands(masked, release), tells: null }));
  return [...categorical, ...byValue];
}

function equalCodes(name: string, release: ArrayLike<number>, file: ArrayLike<number>): Comparison {
  return { name, values: Float64Array.from(file), bands: equalBand(Float64Array.from(release)), tells: null };
}

function valueBands(masked: Exclude<MaskedAs, { method: 'mdav' | 'synthetic' }>, release: Float64Array): Band[] {
  switch (masked.method) {
    case 'individual-ranking':
      return neighbourBands(release);
    case 'rank-swap':
      return rankBands(release, Math.ceil((masked.p * release.length) / 100 - 1e-9));
    case 'noise':
    case 'noise-mixture':
      return noiseBands(release, masked.noise);
    case 'top-code':
      return topCodedBand(release);
    case 'sample':
    case 'errors':
      return equalBand(release);
  }
}

/** Outliers of each variable, and of what regressions in the release leave of it: other values tell nothing. */
function outlierComparisons(variables: readonly ComparedValues[], tail: number): Comparison[] {
  const outliers = (name: string, release: Float64Array, file: Float64Array): Comparison => ({
    name,
    values: file,
    bands: neighbourBands(release),
    tells: tailRows(release, tail),
  });
  const residuals = regressionResiduals(
    variables.map(({ release }) => release),
    variables.map(({ file }) => file),
  );
  return [
    ...variables.map(({ name, release, file }) => outliers(name, release, file)),
    ...residuals.map(({ variable, release, file }) => outliers(`residual of ${variables[variable]!.name}`, release, file)),
  ];
}

/** A residual of less than this share of a variable's deviation is about rounding alone. */
const NO_RESIDUAL = 1e-6;

/** What a regression that is fitted to the release leaves of a variable, in the release and in the intruder's file. */
export interface ResidualPair {
  readonly variable: number;
  readonly release: Float64Array;
  readonly file: Float64Array;
}

/**
 * Residuals of least squares of each variable on all others, fitted to the release and applied to both files (Winkler 2004, section
 * 5: what valid regressions in synthetic data tell of single records). Of predictors that determine each other the first
 * ones are taken. A variable that the others determine has no residual.
 *
 * @param release columns of the variables, more rows than variables
 */
export function regressionResiduals(release: readonly Float64Array[], file: readonly Float64Array[]): ResidualPair[] {
  const n = release.length;
  const deviations = release.map(standardDeviation);
  const centred = release.map((values, v) => standardized(values, deviations[v]!));
  const products = new Float64Array(n * n);
  for (let v = 0; v < n; v++) for (let w = 0; w < n; w++) products[v * n + w] = dot(centred[v]!, centred[w]!);
  const pairs: ResidualPair[] = [];
  for (let v = 0; v < n; v++) {
    const slopes = slopesOn(products, n, v);
    if (slopes.length === 0) continue;
    const residualsOf = (columns: readonly Float64Array[]) =>
      columns[v]!.map((value, i) => {
        let rest = value;
        for (const { predictor, slope } of slopes) rest -= slope * (deviations[v]! / deviations[predictor]!) * columns[predictor]![i]!;
        return rest;
      });
    const residuals = residualsOf(release);
    if (!(standardDeviation(residuals) > NO_RESIDUAL * deviations[v]!)) continue;
    pairs.push({ variable: v, release: residuals, file: residualsOf(file) });
  }
  return pairs;
}

/** Slopes of a standardized variable on the others, from their cross-products. */
function slopesOn(products: Float64Array, n: number, v: number): { predictor: number; slope: number }[] {
  const others = Array.from({ length: n }, (_, w) => w).filter((w) => w !== v);
  const among = (places: readonly number[]) => Float64Array.from(places.flatMap((a) => places.map((b) => products[a * n + b]!)));
  const predictors = independentPlaces(among(others), others.length).map((place) => others[place]!);
  const factor = among(predictors);
  const vector = Float64Array.from(predictors, (w) => products[v * n + w]!);
  factorize(factor, predictors.length);
  solveLower(factor, predictors.length, vector);
  solveUpper(factor, predictors.length, vector);
  return predictors.map((predictor, j) => ({ predictor, slope: vector[j]! }));
}

function standardized(values: Float64Array, deviation: number): Float64Array {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  return values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
