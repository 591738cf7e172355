import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { RatioScorer } from '../scoring/ratio-scorer.ts';
import { classTables, type MixedModel } from './class-tables.ts';
import type { MixedSpace } from './mixed-space.ts';
import { cellMasses, type Predictive, predictiveOf, withoutValue } from './predictive.ts';

/** What the model has of one variable of a record: its part of the discrete ones, its part of the continuous ones, or both. */
interface Factor {
  readonly discrete: number | null;
  readonly continuous: number | null;
}

/**
 * A scorer of rows of the model `mixed`: r_x = f(x) / f(x_i) of every candidate of {@link MixedSpace} under one draw, with phi, mu and
 * sigma integrated out given the classes of all other records. Of a continuous candidate f(x) is the probability of its mass or
 * cell, and f(x_i) a density on the unit scale where no mass holds the value. Ratios of what a record lacks are 1.
 *
 * @param parts the discrete part of each categorical variable that is guessed at
 * @throws RangeError without an allocation
 */
export function createMixedScorer(space: MixedSpace, model: MixedModel, rows: MixedRows, parts: readonly number[]): RatioScorer {
  const { sizes, continuous, prior } = model;
  const offsets = categoryOffsets(sizes);
  const cellsOfPart = continuous.map((_, part) => space.continuous.find((own) => own.part === part)?.cells ?? 0);
  const indicators = new Set(continuous.map(({ indicator }) => indicator));
  const factors: Factor[] = [
    ...[...sizes.keys()].filter((k) => !indicators.has(k)).map((discrete) => ({ discrete, continuous: null })),
    ...continuous.map(({ indicator }, part) => ({ discrete: indicator, continuous: part })),
  ];
  const factorOfPart = (part: number) => factors.findIndex(({ discrete, continuous: own }) => own === null && discrete === part);
  const guessedCategories = parts.map((part) => ({ part, factor: factorOfPart(part) }));
  const guessedValues = space.continuous.map((own) => ({
    ...own,
    factor: factors.findIndex(({ continuous: part }) => part === own.part),
    own: new Float64Array(own.cells),
  }));

  return (weights, _, ratios, logInverses, allocation) => {
    if (allocation === undefined) throw new RangeError('a scorer of the model mixed needs allocations');
    const tables = classTables(model, cellsOfPart, weights, allocation);
    const { classes, logWeights, place, counts, totals, probabilities, logProbabilities, sums, predictives } = tables;
    const logFactors = factors.map(() => new Float64Array(classes));
    const logDensities = new Float64Array(classes);
    const shares = new Float64Array(classes);

    for (let row = 0; row < rows.rows; row++) {
      const own = place[allocation.classOfCombination[row]!]!;
      const codeOf = (part: number) => rows.codes[part * rows.rows + row]!;
      const valueIn = (part: number) => rows.values[part * rows.rows + row]!;
      /** Probability of a category in the record's own class, without the record. */
      const left = (part: number, code: number) => {
        const held = codeOf(part);
        const at = (offsets[part]! + code) * classes + own;
        if (held === MISSING) return probabilities[at]!;
        return (counts[at]! + (code === held ? 0 : 1)) / (totals[part * classes + own]! - 1);
      };
      /** The density of a further value in the record's own class, without the record. */
      const leftPredictive = (part: number): Predictive => {
        const at = part * classes + own;
        const value = valueIn(part);
        return Number.isNaN(value) ? predictives[at]! : predictiveOf(withoutValue(sums[at]!, value), prior, continuous[part]!.smallest);
      };
      const leftDensities: Predictive[] = [];
      logDensities.set(logWeights);
      for (const [v, { discrete, continuous: part }] of factors.entries()) {
        const logs = logFactors[v]!.fill(0);
        const code = discrete === null ? MISSING : codeOf(discrete);
        if (code !== MISSING) {
          const from = (offsets[discrete!]! + code) * classes;
          logs.set(logProbabilities.subarray(from, from + classes));
          logs[own] = log(left(discrete!, code));
        }
        if (part !== null) {
          const value = valueIn(part);
          leftDensities[part] = leftPredictive(part);
          if (!Number.isNaN(value)) {
            for (let f = 0; f < classes; f++) {
              logs[f]! += (f === own ? leftDensities[part] : predictives[part * classes + f]!).logDensity(value);
            }
          }
        }
        for (let f = 0; f < classes; f++) logDensities[f]! += logs[f]!;
      }
      const logDensity = logSum(logDensities);
      if (logInverses) logInverses[row] = -logDensity;
      const ofRow = ratios.subarray(row * space.perRecord, (row + 1) * space.perRecord).fill(1);

      /** Shares of the classes without one factor, by the density of the truth. */
      const setShares = (v: number) => {
        const logs = logFactors[v]!;
        let most = -Infinity;
        for (let f = 0; f < classes; f++) most = Math.max(most, logDensities[f]! - logs[f]!);
        const scale = exp(most - logDensity);
        for (let f = 0; f < classes; f++) shares[f] = scale * exp(logDensities[f]! - logs[f]! - most);
      };
      const ofCategory = (part: number, code: number) => {
        const from = (offsets[part]! + code) * classes;
        let sum = 0;
        for (let f = 0; f < classes; f++) sum += shares[f]! * (f === own ? left(part, code) : probabilities[from + f]!);
        return sum;
      };
      let candidate = 1;
      for (const { part, factor } of guessedCategories) {
        const held = codeOf(part);
        if (held === MISSING) {
          candidate += sizes[part]! - 1;
          continue;
        }
        setShares(factor);
        for (let code = 0; code < sizes[part]!; code++) if (code !== held) ofRow[candidate++] = ofCategory(part, code);
      }
      for (const { part, factor, first, masses, cells, own: ownCells } of guessedValues) {
        const { indicator } = continuous[part]!;
        const code = indicator === null ? 0 : codeOf(indicator);
        if (indicator === null ? Number.isNaN(valueIn(part)) : code === MISSING) continue;
        setShares(factor);
        for (const m of masses.keys()) if (code !== m + 1) ofRow[first + m] = ofCategory(indicator!, m + 1);
        if (indicator !== null) {
          for (let f = 0; f < classes; f++)
            shares[f]! *= f === own ? left(indicator, 0) : probabilities[offsets[indicator]! * classes + f]!;
        }
        const ofCells = ofRow.subarray(first + masses.length, first + masses.length + cells).fill(0);
        cellMasses(leftDensities[part]!, ownCells);
        for (let f = 0; f < classes; f++) {
          const own_ = f === own ? ownCells : tables.cells[part]!.subarray(f * cells, (f + 1) * cells);
          const share = shares[f]!;
          for (let c = 0; c < cells; c++) ofCells[c]! += share * own_[c]!;
        }
      }
    }
  };
}

function logSum(logs: Float64Array): number {
  let most = -Infinity;
  for (const value of logs) most = Math.max(most, value);
  let sum = 0;
  for (const value of logs) sum += exp(value - most);
  return most + log(sum);
}
