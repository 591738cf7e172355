import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { RatioScorer } from '../scoring/ratio-scorer.ts';
import { type ClassTables, classTables, type MixedModel } from './class-tables.ts';
import { logSum, mixedLayout } from './log-mixed-ratios.ts';
import type { MixedSpace } from './mixed-space.ts';
import { cellMasses, type Predictive, predictiveOf, type ValueSums, withoutValue, withValue } from './predictive.ts';

/** A class may be left out where it adds less than this share of what others give every cell: no printed digit changes. */
const NEGLIGIBLE = 1e-16;

/** What a dataset has beside each row, in the places of the rows' own parts; what was not synthesized is missing. */
export interface Beside {
  /** parts x rows. */
  readonly codes: Uint16Array;
  /** continuous parts x rows. */
  readonly values: Float64Array;
}

/** The values of a dataset's rows that were synthesized, nothing of the others. */
export function besideOf(
  dataset: MixedRows,
  { parts, continuous }: { readonly parts: readonly number[]; readonly continuous: readonly number[] },
): Beside {
  const indicators = continuous.map((part) => dataset.continuous[part]!.indicator);
  const codes = dataset.codes.map((code, at) => {
    const part = Math.floor(at / dataset.rows);
    return parts.includes(part) || indicators.includes(part) ? code : MISSING;
  });
  return { codes, values: dataset.values.map((value, at) => (continuous.includes(Math.floor(at / dataset.rows)) ? value : Number.NaN)) };
}

/**
 * A scorer of rows beside which a dataset has values of their classes (docs/explanation/estimators.md, partial synthesis):
 * f2(x, z) / f2(x_i, z) of every candidate, with phi, mu and sigma integrated out given the classes of all other records. In each class z is
 * a record more when x is scored.
 *
 * @param parts the discrete part of each categorical variable that is guessed at
 * @throws RangeError without an allocation
 */
