import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type Chart, drawChart } from '../charts/chart.ts';
import { informationByCountChart } from '../charts/information-by-count.ts';
import { rankHistogramChart } from '../charts/rank-charts.ts';
import { ratioHistogramChart } from '../charts/ratio-histogram.ts';
import { riskCurves } from '../charts/risk-curves.ts';
import { type Html, html } from '../page/html.ts';
import type { MarkedChart, MarkKind } from './browser/record-data.ts';

/** Charts in which the script marks a row, and their templates. */
export interface MarkedCharts {
  readonly charts: readonly MarkedChart[];
  readonly templates: readonly Html[];
}

/** The charts of the distribution of risk, and the curves of the row of the largest Bayes factor, for its axes. */
export async function markedCharts(risk: AttributeRiskSummary, table: AttributeRiskTable): Promise<MarkedCharts> {
  const { bayes_factor, combination, record } = table.columns;
  const numbers = table.ofRecords ? record : combination;
  const largest = Array.from({ length: table.rows }, (_, row) => ({ number: numbers[row]!, bayesFactor: bayes_factor(row) ?? 0 })).reduce(
    (most, own) => (own.bayesFactor > most.bayesFactor ? own : most),
  );
  const drawn: readonly (readonly [kind: MarkKind, title: string, chart: Chart])[] = [
    ['ratio', 'Probability of the truth against uniform', ratioHistogramChart(table)],
    ['rank', 'Rank of the truth', rankHistogramChart(risk, table)],
    ['information', 'Information by rarity', informationByCountChart(table)],
    ...(largest.bayesFactor > 0
      ? ([
          ['R', 'Absolute risk', riskCurves('R', [largest], [])],
          ['RR', 'Relative risk', riskCurves('RR', [largest], [])],
        ] as const)
      : []),
  ];
  const charts: MarkedChart[] = [];
  const templates: Html[] = [];
  for (const [kind, title, chart] of drawn) {
    const { svg, x, y } = await drawChart(chart);
    if (x === null || y === null) throw new RangeError(`the chart ${kind} has no two axes`);
    const template = `record-chart-${kind}`;
    charts.push({ template, title, kind, x, y });
    templates.push(html`<template id="${template}">${svg}</template>
`);
  }
  return { charts, templates };
}
