import type { RankedRisk } from '../../contracts/results/ranked-figures.ts';
import { type AttributeRiskTable, bayesFactorOf } from '../../contracts/results/tables/attribute-risk-table.ts';
import { type Chart, drawChart } from '../charts/chart.ts';
import { informationByCountChart } from '../charts/information-by-count.ts';
import { rankHistogramChart } from '../charts/rank-charts.ts';
import { ratioHistogramChart } from '../charts/ratio-histogram.ts';
import { riskCurves } from '../charts/risk-curves.ts';
import { type Html, html } from '../page/html.ts';
import type { PageScript } from '../page/page-script.ts';
import type { Section } from '../page/section.ts';
import { formatCount, formatQuantity } from '../words/format-number.ts';
import type { MarkedChart, MarkKind, RecordData } from './browser/record-data.ts';
import { type RecordsInput, recordData } from './record-data.ts';
import { recordsScript } from './records-script.ts';

/** What the rows are found from, and the files that hold the same. */
type FilesOfRows = Omit<RecordsInput, 'charts'>;

/** The part of a report in which every row can be found. */
export interface RecordsPart {
  readonly section: Section;
  readonly script: PageScript;
}

/**
 * Every combination of a run, or every record where each has values of its own in the release: a table to search, filter and
 * put in order, and a view of one, which `report.html#record=143` opens. Without scripts it names the files that hold the same.
 * Null where the run has no rows.
 *
 * @param risk of the first scenario; null where there is none, or no candidates are ranked
 */
export async function recordsPart(risk: RankedRisk | null, input: FilesOfRows): Promise<RecordsPart | null> {
  const { table } = input;
  const { charts, templates } = risk && table?.rows ? await markedCharts(risk, table) : { charts: [], templates: [] };
  const data = recordData({ ...input, charts });
  if (data === null) return null;
  return {
    section: {
      id: 'records',
      title: data.noun === 'record' ? 'Every record' : 'Every combination',
      body: html`
<p>${heldInWords(data)} Choose one for its candidates, errors and charts; its address, which ends in <code>#record=</code> and its
number, can be kept and sent to whoever may read this report.</p>
<noscript><p>Without scripts the page cannot list them: ${filesInWords(input, data)}</p></noscript>
<div id="records-tool" class="records-tool" hidden></div>
${templates}`,
    },
    script: { code: recordsScript, data: [{ id: 'record-data', value: data }] },
  };
}

function heldInWords({ noun, rows, rowsOfRun, detailed }: RecordData): string {
  const all =
    rows < rowsOfRun
      ? `The ${formatQuantity(rows, noun)} most at risk, of ${formatCount(rowsOfRun)}.`
      : `All ${formatQuantity(rows, noun)}.`;
  return detailed === rows
    ? all
    : `${all} The ${formatCount(detailed)} most at risk have all details; those of the others are in the tables beside the report.`;
}

/** Which files hold the same. */
function filesInWords({ table, values, details, continuous }: FilesOfRows, { noun }: RecordData): Html {
  return html`${table ? html`<code>attribute-risk.csv</code> has a row for each ${noun}${values ? html`, <code>variable-risk.csv</code> one for each of its variables` : []}. ` : []}${continuous ? html`<code>continuous-risk.csv</code> has a row for each continuous variable of each record. ` : []}${details.matches.length > 0 ? html`<code>identification-risk.csv</code> has the matches of each record.` : []}`;
}

/**
 * The charts in which the script marks a row, and their templates: of the distribution of risk, and the curves of the row of the
 * largest Bayes factor, for its axes.
 */
async function markedCharts(risk: RankedRisk, table: AttributeRiskTable) {
  const { combination, record } = table.columns;
  const numbers = table.ofRecords ? record : combination;
  const rows = Array.from({ length: table.rows }, (_, row) => ({ number: numbers[row]!, bayesFactor: bayesFactorOf(table, row) ?? 0 }));
  const largest = rows.reduce((most, own) => (own.bayesFactor > most.bayesFactor ? own : most));
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
