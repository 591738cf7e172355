import type { StoredCalibration } from '../contracts/results/calibration.ts';
import { fact } from './page/facts.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { framedTable } from './page/table.ts';
import { warningList } from './page/warnings.ts';
import { calibrationSection } from './sections/calibration-section.ts';
import { candidatesInWords } from './sections/measurement-section.ts';
import { formatCount, formatEstimate, formatQuantity, formatSetting } from './words/format-number.ts';

/** The page of a calibration: one HTML file like the report of a run, confidential as that is. */
export async function renderCalibration(found: StoredCalibration): Promise<string> {
  return renderPage({
    title: `Calibration, run ${found.runId}`,
    confidentiality: html`This page is for those who judge the risk. Nothing of a calibration is a release: its synthetic data come from altered copies of the table.`,
    heading: 'Does the risk estimate achieve what it claims?',
    subtitle: `Proper scoring on ${formatQuantity(found.replicates, 'altered copy', 'altered copies')} of the table, ${formatQuantity(found.targets, 'target')}${found.replicates === 1 ? '' : ' each'}`,
    sections: [
      await calibrationSection(found),
      ...(found.replicates > 1 ? [replicatesSection(found)] : []),
      measuredSection(found),
      readingSection(),
    ],
    run: found,
  });
}

function replicatesSection({ byReplicate }: StoredCalibration): Section {
  const rows = byReplicate.map(
    (figures) => html`<tr><th scope="row">${formatCount(figures.replicate)}</th>
<td>${formatEstimate(figures.achievedBits, figures.achievedBitsSe)}</td>
<td>${formatEstimate(figures.claimedBits, figures.claimedBitsSe)}</td>
<td>${formatEstimate(figures.excessBits, figures.excessBitsSe)}</td>
<td>${figures.slope === null || figures.slopeSe === null ? 'undefined' : formatEstimate(figures.slope, figures.slopeSe)}</td></tr>
`,
  );
  const body = html`
${framedTable(
  'replicates-caption',
  'Bits a record, each with its standard error over the targets of a replicate',
  html`<tr><th scope="col">Replicate</th><th scope="col">Achieved</th><th scope="col">Claimed</th><th scope="col">Claimed less achieved</th>
<th scope="col">Slope</th></tr>`,
  rows,
)}
<p>Targets of a replicate share its synthetic data and its chains, so that replicates may differ by more than these errors.</p>`;
  return { id: 'replicates', title: 'Replicate by replicate', body };
}

function measuredSection(found: StoredCalibration): Section {
  const { table, warnings } = found;
  const body = html`
<dl class="facts">
${fact('Estimator', `${found.estimator}: ${found.meaning}`)}
${fact('Candidates', `${candidatesInWords(found.candidates)}, the true values being those before the replacement; ${formatQuantity(found.candidatesPerTarget, 'candidate')} for a target`)}
${found.slopeApplied === 1 ? [] : fact('Slope applied', `the likelihood is raised to the power ${formatSetting(found.slopeApplied)} before it is scored; the slope above comes on top of it`)}
${fact('Synthetic data', `${formatQuantity(found.datasets, 'dataset')} for each replicate, ${found.synthesisChains === 'own' ? 'each from a chain of its own' : 'all from one chain'}`)}
${fact('Confidential table', `${formatQuantity(table.records, 'record')} on ${formatQuantity(table.variables, 'variable')}; ${formatQuantity(table.combinations, 'distinct combination')}`)}
</dl>
${warnings.length === 0 ? [] : warningList(warnings)}`;
  return { id: 'measured', title: 'What was scored', body };
}

function readingSection(): Section {
  const body = html`
<dl class="facts">
${fact('Achieved', 'How much more probable the truth is to the estimate than to random guessing, as a mean of logarithms. No other probabilities would achieve more, on average, than the true ones; knowing nothing achieves 0, being sure of wrong values less than 0.')}
${fact('Claimed', 'What the estimate itself expects to achieve, from its own probabilities.')}
${fact('Slope', 'The power of the likelihood that would achieve most: 1 is calibrated, below 1 the probabilities are overconfident, above 1 underconfident.')}
</dl>
<h3>What the numbers do not mean</h3>
<ul>
<li><strong>Not a property of the release.</strong> The calibration judges the estimate on tables like this one, not the risk of single records.</li>
<li><strong>Not other settings.</strong> Another model, estimator or set of candidates has to be calibrated by itself.</li>
<li><strong>Random values are rarer than real ones.</strong> The targets took random values from their candidate sets, as the intruder’s prior has it; real records hold common values more often.</li>
</ul>`;
  return { id: 'reading', title: 'How to read the figures', body };
}
