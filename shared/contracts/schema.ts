import * as z from 'zod';

/** One variable of a table. Categories are kept as text, in the order in which they are encoded. */
const variableSchema = z.discriminatedUnion('type', [
  z.strictObject({
    name: z.string().min(1),
    type: z.literal('categorical'),
    categories: z.array(z.string()).min(1),
    /** The code that stands for a missing value under `missing: category`, if any value was missing. */
    missingCode: z.int().nonnegative().optional(),
  }),
  z.strictObject({ name: z.string().min(1), type: z.literal('continuous') }),
]);

/** The variables of a table, in column order. */
export const tableSchema = z.strictObject({ variables: z.array(variableSchema).min(1) });

/** One variable of a table. */
export type Variable = z.infer<typeof variableSchema>;

/** A variable with a finite set of categories. */
export type CategoricalVariable = Extract<Variable, { type: 'categorical' }>;

/** The schema of a table. */
export type TableSchema = z.infer<typeof tableSchema>;
