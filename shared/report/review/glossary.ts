import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';

/** The columns of the table below: which way is worse is `higher`, `lower`, or `away from its baseline`. */
const HEADS = 'Measure | Worse when | Range | 0 means | 1 means | Compare with';

/** The measures of the page, a line each. */
const MEASURES = `
Values guessed right | higher | 0 to 100 % | no first guess is right | 100 %: every first guess is right | the same before the release, from the other records
Uncertainty resolved | higher | up to 100 % | the release says nothing of the true values, as an independent one would; below 0 it misleads | 100 %: the true values are certain, as with the table itself | 0
Gain at the truth, bits | higher | any number | the release says nothing of the true values; below 0 it misleads | 1: as if half of the candidates were struck out | 0; what the estimate claims
Values newly disclosed | higher | 0 to all values | none became the first guess through the release | 1: one value | 0
Truth ranked first | higher | 0 to 100 % | no record is guessed at the first try | 100 %: every record is | guessing at random, or the prior alone
Probability of the truth | higher | 0 to 1 | the truth is excluded | the truth is certain | its probability before the release
Ratio to uniform | higher | 0 to the number of candidates | the truth is excluded | random guessing | 1
Rank of the truth | lower | 1 to the number of candidates | cannot be | it is the first guess | the middle of the candidates
Change in the intruder’s probabilities, bits | higher | 0 upwards | the release moves no probability | 1: as if half of the candidates were struck out, rightly or wrongly | 0
Bayes factor B | higher | 0 upwards | the release excludes the truth | the release reveals nothing about it | 1
Absolute risk R(w) | higher | 0 to 1 | the truth is excluded | the truth is certain | w, the weight beforehand
Relative risk RR(w) | higher | 0 to B | the truth is excluded | as probable as before | 1
Members told from others (AUC) | higher | 50 to 100 % | cannot be | 100 %: everybody in the table is found | 50 %: nobody can tell
Likelihood ratio of membership, bits | higher | any number | the release says nothing of whether the person is in the table | 1: twice as probable with the person in it | 0
Records named, in the table | higher | 0 to 100 % | none of the combinations named is in the table | 100 %: all of them are | the share that would be in as many records of other people
Privacy loss, nats | higher | 0 upwards | all candidates explain the release equally well | 1: the odds of some candidate move by a factor of 2.72 | epsilon, where one is stated
Expected match risk, records | higher | 0 to all records | nobody is found | 1: one record, on average | minimum and maximum of the inherent bounds
True match rate | higher | 0 to 1 | no record is its own unique match | every record is | that of the inherent bounds
False match rate | lower | 0 to 1 | every unique match is right | every unique match is wrong | 1 protects
True values that came out | higher | 0 to 100 % | no synthetic value is the true one | 100 %: all are | minimum and maximum of the inherent bounds
Ratio of pMSE | away from its baseline | 0 upwards | the datasets are nearer to the table than chance | as near as chance makes them | 1
Overlap of intervals | lower | below 0 where they lie apart, to 100 % | 0 %: they touch | 100 %: they are the same | 100 %
Records in another cell | higher | 0 to 100 % | all counts of the table come out | 100 %: none does | what chance alone gives
Reproducibility | lower | −1 to 1 | a repeat orders the records by chance | a repeat gives the same order | 0.95 is good
Slope of a calibration | away from its baseline | any number | the probabilities say nothing | they achieve what they claim; below 1 they claim too much | 1
`;

const cellsOf = (line: string) => line.split(' | ');

/** What every measure of the page means: which way is worse, its range, 0 and 1, and its baseline. */
export function measuresPart(): Section {
  const rows = MEASURES.trim().split('\n').map(cellsOf);
  const body = html`<div class="table-scroll" role="region" aria-labelledby="measures-caption" tabindex="0">
<table class="glossary">
<caption id="measures-caption">Measures: worse for those in the table, or for those who use the data</caption>
<thead><tr>${cellsOf(HEADS).map((head) => html`<th scope="col" class="words">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([name, ...cells]): Html => html`<tr><th scope="row">${name!}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>`;
  return { id: 'glossary', title: 'What the measures mean', body };
}