export function besideScorer(
  space: MixedSpace,
  model: MixedModel,
  { rows, beside }: { readonly rows: MixedRows; readonly beside: Beside },
  parts: readonly number[],
): RatioScorer {
  const { sizes, continuous, prior } = model;
  const offsets = categoryOffsets(sizes);
  const { factors, guessedCategories, guessedValues } = mixedLayout(space, model, parts);
  const masses = guessedValues.map(({ cells }) => new Float64Array(cells));

  /** What a class gives the values of a row, those of the dataset given first, and what it would give others. */
  const classOf = (tables: ClassTables, row: number, f: number, isOwn: boolean) => {
    const { classes, counts, totals, sums, predictives } = tables;
    const codesOf = (part: number) => [rows.codes[part * rows.rows + row]!, beside.codes[part * rows.rows + row]!] as const;
    const valuesOf = (part: number) => [rows.values[part * rows.rows + row]!, beside.values[part * rows.rows + row]!] as const;
    const held = (part: number, code: number) => (isOwn ? codesOf(part).filter((own) => own === code).length : 0);
    const others = (part: number, code: number) => counts[(offsets[part]! + code) * classes + f]! - held(part, code) + 1;
    const allOthers = (part: number) => totals[part * classes + f]! - (isOwn ? codesOf(part).filter((own) => own !== MISSING).length : 0);
    const category = (part: number, code: number) => {
      const [, z] = codesOf(part);
      return (others(part, code) + (code === z ? 1 : 0)) / (allOthers(part) + (z === MISSING ? 0 : 1));
    };
    const withoutOwn = (part: number): ValueSums =>
      isOwn
        ? valuesOf(part)
            .filter((value) => !Number.isNaN(value))
            .reduce(withoutValue, sums[part * classes + f]!)
        : sums[part * classes + f]!;
    const predictive = (of: ValueSums, part: number): Predictive => predictiveOf(of, prior, continuous[part]!.smallest);
    let logBeside = 0;
    const logOwn = new Float64Array(factors.length);
    const densities: Predictive[] = [];
    for (const [v, { discrete, continuous: part }] of factors.entries()) {
      if (discrete !== null) {
        const [x, z] = codesOf(discrete);
        if (z !== MISSING) logBeside += log(others(discrete, z) / allOthers(discrete));
        if (x !== MISSING) logOwn[v]! += log(category(discrete, x));
      }
      if (part !== null) {
        const [x, z] = valuesOf(part);
        const left = withoutOwn(part);
        const alone = isOwn ? predictive(left, part) : predictives[part * classes + f]!;
        if (!Number.isNaN(z)) logBeside += alone.logDensity(z);
        const own = Number.isNaN(z) ? alone : predictive(withValue(left, z), part);
        densities[part] = own;
        if (!Number.isNaN(x)) logOwn[v]! += own.logDensity(x);
      }
    }
    return { logBeside, logOwn, category, densities };
  };

  return (weights, _, ratios, logInverses, allocation) => {
    if (allocation === undefined) throw new RangeError('a scorer of the model mixed needs allocations');
    const tables = classTables(
      model,
      continuous.map(() => 0),
      weights,
      allocation,
    );
    const { classes, logWeights, place } = tables;
    const logDensities = new Float64Array(classes);
    const shares = new Float64Array(classes);
    for (let row = 0; row < rows.rows; row++) {
      const own = place[allocation.classOfCombination[row]!]!;
      const given = Array.from({ length: classes }, (_, f) => classOf(tables, row, f, f === own));
      for (const [f, { logBeside, logOwn }] of given.entries()) {
        logDensities[f] = logOwn.reduce((sum, one) => sum + one, logWeights[f]! + logBeside);
      }
      const logDensity = logSum(logDensities);
      if (logInverses) logInverses[row] = -logDensity;
      const ofRow = ratios.subarray(row * space.perRecord, (row + 1) * space.perRecord).fill(1);
      const setShares = (v: number) => {
        for (const [f, { logOwn }] of given.entries()) shares[f] = exp(logDensities[f]! - logOwn[v]! - logDensity);
      };
      const ofCategory = (part: number, code: number) => given.reduce((sum, { category }, f) => sum + shares[f]! * category(part, code), 0);
      let candidate = 1;
      for (const { part, factor } of guessedCategories) {
        const held = rows.codes[part * rows.rows + row]!;
        if (held === MISSING) {
          candidate += sizes[part]! - 1;
          continue;
        }
        setShares(factor);
        for (let code = 0; code < sizes[part]!; code++) if (code !== held) ofRow[candidate++] = ofCategory(part, code);
      }
      for (const [g, { part, factor, first, masses: points, cells }] of guessedValues.entries()) {
        const { indicator } = continuous[part]!;
        const code = indicator === null ? 0 : rows.codes[indicator * rows.rows + row]!;
        if (indicator === null ? Number.isNaN(rows.values[part * rows.rows + row]!) : code === MISSING) continue;
        setShares(factor);
        for (const m of points.keys()) if (code !== m + 1) ofRow[first + m] = ofCategory(indicator!, m + 1);
        if (indicator !== null) for (const [f, { category }] of given.entries()) shares[f]! *= category(indicator, 0);
        const ofCells = ofRow.subarray(first + points.length, first + points.length + cells).fill(0);
        addCells(
          given.map(({ densities }) => densities[part]!),
          shares,
          masses[g]!,
          ofCells,
        );
      }
    }
  };
}

/** Adds up what classes give each cell, but for those that no cell would show. */
function addCells(densities: readonly Predictive[], shares: Float64Array, masses: Float64Array, into: Float64Array): void {
  const width = 1 / masses.length;
  // A density with one mode is least at an end, where half a cell is left.
  const least = densities.map(({ logDensity }) => width * exp(Math.min(logDensity(width / 2), logDensity(1 - width / 2))));
  const floor = least.reduce((most, one, f) => Math.max(most, one * shares[f]!), 0);
  for (const [f, density] of densities.entries()) {
    // No cell has more than 1.
    if (shares[f]! < NEGLIGIBLE * floor) continue;
    cellMasses(density, masses);
    for (let c = 0; c < masses.length; c++) into[c]! += shares[f]! * masses[c]!;
  }
}
