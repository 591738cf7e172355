import { z } from 'zod';

/** Prior of the concentration of a Dirichlet process: Gamma(shape, rate), or a fixed value. */
export const concentrationSchema = z.union([
  z.strictObject({ shape: z.number().positive(), rate: z.number().positive() }),
  z.strictObject({ value: z.number().positive() }),
]);
