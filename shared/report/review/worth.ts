import type { AttackSummary } from '../../contracts/results/attack.ts';
import { isRanked, nearestVariable } from '../../contracts/results/ranked-figures.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { attacksSection, disclosureSection, learnedSection, membershipSection, nearestSection } from '../attack/attack-sections.ts';
import { riskutilitySection } from '../attack/riskutility-section.ts';
import { estimate, figure, type Measured, percent, percentEstimate } from '../figures/figure.ts';
import { matchSpread, riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { utilityAnswer, utilitySection } from '../sections/utility-section.ts';
import { measureInWords } from '../words/measures-in-words.ts';

/** What is it worth? Utility beside risk, and what other tools say of both where they were asked. */
export async function worthSection(summary: Summary, attack: AttackSummary | null): Promise<Section> {
  const { utility, utilityReason } = summary;
  return {
    id: 'worth',
    title: 'What is it worth?',
    answer: utility === null ? html`Utility was not measured: ${utilityReason ?? ''}` : utilityAnswer(utility),
    body: besideTable(summary),
    parts: [
      ...(utility === null ? [] : [withoutAnswer(await utilitySection(utility))]),
      ...(attack === null ? [] : await otherTools(attack)),
    ],
  };
}

/** Its sentence answers the whole question already. */
const withoutAnswer = ({ answer: _, ...section }: Section): Section => ({ ...section, title: 'How well the datasets serve' });

const otherTools = async (attack: AttackSummary): Promise<Section[]> => [
  disclosureSection(attack),
  await attacksSection(attack),
  learnedSection(attack),
  nearestSection(attack),
  membershipSection(attack),
  riskutilitySection(attack),
];

/** Figures of utility that are weighed against risk, with how they are written and what they are at best. */
const USED: readonly (readonly [name: Measured<UtilitySummary['figures']>, words: typeof percent | typeof figure, best: string])[] = [
  ['oneWayTotalVariation', percent, '0'],
  ['twoWayTotalVariation', percent, '0'],
  ['threeWayTotalVariation', percent, '0'],
  ['intervalOverlapMean', percent, '100 %'],
  ['propensityRatioMain', figure, 'about 1: chance'],
  ['propensityRatioPairs', figure, 'about 1: chance'],
  ['propensityRatioTree', figure, 'about 1: chance'],
  ['propensityRatioFormulaMain', figure, 'about 1: chance'],
  ['propensityRatioFormulaPairs', figure, 'about 1: chance'],
  ['standardizedDifferenceMean', figure, '0'],
  ['patternDistanceMean', figure, '0'],
  ['associationDifferenceMean', figure, '0'],
];

/** Risk and utility side by side: the figures that are weighed against each other. */
function besideTable(summary: Summary): Html {
  const { figures } = summary.utility ?? {};
  const used = figures === undefined ? [] : USED.filter(([name]) => figures[name] !== null);
  return renderTable(
    'beside-caption',
    'Risk and utility side by side',
    ['Measure', { words: 'Of' }, 'Value', { words: 'At best' }],
    [...riskRows(summary), ...used.map(([name, words, best]) => besideRow('utility', name, words(figures!, name), best))],
  );
}

const besideRow = (
  of: 'risk' | 'utility',
  measure: string,
  value: Html,
  best: string,
) => html`<tr><th scope="row">${measureInWords(measure)}</th><td class="words">${of}</td><td>${value}</td><td class="words">${best}</td></tr>
`;

function riskRows(summary: Summary): Html[] {
  const [risk] = summary.attributeRisk;
  const most = riskiestScenario(summary);
  const disclosed = summary.attributeDisclosures;
  const row = (measure: string, value: Html, best: string) => besideRow('risk', measure, value, best);
  const rows: Html[] = [];
  if (risk !== undefined) {
    if (risk.uncertaintyResolved !== null) rows.push(row('uncertaintyResolved', percentEstimate(risk, 'uncertaintyResolved'), '0'));
    if (risk.gainBitsMean !== null) rows.push(row('gainBitsMean', estimate(risk, 'gainBitsMean'), '0'));
    if (risk.gainBitsRiskiest !== null) rows.push(row('gainBitsRiskiest', estimate(risk, 'gainBitsRiskiest'), '0'));
    const nearest = nearestVariable(risk);
    if (isRanked(risk)) {
      rows.push(
        row('informationBitsMean', estimate(risk, 'informationBitsMean'), '0'),
        row('truthRankedFirstShare', percentEstimate(risk, 'truthRankedFirstShare'), 'what the prior alone gets right'),
      );
    } else if (nearest) rows.push(row('withinAfter', percentEstimate(nearest, 'withinAfter'), 'what it is without the release'));
  }
  if (most !== undefined) rows.push(row('expectedMatchRisk', matchSpread(most, 'expectedMatchRisk'), 'the minimum of its bounds'));
  if (disclosed !== null) rows.push(row('meanShare', percent(disclosed.all, 'meanShare'), 'the minimum of its bounds'));
  return rows;
}
