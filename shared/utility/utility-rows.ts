import type { FigureRow } from '../contracts/column.ts';
import type { MeasuredUtility } from '../contracts/results/utility.ts';

/** Every figure as a row: `dataset` counts from 1, 0 for what is of all datasets or of the table. */
export function* utilityRows({ summary, tables }: MeasuredUtility): Generator<FigureRow> {
  const { variables } = summary.associations;
  const row = (measure: string, item: string, dataset: number, figure: string, value: number | null) => ({
    measure,
    item,
    dataset,
    figure,
    value,
  });
  for (const { variables: set, deviations, expected } of tables) {
    const item = set.map((v) => variables[v]!).join(':');
    for (const [l, deviation] of deviations.entries()) {
      yield row('table', item, l + 1, 'absolute_deviation', deviation);
    }
    if (expected !== null) yield row('table', item, 0, 'expected_deviation', expected);
  }
  for (const { terms, datasets } of summary.propensity) {
    for (const [l, score] of datasets.entries()) {
      for (const figure of ['pmse', 'expected', 'ratio', 'standardized'] as const) {
        yield row('propensity', terms, l + 1, figure, score?.[figure] ?? null);
      }
      yield row('propensity', terms, l + 1, 'expected_deviation', score?.expectedDeviation ?? null);
      if (terms === 'tree') continue;
      yield row('propensity', terms, l + 1, 'expected_formula', score?.expectedFormula ?? null);
      yield row('propensity', terms, l + 1, 'ratio_formula', score?.ratioFormula ?? null);
      yield row('propensity', terms, l + 1, 'standardized_formula', score?.standardizedFormula ?? null);
    }
  }
  for (const { formula, coefficients, heldOut } of summary.regressions) {
    for (const { term, original, synthetic, intervalOverlap, standardizedDifference } of coefficients) {
      const item = `${formula} | ${term}`;
      for (const figure of ['estimate', 'se', 'low', 'high'] as const) {
        yield row('regression', item, 0, `original_${figure}`, original?.[figure] ?? null);
      }
      for (const figure of ['estimate', 'se', 'df', 'low', 'high'] as const) {
        yield row('regression', item, 0, `synthetic_${figure}`, synthetic?.[figure] ?? null);
      }
      yield row('regression', item, 0, 'interval_overlap', intervalOverlap);
      yield row('regression', item, 0, 'standardized_difference', standardizedDifference);
    }
    for (const [l, prediction] of [heldOut.original, ...heldOut.datasets].entries()) {
      yield row('prediction', formula, l, 'mean_squared_error', prediction?.meanSquaredError ?? null);
      yield row('prediction', formula, l, 'distance', prediction?.distance ?? null);
      for (const [q, quantile] of (prediction?.quantiles ?? []).entries()) {
        yield row('prediction', formula, l, `quantile_${q * 10}`, quantile);
      }
    }
  }
  for (const { of, classes } of summary.patterns?.variables ?? []) {
    for (const { from, to, patterns, meanDistance } of classes) {
      const item = `${of} | ${from} to ${to ?? 'any'} records`;
      yield row('patterns', item, 0, 'patterns', patterns);
      yield row('patterns', item, 0, 'mean_distance', meanDistance);
    }
  }
  const { original, synthetic } = summary.associations;
  for (let i = 0; i < variables.length; i++) {
    for (let j = 0; j < i; j++) {
      const item = `${variables[j]}:${variables[i]}`;
      yield row('association', item, 0, 'original', original[i]![j]!);
      yield row('association', item, 0, 'synthetic', synthetic[i]![j]!);
    }
  }
  for (const { variable, heaping, tails } of summary.distributions ?? []) {
    for (const [figure, own] of Object.entries({ heaping, tails })) {
      for (const [l, share] of own === null ? [] : [own.original, ...own.datasets].entries())
        yield row('distribution', variable, l, figure, share);
    }
  }
}
