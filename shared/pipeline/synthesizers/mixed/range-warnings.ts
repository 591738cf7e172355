import { readDatasetSource, readGeneratingState } from '../../../artifacts/stored-dataset.ts';
import type { Plan } from '../../../contracts/run/plan.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import type { TableSchema } from '../../../contracts/schema.ts';
import { sharesBeyondRange } from '../../../model/mixed/beyond-range.ts';
import { mixedView } from '../../../model/mixed/mixed-view.ts';
import { formatPercent } from '../../../report/words/format-number.ts';
import type { Store } from '../../../storage/store.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';

/** A share beyond the range that is pointed out (docs/explanation/numbers.md, where the estimate fails). */
const NOTABLE_SHARE = 0.1;

/** Names the variables of which the draws behind the datasets put many numbers beyond the declared range. */
export async function rangeWarnings(store: Store, { runId, config, datasets }: Plan, schema: TableSchema): Promise<Warning[]> {
  const view = mixedView(schema, config.variables);
  const sums = view.continuous.map(() => 0);
  for (let l = 1; l <= datasets.count; l++) {
    const state = await readGeneratingState(store, runId, await readDatasetSource(store, runId, l));
    if (state === null) return [];
    for (const [j, share] of sharesBeyondRange(state, view).entries()) sums[j]! += share / datasets.count;
  }
  const synthesized = synthesizedVariables(config.synthesis.synthesized, schema);
  const beyond = view.continuous
    .map(({ variable }, j) => ({ variable, name: schema.variables[variable]!.name, share: sums[j]! }))
    .filter(({ variable, share }) => share > NOTABLE_SHARE && synthesized.includes(variable))
    .toSorted((a, b) => b.share - a.share);
  if (beyond.length === 0) return [];
  const named = beyond.map(({ name, share }) => `${name} ${formatPercent(share)}`).join(', ');
  return [
    {
      code: 'range-cuts',
      message: `Of the numbers that the model draws, many lie beyond the declared range and are drawn again: ${named}. The model has whole normals for the table, and fits these variables badly: their gains may differ from what is claimed. Declare a scale that spreads values which crowd at an end of the range (scale: log, sqrt or asinh), or a wider range.`,
    },
  ];
}
