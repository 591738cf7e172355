import type { PrivacyEvaluation } from '../../contracts/results/differential-privacy.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatFigure, formatSetting } from '../words/format-number.ts';

/** Expected increase in risk by population and epsilon: Table 1 of McClure & Reiter (2012), and what was seen in the pairs. */
export function expectedIncreaseSection({ scenarios }: PrivacyEvaluation): Section {
  const rows = scenarios.map(({ p0, epsilon, alpha, expectedIncrease, pairs }) => {
    const risks = pairs.map(({ absolute }) => absolute);
    const losses = pairs.map(({ logBayesFactor }) => Math.abs(logBayesFactor));
    const figures = [
      formatSetting(epsilon),
      formatFigure(alpha),
      formatFigure(expectedIncrease),
      formatFigure(Math.max(...risks)),
      formatFigure(Math.max(...losses)),
    ];
    return html`<tr><th scope="row">${formatSetting(p0)}</th>${figures.map((figure) => html`<td>${figure}</td>`)}</tr>
`;
  });
  // All are of one prior.
  const [prior] = scenarios.map((scenario) => scenario.prior);
  return {
    id: 'increase',
    title: 'Expected increase in risk',
    body: html`
<p>How much the posterior probability of a true value exceeds its prior one on average, over all tables of the population and all datasets that the synthesizer could draw from them; datasets that lower it count as none (McClure and Reiter 2012, eq. 6). The intruder knows every other record, and gives the value 1 a prior probability of ${formatSetting(prior!)}. Beside it stand the largest risk and the largest privacy loss, |log B|, among the pairs that were simulated. Epsilon bounds that loss for every table and every dataset.</p>
<div class="table-scroll"><table>
<thead><tr><th scope="col">p0</th><th scope="col">epsilon</th><th scope="col">alpha</th><th scope="col">Expected increase</th><th scope="col">Largest R simulated</th><th scope="col">Largest privacy loss simulated</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`,
  };
}
