import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';

/** A measure of the page: which way is worse, what values it can have, what 0 and 1 mean, and what to hold it against. */
interface Measure {
  readonly name: string;
  readonly worse: 'higher' | 'lower' | 'neither' | 'away from its baseline';
  readonly range: string;
  readonly zero: string;
  readonly one: string;
  readonly baseline: string;
}

const MEASURES: readonly Measure[] = [
  {
    name: 'Values guessed right',
    worse: 'higher',
    range: '0 to 100 %',
    zero: 'no first guess is right',
    one: '100 %: every first guess is right',
    baseline: 'the same before the release, from the other records',
  },
  {
    name: 'Uncertainty resolved',
    worse: 'higher',
    range: 'up to 100 %',
    zero: 'the release says nothing of the true values, as an independent one would; below 0 it misleads',
    one: '100 %: the true values are certain, as with the table itself',
    baseline: '0',
  },
  {
    name: 'Gain at the truth, bits',
    worse: 'higher',
    range: 'any number',
    zero: 'the release says nothing of the true values; below 0 it misleads',
    one: '1: as if half of the candidates were struck out',
    baseline: '0; what the estimate claims',
  },
  {
    name: 'Values given away',
    worse: 'higher',
    range: '0 to all values',
    zero: 'none became the first guess through the release',
    one: '1: one value',
    baseline: '0',
  },
  {
    name: 'Truth ranked first',
    worse: 'higher',
    range: '0 to 100 %',
    zero: 'no record is guessed at the first try',
    one: '100 %: every record is',
    baseline: 'guessing at random, or the prior alone',
  },
  {
    name: 'Probability of the truth',
    worse: 'higher',
    range: '0 to 1',
    zero: 'the truth is excluded',
    one: 'the truth is certain',
    baseline: 'its probability before the release',
  },
  {
    name: 'Ratio to uniform',
    worse: 'higher',
    range: '0 to the number of candidates',
    zero: 'the truth is excluded',
    one: 'random guessing',
    baseline: '1',
  },
  {
    name: 'Rank of the truth',
    worse: 'lower',
    range: '1 to the number of candidates',
    zero: 'cannot be',
    one: 'it is the first guess',
    baseline: 'the middle of the candidates',
  },
  {
    name: 'Shift of belief, bits',
    worse: 'higher',
    range: '0 upwards',
    zero: 'the release moves no probability',
    one: '1: as if half of the candidates were struck out, rightly or wrongly',
    baseline: '0',
  },
  {
    name: 'Bayes factor B',
    worse: 'higher',
    range: '0 upwards',
    zero: 'the release excludes the truth',
    one: 'the release tells nothing of it',
    baseline: '1',
  },
  {
    name: 'Absolute risk R(w)',
    worse: 'higher',
    range: '0 to 1',
    zero: 'the truth is excluded',
    one: 'the truth is certain',
    baseline: 'w, the weight beforehand',
  },
  {
    name: 'Relative risk RR(w)',
    worse: 'higher',
    range: '0 to B',
    zero: 'the truth is excluded',
    one: 'as probable as before',
    baseline: '1',
  },
  {
    name: 'Privacy loss, nats',
    worse: 'higher',
    range: '0 upwards',
    zero: 'all candidates explain the release equally well',
    one: '1: the odds of some candidate move by a factor of 2.72',
    baseline: 'epsilon, where one is stated',
  },
  {
    name: 'Expected match risk, records',
    worse: 'higher',
    range: '0 to all records',
    zero: 'nobody is found',
    one: '1: one record, on average',
    baseline: 'minimum and maximum of the inherent bounds',
  },
  {
    name: 'True match rate',
    worse: 'higher',
    range: '0 to 1',
    zero: 'no record is its own unique match',
    one: 'every record is',
    baseline: 'that of the inherent bounds',
  },
  {
    name: 'False match rate',
    worse: 'lower',
    range: '0 to 1',
    zero: 'every unique match is right',
    one: 'every unique match is wrong',
    baseline: '1 protects',
  },
  {
    name: 'True values that came out',
    worse: 'higher',
    range: '0 to 100 %',
    zero: 'no synthetic value is the true one',
    one: '100 %: all are',
    baseline: 'minimum and maximum of the inherent bounds',
  },
  {
    name: 'Ratio of pMSE',
    worse: 'away from its baseline',
    range: '0 upwards',
    zero: 'the datasets are nearer to the table than chance',
    one: 'as near as chance makes them',
    baseline: '1',
  },
  {
    name: 'Overlap of intervals',
    worse: 'lower',
    range: 'below 0 where they lie apart, to 100 %',
    zero: '0 %: they touch',
    one: '100 %: they are the same',
    baseline: '100 %',
  },
  {
    name: 'Records in another cell',
    worse: 'higher',
    range: '0 to 100 %',
    zero: 'all counts of the table come out',
    one: '100 %: none does',
    baseline: 'what chance alone gives',
  },
  {
    name: 'Reproducibility',
    worse: 'lower',
    range: '−1 to 1',
    zero: 'a repeat orders the records by chance',
    one: 'a repeat gives the same order',
    baseline: '0.95 is good',
  },
  {
    name: 'Slope of a calibration',
    worse: 'away from its baseline',
    range: 'any number',
    zero: 'the probabilities say nothing',
    one: 'they achieve what they claim; below 1 they claim too much',
    baseline: '1',
  },
];

/** What every measure of the page means: which way is worse, its range, 0 and 1, and its baseline. */
export function measuresPart(): Section {
  const body = html`<div class="table-scroll" role="region" aria-labelledby="measures-caption" tabindex="0">
<table class="glossary">
<caption id="measures-caption">Measures: worse for those in the table, or for those who use the data</caption>
<thead><tr>${['Measure', 'Worse when', 'Range', '0 means', '1 means', 'Compare with'].map((head) => html`<th scope="col" class="words">${head}</th>`)}</tr></thead>
<tbody>
${MEASURES.map(
  ({
    name,
    worse,
    range,
    zero,
    one,
    baseline,
  }) => html`<tr><th scope="row">${name}</th><td>${worse}</td><td>${range}</td><td>${zero}</td><td>${one}</td><td>${baseline}</td></tr>
`,
)}</tbody>
</table>
</div>`;
  return { id: 'glossary', title: 'What the measures mean', body };
}
