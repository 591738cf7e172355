import { readStreams } from '../../artifacts/stored-keys.ts';
import type { PartialRelease } from '../../artifacts/stored-release.ts';
import type { BoundedMeasure, FoundBounds } from '../../contracts/results/bounds.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { finish } from '../../contracts/stepwise.ts';
import { measureBounds, summarizeBounds } from '../../risk/bounds/bound-disclosure.ts';
import { type OpenedBounds, prepareBounds } from '../../risk/bounds/open-bounds.ts';
import type { Store } from '../../storage/store.ts';
import { storeBounds } from './store-bounds.ts';

/** Where a release lies between its bounds: what the summary says, and what was noticed. */
export interface BoundedRun {
  readonly inherent: NonNullable<Summary['inherent']>;
  readonly warnings: readonly Warning[];
}

/** Finds the least and the most that a release like a run's could disclose, and stores them; null if not asked for. */
export async function boundRun(
  store: Store,
  plan: Plan,
  bounds: OpenedBounds | null,
  release: PartialRelease | null,
): Promise<BoundedRun | null> {
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
