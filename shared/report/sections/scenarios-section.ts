import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { count, estimate, figure, percent, percentEstimate } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { label, shortened } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { priorInShort } from '../words/belief-shift.ts';

type Row = readonly [name: string, of: (risk: AttributeRiskSummary) => string | Html];
const ranked = (...row: Row) => [...row, isRanked] as const;

/**
 * What is said of every scenario, a row each, so that few scenarios stand beside each other on a sheet; the last is of whom it is
 * said, where not of all.
 */
const ROWS: readonly (readonly [...Row, (risk: AttributeRiskSummary) => boolean] | Row)[] = [
  ['Candidates', ({ candidates }) => label(candidates)],
  ['Before the release', ({ prior }) => priorInShort(prior)],
  ranked('Truth ranked first', (risk) => percentEstimate(risk, 'truthRankedFirstShare')),
  ranked('… by the prior alone', (risk) => percent(risk, 'priorFirstShare')),
  ranked('… by guessing at random', (risk) => percent(risk, 'randomGuessingShare')),
  ranked('Probability of the truth, mean', (risk) => estimate(risk, 'probabilityMean')),
  ranked('… before the release', (risk) => figure(risk, 'priorProbabilityMean')),
  ranked('Change in the intruder’s probabilities, bits', (risk) => estimate(risk, 'informationBitsMean')),
  ['Gain at the truth, bits', (risk) => (risk.gainBitsMean === null ? 'not asked for' : estimate(risk, 'gainBitsMean'))],
  [
    '… of the riskiest 1\u00a0% of records',
    (risk) => (risk.gainBitsRiskiest === null ? 'not asked for' : estimate(risk, 'gainBitsRiskiest')),
  ],
  ranked('Privacy loss, nats: median', (risk) => loss(risk, 'privacyLossMedian')),
  ranked('… largest', (risk) => loss(risk, 'privacyLossMax')),
  ranked('Break the acceptance region', ({ acceptanceRegion: region }) =>
    region === null ? 'none asked for' : percent(region, 'brokenShare'),
  ),
  ranked('Agreement of ranks between evaluations', (risk) => figure(risk, 'rankReproducibility')),
];

/** Several intruders side by side, of whom the rest of the page is about the first. */
export function scenariosSection(risks: readonly AttributeRiskSummary[]): Section {
  const all = risks.every(isRanked);
  const shift = all ? 'informationBitsMean' : 'gainBitsMean';
  const most = risks.toSorted((a, b) => b[shift]! - a[shift]!)[0]!;
  const body = html`
<p>All scenarios are of one release, and those whose intruders have the same records of one fit. The rest of this page is about the first; <code>attribute-risk.csv</code>
has the rows of all, one scenario below the other. Before is what the prior alone says of the truth.</p>
${renderTable(
  'scenarios-caption',
  'Intruders and priors side by side',
  ['Measure', ...risks.map(({ scenario }) => shortened(scenario))],
  ROWS.filter(([, , isSaid = () => true]) => risks.every(isSaid)).map(
    ([name, of]) => html`<tr><th scope="row">${name}</th>${risks.map((risk) => html`<td>${of(risk)}</td>`)}</tr>
`,
  ),
)}
${risks.some(({ separately }) => separately) ? lesserTable(risks) : []}`;
  return {
    id: 'scenarios',
    title: 'Intruders and priors side by side',
    answer:
      risks.length === 1
        ? html`The intruder does not have all records but one.`
        : !all
          ? html`Most is added under the scenario “${label(most.scenario)}”, ${estimate(most, 'gainBitsMean')} bits a record.`
          : html`Belief is shifted most under the scenario “${label(most.scenario)}”, by ${estimate(most, 'informationBitsMean')} bits a record.`,
    body,
  };
}

const loss = (risk: AttributeRiskSummary, key: 'privacyLossMedian' | 'privacyLossMax') =>
  risk[key] === null ? 'not measured' : estimate(risk, key);

/** Intruders who do not have all records but one: how many they do not have, and what each dataset tells by itself. */
function lesserTable(risks: readonly AttributeRiskSummary[]): Html {
  const rows = risks.flatMap((risk) => {
    const { separately, largestOfDatasets, productOfDatasets, together } = risk;
    if (!separately || !largestOfDatasets || !productOfDatasets) return [];
    return [
      html`<tr><th scope="row">${label(risk.scenario)}</th><td>${count(risk, 'records')}</td>
<td>${separately.map((one, index) => html`${index > 0 ? '; ' : ''}${estimate(one, 'probabilityMean')}`)}</td>
<td>${estimate(largestOfDatasets, 'probabilityMean')}</td>
<td>${estimate(productOfDatasets, 'probabilityMean')}</td><td class="words">${together ?? ''}</td></tr>
`,
    ];
  });
  return html`
<p>Some intruders do not have all records but one, and have a risk for those that they do not have. Of several datasets
the figures above are of the mean of their log-likelihoods, which is an approximation: the datasets are of the same
records, so that most of what they tell is the same. Here is what single datasets tell, that of them which gives each record's
truth the largest probability, and the product of their likelihoods, an approximation that claims too much. Errors here are of
simulation alone: they do not say how another release would differ.</p>
${renderTable(
  'lesser-caption',
  'Intruders who know less: probability of the truth, dataset by dataset',
  ['Scenario', 'Records', 'By single datasets', 'By the largest', 'By the product', { words: 'Together' }],
  rows,
)}`;
}
