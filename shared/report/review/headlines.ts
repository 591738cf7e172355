import { isRanked, nearestVariable } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { derived, estimate, figure, headline, percent, percentEstimate, quantity } from '../figures/figure.ts';
import { matchHeadline, riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import { label } from '../page/label.ts';
import { priorInShort } from '../words/belief-shift.ts';
import { formatCount } from '../words/format-number.ts';

/** A figure to decide from: what it is, its value with its error, what it would be without the release, and what its ends mean. */
export interface Headline {
  readonly name: Html;
  readonly value: Html;
  readonly baseline: Html;
  readonly yardstick: Html;
}

/** Figures that a summary opens with at most, all under one prior. */
const MOST_HEADLINES = 5;

/** The figures to decide from, of attribute risk under its first scenario, in the order of their weight. */
export function headlines(summary: Summary): Headline[] {
  const [risk] = summary.attributeRisk;
  const matched = matchHeadlines(summary);
  if (risk === undefined) return [...matched, ...disclosedHeadlines(summary)];
  const values = !isRanked(risk) ? nearHeadlines(risk) : risk.gainBitsMean === null ? wholeHeadlines(risk) : valueHeadlines(risk);
  return [...values, ...provenHeadlines(risk), ...memberHeadlines(risk), ...matched.slice(0, 1), ...riskiestHeadlines(risk)].slice(
    0,
    MOST_HEADLINES,
  );
}

/** Whose figures these are, and what is assumed before the release, in two sentences at most. */
export function headlineIntruder(summary: Summary): Html {
  const [risk] = summary.attributeRisk;
  if (risk === undefined) return html`The intruder matches what they know of a record with the rows of a dataset.`;
  const prior = risk.gainBitsMean === null && isRanked(risk) ? priorInShort(risk.prior) : 'the synthesizer fitted without this record';
  const several =
    summary.attributeRisk.length > 1
      ? html` of the scenario ${label(risk.scenario)}, one of ${derived('scenarios', formatCount(summary.attributeRisk.length))},`
      : '';
  return html`The intruder${several} ${knowledge(summary, risk)}. Prior: ${prior}.${largerGain(summary, risk)}`;
}

/** Which scenario to look at besides, where the first is not the one of the largest gain: what a board reads rests on no order. */
function largerGain({ attributeRisk }: Summary, first: AttributeRiskSummary): Html | string {
  const [most] = attributeRisk.toSorted((a, b) => (b.gainBitsMean ?? 0) - (a.gainBitsMean ?? 0));
  if (first.gainBitsMean === null || most === undefined || (most.gainBitsMean ?? 0) <= first.gainBitsMean) return '';
  return html` More is gained under the scenario ${label(most.scenario)}: ${estimate(most, 'gainBitsMean')} bits a record, where this one has ${estimate(first, 'gainBitsMean')}.`;
}

function knowledge({ synthesis: { kind } }: Summary, { knows, candidates, gainBitsMean }: AttributeRiskSummary): Html {
  const target = candidates.startsWith('unknown: ')
    ? html`all of the target’s values but ${label(candidates.slice('unknown: '.length))}`
    : gainBitsMean === null
      ? html`none of the target’s`
      : html`all but one value of the target’s`;
  if (knows === 'nothing') return html`has the release alone`;
  if (knows === 'file') return html`knows the records of a file, and ${target}`;
  if (knows !== undefined) return html`knows ${percent(knows, 'share')} of the other records, and ${target}`;
  return kind === 'full'
    ? html`knows every other record, and ${target}`
    : html`knows everything but the synthesized values of one record, and ${target}`;
}

function valueHeadlines(risk: AttributeRiskSummary): Headline[] {
  return [
    {
      name: html`Values guessed correctly`,
      value: headline(risk, 'firstGuessRightAfter', 'percent'),
      baseline: html`${percent(risk, 'firstGuessRightBefore')} without the release`,
      yardstick: html`${percent(risk, 'commonestShare')} by the commonest values, ${percent(risk, 'naiveBayesShare')} by naive Bayes`,
    },
    ...resolvedHeadlines(risk),
    {
      name: html`Values newly disclosed`,
      value: headline(risk, 'valuesGivenAway'),
      baseline: html`0 without the release`,
      yardstick: html`best guess wrong before; right after, above 50\u00a0% probable`,
    },
  ];
}

/** Of trees: what the release proves. */
const provenHeadlines = (risk: AttributeRiskSummary): Headline[] =>
  risk.provenShare === undefined
    ? []
    : [
        {
          name: html`Records with a value that the release proves`,
          value: percent(risk, 'provenShare'),
          baseline: html`0\u00a0% without the release`,
          yardstick: html`no other value could have led to this release`,
        },
      ];

const resolvedHeadlines = (risk: AttributeRiskSummary): Headline[] =>
  risk.uncertaintyResolved === null
    ? []
    : [
        {
          name: html`Uncertainty resolved`,
          value: headline(risk, 'uncertaintyResolved', 'percent'),
          baseline: html`0\u00a0%: an independent release`,
          yardstick: html`100\u00a0%: the table itself`,
        },
      ];

/** Of numbers: how near an intruder comes to the true ones. */
function nearHeadlines(risk: AttributeRiskSummary): Headline[] {
  const nearest = nearestVariable(risk);
  if (nearest === undefined) return [];
  return [
    {
      name: html`${label(nearest.variable)} ${nearest.near}`,
      value: headline(nearest, 'withinAfter', 'percent'),
      baseline: html`${percent(nearest, 'withinBefore')} without the release`,
      yardstick: html`mean probability of a value this near the true one`,
    },
    ...resolvedHeadlines(risk),
  ];
}

/** Of whole records, where no variable is asked for by itself. */
const wholeHeadlines = (risk: AttributeRiskSummary): Headline[] => [
  {
    name: html`Records guessed correctly`,
    value: headline(risk, 'truthRankedFirstShare', 'percent'),
    baseline: html`${percent(risk, 'priorFirstShare')} without the release`,
    yardstick: html`100\u00a0%: every record`,
  },
  {
    name: html`Probability of the true record, mean`,
    value: headline(risk, 'probabilityMean'),
    baseline: html`${figure(risk, 'priorProbabilityMean')} without the release`,
    yardstick: html`1: certain; largest ${figure(risk, 'probabilityMax')}`,
  },
  {
    name: html`Change in the intruder’s probabilities, bits a record`,
    value: headline(risk, 'informationBitsMean'),
    baseline: html`0: no change`,
    yardstick: html`1 bit: half of the candidates ruled out; largest ${figure(risk, 'informationBitsMax')}`,
  },
];

const riskiestHeadlines = (risk: AttributeRiskSummary): Headline[] =>
  risk.gainBitsRiskiest === null
    ? []
    : [
        {
          name: html`Gain about the riskiest 1\u00a0% of records, bits`,
          value: headline(risk, 'gainBitsRiskiest'),
          baseline: html`0 without the release; all records ${estimate(risk, 'gainBitsMean')}`,
          yardstick: html`1 bit: half of the candidates ruled out`,
        },
      ];

const memberHeadlines = ({ membership }: AttributeRiskSummary): Headline[] =>
  membership === null
    ? []
    : [
        {
          name: html`Membership: AUC against ${membership.others === 'control' ? 'a control' : 'people drawn from the model'}`,
          value: headline(membership, 'auc', 'percent'),
          baseline: html`50\u00a0%: nobody can tell`,
          yardstick: html`100\u00a0%: everybody is found; at 1\u00a0% false alarms, ${percentEstimate(membership, 'foundAt1Percent')} of the records`,
        },
      ];

/** What matching finds, under the scenario of most risk. */
function matchHeadlines(summary: Summary): Headline[] {
  const most = riskiestScenario(summary);
  if (most === undefined) return [];
  return [
    {
      name: html`Records found by matching`,
      value: matchHeadline(most, 'expectedMatchRisk'),
      baseline: html`of ${quantity(summary.table, 'records', 'record')}`,
      yardstick: html`± between datasets; scenario ${label(most.scenario)}`,
    },
    {
      name: html`False match rate`,
      value: matchHeadline(most, 'falseMatchRate'),
      baseline: html`0: every unique match is right`,
      yardstick: html`1: every unique match is wrong`,
    },
  ];
}

const disclosedHeadlines = ({ attributeDisclosures }: Summary): Headline[] =>
  attributeDisclosures === null
    ? []
    : [
        {
          name: html`Synthetic values that are the true ones`,
          value: percent(attributeDisclosures.all, 'meanShare'),
          baseline: html`of the records, mean of the datasets`,
          yardstick: html`from ${figure(attributeDisclosures.all, 'smallest')} to ${figure(attributeDisclosures.all, 'largest')} records by dataset`,
        },
      ];
