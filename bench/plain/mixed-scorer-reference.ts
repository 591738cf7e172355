import type { MixedRows } from '../../shared/model/mixed/mixed-rows.ts';
import type { Beside } from '../../shared/risk/mixed/beside.ts';
import type { MixedModel } from '../../shared/risk/mixed/class-tables.ts';
import { logBesideRatios } from '../../shared/risk/mixed/log-beside-ratios.ts';
import { logMixedRatios } from '../../shared/risk/mixed/log-mixed-ratios.ts';
import type { MixedSpace } from '../../shared/risk/mixed/mixed-space.ts';
import type { RatioScorer } from '../../shared/risk/scoring/ratio-scorer.ts';

/** `createMixedScorer` in plain TypeScript, every row by logarithms. */
export function createReferenceMixedScorer(
  space: MixedSpace,
  model: MixedModel,
  rows: MixedRows,
  parts: readonly number[],
  beside: Beside | 'outside' | null = null,
): RatioScorer {
  const inLogs =
    beside === null || beside === 'outside'
      ? logMixedRatios(space, model, { rows, isOutside: beside === 'outside' }, parts)
      : logBesideRatios(space, model, { rows, beside }, parts);
  return (weights, _, ratios, logInverses, allocation) => {
    if (allocation === undefined) throw new RangeError('a scorer of the model mixed needs allocations');
    const score = inLogs(weights, allocation);
    for (let row = 0; row < rows.rows; row++) {
      const logInverse = score(row, ratios.subarray(row * space.perRecord, (row + 1) * space.perRecord));
      if (logInverses) logInverses[row] = logInverse;
    }
  };
}
