import * as z from 'zod';
import { count, nonNegativeOrNull } from './number-schemas.ts';

/** Version of synthrisk. */
export const version = z.string().describe('Version of synthrisk that wrote the file.');
/** Id of a run. */
export const runId = z.string().describe('Id of the run, 16 hexadecimal digits.');
/** Seed of a run. */
export const seed = z.int().describe('Distinguishes runs of one release key.');
/** The confidential table, in numbers. */
export const tableInNumbers = z
  .strictObject({ records: count.describe('Records of the confidential table.'), variables: count.describe('Its variables.') })
  .describe('The confidential table, in numbers.');
/** Ends of a 95 % interval, of numbers of a schema. */
export const intervalOf = <Ends extends z.ZodType>(ends: Ends) => ({
  low: ends.describe('Lower end of the 95 % interval.'),
  high: ends.describe('Upper end of the 95 % interval.'),
});
/** Standard errors of figures, by their names. */
export const errorsOf = <Name extends string>(figures: { readonly shape: Readonly<Record<Name, unknown>> }) =>
  z.strictObject(
    Object.fromEntries(Object.keys(figures.shape).map((name) => [name, nonNegativeOrNull.describe(`Of \`${name}\`.`)])) as Record<
      Name,
      typeof nonNegativeOrNull
    >,
  );
/** Why something is null. */
export const reason = z.string().optional().describe('Why a field beside it is null.');
/** Name of a variable. */
export const variable = z.string().describe('Name of the variable.');
/** Names of synthesized variables. */
export const synthesized = z.array(z.string()).describe('Variables whose values are synthetic.');
/** Whether all variables are synthetic. */
export const kind = z
  .enum(['full', 'partial'])
  .describe('`full`: every variable is synthetic; `partial`: some are kept, and row i is record i.');

/** What the name of a field alone says, among its siblings': that it is the error of another, or why that is null. */
export function meaningByName(name: string, siblings: readonly string[]): string | null {
  const [, figure, kind] = /^(.+)(Se|Reason)$/.exec(name) ?? [];
  if (figure === undefined) return null;
  if (kind === 'Se') return `Standard error of \`${figure}\`.`;
  return `Why \`${siblings.includes(figure) ? figure : `${figure}...`}\` is null.`;
}
