import type { GroupChange, GroupRisk, LeftOut, NamedRisk } from '../../contracts/results/left-out.ts';
import { bound, count, derived, estimate, figure, percentEstimate, quantity } from '../figures/figure.ts';
import { placeOf } from '../figures/sources.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { meanInWords } from '../words/left-out-in-words.ts';

/** Combinations that the section lists; all are in summary.json. */
const MOST_ROWS = 50;

const groupRow = (title: string, when: string, risk: GroupRisk): Html => html`<tr><th scope="row">${title}</th>
<td class="words">${when}</td><td>${quantity(risk, 'records', 'record')}</td>
<td>${percentEstimate(risk, 'truthRankedFirstShare')}</td>
<td>${estimate(risk, 'rankMean')}</td>
<td>${estimate(risk, 'probabilityMean')}</td>
<td>${figure(risk, 'probabilityMax')}</td>
<td>${estimate(risk, 'informationBitsMean')}</td>
<td>${figure(risk, 'gainBitsMean')}</td></tr>
`;

type Mean = Parameters<typeof meanInWords>[0];

/** What became of the means of a group, beyond which records it holds. */
const changeInWords = (change: NonNullable<GroupChange>) =>
  html`probability ${ofMean(change.probabilityMean)}, information ${ofMean(change.informationBitsMean)} bits, rank ${ofMean(change.rankMean)}`;

const fileInWords = ({ file }: NamedRisk) =>
  html`probability ${ofMean(file.probability)}, information ${ofMean(file.informationBits)} bits${file.gainBits ? html`, gain ${ofMean(file.gainBits)} bits` : []}`;

/** A mean with its error, which is a member beside it. */
const ofMean = (own: Mean) => (own === null ? html`none` : bound(placeOf(own, 'mean'), meanInWords(own)));

/** What leaving combinations out of the fit did to the risk of their records, and of all others. */
export function leftOutSection({ before, after, change, beforeReason }: LeftOut): Section {
  const earlier = new Map(before?.rows.map((row) => [row.combination, row]));
  const rows = after.rows.slice(0, MOST_ROWS).map((row) => {
    const then = earlier.get(row.combination);
    return html`<tr><th scope="row">${count(row, 'combination')}</th><td>${count(row, 'count')}</td>
<td>${then ? figure(then, 'rank') : 'not compared'}</td><td>${figure(row, 'rank')} (all ${figure(row, 'candidates')} tie)</td>
<td>${then ? estimate(then, 'probability') : 'not compared'}</td><td>${figure(row, 'probability')}</td></tr>
`;
  });
  const body = html`
<p>For an intruder who knows all other
records the release says nothing of them: every guess is as likely as before it. This holds as long as which records
are left out does not follow from the value that is guessed.</p>
<div class="table-scroll" role="region" aria-labelledby="left-out-caption" tabindex="0">
<table>
<caption id="left-out-caption">Means over records, before and after</caption>
<thead><tr><th scope="col">Records</th><th scope="col" class="words">When</th><th scope="col">Number</th>
<th scope="col">Truth ranked first</th><th scope="col">Rank</th><th scope="col">Probability</th>
<th scope="col">Largest</th><th scope="col">Information, bits</th><th scope="col">Gain, bits</th></tr></thead>
<tbody>
${before ? groupRow('Left out', 'before', before.named) : []}${groupRow('Left out', 'after', after.named)}${before ? groupRow('All others', 'before', before.others) : []}${groupRow('All others', 'after', after.others)}</tbody>
</table>
</div>
${change?.others ? html`<p>What became of all others, after less before: ${changeInWords(change.others)}.</p>` : []}
${change?.named ? html`<p>And of those left out: ${changeInWords(change.named)}.</p>` : []}
${before ? html`<p>Whole file, with standard errors: before, ${fileInWords(before)}; after, ${fileInWords(after)}.</p>` : html`<p>There is nothing to compare with: ${beforeReason!}.</p>`}
<div class="table-scroll" role="region" aria-labelledby="left-out-rows-caption" tabindex="0">
<table>
<caption id="left-out-rows-caption">Combinations left out${after.rows.length > MOST_ROWS ? html`, the first ${String(MOST_ROWS)} of ${derived('left-out', String(after.rows.length))}` : ''}</caption>
<thead><tr><th scope="col">Combination</th><th scope="col">Records</th><th scope="col">Rank before</th>
<th scope="col">Rank after</th><th scope="col">Probability before</th><th scope="col">Probability after</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
  return {
    id: 'left-out',
    title: 'Records left out of the fit',
    answer: html`The synthesizer never saw ${quantity(after.named, 'records', 'record')}.`,
    body,
  };
}
