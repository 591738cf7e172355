import type { Allocation } from '../../model/chains/chain-sampler.ts';
import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { classTables, type MixedModel } from './class-tables.ts';
import type { ContinuousCandidates, MixedSpace } from './mixed-space.ts';
import { cellMasses, type Predictive, predictiveOf, withoutValue } from './predictive.ts';

/** What the model has of one variable of a record: its part of the discrete ones, its part of the continuous ones, or both. */
interface Factor {
  readonly discrete: number | null;
  readonly continuous: number | null;
}

/** What a row's variables are, and which are guessed at. */
export interface MixedLayout {
  readonly factors: readonly Factor[];
  /** Discrete parts of the categorical variables that are guessed at by themselves, in the order of their candidates. */
  readonly guessedCategories: readonly { readonly part: number; readonly factor: number }[];
  /** The same of those that are unknown together; they are the last factors. */
  readonly together: readonly { readonly part: number; readonly factor: number }[];
  readonly guessedValues: readonly (ContinuousCandidates & { readonly factor: number })[];
}

/**
 * The variables of a model, and where those are that are guessed at.
 *
 * @param parts the discrete part of each categorical variable that is guessed at
 */
export function mixedLayout(space: MixedSpace, { sizes, continuous }: MixedModel, parts: readonly number[]): MixedLayout {
  const indicators = new Set(continuous.map(({ indicator }) => indicator));
  const isTogether = space.categorical.kind === 'unknown' && parts.length > 1;
  const last = isTogether ? parts : [];
  const factors: Factor[] = [
    ...[...sizes.keys()].filter((k) => !indicators.has(k) && !last.includes(k)).map((discrete) => ({ discrete, continuous: null })),
    ...continuous.map(({ indicator }, part) => ({ discrete: indicator, continuous: part })),
    ...last.map((discrete) => ({ discrete, continuous: null })),
  ];
  const factorOfPart = (part: number) => factors.findIndex(({ discrete, continuous: own }) => own === null && discrete === part);
  const guessed = parts.map((part) => ({ part, factor: factorOfPart(part) }));
  return {
    factors,
    guessedCategories: isTogether ? [] : guessed,
    together: isTogether ? guessed : [],
    guessedValues: space.continuous.map((own) => ({ ...own, factor: factors.findIndex(({ continuous: part }) => part === own.part) })),
  };
}

/**
 * Ratios of all values of variables that are unknown together, but the row's own, the last variable running fastest.
 *
 * @param shares of the classes without these variables
 * @param given what a class gives a category of a part
 * @param ratios receives them from place 1 on
 */
export function ratiosTogether(
  parts: readonly { readonly part: number; readonly size: number; readonly held: number }[],
  shares: Float64Array,
  given: (f: number, part: number, code: number) => number,
  ratios: Float64Array,
): void {
  let place = 1;
  const visit = (v: number, product: Float64Array, isOwn: boolean) => {
    const variable = parts[v];
    if (variable === undefined) {
      if (!isOwn) ratios[place++] = product.reduce((sum, share) => sum + share, 0);
      return;
    }
    const { part, size, held } = variable;
    for (let code = 0; code < size; code++) {
      visit(
        v + 1,
        product.map((share, f) => share * given(f, part, code)),
        isOwn && code === held,
      );
    }
  };
  visit(0, shares, true);
}

/** Scores one row under a draw; returns log 1 / f(x_i). `ratios` receives one entry a candidate. */
type RowScorer = (row: number, ratios: Float64Array) => number;

/** Scores rows under draws, one after the other. */
export type RowsInLogs = (weights: Float64Array, allocation: Allocation) => RowScorer;

/**
 * The program of kernels/densities/density-ratios.ts in plain TypeScript, by logarithms, so that no density is too small: to
 * read, to test against, and for rows whose density is. It scores rows of the model `mixed` as `createMixedScorer` says.
 *
 * @param isOutside whether the rows are in no class, so that none is left
 */
