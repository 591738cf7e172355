import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { AttributeRiskSummary, Summary } from '../../shared/contracts/results/summary.ts';
import { formatCount, formatMeasured, formatPercent, formatPercentEstimate } from '../../shared/report/words/format-number.ts';
import type { Reference } from './releases.ts';

/** A release with what was found of it, and how long that took. */
export interface ReferenceResult {
  readonly reference: Reference;
  readonly summary: Summary;
  readonly seconds: number;
}

/** Numbers of a page in Markdown have ordinary spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

/** Every release on the scale from an independent one to the table itself. */
export function referenceTable(results: readonly ReferenceResult[]): string {
  return markdownTable(
    ['table', 'records', 'synthesizer', 'synthesized', 'resolved', 'bits lacked, a record', 'guessed right, before', 'after'],
    results.map(({ reference, summary }) => {
      const risk = summary.attributeRisk[0]!;
      return [
        reference.table.name,
        formatCount(summary.table.records),
        reference.synthesizer,
        reference.synthesized,
        `**${plain(resolved(risk))}**`,
        plain(formatMeasured(risk.lackedBitsMean!, risk.lackedBitsMeanSe)),
        plain(formatPercent(risk.firstGuessRightBefore!, risk.firstGuessRightBeforeSe)),
        plain(formatPercent(risk.firstGuessRightAfter!, risk.firstGuessRightAfterSe)),
      ];
    }),
  );
}

function resolved({ uncertaintyResolved: share, uncertaintyResolvedSe: se }: AttributeRiskSummary): string {
  if (share === null) return 'undefined';
  return se === null || se === 0 ? formatPercent(share) : formatPercentEstimate(share, se);
}

/** When, with which version and how long the releases were evaluated. */
export function settingsLine(results: readonly ReferenceResult[], on: Date): string {
  const versions = [...new Set(results.map(({ summary }) => summary.version))].join(', ');
  const minutes = results.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  return `Made on ${on.toISOString().slice(0, 10)} with synthrisk ${versions}: ${results.length} evaluations, ${formatCount(minutes)} min together on two shared cores. DPMPM and DP-areal were evaluated with \`--precision quick\`, all else by default; no seed was chosen, and each release has random numbers of its own.`;
}
