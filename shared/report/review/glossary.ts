import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';

/** The columns of the table below: which way is worse is `higher`, `lower`, or `away from its baseline`. */
const HEADS = 'Measure | Worse when | Range | 0 means | 1 means | Compare with';

/** The measures of the page, a line each. */
const MEASURES = `
Values guessed correctly | higher | 0 to 100 % | no best guess is right | 100 %: every best guess is right | the same without the release; the commonest values; naive Bayes
Uncertainty resolved | higher | up to 100 % | the release says nothing about the true values; below 0 it misleads | 100 %: the true values are certain, as with the table itself | 0
Information gained about the true values, bits | higher | any number | the release says nothing about them; below 0 it misleads | 1: as if half of the candidates were ruled out | 0; what the estimate claims
Values newly disclosed | higher | 0 to all values | the release makes no best guess right | 1: one value | 0
Records with a value that the release proves | higher | 0 to 100 % | none | 100 %: every record | 0
Number near the true one, probability | higher | 0 to 100 % | never near | 100 %: always near | the same without the release
CRPS of a number | lower | 0 upwards, in the unit of the variable | the true value is certain | the distance 1 from it, on average | the same without the release
Record guessed correctly (truth ranked first) | higher | 0 to 100 % | no first guess is right | 100 %: every first guess is right | random guessing, or the prior alone
Probability of the truth | higher | 0 to 1 | the truth is excluded | the truth is certain | its probability before the release
Ratio to uniform | higher | 0 to the number of candidates | the truth is excluded | random guessing | 1
Rank of the truth | lower | 1 to the number of candidates | does not occur | it is the first guess | the middle of the candidates
Change in the intruder’s probabilities, bits | higher | 0 upwards | the release changes no probability | 1: as if half of the candidates were ruled out, rightly or wrongly | 0
Bayes factor B | higher | 0 upwards | the release excludes the truth | the release reveals nothing about it | 1
Absolute risk R(w) | higher | 0 to 1 | the truth is excluded | the truth is certain | w, the weight beforehand
Relative risk RR(w) | higher | 0 to B | the truth is excluded | as probable as before | 1
Membership (AUC) | higher | 0 to 100 % | 0 %: every other ranks above every member | 100 %: everybody in the table is found | 50 %: nobody can tell; less arises by chance
Likelihood ratio of membership, bits | higher | any number | the release says nothing about membership | 1: twice as probable with the person in the table | 0
Combinations named that are in the table | higher | 0 to 100 % | none of them | 100 %: all of them | the share that would be in as many records of other people
Privacy loss, nats | higher | 0 upwards | all candidates explain the release equally well | 1: the odds of some candidate change by a factor of 2.72 | epsilon, where one is stated
Exact copies of unique records | higher | 0 to all unique records | none | 1: one record | the number that the model expects
Expected match risk, records | higher | 0 to all records | nobody is found | 1: one record, on average | minimum and maximum of the inherent bounds
True match rate | higher | 0 to 1 | no record is its own unique match | every record is | that of the inherent bounds
False match rate | lower | 0 to 1 | every unique match is right | every unique match is wrong | 1
Synthetic values that are the true ones | higher | 0 to 100 % | none | 100 %: all are | minimum and maximum of the inherent bounds
pMSE ratio | away from its baseline | 0 upwards | the datasets are nearer to the table than chance | as near as chance makes them | 1
Overlap of intervals | lower | below 0 where they lie apart, to 100 % | 0 %: they touch | 100 %: they are the same | 100 %
Records in another cell | higher | 0 to 100 % | the datasets have all counts of the table | 100 %: no record is in its cell | what is expected by chance
Reproducibility | lower | −1 to 1 | a second evaluation orders the records by chance | it gives the same order | 0.95 is good
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
