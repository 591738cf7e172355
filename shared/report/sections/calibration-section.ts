import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import { claimedAchievedChart, claimsByGroupChart, reliabilityPlot } from '../charts/calibration-charts.ts';
import { renderFigure } from '../charts/figure.ts';
import { count, derived, estimate, headline, percentEstimate, quantity } from '../figures/figure.ts';
import { keyFigure } from '../page/facts.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { framedTable } from '../page/table.ts';
import { namedCalibrationGroups } from '../words/calibration-groups-in-words.ts';
import { formatCount } from '../words/format-number.ts';

/** Whether the estimate achieves what it claims: the verdict, its figures, and two charts. */
export async function calibrationSection(found: StoredCalibration): Promise<Section> {
  const comparison = await renderFigure({
    title: 'Claimed and achieved',
    chart: claimedAchievedChart(found),
    legend: { reference: 'Claimed', mark: 'Achieved' },
    caption:
      'Lines are two standard errors to either side. Claimed is what the probabilities themselves expect to be right; achieved is how right they were. A calibrated estimate has them side by side.',
  });
  const reliability = await renderFigure({
    title: 'Reliability of the probabilities',
    chart: reliabilityPlot(found),
    legend: { mark: 'Candidates of about one probability', quiet: '95 % interval', reference: 'Calibrated' },
    caption:
      'Of the candidates to which the estimate gives a probability, that share should be the truth. Points that rise less steeply than the line mean overconfident probabilities, points that rise more steeply underconfident ones.',
  });
  const byClaim =
    found.byClaim.length === 1
      ? []
      : await renderFigure({
          title: 'By what is claimed',
          chart: claimsByGroupChart(found),
          legend: { mark: 'Targets for which about as much is claimed', quiet: 'Two standard errors', reference: 'Calibrated' },
          caption:
            'Targets in order of what the probabilities claim for them, in groups of equal size. Below the line the estimate claims more than it achieves; the points to the right are those of the records at most risk.',
        });
  const body = html`
<dl class="figures">
${keyFigure('Achieved, bits a record', headline(found, 'achievedBits'), '')}
${keyFigure('Claimed, bits a record', headline(found, 'claimedBits'), '')}
${keyFigure('Claimed less achieved', headline(found, 'excessBits'), '0 = calibrated')}
${
  found.slope === null || found.slopeSe === null
    ? keyFigure('Slope', 'undefined', found.slopeReason ?? '')
    : keyFigure('Slope', headline(found, 'slope'), '1 = calibrated')
}
</dl>
<p>In ${quantity(found, 'replicates', 'altered copy', 'altered copies')} of the table, ${quantity(found, 'targets', 'record')}${found.replicates === 1 ? '' : ' each'}
were replaced by random members of their candidate sets. The table was synthesized and the risk estimated as in a run,
and the probabilities were compared with the true values: ${derived('truths', formatCount(found.replicates * found.targets))} truths
among ${quantity(found, 'candidatesPerTarget', 'candidate')} each (calibration ${found.runId}, seed ${String(found.seed)}).
${found.replicates === 1 ? 'The errors are those of the targets alone: one replicate cannot tell what another synthesis would change.' : 'The errors hold what differs between replicates, where that is more than the targets explain.'}</p>
<div class="figures-grid">
${reliability}
${comparison}
${byClaim}
</div>
${groupsTable(found)}`;
  return { id: 'calibration', title: 'Calibration: is what is claimed achieved?', answer: html`${found.verdict.message}`, body };
}

/** Claimed against achieved where it counts: by claim, for the riskiest, and for records that were unique. */
function groupsTable(found: StoredCalibration): Html {
  const rows = namedCalibrationGroups(found).map(
    ([name, group]) => html`<tr><th scope="row">${name}</th>
<td>${count(group, 'targets')}</td>
<td>${estimate(group, 'claimedBits')}</td>
<td>${estimate(group, 'achievedBits')}</td>
<td>${estimate(group, 'excessBits')}</td>
<td>${estimate(group, 'slope')}</td>
<td>${percentEstimate(group, 'firstGuessClaimed')}</td>
<td>${percentEstimate(group, 'firstGuessRight')}</td></tr>
`,
  );
  const note =
    found.groupsReason === undefined ? [] : html`<p class="note">Of the last three groups some are left out: ${found.groupsReason}.</p>`;
  if (rows.length === 0) return html`${note}`;
  return html`${framedTable(
    'calibration-groups-caption',
    'Where it counts: bits a record, and how often the first guess is right',
    html`<tr><th scope="col">Targets</th><th scope="col">Number</th><th scope="col">Claimed</th><th scope="col">Achieved</th>
<th scope="col">Claimed less achieved</th><th scope="col">Slope</th><th scope="col">First guess: its probability</th><th scope="col">First guess: right</th></tr>`,
    rows,
  )}
${note}`;
}
