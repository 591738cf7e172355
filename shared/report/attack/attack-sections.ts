import { namesInWords } from '../../contracts/in-command.ts';
import type { AttackSummary, KeyCounts, NearestFigures } from '../../contracts/results/attack.ts';
import { renderFigure } from '../charts/figure.ts';
import { count, derived, estimate, figure, percent, percentEstimate, withError } from '../figures/figure.ts';
import { html } from '../page/html.ts';
import { labels, shortened } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { labelledTable } from '../page/table.ts';
import {
  controlInWords,
  DENOMINATORS,
  DISCLOSURE_IN_WORDS,
  optimalInWords,
  READINGS,
  rapidRuleInWords,
  TESTS_IN_WORDS,
  WEAKER_THAN_OPTIMAL,
} from '../words/attack-in-words.ts';
import { formatCount, formatFigure, formatPercent, formatQuantity } from '../words/format-number.ts';
import { attackRates, attackRatesChart } from './attack-rates.ts';

/** synthpop's measures of each target. */
export function disclosureSection({ disclosure, keys, banded, releaseSeReason }: AttackSummary): Section {
  const body = html`
<p>What the datasets reveal about each target to an intruder who knows ${labels(keys)}, by the measures of synthpop (Raab, Nowok and
Dibben 2024). Means over datasets, with standard errors over releases where they have some; measures of identity depend on the
keys alone.${releaseSeReason === undefined ? '' : ` There are no errors over releases. ${releaseSeReason}`}${banded.length === 0 ? [] : html` Counted in bands: ${labels(banded)}.`}</p>
${labelledTable(
  'attack-disclosure',
  'Shares of records, and of rows of a dataset for UiS, Dsyn and CAPs',
  ['Measure', ...disclosure.map(({ target }) => shortened(target)), { words: 'Meaning' }],
  DISCLOSURE_IN_WORDS.map(([name, meaning]) => [
    name,
    ...disclosure.map(({ mean, meanSe }) => withError(mean, name, meanSe, name.endsWith('Denom') ? 'number' : 'percent')),
    meaning,
  ]),
)}`;
  return { id: 'disclosure', title: 'Disclosure, as synthpop measures it', body };
}

/** Anonymeter's attacks. */
export async function attacksSection(summary: AttackSummary): Promise<Section> {
  const outcomes = [...summary.singlingOut, ...summary.linkability, ...summary.inference];
  const rates = attackRates(outcomes);
  const reasons = [...new Set(outcomes.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))];
  const body = html`
<p>${controlInWords(summary)} Intervals are Wilson’s, of 95 %, for one dataset; of several the lowest and the highest end.</p>
<div class="figures-grid">
${await renderFigure({
  title: 'How often do the attacks succeed?',
  chart: attackRatesChart(rates),
  legend: { mark: 'Against the table', quiet: 'By guessing', ...(summary.controlRecords !== null && { reference: 'Against the control' }) },
  caption: 'An attack that succeeds no more often than guessing shows neither danger nor safety.',
})}
</div>
${labelledTable(
  'attack-outcomes',
  'Attacks as Anonymeter makes them, all datasets together',
  ['Attack', 'Successes', 'Attempts', 'Rate', 'By guessing', 'Against the control', 'Risk', '95 %'],
  rates.map((one, place) => {
    const ofAll = (key: string, text: string) => derived(`${key}-of-attack-${place}`, text);
    return [
      shortened(one.name),
      ofAll('successes', formatCount(one.successes)),
      ofAll('attempts', formatCount(one.attempts)),
      ofAll('rate', formatPercent(one.rate)),
      ofAll('baseline', formatPercent(one.baseline)),
      one.control === null ? 'no control' : ofAll('control', formatPercent(one.control)),
      ofAll('risk', formatPercent(one.risk)),
      html`${ofAll('low', formatPercent(one.riskLow))} to ${ofAll('high', formatPercent(one.riskHigh))}`,
    ];
  }),
)}
${reasons.map((reason) => html`<p class="note">${reason}</p>`)}`;
  return { id: 'attacks', title: 'Attacks, as Anonymeter makes them', body };
}

