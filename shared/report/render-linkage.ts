import { namesInWords } from '../contracts/in-command.ts';
import type { LinkageResult } from '../contracts/results/linkage.ts';
import { renderFigure } from './charts/figure.ts';
import { precisionRecallChart, rocChart } from './charts/linkage-curves.ts';
import { columnFacts, fact } from './page/facts.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { warningsWhereAny } from './page/warnings.ts';
import { formatFigure, formatPercent, formatQuantity } from './words/format-number.ts';
import { methodInWords } from './words/masking-in-words.ts';

/** The page of `reidentify`: one HTML file like the report of a run, confidential as that is. */
export async function renderLinkage(result: LinkageResult): Promise<string> {
  return renderPage({
    title: `Re-identification, run ${result.runId}`,
    confidentiality: html`This page is for those who judge the risk. It tells how many masked records were found in the confidential table, and is no part of the release.`,
    heading: 'Who could be re-identified in the masked data?',
    subtitle: `${formatQuantity(result.records, 'row')} masked by ${methodInWords(result.method)}, linked with ${formatQuantity(result.intruder.records, 'record')}`,
    sections: [await linkageSection(result), comparisonsSection(result), readingSection(), ...warningsWhereAny(result.warnings)],
    run: result,
  });
}

async function linkageSection(result: LinkageResult): Promise<Section> {
  const { reidentifiedShare, low, high, precision, claimedPrecision, intruder } = result;
  const between = (from: number | null, to: number | null) =>
    from === null || to === null ? '' : ` (${formatPercent(from)} to ${formatPercent(to)})`;
  const body = html`
<p class="lead">${formatQuantity(result.reidentified, 'row')} of ${formatQuantity(result.records, 'row')} are re-identified,
${formatPercent(reidentifiedShare)}${between(low, high)}. A guess would find ${formatPercent(result.guessedShare)}.</p>
<p>An intruder builds metrics from nothing but the release and how it was masked, and links each row with the record of
their own file that agrees best. A row is re-identified when its one best link is to its own record. Intervals are exact, of
95 %.</p>
<dl class="facts">
${fact('Links', result.link === 'weights' ? 'by weights of agreement, fitted without the truth (Fellegi and Sunter)' : 'where every variable agrees')}
${fact('One to one', result.oneToOne ? 'yes' : 'no')}
${fact('The intruder has', `${formatQuantity(intruder.records, 'record')}, ${formatPercent(intruder.share)} of the table, with errors in ${formatPercent(intruder.errors)} of the variables; ${formatQuantity(intruder.rowsHeld, 'row')} of the release are among them`)}
${fact('Rows with one best link', `${formatQuantity(result.uniqueLinks, 'row')}, of which right: ${precision.share === null ? `undefined, ${precision.reason ?? ''}` : `${formatPercent(precision.share)}${between(precision.low, precision.high)}`}`)}
${fact('The intruder believes', claimedPrecision === null ? 'undefined: no row has one best link' : `${formatPercent(claimedPrecision)} of these links to be right`)}
${fact('Place of the own record', result.ownRankMedian === null ? `undefined: ${result.ownRankReason ?? ''}` : `${formatFigure(result.ownRankMedian)} (median, 1 is first)`)}
</dl>
${
  result.thresholds.length === 0
    ? []
    : html`<div class="figures-grid">
${await renderFigure({
  title: 'How sure are the links?',
  chart: precisionRecallChart(result),
  caption: 'From the links that the intruder believes in most, on the left, to all of them.',
})}
${
  result.rocArea === null
    ? []
    : await renderFigure({
        title: 'Does the probability tell right from wrong?',
        chart: rocChart(result),
        legend: { reference: 'As by chance' },
        caption: `ROC curve of the unique links; its area is ${formatFigure(result.rocArea)}.`,
      })
}
</div>`
}
${result.rocArea === null ? html`<p class="note">There is no ROC curve: ${result.rocReason ?? ''}.</p>` : []}`;
  return { id: 'linkage', title: 'Re-identification', body };
}

function comparisonsSection({ comparisons, model }: LinkageResult): Section {
  const rows = comparisons.flatMap(({ name, levels }) =>
    (levels ?? []).map(
      ({ amongMatches, amongOthers, weightBits }, level) => html`<tr><th scope="row">${name}</th>
<td>${level === 0 ? 'outside' : level === (levels ?? []).length - 1 ? 'narrowest interval' : `interval ${String((levels ?? []).length - level)}`}</td>
<td>${formatPercent(amongMatches)}</td><td>${formatPercent(amongOthers)}</td><td>${formatFigure(weightBits)}</td></tr>
`,
    ),
  );
  const body =
    model === null
      ? html`<p>Compared: ${namesInWords(comparisons.map(({ name }) => name))}. A link agrees on all of them.</p>`
      : html`<p>${formatQuantity(comparisons.length, 'comparison')}; what EM takes for matches agrees more often than other pairs, and
the logarithm of the ratio is the weight of a level. ${model.converged ? '' : 'EM had not come to an end.'}</p>
<div class="table-scroll" role="region" aria-label="Weights of agreement" tabindex="0">
<table>
<caption>Levels of agreement, after ${formatQuantity(model.iterations, 'iteration')} from the pairs of ${formatQuantity(model.rows, 'row')}</caption>
<thead><tr><th scope="col">Comparison</th><th scope="col">Level</th><th scope="col">Among matches</th><th scope="col">Among others</th><th scope="col">Weight (bits)</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
  return { id: 'comparisons', title: 'What agrees', body };
}

/** Columns of linkage.csv with their meaning, in the order of the file. */
const COLUMNS = {
  row: 'Number of a row of the masked file, from 1.',
  best_link: 'Record of the intruder’s file that agrees best; the first of equals. Empty where none agrees enough.',
  score: 'Sum of the weights of that link in bits; under the conjunction, variables that agree.',
  match_probability: 'Probability that the intruder gives that link.',
  equal_links: 'Records with that score: 1 where the link is unique.',
  candidates: 'Records that agree on enough to be scored.',
  own_record: 'The row’s own record in the intruder’s file; empty where they do not have it.',
  own_rank: 'Its place by score, ties at their mean; empty where it is no candidate.',
  reidentified: 'Whether the one best link is the own record.',
};

function readingSection(): Section {
  const body = html`
${columnFacts(COLUMNS)}
<h3>What the numbers do not mean</h3>
<ul>
<li><strong>Not the most that an intruder could do.</strong> Another metric, or variables that were not compared, may find more.</li>
<li><strong>Not what the intruder knows to be right.</strong> He sees scores and probabilities, and not which links are true.</li>
<li><strong>Not attribute risk.</strong> What could be learnt of people who are not re-identified is not measured here.</li>
</ul>`;
  return { id: 'reading', title: 'How to read the columns', body };
}
