import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';
import { warningSchema } from '../run/warning.ts';

/** R-hat and effective sizes of one quantity over the base chains (Vehtari et al. 2021). */
export const quantityDiagnosticsSchema = z.strictObject({
  quantity: z.enum(['alpha', 'occupiedClasses', 'logLikelihood']),
  mean: z.number(),
  standardDeviation: nonNegative,
  /** Null with a reason when every draw has the same value, or each chain stands still at its own. */
  rHat: z.number().nullable(),
  rHatReason: z.string().optional(),
  bulkEffectiveSize: z.number().nullable(),
  tailEffectiveSize: z.number().nullable(),
  chainMeans: z.array(z.number()),
});

/** `diagnostics/chains.json`. */
export const chainDiagnosticsSchema = z.strictObject({
  chains: z.int(),
  drawsPerChain: z.int(),
  burnIn: z.int(),
  thin: z.int(),
  quantities: z.array(quantityDiagnosticsSchema),
  /** Largest occupied class count seen in each base chain. */
  occupiedClassesMax: z.array(z.int()),
  warnings: z.array(warningSchema),
});

/** Diagnostics of the base chains. */
export type ChainDiagnostics = z.infer<typeof chainDiagnosticsSchema>;
/** Diagnostics of one quantity. */
export type QuantityDiagnostics = z.infer<typeof quantityDiagnosticsSchema>;
