import type { Config } from '../../../contracts/config/config.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import { mixedView } from '../../../model/mixed/mixed-view.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Table } from '../../../table/table.ts';

/** Share of the records with one value, from which the estimate failed (docs/explanation/numbers.md, where the estimate fails). */
const HEAP = 0.04;

/** As many records at least: few agree by chance. */
const FEWEST = 30;

/** Whether so many records share a value that is none of the masses. */
function hasHeap(values: Float64Array, masses: readonly number[]): boolean {
  const many = Math.max(FEWEST, HEAP * values.length);
  const counts = new Map<number, number>();
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    if (count >= many && !Number.isNaN(value) && !masses.includes(value)) return true;
    counts.set(value, count);
  }
  return false;
}

/** Says before a run which synthesized numbers have values that many records share and that are not declared as masses. */
export function heapedNumbers({ variables, synthesis }: Config, { schema, columns }: Table): Warning[] {
  const synthesized = synthesizedVariables(synthesis.synthesized, schema);
  const heaped = mixedView(schema, variables).continuous.flatMap(({ variable, declared }) => {
    const column = columns[variable]!;
    const isHeaped = synthesized.includes(variable) && column.type === 'continuous' && hasHeap(column.values, declared.masses);
    return isHeaped ? [schema.variables[variable]!.name] : [];
  });
  if (heaped.length === 0) return [];
  return [
    {
      code: 'heaped-numbers',
      message: `Many records share a value that is not declared as a mass: ${heaped.join(', ')}. The model makes such values classes of their own, and the run claims less risk than the release brings. Declare them (masses: [0, 1, 2] in \`variables\`): small counts, round amounts. \`synthrisk plan TABLE --describe\` shows the commonest values.`,
    },
  ];
}
