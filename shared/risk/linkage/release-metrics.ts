import type { MaskedAs } from '../../contracts/config/linkage.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import type { Column } from '../../table/table.ts';
import type { Band, Comparison } from './comparison.ts';
import { groupComparison } from './group-metric.ts';
import { regressionResiduals } from './residuals.ts';
import { equalBand, neighbourBands, noiseBands, rankBands, tailRows, topCodedBand } from './value-metrics.ts';

/** A variable of the release, and the same of the intruder's file. */
export interface ComparedVariable {
  readonly name: string;
  readonly release: Column;
  readonly file: Column;
}

/** A continuous one. */
interface ComparedValues {
  readonly name: string;
  readonly release: Float64Array;
  readonly file: Float64Array;
}

/**
 * What an intruder compares, from nothing but the release, how it was masked and his own file (002 sections 3 to 5).
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
  const ofValue = continuous.map(({ name, release, file }) => ({ name, values: file, bands: valueBands(masked, release), tells: null }));
  return [...categorical, ...ofValue];
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
