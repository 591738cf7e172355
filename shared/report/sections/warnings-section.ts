import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { warningList } from '../page/warnings.ts';

/** Every warning of the run and of its chains, once each, or the statement that there are none. */
export function warningsSection(summary: Summary, chains: ChainDiagnostics | null): Section {
  const warnings = distinctWarnings([...summary.warnings, ...(chains?.warnings ?? [])]);
  const body = warnings.length === 0 ? html`<p>There are no warnings.</p>` : warningList(warnings);
  return { id: 'warnings', title: 'Warnings', body };
}

function distinctWarnings(warnings: readonly Warning[]): Warning[] {
  const byText = new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning]));
  return [...byText.values()];
}