export function logMixedRatios(
  space: MixedSpace,
  model: MixedModel,
  { rows, isOutside = false }: { readonly rows: MixedRows; readonly isOutside?: boolean },
  parts: readonly number[],
): RowsInLogs {
  const { sizes, continuous, prior } = model;
  const offsets = categoryOffsets(sizes);
  const cellsOfPart = continuous.map((_, part) => space.continuous.find((own) => own.part === part)?.cells ?? 0);
  const { factors, guessedCategories, together, guessedValues } = mixedLayout(space, model, parts);
  const cellsOfRow = guessedValues.map(({ cells }) => new Float64Array(cells));

  return (weights, allocation) => {
    const tables = classTables(model, cellsOfPart, weights, allocation);
    const { classes, logWeights, place, counts, totals, probabilities, logProbabilities, sums, predictives } = tables;
    const logFactors = factors.map(() => new Float64Array(classes));
    const logDensities = new Float64Array(classes);
    const shares = new Float64Array(classes);

    return (row, ratios) => {
      const own = isOutside ? null : place[allocation.classOfCombination[row]!]!;
      const codeOf = (part: number) => rows.codes[part * rows.rows + row]!;
      const valueIn = (part: number) => rows.values[part * rows.rows + row]!;
      /** Probability of a category in the record's own class, without the record. */
      const left = (part: number, code: number, own: number) => {
        const held = codeOf(part);
        const at = (offsets[part]! + code) * classes + own;
        if (held === MISSING) return probabilities[at]!;
        return (counts[at]! + (code === held ? 0 : 1)) / (totals[part * classes + own]! - 1);
      };
      /** The density of a further value in the record's own class, without the record. */
      const leftPredictive = (part: number, own: number): Predictive => {
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
          if (own !== null) logs[own] = log(left(discrete!, code, own));
        }
        if (part !== null) {
          const value = valueIn(part);
          if (own !== null) leftDensities[part] = leftPredictive(part, own);
          if (!Number.isNaN(value)) {
            for (let f = 0; f < classes; f++) {
              logs[f]! += (f === own ? leftDensities[part]! : predictives[part * classes + f]!).logDensity(value);
            }
          }
        }
        for (let f = 0; f < classes; f++) logDensities[f]! += logs[f]!;
      }
      const logDensity = logSum(logDensities);
      ratios.fill(1);

      /** Shares of the classes without some factors, by the density of the truth. */
      const setShares = (...without: readonly number[]) => {
        const logs = without.reduce((left, v) => left.map((own, f) => own - logFactors[v]![f]!), logDensities);
        const most = logs.reduce((a, b) => Math.max(a, b));
        const scale = exp(most - logDensity);
        for (let f = 0; f < classes; f++) shares[f] = scale * exp(logs[f]! - most);
      };
      const ofCategory = (part: number, code: number) => {
        const from = (offsets[part]! + code) * classes;
        let sum = 0;
        for (let f = 0; f < classes; f++) sum += shares[f]! * (f === own ? left(part, code, f) : probabilities[from + f]!);
        return sum;
      };
      if (together.length > 0) {
        setShares(...together.map(({ factor }) => factor));
        const given = (f: number, part: number, code: number) =>
          f === own ? left(part, code, f) : probabilities[(offsets[part]! + code) * classes + f]!;
        const unknown = together.map(({ part }) => ({ part, size: sizes[part]!, held: codeOf(part) }));
        ratiosTogether(unknown, shares, given, ratios);
      }
      let candidate = 1;
      for (const { part, factor } of guessedCategories) {
        const held = codeOf(part);
        if (held === MISSING) {
          candidate += sizes[part]! - 1;
          continue;
        }
        setShares(factor);
        for (let code = 0; code < sizes[part]!; code++) if (code !== held) ratios[candidate++] = ofCategory(part, code);
      }
      for (const [v, { part, factor, first, masses, cells }] of guessedValues.entries()) {
        const ownCells = cellsOfRow[v]!;
        const { indicator } = continuous[part]!;
        const code = indicator === null ? 0 : codeOf(indicator);
        if (indicator === null ? Number.isNaN(valueIn(part)) : code === MISSING) continue;
        setShares(factor);
        for (const m of masses.keys()) if (code !== m + 1) ratios[first + m] = ofCategory(indicator!, m + 1);
        if (indicator !== null) {
          for (let f = 0; f < classes; f++)
            shares[f]! *= f === own ? left(indicator, 0, f) : probabilities[offsets[indicator]! * classes + f]!;
        }
        const ofCells = ratios.subarray(first + masses.length, first + masses.length + cells).fill(0);
        if (own !== null) cellMasses(leftDensities[part]!, ownCells);
        for (let f = 0; f < classes; f++) {
          const own_ = f === own ? ownCells : tables.cells[part]!.subarray(f * cells, (f + 1) * cells);
          const share = shares[f]!;
          for (let c = 0; c < cells; c++) ofCells[c]! += share * own_[c]!;
        }
      }
      return -logDensity;
    };
  };
}

/** The logarithm of a sum of numbers that are given by theirs. */
export function logSum(logs: Float64Array): number {
  let most = -Infinity;
  for (const value of logs) most = Math.max(most, value);
  let sum = 0;
  for (const value of logs) sum += exp(value - most);
  return most + log(sum);
}
