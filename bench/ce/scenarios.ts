import type { Table } from '../../shared/table/table.ts';

/** Variables that the intruder knows of a record in every scenario (Hornby & Hu 2021, section 4). */
export const KNOWN = ['Age', 'Urban', 'Marital'];

/** The radius of the known continuous variable. */
export const AGE_RADIUS = 0.1;

/** Synthesized variables in visiting order (Hornby & Hu 2021, Table 2). */
export const SCENARIOS: readonly (readonly string[])[] = [
  ['Income'],
  ['Tenure', 'Income'],
  ['Expenditure', 'Income'],
  ['Tenure', 'Expenditure', 'Income'],
];

/** Which variables predict a synthesized one beside those visited before it: none as Hornby & Hu (2021) have it, or all that are kept. */
export const READINGS = ['none', 'kept'] as const;

/** One of {@link READINGS}. */
export type Reading = (typeof READINGS)[number];

/** Types of the variables (Hornby & Hu 2021, Table 1). */
export const VARIABLES = {
  Age: { type: 'continuous' },
  Urban: { type: 'categorical' },
  Tenure: { type: 'categorical' },
  Educ: { type: 'categorical' },
  Expenditure: { type: 'continuous' },
  Marital: { type: 'categorical' },
  Income: { type: 'continuous' },
} as const;

/**
 * The index of a variable.
 *
 * @throws RangeError if the table has none of this name
 */
export function variableIndex({ schema }: Table, name: string): number {
  const index = schema.variables.findIndex((variable) => variable.name === name);
  if (index < 0) throw new RangeError(`the table has no variable ${name}`);
  return index;
}
