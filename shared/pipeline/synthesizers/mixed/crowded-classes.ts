import type { Config } from '../../../contracts/config/config.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import { mixedView } from '../../../model/mixed/mixed-view.ts';
import { formatCount, formatQuantity } from '../../../report/words/format-number.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Table } from '../../../table/table.ts';

/** Records for each class and synthesized number below which the estimate failed (docs/explanation/numbers.md, where the estimate fails). */
const TOO_FEW = 3;

/** As many as were enough there. */
const ENOUGH = 4;

/** Says before a run that its classes are too many for the numbers that are synthesized of so few records. */
export function crowdedClasses({ model, variables, synthesis }: Config, { schema, records }: Table): Warning[] {
  const { classes } = settingsOf(model, 'mixed');
  const synthesized = synthesizedVariables(synthesis.synthesized, schema);
  const numbers = mixedView(schema, variables).continuous.filter(({ variable }) => synthesized.includes(variable)).length;
  if (records >= TOO_FEW * classes * numbers) return [];
  const fewer = Math.max(1, Math.floor(records / (ENOUGH * numbers)));
  return [
    {
      code: 'crowded-classes',
      message: `${formatCount(records)} records in ${formatQuantity(classes, 'class', 'classes')} are few for ${formatQuantity(numbers, 'number')}: chains may settle in classes so narrow that the risk cannot be estimated. Try --classes ${fewer}, or synthesize fewer numbers.`,
    },
  ];
}
