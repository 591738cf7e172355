import type { AttackSummary } from '../../contracts/results/attack.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { attacksSection, disclosureSection, nearestSection } from '../attack/attack-sections.ts';
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
  nearestSection(attack),
];

const SHARES: readonly Measured<UtilitySummary['figures']>[] = [
  ...(['oneWayTotalVariation', 'twoWayTotalVariation', 'threeWayTotalVariation'] as const),
  'intervalOverlapMean',
];
const RATIOS: readonly Measured<UtilitySummary['figures']>[] = [
  ...(['propensityRatioMain', 'propensityRatioPairs', 'propensityRatioTree'] as const),
  ...(['propensityRatioFormulaMain', 'propensityRatioFormulaPairs'] as const),
  ...(['standardizedDifferenceMean', 'patternDistanceMean', 'associationDifferenceMean'] as const),
];

/** Risk and utility side by side: the figures that are weighed against each other. */
function besideTable(summary: Summary): Html {
  const { utility } = summary;
  const row = (kind: string, name: string, value: Html, perfect: string) =>
    html`<tr><th scope="row">${name}</th><td class="words">${kind}</td><td>${value}</td><td class="words">${perfect}</td></tr>
`;
  const used = (names: typeof SHARES, words: typeof percent | typeof figure) =>
    utility === null
      ? []
      : names
          .filter((name) => utility.figures[name] !== null)
          .map((name) => row('utility', measureInWords(name), words(utility.figures, name), bestOf(name)));
  return renderTable(
    'beside-caption',
    'Risk and utility side by side',
    ['Measure', { words: 'Of' }, 'Value', { words: 'At best' }],
    [...riskRows(summary, row), ...used(SHARES, percent), ...used(RATIOS, figure)],
  );
}

const bestOf = (name: string) => (name === 'intervalOverlapMean' ? '100 %' : name.startsWith('propensityRatio') ? 'about 1: chance' : '0');

function riskRows(summary: Summary, row: (kind: string, name: string, value: Html, perfect: string) => Html): Html[] {
  const [risk] = summary.attributeRisk;
  const most = riskiestScenario(summary);
  const disclosed = summary.attributeDisclosures;
  return [
    ...(risk === undefined
      ? []
      : [
          ...(risk.uncertaintyResolved === null
            ? []
            : [row('risk', measureInWords('uncertaintyResolved'), percentEstimate(risk, 'uncertaintyResolved'), '0')]),
          ...(risk.gainBitsMean === null ? [] : [row('risk', measureInWords('gainBitsMean'), estimate(risk, 'gainBitsMean'), '0')]),
          row('risk', measureInWords('informationBitsMean'), estimate(risk, 'informationBitsMean'), '0'),
          row(
            'risk',
            measureInWords('truthRankedFirstShare'),
            percentEstimate(risk, 'truthRankedFirstShare'),
            'what the prior alone gets right',
          ),
        ]),
    ...(most === undefined
      ? []
      : [row('risk', measureInWords('expectedMatchRisk'), matchSpread(most, 'expectedMatchRisk'), 'the minimum of its bounds')]),
    ...(disclosed === null
      ? []
      : [row('risk', measureInWords('meanShare'), percent(disclosed.all, 'meanShare'), 'the minimum of its bounds')]),
  ];
}
