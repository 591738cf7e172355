import * as z from 'zod';

/** Texts that stand for missing values; numbers may be written as such in a config. */
export const missingCodesSchema = z.array(z.union([z.string().min(1), z.number()])).transform((codes) => [...new Set(codes.map(String))]);

/** How a file writes its numbers. */
export const numberFormatSchema = z
  .strictObject({
    decimal: z.enum(['.', ',']).default('.').describe('Decimal mark of the file'),
    thousands: z.enum([',', '.', ' ', "'"]).optional().describe('Separator between groups of three digits, if the file has one'),
  })
  .refine(({ decimal, thousands }) => decimal !== thousands, { message: 'The decimal mark and the thousands separator are the same' })
  .describe('How the table writes numbers, where it is not as 1234.5');

/** How a file writes its numbers. */
export type NumberFormat = z.output<typeof numberFormatSchema>;
