import type { FigureRow } from '../../contracts/column.ts';
import type { AttackSummary } from '../../contracts/results/attack.ts';

/** Every number in a document with its path, `individualRisk.mean`; null where it is undefined. */
function* numbersIn(document: unknown, path = ''): Generator<[figure: string, value: number | null]> {
  if (typeof document === 'number' || document === null) {
    yield [path, document];
    return;
  }
  if (typeof document !== 'object') return;
  for (const [name, value] of Object.entries(document)) {
    // Elements of a list count from 1.
    const step = Array.isArray(document) ? `${Number(name) + 1}` : name;
    yield* numbersIn(value, path === '' ? step : `${path}.${step}`);
  }
}

/** Every figure as a row: `dataset` counts from 1, 0 for what is of the table or of all datasets. */
export function* attackRows(summary: AttackSummary): Generator<FigureRow> {
  function* rows(measure: string, item: string, dataset: number, document: unknown): Generator<FigureRow> {
    for (const [figure, value] of numbersIn(document)) yield { measure, item, dataset, figure, value };
  }
  for (const { target, datasets, mean, meanSe } of summary.disclosure) {
    for (const [l, one] of datasets.entries()) yield* rows('disclosure', target, l + 1, one);
    yield* rows('disclosure', target, 0, { ...mean, meanSe });
  }
  for (const measure of ['singlingOut', 'linkability', 'inference'] as const) {
    for (const { attack, dataset, target, ...figures } of summary[measure]) {
      yield* rows(measure, target ?? attack, dataset, figures);
    }
  }
  for (const { target, method: _, reason: __, rules, ...figures } of summary.rapid) {
    const byRule = Object.fromEntries(rules.map(({ method, ...own }) => [method, own]));
    yield* rows('rapid', target, 0, { ...figures, ...byRule });
  }
  const { datasets, reason: _, ...all } = summary.nearestNeighbour;
  for (const [l, one] of datasets.entries()) yield* rows('nearestNeighbour', '', l + 1, one);
  yield* rows('nearestNeighbour', '', 0, all);
  const { datasets: copies, mean, meanSe, records, targets } = summary.riskutility;
  for (const [l, one] of copies.entries()) yield* rows('riskutility', '', l + 1, one);
  yield* rows('riskutility', '', 0, { records, ...mean, meanSe });
  for (const { target, datasets: beliefs, ...ofAll } of targets) {
    for (const [l, one] of beliefs.entries()) yield* rows('riskutility', target, l + 1, one);
    yield* rows('riskutility', target, 0, { ...ofAll.mean, meanSe: ofAll.meanSe });
  }
  for (const { scenario, auc, aucSe } of summary.optimal ?? []) yield* rows('optimal', scenario, 0, { auc, aucSe });
  for (const { test, ofOptimal, ...figures } of summary.membership ?? []) {
    yield* rows('membership', test, 0, figures);
    for (const { scenario, share, shareSe } of ofOptimal ?? []) yield* rows(`ofOptimal ${test}`, scenario, 0, { share, shareSe });
  }
  const { release, ...ofTable } = summary.keyCounts;
  for (const [l, { diversity, ...counts }] of [ofTable, ...release].entries()) {
    yield* rows('keyCounts', '', l, counts);
    for (const { target, ...figures } of diversity) yield* rows('diversity', target, l, figures);
  }
}
