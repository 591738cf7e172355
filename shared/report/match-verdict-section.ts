import type { Summary } from '../contracts/results.ts';
import { formatFixed, formatPercent, formatPlain, formatSignificant } from './format-number.ts';
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
    : html`${keyFigure('Expected match risk', formatSignificant(most.mean.expectedMatchRisk, 3), `of ${formatPlain(table.records)} records; scenario: ${most.scenario}`)}
${keyFigure('True match rate, percent', formatSignificant(100 * most.mean.trueMatchRate, 3), 'records that are their own unique match')}
${keyFigure('False match rate', rate === null ? 'undefined' : formatFixed(rate, 3), 'unique matches that are wrong; 1 protects')}`
}
${
  attributeDisclosures === null
    ? []
    : keyFigure(
        'True values that came out, percent',
        formatSignificant(100 * attributeDisclosures.all.meanShare, 3),
        `from ${formatPercent(attributeDisclosures.all.smallest / table.records)} to ${formatPercent(attributeDisclosures.all.largest / table.records)} by dataset`,
      )
}
</dl>
<p>Attribute risk, what an intruder could learn about the values of each record, is not measured:
${attributeRiskReason ?? ''}</p>
${acceptanceInWords(summary)}`;
  return { id: 'verdict', title: 'Verdict', body };
}
