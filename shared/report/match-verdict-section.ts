import type { Summary } from '../contracts/results.ts';
import { formatFigure, formatPercent, formatQuantity } from './format-number.ts';
import { html } from './html.ts';
import type { Section } from './section.ts';
import { acceptanceInWords, keyFigure, matchedInWords } from './verdict-section.ts';

/** The answer in words for a release whose attribute risk cannot be measured: what matching finds, and why no more. */
export function matchVerdictSection(summary: Summary): Section {
  const { identificationRisk, attributeDisclosures, attributeRiskReason, table } = summary;
  const most = identificationRisk
    .filter((risk) => risk.applies)
    .toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0];
  const rate = most?.mean.falseMatchRate ?? null;
  const body = html`
${matchedInWords(summary)}
<dl class="figures">
${
  most === undefined
    ? []
    : html`${keyFigure('Expected match risk', formatFigure(most.mean.expectedMatchRisk), `of ${formatQuantity(table.records, 'record')}; scenario: ${most.scenario}`)}
${keyFigure('True match rate, percent', formatFigure(100 * most.mean.trueMatchRate), 'records that are their own unique match')}
${keyFigure('False match rate', rate === null ? 'undefined' : formatFigure(rate), 'unique matches that are wrong; 1 protects')}`
}
${
  attributeDisclosures === null
    ? []
    : keyFigure(
        'True values that came out, percent',
        formatFigure(100 * attributeDisclosures.all.meanShare),
        `from ${formatPercent(attributeDisclosures.all.smallest / table.records)} to ${formatPercent(attributeDisclosures.all.largest / table.records)} by dataset`,
      )
}
</dl>
<p>Attribute risk, what an intruder could learn about the values of each record, is not measured:
${attributeRiskReason ?? ''}</p>
${acceptanceInWords(summary)}`;
  return { id: 'verdict', title: 'Verdict', body };
}
