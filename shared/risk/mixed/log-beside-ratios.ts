import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Beside } from './beside.ts';
import { type ClassTables, classTables, type MixedModel } from './class-tables.ts';
import { logSum, mixedLayout, type RowsInLogs, ratiosTogether } from './log-mixed-ratios.ts';
import type { MixedSpace } from './mixed-space.ts';
import { cellMasses, logWithin, type Predictive, predictiveOf, type ValueSums, withoutValue, withValue } from './predictive.ts';

/**
 * The same program as {@link logMixedRatios} for rows beside which a dataset has something (docs/explanation/estimators.md, partial
 * synthesis): f2(x, z) / f2(x_i, z) of every candidate, with phi, mu and sigma integrated out given the classes of all other records. In
 * each class z is a record more when x is scored. A number of z was drawn within the range: its density is more by what lies beyond in
 * its class, as it is with the record.
 *
 * @param parts the discrete part of each categorical variable that is guessed at
 */
export function logBesideRatios(
  space: MixedSpace,
  model: MixedModel,
  { rows, beside }: { readonly rows: MixedRows; readonly beside: Beside },
  parts: readonly number[],
): RowsInLogs {
  const { sizes, continuous, prior } = model;
  const offsets = categoryOffsets(sizes);
  const { factors, guessedCategories, together, guessedValues } = mixedLayout(space, model, parts);
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
        if (!Number.isNaN(z)) logBeside += alone.logDensity(z) - logWithin(predictives[part * classes + f]!);
        const own = Number.isNaN(z) ? alone : predictive(withValue(left, z), part);
        densities[part] = own;
        if (!Number.isNaN(x)) logOwn[v]! += own.logDensity(x);
      }
    }
    return { logBeside, logOwn, category, densities };
  };

  return (weights, allocation) => {
    const tables = classTables(
      model,
      continuous.map(() => 0),
      weights,
      allocation,
    );
    const { classes, logWeights, place } = tables;
    const logDensities = new Float64Array(classes);
    const shares = new Float64Array(classes);

    return (row, ratios) => {
      const own = place[allocation.classOfCombination[row]!]!;
      const given = Array.from({ length: classes }, (_, f) => classOf(tables, row, f, f === own));
      for (const [f, { logBeside, logOwn }] of given.entries()) {
        logDensities[f] = logOwn.reduce((sum, one) => sum + one, logWeights[f]! + logBeside);
      }
      const logDensity = logSum(logDensities);
      ratios.fill(1);
      const setShares = (...without: readonly number[]) => {
        for (const [f, { logOwn }] of given.entries()) {
          shares[f] = exp(without.reduce((left, v) => left - logOwn[v]!, logDensities[f]!) - logDensity);
        }
      };
      const ofCategory = (part: number, code: number) => given.reduce((sum, { category }, f) => sum + shares[f]! * category(part, code), 0);
      if (together.length > 0) {
        setShares(...together.map(({ factor }) => factor));
        const unknown = together.map(({ part }) => ({ part, size: sizes[part]!, held: rows.codes[part * rows.rows + row]! }));
        ratiosTogether(unknown, shares, (f, part, code) => given[f]!.category(part, code), ratios);
      }
      let candidate = 1;
      for (const { part, factor } of guessedCategories) {
        const held = rows.codes[part * rows.rows + row]!;
        if (held === MISSING) {
          candidate += sizes[part]! - 1;
          continue;
        }
        setShares(factor);
        for (let code = 0; code < sizes[part]!; code++) if (code !== held) ratios[candidate++] = ofCategory(part, code);
      }
      for (const [g, { part, factor, first, masses: points, cells }] of guessedValues.entries()) {
        const { indicator } = continuous[part]!;
        const code = indicator === null ? 0 : rows.codes[indicator * rows.rows + row]!;
        if (indicator === null ? Number.isNaN(rows.values[part * rows.rows + row]!) : code === MISSING) continue;
        setShares(factor);
        for (const m of points.keys()) if (code !== m + 1) ratios[first + m] = ofCategory(indicator!, m + 1);
        if (indicator !== null) for (const [f, { category }] of given.entries()) shares[f]! *= category(indicator, 0);
        const ofCells = ratios.subarray(first + points.length, first + points.length + cells).fill(0);
        for (const [f, { densities }] of given.entries()) {
          cellMasses(densities[part]!, masses[g]!);
          for (let c = 0; c < cells; c++) ofCells[c]! += shares[f]! * masses[g]![c]!;
        }
      }
      return -logDensity;
    };
  };
}
