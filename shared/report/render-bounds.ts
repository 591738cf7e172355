import type { BoundsRow, FoundBounds } from '../contracts/results/bounds.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import { warningsWhereAny } from './page/warnings.ts';
import { boundsSection } from './sections/bounds-section.ts';
import { formatQuantity } from './words/format-number.ts';

/**
 * The page of `inherent`: one HTML file like the report of a run, confidential as that is.
 *
 * @param rows of `inherent.csv`
 */
export async function renderBounds(found: FoundBounds, rows: readonly BoundsRow[]): Promise<string> {
  const { table, datasets, warnings } = found;
  return renderPage({
    title: `Inherent bounds, run ${found.runId}`,
    confidentiality: html`This page is for those who judge the risk. Its bounds are found from the confidential table itself.`,
    heading: 'The least and the most that such a release could disclose',
    subtitle: `${formatQuantity(table.records, 'record')} on ${formatQuantity(table.variables, 'variable')}, ${
      datasets === 0 ? 'before any release' : `and a release of ${formatQuantity(datasets, 'dataset')}`
    }`,
    sections: [await boundsSection(found, rows), ...warningsWhereAny(warnings)],
    run: found,
  });
}
