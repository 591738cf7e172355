import * as z from 'zod';

/** A condition that the reader of a run must know of. */
export const warningSchema = z.strictObject({
  code: z.string().describe('Stable word for programs.'),
  message: z.string().describe('The same for people.'),
});

/** All of them. */
export const warnings = z.array(warningSchema).describe('What the reader must know.');

/** A condition that the reader of a run must know of. */
export type Warning = z.infer<typeof warningSchema>;
