import * as z from 'zod';
import { nonNegative, number, numberOrNull } from '../number-schemas.ts';
import { warnings } from '../run/warning.ts';

/** R-hat and effective sizes of one quantity over the base chains (Vehtari et al. 2021). */
const quantityDiagnosticsSchema = z.strictObject({
  quantity: z.enum(['alpha', 'occupiedClasses', 'logLikelihood']).describe('`alpha`, `occupiedClasses` or `logLikelihood`.'),
  mean: number.describe('Mean over all draws.'),
  standardDeviation: nonNegative.describe('Over all draws.'),
  rHat: numberOrNull.describe('R-hat of ranks: near 1 where chains agree.'),
  rHatReason: z.string().optional(),
  bulkEffectiveSize: numberOrNull.describe('Effective draws of the middle.'),
  tailEffectiveSize: numberOrNull.describe('Effective draws of the tails.'),
  chainMeans: z.array(number).describe('Mean of each chain.'),
});

/** `diagnostics/chains.json`. */
export const chainDiagnosticsSchema = z.strictObject({
  chains: z.int().describe('Base chains.'),
  drawsPerChain: z.int().describe('Draws that are kept of each chain.'),
  burnIn: z.int().describe('Iterations before the first.'),
  thin: z.int().describe('Iterations between two.'),
  quantities: z.array(quantityDiagnosticsSchema).describe('What is followed along the chains.'),
  occupiedClassesMax: z.array(z.int()).describe('Most classes occupied, by chain.'),
  warnings,
});

/** Diagnostics of the base chains. */
export type ChainDiagnostics = z.infer<typeof chainDiagnosticsSchema>;
/** Diagnostics of one quantity. */
export type QuantityDiagnostics = z.infer<typeof quantityDiagnosticsSchema>;