/** What an intruder predicts who has learned from the release. */
export function learnedSection({ rapid, keys, releaseSeReason }: AttackSummary): Section {
  const reasons = rapid.flatMap(({ target, reason }) => (reason === undefined ? [] : [`${target}: ${reason}`]));
  const body = html`
<p>An intruder grows ${count(rapid[0]!, 'trees')} trees on the synthetic rows (${count(rapid[0]!, 'rows')} a tree at most) and predicts each
target for a person whose ${labels(keys)} they know (RAPID: Templ, Thees and Müller 2026). The control shows what the same trees predict for
people who were not in the table. Only what is beyond the control is due to the records of the table, and another learner may find more.
Standard errors hold people as a sample and chance in growing trees${releaseSeReason === undefined ? ', and how releases differ.' : `, not how releases differ. ${releaseSeReason}`}</p>
${labelledTable(
  'attack-rapid',
  'Share of people whose target is predicted',
  ['Target', 'Predicted where', 'Records', 'Table', 'Control', 'Difference', 'People of the control'],
  rapid.map((one) => [
    shortened(one.target),
    rapidRuleInWords(one),
    count(one, 'records'),
    percentEstimate(one, 'confidenceRate'),
    one.controlRecords === null ? 'no control' : percentEstimate(one, 'control'),
    one.controlRecords === null ? 'no control' : percentEstimate(one, 'difference'),
    one.controlRecords === null ? 'no control' : count(one, 'controlRecords'),
  ]),
)}
${reasons.map((reason) => html`<p class="note">${reason}</p>`)}`;
  return { id: 'rapid', title: 'A learned intruder (RAPID)', body };
}

/** How close the rows of the datasets are to records. */
export function nearestSection({ nearestNeighbour }: AttackSummary): Section {
  const { datasets, reason } = nearestNeighbour;
  const closer = (one: NearestFigures) =>
    one.shareCloserThanControl === null
      ? 'no control'
      : html`${percentEstimate(one, 'shareCloserThanControl')} (${percent(one, 'low')} to ${percent(one, 'high')})`;
  const row = (name: string, one: NearestFigures, errors: Pick<typeof nearestNeighbour, 'distanceToClosestSe' | 'ratioSe'> | null) => {
    const [ofDistance, ofRatio] = [errors?.distanceToClosestSe ?? null, errors?.ratioSe ?? null];
    return [
      name,
      count(one, 'records'),
      withError(one.distanceToClosest, 'mean', ofDistance, 'number'),
      withError(one.distanceToClosest, 'low5', ofDistance, 'number'),
      withError(one.distanceToClosest, 'median', ofDistance, 'number'),
      withError(one.distanceToClosest, 'zeroShare', ofDistance, 'percent'),
      withError(one.distanceToClosest, 'hittingRate', ofDistance, 'percent'),
      withError(one.ratio, 'low5', ofRatio, 'number'),
      withError(one.ratio, 'median', ofRatio, 'number'),
      closer(one),
    ];
  };
  const body = html`
<p>From each row of a dataset to the closest record of the table, over all variables: 0 is equal, 1 has nothing in common. The
ratio is to the distance of the second closest. Rows that are closer to the table than to as many other people’s records
should be half of them.${
    reason === undefined
      ? ' The error of that share, and its 95 % interval, hold the people of table and control as well as the rows; the error of one dataset leaves out how its parameters were drawn.'
      : ` Without a control that is not known. ${reason}`
  }</p>
${labelledTable(
  'attack-nearest',
  'Distance to the closest record, and its ratio to the second closest',
  [
    'Dataset',
    'Rows',
    'Mean',
    '5 %',
    'Median',
    'Equal to a record',
    'Within 0.05',
    'Ratio, 5 %',
    'Ratio, median',
    'Closer than to the control',
  ],
  [
    ...datasets.map((one, l) => row(`${l + 1}`, one, null)),
    ...(datasets.length > 1 ? [row('all', nearestNeighbour, nearestNeighbour)] : []),
  ],
)}`;
  return { id: 'nearest', title: 'Closest records', body };
}

/** How much of what the optimal tests find the attacks find. */
function ofOptimal({ membership, optimal, optimalReason }: AttackSummary) {
  if (optimal === null) {
    return html`<p>How much of what the optimal test finds they find is not known. ${optimalReason ?? ''}</p>
<p class="note">${WEAKER_THAN_OPTIMAL.replaceAll('`', '')}</p>`;
  }
  const reasons = [...new Set(membership![0]!.ofOptimal!.flatMap(({ reason }) => reason ?? []))];
  return html`
${labelledTable(
  'attack-of-optimal',
  'Share of the optimal test’s AUC above one half that each test finds',
  ['Optimal test', 'AUC', ...membership!.map(({ test }) => TESTS_IN_WORDS[test])],
  optimal.map((one, s) => [
    optimalInWords(one),
    estimate(one, 'auc'),
    ...membership!.map((found) => percentEstimate(found.ofOptimal![s]!, 'share')),
  ]),
)}
${reasons.map((reason) => html`<p class="note">${reason}</p>`)}
<p class="note">${DENOMINATORS}</p>`;
}

