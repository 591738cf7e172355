import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { count, estimate, figure, percent, percentEstimate } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { priorInShort } from '../words/belief-shift.ts';

const HEADS = [
  ...[
    'Scenario',
    { words: 'Candidates' },
    { words: 'Prior' },
    'Truth ranked first',
    'Prior alone',
    'Guessing',
  ],
  ...['Probability of the truth, mean', 'Before', 'Shift of belief, bits', 'Gain at the truth, bits'],
  ...['Privacy loss, nats: median', 'Largest', 'Break the acceptance region', 'Agreement of ranks'],
];

/** Several intruders side by side, of whom the rest of the page is about the first. */
export function scenariosSection(risks: readonly AttributeRiskSummary[]): Section {
  const most = risks.toSorted((a, b) => b.informationBitsMean - a.informationBitsMean)[0]!;
  const body = html`
<p>All scenarios are of one release, and those whose intruders have the same records of one fit. The rest of this page is about the first; <code>attribute-risk.csv</code>
has the rows of all, one scenario below the other. Before is what the prior alone says of the truth.</p>
${renderTable('scenarios-caption', 'Intruders and priors side by side', HEADS, risks.map(scenarioRow))}
${risks.some(({ separately }) => separately) ? lesserTable(risks) : []}`;
  return {
    id: 'scenarios',
    title: 'Intruders and priors side by side',
    answer:
      risks.length === 1
        ? html`The intruder does not have all records but one.`
        : html`The belief of the intruder ${label(most.scenario)} is shifted most, by ${estimate(most, 'informationBitsMean')} bits a record.`,
    body,
  };
}

function scenarioRow(risk: AttributeRiskSummary): Html {
  const region = risk.acceptanceRegion;
  return html`<tr><th scope="row">${label(risk.scenario)}</th><td class="words">${label(risk.candidates)}</td><td class="words">${priorInShort(risk.prior)}</td>
<td>${percentEstimate(risk, 'truthRankedFirstShare')}</td><td>${percent(risk, 'priorFirstShare')}</td><td>${percent(risk, 'randomGuessingShare')}</td>
<td>${estimate(risk, 'probabilityMean')}</td><td>${figure(risk, 'priorProbabilityMean')}</td>
<td>${estimate(risk, 'informationBitsMean')}</td>
<td>${risk.gainBitsMean === null ? 'not asked for' : estimate(risk, 'gainBitsMean')}</td>
<td>${loss(risk, 'privacyLossMedian')}</td><td>${loss(risk, 'privacyLossMax')}</td>
<td>${region === null ? 'none asked for' : percent(region, 'brokenShare')}</td>
<td>${figure(risk, 'rankReproducibility')}</td></tr>
`;
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
truth the largest probability, and the product of their likelihoods, an approximation that claims too much.</p>
${renderTable(
  'lesser-caption',
  'Intruders who know less: probability of the truth, dataset by dataset',
  ['Scenario', 'Records', 'By single datasets', 'By the largest', 'By the product', { words: 'Together' }],
  rows,
)}`;
}
