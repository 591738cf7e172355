import type { GroupChange, GroupRisk, LeftOut, NamedRisk } from '../../contracts/results/left-out.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatCount, formatEstimate, formatFigure, formatQuantity } from '../words/format-number.ts';
import { figureOrNone, groupFigure, groupShare, meanInWords } from '../words/left-out-in-words.ts';

/** Combinations that the section lists; all are in summary.json. */
const MOST_ROWS = 50;

const groupRow = (
  title: string,
  when: string,
  risk: GroupRisk,
): Html => html`<tr><th scope="row">${title}</th>
<td>${when}</td><td>${formatQuantity(risk.records, 'record')}</td>
<td>${groupShare(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe)}</td>
<td>${groupFigure(risk.rankMean, risk.rankMeanSe)}</td>
<td>${groupFigure(risk.probabilityMean, risk.probabilityMeanSe)}</td>
<td>${figureOrNone(risk.probabilityMax)}</td>
<td>${groupFigure(risk.informationBitsMean, risk.informationBitsMeanSe)}</td>
<td>${figureOrNone(risk.gainBitsMean)}</td></tr>
`;

/** What became of the means of a group, beyond which records it holds. */
const changeInWords = (change: NonNullable<GroupChange>) =>
  `probability ${meanInWords(change.probabilityMean)}, information ${meanInWords(change.informationBitsMean)} bits, rank ${meanInWords(change.rankMean)}`;

const fileInWords = ({ file }: NamedRisk) =>
  `probability ${meanInWords(file.probability)}, information ${meanInWords(file.informationBits)} bits${file.gainBits ? `, gain ${meanInWords(file.gainBits)} bits` : ''}`;

/** What leaving combinations out of the fit did to the risk of their records, and of all others. */
export function leftOutSection({ before, after, change, beforeReason }: LeftOut): Section {
  const earlier = new Map(before?.rows.map((row) => [row.combination, row]));
  const rows = after.rows.slice(0, MOST_ROWS).map((row) => {
    const then = earlier.get(row.combination);
    return html`<tr><th scope="row">${formatCount(row.combination)}</th><td>${formatCount(row.count)}</td>
<td>${then ? formatFigure(then.rank) : 'not compared'}</td><td>${formatFigure(row.rank)} (all ${formatFigure(row.candidates)} tie)</td>
<td>${then ? formatEstimate(then.probability, then.probabilitySe) : 'not compared'}</td><td>${formatFigure(row.probability)}</td></tr>
`;
  });
  const body = html`
<p>The synthesizer never saw ${formatQuantity(after.named.records, 'record')}. For an intruder who knows all other
records the release says nothing of them: every guess is as likely as before it. This holds as long as which records
are left out does not follow from the value that is guessed.</p>
<div class="table-scroll" role="region" aria-labelledby="left-out-caption" tabindex="0">
<table>
<caption id="left-out-caption">Means over records, before and after</caption>
<thead><tr><th scope="col">Records</th><th scope="col">When</th><th scope="col">Number</th>
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
<caption id="left-out-rows-caption">Combinations left out${after.rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${after.rows.length}` : ''}</caption>
<thead><tr><th scope="col">Combination</th><th scope="col">Records</th><th scope="col">Rank before</th>
<th scope="col">Rank after</th><th scope="col">Probability before</th><th scope="col">Probability after</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
  return { id: 'left-out', title: 'Records left out of the fit', body };
}
