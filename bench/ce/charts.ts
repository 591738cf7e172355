import { radiusChart, scenarioChart } from './box-charts.ts';
import { jointChart } from './joint-chart.ts';
import type { StudyResults } from './study-results.ts';
import { datasetsChart, tradeOffChart } from './trade-off-charts.ts';

/** The figures of docs/studies/amounts-within-a-radius.md, by file name. */
export async function studyCharts(results: StudyResults): Promise<Record<string, string>> {
  return {
    'matching-radius.svg': await radiusChart(results),
    'matching-scenarios.svg': await scenarioChart(results),
    'matching-trade-off.svg': await tradeOffChart(results),
    'matching-datasets.svg': await datasetsChart(results),
    'matching-jointly.svg': await jointChart(results),
  };
}