/** Published tests of who is in the table. */
export function membershipSection(summary: AttackSummary): Section {
  const { membership, membershipReason } = summary;
  const body =
    membership === null
      ? html`<p>There are no tests of who is in the table. ${membershipReason ?? ''}</p>`
      : html`
<p>Can these tests tell records of the table from records of the control? An AUC of 0.5 means that a test cannot, 1 that it
tells all of them apart. The classifier and DOMIAS use the rest of the control as a reference. Standard errors treat members and others as
samples of people; they take the release and the reference as given.</p>
${labelledTable(
  'attack-membership',
  'Tests of who is in the table',
  ['Test', 'AUC', 'Members found at 1 % false alarms', 'At 10 %', 'Members', 'Others', 'Synthetic rows', 'Reference'],
  membership.map((one) => [
    TESTS_IN_WORDS[one.test],
    estimate(one, 'auc'),
    percentEstimate(one, 'foundAt1Percent'),
    percentEstimate(one, 'foundAt10Percent'),
    count(one, 'members'),
    count(one, 'others'),
    count(one, 'syntheticRows'),
    one.referenceRecords === 0 ? 'none' : count(one, 'referenceRecords'),
  ]),
)}
${ofOptimal(summary)}`;
  return { id: 'membership', title: 'Tests of who is in the table', body };
}

/** What sdcMicro counts. */
export function keyCountsSection({ keyCounts, keyCountsSeReason, keys, samplingFraction, disFraction }: AttackSummary): Section {
  const { release, ...ofTable } = keyCounts;
  const files: readonly (readonly [string, KeyCounts])[] = [
    ['table', ofTable],
    ...release.map((one, l) => [`dataset ${l + 1}`, one] as const),
  ];
  const body = html`
<p>Counts of ${namesInWords(keys)}, and what follows from them where a file is published as it is. ${
    samplingFraction === null
      ? 'There are no weights, and no sampling fraction was given: individual risk is 1 by the records that share the keys.'
      : `There are no weights; every record stands for ${formatFigure(1 / samplingFraction)} people.`
  } DIS takes ${formatPercent(disFraction)} of the population to be in the file. These figures have no
standard errors. ${keyCountsSeReason}</p>
${labelledTable(
  'attack-keys',
  `Sample uniques, k-anonymity, individual risk and SUDA (minimal sample uniques of ${formatQuantity(ofTable.suda.subsetSize, 'key')} at most)`,
  [
    'File',
    'Sample uniques',
    'k',
    ...ofTable.violations.map(({ k }) => `Below ${k}`),
    'Individual risk, mean',
    'Expected re-identifications',
    'Minimal sample uniques',
    'SUDA score, largest',
    'DIS',
    'DIS-SUDA, largest',
  ],
  files.map(([name, one]) => [
    name,
    formatCount(one.sampleUniques),
    formatCount(one.k),
    ...one.violations.map(({ records }) => formatCount(records)),
    formatFigure(one.individualRisk.mean),
    formatFigure(one.individualRisk.expected),
    formatCount(one.suda.minimalSampleUniques.reduce((sum, own) => sum + own, 0)),
    formatFigure(one.suda.scoreMax),
    figure(one.suda, 'dis'),
    formatFigure(one.suda.disScoreMax),
  ]),
)}
${labelledTable(
  'attack-diversity',
  'Values of a target among records that share their keys: l-diversity and t-closeness',
  ['File', 'Target', 'l, distinct values', 'l, entropy', 't'],
  files.flatMap(([name, { diversity }]) =>
    diversity.map((one) => [name, shortened(one.target), count(one, 'distinctL'), figure(one, 'entropyL'), figure(one, 't')]),
  ),
)}`;
  return { id: 'key-counts', title: 'Counts of the keys, as sdcMicro makes them', body };
}

/** What the measures take for granted and where they mislead. */
export function readingsSection(): Section {
  const body = html`
<p>None of these measures says what an intruder’s beliefs would be: attribute risk does, of a release of this program or of
another (<code>evaluate</code>, <code>assess</code>).</p>
${labelledTable('attack-readings', 'What each assumes, and where it misleads', ['Measure', 'Takes for granted', 'Misleads'], READINGS)}`;
  return { id: 'readings', title: 'How to read them', body };
}
