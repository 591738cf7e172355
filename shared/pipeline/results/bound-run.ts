import type { RecordRelease } from '../../artifacts/stored-dataset.ts';
import { encodeJson } from '../../artifacts/stored-json.ts';
import { readStreams } from '../../artifacts/stored-keys.ts';
import { listed, writeTable } from '../../artifacts/write-table.ts';
import { double, int32, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { BoundedMeasure, BoundsRow, FoundBounds } from '../../contracts/results/bounds.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { finish } from '../../contracts/stepwise.ts';
import { renderBounds } from '../../report/render-bounds.ts';
import { measureBounds, summarizeBounds } from '../../risk/bounds/bound-disclosure.ts';
import { type OpenedBounds, prepareBounds } from '../../risk/bounds/open-bounds.ts';
import type { Store } from '../../storage/store.ts';

/** `inherent.csv`. */
export const INHERENT: ResultTable<BoundsRow> = {
  file: 'inherent',
  row: 'a bound, resample and scenario',
  columns: {
    bound: text('`minimum` or `maximum`.', (row) => row.bound),
    resample: int32('Number from 1.', (row) => row.resample),
    scenario: text('What the intruder knows.', (row) => row.scenario),
    exact_disclosures: int32('Records with all synthesized values disclosed.', (row) => row.exact_disclosures),
    expected_match_risk: double('Sum over records of T / c.', (row) => row.expected_match_risk),
    true_match_rate: double('Share of records whose own row is the only match.', (row) => row.true_match_rate),
    false_match_rate: maybeDouble('Share of false ones among unique matches; empty where undefined.', (row) => row.false_match_rate),
    unique_matches: int32('Records that one row alone matches.', (row) => row.unique_matches),
  },
};

/** Stores the bounds: their table, their page, and last their document, which says that everything is there. */
export async function storeBounds(store: Store, found: FoundBounds, rows: readonly BoundsRow[]): Promise<void> {
  const { inherent, inherentReport } = runKeys(found.runId).confidential;
  await writeTable(store, found.runId, INHERENT, listed(rows));
  await store.put(inherentReport, new TextEncoder().encode(await renderBounds(found, rows)));
  await store.put(inherent, encodeJson(found));
}

/** Finds the least and the most that a release like a run's could disclose, and stores them; null if not asked for. */
export async function boundRun(store: Store, plan: Plan, bounds: OpenedBounds | null, release: RecordRelease | null) {
  const { version, runId } = plan;
  if (bounds === null || release === null) return null;
  const request = prepareBounds(release.table, release.datasets, bounds);
  const measures = finish(measureBounds(request, await readStreams(store, plan)));
  const { found, rows } = summarizeBounds(request, measures);
  const document: FoundBounds = { version, runId, ...found };
  await storeBounds(store, document, rows);
  return {
    inherent: {
      resamples: found.resamples,
      attributeDisclosures: positionOf(found.attributeDisclosures.all),
      identificationRisk: found.identificationRisk.map(({ scenario, expectedMatchRisk }) => ({
        scenario,
        expectedMatchRisk: positionOf(expectedMatchRisk),
      })),
    },
    warnings: found.warnings,
  };
}

function positionOf({ minimum, maximum, release }: BoundedMeasure): NonNullable<Summary['inherent']>['attributeDisclosures'] {
  const { mean, shareOfRange, reason } = release!;
  return { minimum: minimum.mean, maximum: maximum.mean, release: mean, shareOfRange, ...(reason === undefined ? {} : { reason }) };
}
